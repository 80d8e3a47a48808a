//! How much there is to write and to read of what is looked up, whoever does.

/// About how many tokens the pages take that a search finds at most: eight, of 1,200 characters and their titles each.
pub(super) const MOST_FOUND_TOKENS: u64 = 4_000;

/// Most tokens of a reply that says what to look up: four queries of some ten words, in any language.
pub(super) const MAX_QUERIES_TOKENS: u32 = 300;
