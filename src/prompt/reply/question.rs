//! What has to be decided, as a model put it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, needed},
};
use crate::domain::{MAX_QUESTION, shortened};

/// What the model writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionReply {
    /// What has to be decided, in one sentence.
    pub question: String,
}

impl QuestionReply {
    /// The sentence, on a line, without quotation marks around it and within bounds. Nothing to read is an error.
    pub fn into_question(self) -> Result<String, ParseError> {
        let question = Cleaner::default().line(&self.question);
        let question = question.trim_matches(['"', '“', '”', '„', '«', '»', '*', ' ']);
        needed("question", question)?;
        Ok(shortened(question, MAX_QUESTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::parse;

    #[test]
    fn a_question_is_a_line_within_bounds() {
        let read = |text: &str| {
            let reply = serde_json::json!({ "question": text }).to_string();
            parse::<QuestionReply>(&reply).unwrap().value.into_question()
        };
        assert_eq!(read("“Should we open\non Sundays?”").unwrap(), "Should we open on Sundays?");
        assert_eq!(read(" \u{200b} "), Err(ParseError::Empty("question")));
        let long: Vec<String> = (0..90).map(|at| format!("word{at}")).collect();
        assert!(read(&long.join(" ")).unwrap().chars().count() <= MAX_QUESTION);
    }
}
