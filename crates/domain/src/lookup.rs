//! Looking for sessions: how a text is put into the index, how what somebody typed is looked for in it, and the pages of
//! what is found.
//!
//! Words are what stands between spaces and signs, whatever their case and accents; the last one may be a beginning. Scripts
//! that are written without spaces have no such words, and an index of three letters each would not find the many Japanese
//! and Chinese words of two, so each of their signs is a word of its own, and what was typed has to follow one another
//! as it was typed. The same goes for emoji.

use super::{ChannelId, SessionId};

/// Stands between signs that are words of their own. Nothing is seen of it.
const BREAK: char = '\u{200b}';

/// Where a word that was looked for begins in an excerpt, and where it ends. No text of the index holds them.
pub const MARKS: (char, char) = ('\u{2}', '\u{3}');

/// Most words that are looked for; of a longer text the first ones are.
const MOST_WORDS: usize = 24;

/// A text as the index keeps it: at most so many characters, without what only cards understand.
#[must_use]
pub fn indexed(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    let mut kept = 0;
    let mut before = None;
    for c in text.chars() {
        let c = match c {
            '*' | '`' | '\\' | BREAK => continue,
            '|' => ' ',
            c if c.is_control() && c != '\n' => ' ',
            c => c,
        };
        if before.is_some_and(|before| stands_alone(before) || stands_alone(c)) {
            out.push(BREAK);
        }
        out.push(c);
        before = Some(c);
        kept += 1;
        if kept == most {
            break;
        }
    }
    out
}

/// An excerpt of the index as somebody wrote it, [`MARKS`] around what was found.
#[must_use]
pub fn excerpt(text: &str) -> String {
    text.chars().filter(|c| *c != BREAK).collect()
}

/// What is asked of the index for a text that somebody typed: all its words, the last one as a beginning, whatever signs
/// stand in it. `None` where it has no words.
#[must_use]
pub fn wanted(text: &str) -> Option<String> {
    let word = |word: &&str| word.chars().any(|c| c.is_alphanumeric() || stands_alone(c));
    let words: Vec<&str> = text.split_whitespace().filter(word).take(MOST_WORDS).collect();
    let quoted = words.iter().map(|word| format!("\"{}\"", indexed(word, 100).replace('"', "\"\"")));
    let all = quoted.collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then(|| format!("{all}*"))
}

/// Whether a sign is a word of its own: of scripts without spaces, and pictures.
fn stands_alone(c: char) -> bool {
    matches!(u32::from(c),
        // Thai, Lao, Burmese, Khmer.
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff
        // Japanese and Chinese.
        | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xf900..=0xfaff | 0xff66..=0xff9d | 0x20000..=0x3ffff
        | 0x2600..=0x27bf | 0x1f000..=0x1faff)
}

/// What an answer to `/history` lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Listing {
    /// The sessions of a channel.
    Channel(ChannelId),
    /// What a member looked for, by the number of the command.
    Lookup(u64),
}

impl Listing {
    /// As buttons spell it: `c42`, `l43`.
    #[must_use]
    pub fn spelled(self) -> String {
        match self {
            Self::Channel(channel) => format!("c{channel}"),
            Self::Lookup(lookup) => format!("l{lookup}"),
        }
    }

    /// Reads that.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(channel) = text.strip_prefix('c') {
            return Some(Self::Channel(ChannelId(channel.parse().ok()?)));
        }
        Some(Self::Lookup(text.strip_prefix('l')?.parse().ok()?))
    }
}

/// A page of a list, from 0.
pub type PageOf = (Listing, u32);

/// A session, and the page from which somebody came to it.
pub type FoundOn = (SessionId, PageOf);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_was_typed_is_words_whatever_signs_stand_in_it() {
        let table = [
            ("open Sundays", Some(r#""open" "Sundays"*"#)),
            ("AND (", Some(r#""AND"*"#)),
            ("\"", None),
            ("NEAR(", Some(r#""NEAR("*"#)),
            ("title:", Some(r#""title:"*"#)),
            ("say \"no\"", Some(r#""say" """no"""*"#)),
            ("", None),
            (" \n ( ) - * ", None),
            ("🚀", Some("\"🚀\"*")),
            ("決定", Some("\"決\u{200b}定\"*")),
            ("a*b", Some(r#""ab"*"#)),
            ("x\0y", Some(r#""x y"*"#)),
        ];
        for (typed, asked) in table {
            assert_eq!(wanted(typed).as_deref(), asked, "{typed:?}");
        }
        let long = wanted(&"word ".repeat(800)).unwrap();
        assert_eq!(long.matches("\"word\"").count(), MOST_WORDS);
        assert!(wanted(&"x".repeat(4_000)).unwrap().len() < 110);
    }

    #[test]
    fn signs_without_spaces_between_them_are_words_of_their_own() {
        assert_eq!(indexed("決定: ok", 100), "決\u{200b}定\u{200b}: ok");
        assert_eq!(indexed("done✅ and `C`", 100), "done\u{200b}✅\u{200b} and C");
        assert_eq!(excerpt("\u{2}決\u{200b}定\u{3}\u{200b}: ok"), "\u{2}決定\u{3}: ok");
        assert_eq!(indexed("ab\u{2}c\u{3}", 4), "ab c");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn an_excerpt_is_what_was_written_but_for_its_markup(text in "[a-z *`|決定🚀\\n]{0,60}") {
            let shown = excerpt(&indexed(&text, 1_000));
            let plain: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
            prop_assert_eq!(shown, plain.replace('|', " "));
        }

        #[test]
        fn pages_are_spelled_as_they_are_read(number in any::<u64>()) {
            for listing in [Listing::Channel(ChannelId(number)), Listing::Lookup(number)] {
                prop_assert_eq!(Listing::parse(&listing.spelled()), Some(listing));
            }
        }
    }
}
