//! What a memo, a review, an answer or a debate's paper begins with: what several models answer, each alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Effort;

/// What somebody would say if nobody else were asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "first_answer")]
pub struct FirstAnswer {
    /// Markdown: your answer; what matters most stands in its first two or three sentences.
    #[schemars(extend("words" = "420-520 | 800-880 | 1150-1550", "label" = "First answer", "needed" = true))]
    pub text: String,
}

impl FirstAnswer {
    /// How many are asked for one.
    #[must_use]
    pub fn asked(effort: Effort) -> usize {
        if effort == Effort::Brief { 1 } else { 3 }
    }

    /// Calls until there is one: those who answer, and where they are several as many who read them.
    #[must_use]
    pub fn calls(effort: Effort) -> u64 {
        if effort == Effort::Brief { 1 } else { 6 }
    }

    /// The letter under which a reader gets the answer at this place, from 0.
    #[must_use]
    pub fn letter(place: usize) -> String {
        u8::try_from(place)
            .map_or_else(|_| place.to_string(), |place| char::from(b'A' + place % 26).to_string())
    }
}
