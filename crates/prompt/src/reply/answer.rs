//! The reply to a follow-up question.

use super::{
    ParseError,
    module::is_a_change,
    words::{Cleaner, needed},
};
use crate::followup::Answer;

impl Answer {
    /// As it is kept, with parts that are not in the material left out of what it draws on, and citations
    /// removed.
    pub fn checked(mut self, parts: &[String], answered_by: &str) -> Result<Self, ParseError> {
        let mut clean = Cleaner::default();
        clean.texts([&mut self.text]);
        needed("answer", &self.text)?;
        let named = |part: &&String| self.draws_on.iter().any(|name| name.trim().eq_ignore_ascii_case(part));
        self.draws_on = parts.iter().filter(named).cloned().collect();
        let missing = self.not_in_material.map(|text| clean.line(&text));
        self.not_in_material = missing.filter(|text| is_a_change(text));
        answered_by.clone_into(&mut self.answered_by);
        self.dropped_citations = clean.dropped;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn an_answer_draws_only_on_parts_there_are() {
        let reply = r#"{"draws_on":["Market, round 2","the internet"],"answer":"About 4.50 [1].","not_in_material":"null"}"#;
        let parts = ["problem".to_owned(), "market, round 2".to_owned()];
        let answer = parse::<Answer>(reply).unwrap().checked(&parts, "m").unwrap();
        assert_eq!(answer.draws_on, ["market, round 2"]);
        assert_eq!(
            (answer.text.as_str(), answer.not_in_material, answer.dropped_citations),
            ("About 4.50.", None, 1)
        );
        let empty = r#"{"draws_on":[],"answer":"","not_in_material":"All of it"}"#;
        let reply = parse::<Answer>(empty).unwrap();
        assert_eq!(reply.checked(&parts, "m"), Err(ParseError::Empty("answer")));
    }
}
