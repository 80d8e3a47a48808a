//! What stands on a picture, as a model read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::Cleaner;
use domain::PictureText;

/// What the model writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureReply {
    /// All words on the picture, letter for letter. Markdown.
    pub text: String,
    /// What else it shows that matters. Empty where there is nothing.
    pub shows: String,
}

impl PictureReply {
    /// The words, clean; nothing on the picture is an answer too.
    #[must_use]
    pub fn into_text(self) -> PictureText {
        PictureText { text: Cleaner::default().text(&self.text), shows: Cleaner::default().text(&self.shows) }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    use super::*;

    #[test]
    fn what_stands_on_a_picture_may_be_nothing() {
        let read = |text: &str, shows: &str| {
            let reply = serde_json::json!({"text": text, "shows": shows}).to_string();
            parse::<PictureReply>(&reply).unwrap().into_text()
        };
        assert!(read(" \u{200b}\n", "").is_nothing());
        assert!(!read("", "A pie chart.").is_nothing());
        assert_eq!(read("Rent: $4,000", "").text, "Rent: $4,000");
    }
}
