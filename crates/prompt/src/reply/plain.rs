//! The plain answer.

use super::{
    ParseError, module,
    words::{Cleaner, MAX_ITEMS, is_said, needed},
};
use domain::PlainAnswer;

/// As it is kept: with something to read in it and something recommended.
pub fn checked_plain_answer(mut plain: PlainAnswer, answered_by: &str) -> Result<PlainAnswer, ParseError> {
    let mut clean = Cleaner::default();
    clean.texts([&mut plain.answer]);
    needed("answer", &plain.answer)?;
    clean.items(&mut plain.recommendations, MAX_ITEMS, |clean, option| {
        clean.texts([&mut option.why]);
        clean.one_line([&mut option.title]);
        if option.title.is_empty() {
            option.title = module::begins(&option.why);
        }
        is_said(&[&option.title])
    });
    if plain.recommendations.is_empty() {
        return Err(ParseError::Empty("recommendations"));
    }
    answered_by.clone_into(&mut plain.answered_by);
    Ok(plain)
}
