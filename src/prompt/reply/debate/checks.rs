//! Small replies: whether a turn is about the proposition, and what was made clear.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::prompt::reply::{
    ParseError,
    words::{Cleaner, needed},
};

/// Whether a turn is about the proposition: what it is about comes first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicReply {
    /// What the turn is about, in a few words.
    #[schemars(length(max = 160))]
    pub what_it_is_about: String,
    /// Whether that bears on the proposition.
    pub on_topic: bool,
}

impl TopicReply {
    /// What the turn is about instead; `None`: it is about the proposition.
    #[must_use]
    pub fn into_stray(self) -> Option<String> {
        let about = Cleaner::default().line(&self.what_it_is_about);
        match (self.on_topic, about.is_empty()) {
            (true, _) => None,
            (false, true) => Some("something else".to_owned()),
            (false, false) => Some(about),
        }
    }
}

/// What the moderator made clear.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClarificationReply {
    /// The answer.
    #[schemars(length(max = 700))]
    pub answer: String,
}

impl ClarificationReply {
    /// The answer; an empty one is an error.
    pub fn into_answer(self) -> Result<String, ParseError> {
        let answer = Cleaner::default().text(&self.answer);
        needed("answer", &answer)?;
        Ok(answer)
    }
}
