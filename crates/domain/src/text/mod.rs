//! Text as the rules read it: its words and sentences, what of it is quoted, and what its author says in its own
//! voice.
//!
//! Invariant: everything here is certain, whatever the text is about: counts, marks, places. What needs judgement is
//! asked of a model. Read by the rules of the protocols.

mod equal;
mod length;
mod quotation;
mod voice;

pub use equal::equal_words;
pub use length::{count_words, first_sentence, whole_sentences};
pub(crate) use length::{is_han, is_south_east, sentence_ends};
pub(crate) use quotation::quoted;
pub(crate) use voice::own_sentences;
/// A text with other words in place of one, or of several behind one another, where they are no part of a longer word or
/// number.
#[must_use]
pub fn replace_word(text: &str, word: &str, with: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let within = before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        out.push_str(before);
        out.push_str(if within { word } else { with });
        rest = after;
    }
    out + rest
}
