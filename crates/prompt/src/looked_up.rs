//! How much there is to write of what is looked up, whoever does.

/// Most tokens of a reply that says what to look up: four queries of some ten words, in any language.
pub(super) const MAX_QUERIES_TOKENS: u32 = 300;
