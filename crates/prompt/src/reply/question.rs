//! What has to be decided, as a model put it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, needed},
};
use domain::{MAX_QUESTION, PutQuestion, shortened};

/// What the model writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionReply {
    /// What has to be decided, in one sentence.
    pub question: String,
    /// Whether what decides it is among what these specialists look at.
    #[serde(default)]
    pub usual_fit: Option<bool>,
}

impl QuestionReply {
    /// The sentence, on a line, without quotation marks around it and within bounds. Nothing to read is an error. Where
    /// nobody `judges`, what is said of the usual modules is not kept.
    pub fn into_question(self, judges: bool) -> Result<PutQuestion, ParseError> {
        let question = Cleaner::default().line(&self.question);
        let question = question.trim_matches(['"', '“', '”', '„', '«', '»', '*', ' ']);
        needed("question", question)?;
        let question = shortened(question, MAX_QUESTION);
        Ok(match self.usual_fit.filter(|_| judges) {
            Some(usual_fit) => PutQuestion::Judged { question, usual_fit },
            None => PutQuestion::Alone(question),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn a_question_is_a_line_within_bounds() {
        let read = |text: &str| {
            let reply = serde_json::json!({ "question": text }).to_string();
            parse::<QuestionReply>(&reply).unwrap().into_question(false)
        };
        assert_eq!(read("“Should we open\non Sundays?”").unwrap().text(), "Should we open on Sundays?");
        assert_eq!(read(" \u{200b} "), Err(ParseError::Empty("question")));
        let long: Vec<String> = (0..90).map(|at| format!("word{at}")).collect();
        assert!(read(&long.join(" ")).unwrap().text().chars().count() <= MAX_QUESTION);
    }
}
