//! The answer as it is written: reasoning first, and each piece of evidence with the calls that show it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    ParseError,
    module::begins,
    words::{Cleaner, MAX_ITEMS, is_said, needed},
};
use domain::{EvidenceTag, InvestigationAnswer, Level, Rival, Stated};

/// How somebody knows what they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TagReply {
    /// A call or a check gave it back.
    Observed,
    /// It follows from what was observed.
    Derived,
    /// It is taken for granted.
    Assumed,
    /// It is a guess.
    Speculative,
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatedReply {
    /// What it says.
    #[schemars(length(max = 240))]
    pub text: String,
    /// How it is known.
    pub tag: TagReply,
    /// The calls that show it.
    #[schemars(length(max = 6))]
    pub calls: Vec<usize>,
}

/// Another answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RivalReply {
    /// In at most ten words.
    #[schemars(length(max = 100))]
    pub title: String,
    /// What speaks for it.
    #[schemars(length(max = 280))]
    pub description: String,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerReply {
    /// How it follows, in Markdown.
    #[schemars(length(max = 1400))]
    pub reasoning: String,
    /// In at most ten words.
    #[schemars(length(max = 100))]
    pub title: String,
    /// For somebody who reads nothing else.
    #[schemars(length(max = 500))]
    pub answer: String,
    /// How sure.
    pub confidence: Level,
    /// The strongest other answer.
    #[schemars(length(max = 400))]
    pub alternative: String,
    /// What would change it.
    #[schemars(length(max = 240))]
    pub would_change: String,
    /// What it stands on.
    #[schemars(length(max = 6))]
    pub evidence: Vec<StatedReply>,
    /// What is not resolved.
    #[schemars(length(max = 5), inner(length(max = 240)))]
    pub unresolved: Vec<String>,
    /// Other answers that somebody could choose.
    #[schemars(length(max = 3))]
    pub rivals: Vec<RivalReply>,
}

/// What an answer may refer to.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// How many pages marks may point at.
    pub pages: usize,
    /// The calls and checks that gave something back, from 1.
    pub calls: &'a [usize],
}

impl AnswerReply {
    /// The answer held to its grounds; one that says nothing is an error.
    pub fn into_answer(
        self,
        grounds: Grounds<'_>,
        answered_by: &str,
    ) -> Result<InvestigationAnswer, ParseError> {
        let mut clean = Cleaner::offering(grounds.pages);
        let answer = clean.text(&self.answer);
        needed("answer", &answer)?;
        let mut title = clean.line(&self.title);
        if !is_said(&[&title]) {
            title = begins(&answer);
        }
        let mut evidence = Vec::new();
        for stated in self.evidence.into_iter().take(MAX_ITEMS) {
            let text = clean.line(&stated.text);
            if is_said(&[&text]) {
                let tag = match stated.tag {
                    TagReply::Observed => EvidenceTag::Observed,
                    TagReply::Derived => EvidenceTag::Derived,
                    TagReply::Assumed => EvidenceTag::Assumed,
                    TagReply::Speculative => EvidenceTag::Speculative,
                };
                evidence.push(Stated::held_to(text, tag, &stated.calls, grounds.calls));
            }
        }
        let mut rivals = Vec::new();
        for rival in self.rivals.into_iter().take(MAX_ITEMS) {
            let title = clean.line(&rival.title);
            if is_said(&[&title]) {
                rivals.push(Rival { title, description: clean.text(&rival.description) });
            }
        }
        Ok(InvestigationAnswer {
            title,
            answer,
            reasoning: clean.text(&self.reasoning),
            confidence: self.confidence,
            alternative: clean.line(&self.alternative),
            would_change: clean.line(&self.would_change),
            evidence,
            unresolved: clean.lines(&self.unresolved),
            rivals,
            answered_by: Some(answered_by.to_owned()),
            left_out: Vec::new(),
            dropped_citations: clean.dropped,
        })
    }
}
