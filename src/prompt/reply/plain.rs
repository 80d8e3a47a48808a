//! The plain answer.

use super::{
    ParseError, module,
    words::{Cleaner, MAX_ITEMS, is_said, needed},
};
use crate::domain::PlainAnswer;

impl PlainAnswer {
    /// As it is kept: with something to read in it and something recommended.
    pub fn checked(mut self, answered_by: &str) -> Result<Self, ParseError> {
        let mut clean = Cleaner::default();
        clean.texts([&mut self.answer]);
        needed("answer", &self.answer)?;
        clean.items(&mut self.recommendations, MAX_ITEMS, |clean, option| {
            clean.texts([&mut option.why]);
            clean.one_line([&mut option.title]);
            if option.title.is_empty() {
                option.title = module::begins(&option.why);
            }
            is_said(&[&option.title])
        });
        if self.recommendations.is_empty() {
            return Err(ParseError::Empty("recommendations"));
        }
        answered_by.clone_into(&mut self.answered_by);
        Ok(self)
    }
}
