//! What a session was asked with and what it said, with the pages it cites: all that an audit looks at. It stands in
//! `report.json`, so that whoever has that file can look for themselves.

use serde::{Deserialize, Serialize};

use super::Speech;
use crate::{Numbered, Searching};

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

impl From<Numbered> for CitedPage {
    fn from(page: Numbered) -> Self {
        let Numbered { number, source } = page;
        Self { number, title: source.title, url: source.url.into(), excerpt: source.excerpt }
    }
}
