//! The proposition as it is put neutrally.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    domain::{Framing, Level, MAX_PROPOSITION_CHARS, Proposition, PropositionContext},
    prompt::reply::{
        ParseError,
        module::is_a_change,
        words::{Cleaner, shortened, word},
    },
};

/// Longest bound that is kept, in characters.
const MAX_BOUND: usize = 200;
/// Longest background that is kept, in characters.
const MAX_BACKGROUND: usize = 800;
/// Most stakeholders that are kept.
const MAX_STAKEHOLDERS: usize = 8;
/// Longest sentence about the question that is kept, in characters.
const MAX_REMARK: usize = 400;

/// What a question ends with, in the scripts that have something for it.
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '\u{37e}'];

/// Within which bounds the question is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextReply {
    /// Where; empty if nothing was said.
    #[schemars(length(max = 120))]
    pub geography: String,
    /// When; empty if nothing was said.
    #[schemars(length(max = 120))]
    pub timeframe: String,
    /// Of which field.
    #[schemars(length(max = 120))]
    pub domain: String,
    /// Whom it concerns.
    #[schemars(length(max = 6), inner(length(max = 80)))]
    pub stakeholders: Vec<String>,
    /// What one has to know, from what was written only; empty if nothing was said.
    #[schemars(length(max = 500))]
    pub background: String,
}

/// What the gatekeeper of a debate writes: the bounds before the question that keeps within them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropositionReply {
    /// The bounds.
    pub context: ContextReply,
    /// One neutral question that can be answered for or against.
    #[schemars(length(max = 400))]
    pub normalized_question: String,
    /// What was changed and why, in a sentence; empty if nothing was.
    #[schemars(length(max = 260))]
    pub changed: String,
    /// policy: what a body should do; ethical: what is right; technical: what works; practical: how to go about it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Framing")]
    pub framing: Framing,
    /// How many things hang together in it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub complexity: Level,
    /// Why it cannot be debated, and what to write instead; null if it can.
    #[schemars(length(max = 300))]
    pub objection: Option<String>,
}

impl PropositionReply {
    /// The proposition. Its question is one, of at most 500 characters; where it cannot be debated anyway, the text
    /// as it was typed will do.
    pub fn into_proposition(self, raw: &str, answered_by: &str) -> Result<Proposition, ParseError> {
        let mut clean = Cleaner::default();
        let said = |text: &str| if is_stated(text) { text.to_owned() } else { String::new() };
        let objection = self.objection.map(|text| said(&clean.line(&text))).filter(|text| !text.is_empty());
        let question = match question(&clean.line(&self.normalized_question)) {
            Err(_) if objection.is_some() => raw.split_whitespace().collect::<Vec<_>>().join(" "),
            question => question?,
        };
        let ContextReply { geography, timeframe, domain, stakeholders, background } = self.context;
        let mut bound = |text: &str| shortened(&said(&clean.line(text)), MAX_BOUND);
        let context = PropositionContext {
            geography: bound(&geography),
            timeframe: bound(&timeframe),
            domain: bound(&domain),
            stakeholders: stakeholders
                .iter()
                .map(|text| bound(text))
                .filter(|text| !text.is_empty())
                .take(MAX_STAKEHOLDERS)
                .collect(),
            background: shortened(&said(&clean.text(&background)), MAX_BACKGROUND),
        };
        Ok(Proposition {
            raw: raw.to_owned(),
            question,
            context,
            framing: self.framing,
            complexity: self.complexity,
            changed: shortened(&said(&clean.line(&self.changed)), MAX_REMARK),
            objection: objection.map(|text| shortened(&text, MAX_REMARK)),
            answered_by: Some(answered_by.to_owned()),
            edited_by: None,
        })
    }
}

/// One question, within its bounds.
fn question(text: &str) -> Result<String, ParseError> {
    if !text.chars().any(char::is_alphanumeric) {
        return Err(ParseError::Empty("normalized_question"));
    }
    let long = text.chars().count();
    if long > MAX_PROPOSITION_CHARS {
        return Err(ParseError::Shape(format!(
            "`normalized_question` has {long} characters; at most {MAX_PROPOSITION_CHARS} fit"
        )));
    }
    if !text.ends_with(QUESTION_MARKS) {
        return Err(ParseError::Shape(
            "`normalized_question` has to be one question that ends with a question mark".to_owned(),
        ));
    }
    Ok(text.to_owned())
}

/// Whether a text says something: models write "none" or "not specified" where nothing was asked for.
fn is_stated(text: &str) -> bool {
    const NOTHING: [&str; 5] = ["unspecified", "not specified", "not stated", "not given", "none stated"];
    let plain = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_a_change(text) && !NOTHING.contains(&plain.as_str())
}
