//! The reply to a follow-up question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ParseError, words::Cleaner};
use crate::prompt::followup::Answer;

/// What a follow-up's answerer writes: where it looked first, then the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerReply {
    /// Names of the parts of the material that the answer draws on; empty if none holds it.
    #[schemars(length(max = 8))]
    pub draws_on: Vec<String>,
    /// The answer, in Markdown.
    #[schemars(length(max = 1400))]
    pub answer: String,
    /// What was asked that the material does not hold; null if it holds all of it.
    #[schemars(length(max = 300))]
    pub not_in_material: Option<String>,
}

impl AnswerReply {
    /// The answer, with parts that are not in the material left out of what it draws on, and citations
    /// removed.
    pub fn into_answer(self, parts: &[String], answered_by: &str) -> Result<Answer, ParseError> {
        let mut clean = Cleaner::default();
        let text = clean.text(&self.answer);
        if !text.chars().any(char::is_alphanumeric) {
            return Err(ParseError::Empty("answer"));
        }
        let named = |part: &&String| self.draws_on.iter().any(|name| name.trim().eq_ignore_ascii_case(part));
        let missing = self.not_in_material.map(|text| clean.line(&text));
        Ok(Answer {
            draws_on: parts.iter().filter(named).cloned().collect(),
            not_in_material: missing.filter(|text| super::module::is_a_change(text)),
            text,
            answered_by: answered_by.to_owned(),
            dropped_citations: clean.dropped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::parse;

    #[test]
    fn an_answer_draws_only_on_parts_there_are() {
        let reply = r#"{"draws_on":["Market, round 2","the internet"],"answer":"About 4.50 [1].","not_in_material":"null"}"#;
        let parts = ["problem".to_owned(), "market, round 2".to_owned()];
        let answer = parse::<AnswerReply>(reply).unwrap().value.into_answer(&parts, "m").unwrap();
        assert_eq!(answer.draws_on, ["market, round 2"]);
        assert_eq!(
            (answer.text.as_str(), answer.not_in_material, answer.dropped_citations),
            ("About 4.50.", None, 1)
        );
        let empty = r#"{"draws_on":[],"answer":"","not_in_material":"All of it"}"#;
        let reply = parse::<AnswerReply>(empty).unwrap().value;
        assert_eq!(reply.into_answer(&parts, "m"), Err(ParseError::Empty("answer")));
    }
}
