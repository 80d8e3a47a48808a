//! What a session was asked with and what it said, with the pages it cites: all that an audit looks at. It stands in
//! `report.json`, so that whoever has that file can look for themselves.

use serde::{Deserialize, Serialize};

use crate::domain::{ModuleOutput, Searching, Synthesis};

/// Of the form of a dossier; raised when a field changes its meaning.
pub const DOSSIER_VERSION: u32 = 1;

/// What an audit looks at. Addresses are texts here: one that leads nowhere is what is looked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dossier {
    /// Of its form.
    pub version: u32,
    /// Whether the session searched the web.
    pub searching: Searching,
    /// What people gave it: the problem, their notes, the figures of a document.
    #[serde(default)]
    pub given: Vec<String>,
    /// What models were asked with; none where the server keeps that no longer.
    #[serde(default)]
    pub prompts: Vec<PromptText>,
    /// What they said, in the order in which it came about.
    #[serde(default)]
    pub said: Vec<Speech>,
}

/// A text that models were asked with, each once; what others wrote is left out between its tags.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PromptText {
    /// The steps that it was part of.
    pub steps: Vec<String>,
    /// The text.
    pub text: String,
}

/// What somebody said in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Speech {
    /// The step.
    pub step: String,
    /// Who: `Market`, `Synthesis`.
    pub by: String,
    /// In which round, where there are rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u8>,
    /// Each text that people read.
    pub texts: Vec<String>,
    /// The pages that the marks in them point at.
    #[serde(default)]
    pub sources: Vec<CitedPage>,
}

/// A page with the number by which a speech cites it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CitedPage {
    /// That number.
    pub number: usize,
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// Where it is; whatever stands there.
    #[serde(default)]
    pub url: String,
    /// What the search showed of it.
    #[serde(default)]
    pub excerpt: String,
}

impl Speech {
    /// What a module said.
    #[must_use]
    pub fn of_module(step: &str, output: &ModuleOutput) -> Self {
        let texts = [&output.summary, &output.analysis].into_iter().chain(&output.key_points);
        let texts = texts.chain(output.flags.iter().map(|flag| &flag.text)).chain(&output.revised);
        Self {
            step: step.to_owned(),
            by: output.heading(),
            round: Some(output.round.number()),
            texts: texts.cloned().collect(),
            sources: output.numbered().into_iter().map(CitedPage::from).collect(),
        }
    }

    /// What the mediator wrote.
    #[must_use]
    pub fn of_synthesis(step: &str, synthesis: &Synthesis) -> Self {
        Self {
            step: step.to_owned(),
            by: "Synthesis".to_owned(),
            round: Some(3),
            texts: synthesis.texts().cloned().collect(),
            sources: synthesis.sources.iter().cloned().map(CitedPage::from).collect(),
        }
    }

    /// The page of a number.
    #[must_use]
    pub fn page(&self, number: usize) -> Option<&CitedPage> {
        self.sources.iter().find(|source| source.number == number)
    }
}

impl From<crate::domain::Numbered> for CitedPage {
    fn from(page: crate::domain::Numbered) -> Self {
        let crate::domain::Numbered { number, source } = page;
        Self { number, title: source.title, url: source.url.into(), excerpt: source.excerpt }
    }
}
