//! What a memo, a review, an answer or a debate's paper begins with: what several models answer, each alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Effort, Written};

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
    /// How many are asked for one. The best of five is better than the best of three, at a tenth more of a session's cost; a review
    /// is made from three, for its findings come from those who read the document.
    #[must_use]
    pub fn asked(of: Written, effort: Effort) -> usize {
        match (effort, of) {
            (Effort::Brief, _) => 1,
            (_, Written::Review) => 3,
            _ => 5,
        }
    }

    /// The letter under which a reader gets the answer at this place, from 0.
    #[must_use]
    pub fn letter(place: usize) -> String {
        u8::try_from(place)
            .map_or_else(|_| place.to_string(), |place| char::from(b'A' + place % 26).to_string())
    }
}
