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
