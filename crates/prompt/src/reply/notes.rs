//! Notes on a section, as a model wrote them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, needed},
};
use domain::shortened;

/// What the model writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotesReply {
    /// What the section says. Markdown.
    pub notes: String,
}

impl NotesReply {
    /// The notes, within so many characters; what is beyond them is left out. Nothing to read is an error.
    pub fn into_notes(self, most: usize) -> Result<String, ParseError> {
        let notes = Cleaner::default().text(&self.notes);
        needed("notes", &notes)?;
        Ok(shortened(&notes, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn notes_are_kept_within_bounds() {
        let read = |text: &str, most| {
            let reply = serde_json::json!({ "notes": text }).to_string();
            parse::<NotesReply>(&reply).unwrap().into_notes(most)
        };
        assert_eq!(
            read("- Rent: 4,000 a month.\n- Until 2029.", 100).unwrap(),
            "- Rent: 4,000 a month.\n- Until 2029."
        );
        assert!(read(&"word ".repeat(200), 300).unwrap().chars().count() <= 300);
        assert_eq!(read(" \u{200b}\n", 100), Err(ParseError::Empty("notes")));
    }
}
