//! What a memo, a review, an answer or a debate's paper begins with: what several models answer, each alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Effort, Written, one_line};

/// What somebody would say if nobody else were asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "first_answer")]
pub struct FirstAnswer {
    /// What to do and why, in two or three sentences that somebody could say aloud. People read this first; `text` goes on
    /// from there and does not say it again.
    #[serde(default)]
    #[schemars(extend("words" = "30-50 | 30-55 | 50-85", "line" = true, "label" = "Do this", "when" = "opened"))]
    pub answer: String,
    /// Markdown: your answer, what matters most first.
    #[schemars(extend("words" = "410-520 | 800-880 | 1150-1550", "label" = "First answer", "needed" = true))]
    pub text: String,
}

impl FirstAnswer {
    /// How many are asked for one. Five give more to choose from, or to make one of, than three, at a tenth more of a session's cost;
    /// a review is made from three, for its findings come from those who read the document.
    #[must_use]
    pub fn asked(of: Written, effort: Effort) -> usize {
        match (effort, of) {
            (Effort::Brief, _) => 1,
            (_, Written::Review) => 3,
            _ => 5,
        }
    }

    /// The same with an answer of its own: where it has none, its first paragraph is that.
    #[must_use]
    pub fn opened(mut self) -> Self {
        let blocks: Vec<&str> =
            self.text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).collect();
        let is_heading = |block: &str| block.starts_with('#') && !block.contains('\n');
        let first = blocks.iter().position(|block| !is_heading(block)).filter(|_| self.answer.is_empty());
        if let Some(first) = first {
            self.answer = one_line(blocks[first]);
            self.text = blocks[first + 1..].join("\n\n");
        }
        self
    }

    /// All of it.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}\n\n{}", self.answer, self.text).trim().to_owned()
    }

    /// The letter under which a reader gets the answer at this place, from 0.
    #[must_use]
    pub fn letter(place: usize) -> String {
        u8::try_from(place)
            .map_or_else(|_| place.to_string(), |place| char::from(b'A' + place % 26).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_without_an_answer_begins_with_its_first_paragraph() {
        let opened = |answer: &str, text: &str| {
            let FirstAnswer { answer, text } =
                FirstAnswer { answer: answer.into(), text: text.into() }.opened();
            (answer, text)
        };
        let said = |answer: &str, text: &str| (answer.to_owned(), text.to_owned());
        assert_eq!(opened("Take it.", "## Why\n\nIt pays."), said("Take it.", "## Why\n\nIt pays."));
        assert_eq!(
            opened("", "# A memo\n\nTake\nit.\n\n## Why\n\nIt pays."),
            said("Take it.", "## Why\n\nIt pays.")
        );
        assert_eq!(opened("", "Take it."), said("Take it.", ""));
        assert_eq!(opened("", "# A memo"), said("", "# A memo"));
    }
}
