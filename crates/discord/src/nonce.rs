//! The name under which Discord knows a message before it has a number.

use std::fmt;

use sha2::{Digest, Sha256};

use domain::{SessionId, StepKey};

/// A message's nonce: made from what is posted where, so that it is the same after a restart. Discord creates
/// no second message for the same nonce of the same bot within a few minutes, and answers with the first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nonce(String);

impl Nonce {
    /// Length in characters; Discord takes at most 25.
    pub const LENGTH: usize = 24;

    /// The nonce of part `part` (from 0) of a post.
    #[must_use]
    pub fn new(session: &SessionId, post: &StepKey, part: usize) -> Self {
        // Neither a session's name nor a key contains the bar, so no two posts share this text.
        let digest = Sha256::digest(format!("{session}|{post}|{part}"));
        let alphabet = b"abcdefghijklmnopqrstuvwxyz234567";
        let bit = |at: usize| usize::from(digest[at / 8] >> (7 - at % 8) & 1);
        let letter = |at: usize| (at * 5..at * 5 + 5).fold(0, |value, place| value << 1 | bit(place));
        Self((0..Self::LENGTH).map(|at| char::from(alphabet[letter(at)])).collect())
    }

    /// A nonce as it was written into the outbox.
    #[must_use]
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The nonce as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_the_base32_of_its_digest_and_differs_by_every_part() {
        let session = SessionId::from_bits(7);
        let nonce = Nonce::new(&session, &StepKey::from("round-1/market"), 0);
        // `printf 'haaaaaaaaa|round-1/market|0' | openssl sha256 -binary | base32 | tr A-Z a-z | cut -c-24`
        assert_eq!(nonce.as_str(), "xjw3lkfawjlndfpedt6ttnom");
        assert_ne!(nonce, Nonce::new(&session, &StepKey::from("round-1/market"), 1));
        assert_ne!(nonce, Nonce::new(&session, &StepKey::from("round-2/market"), 0));
        assert_ne!(nonce, Nonce::new(&SessionId::from_bits(8), &StepKey::from("round-1/market"), 0));
    }
}
