//! Whether two texts say the same word for word.

/// Whether two texts have the same words in the same order: case, spaces and punctuation aside. A text without letters
/// and digits is equal to none.
#[must_use]
pub fn equal_words(one: &str, other: &str) -> bool {
    let one = words(one);
    one.clone().next().is_some() && one.eq(words(other))
}

fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_words_are_equal() {
        for (one, other, equal) in [
            ("Renew the lease.", "renew  the LEASE", true),
            ("«Renew», the lease!", "Renew the lease", true),
            ("延长租约。", "延长租约", true),
            ("Renew the lease for two years", "Renew the lease for five years", false),
            ("Accept the offer", "Reject the offer", false),
            ("Accept the offer", "Accept offer", false),
            ("", "", false),
            ("…", "!", false),
        ] {
            assert_eq!(equal_words(one, other), equal, "{one:?} and {other:?}");
        }
    }
}
