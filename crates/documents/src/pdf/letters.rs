//! What one letter of a page says.

use hayro_interpret::hayro_cmap::BfString;

/// A letter as it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Letter {
    /// It is known.
    Known(Text),
    /// It draws nothing.
    Space,
    /// Nobody knows what it says; perhaps this.
    Unknown(Option<char>),
}

/// The characters of a letter: most have one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Text {
    /// One.
    One(char),
    /// Several, as of a ligature.
    Many(String),
}

impl Letter {
    /// Whether it says a digit, of whatever script, or anything with one.
    pub(super) fn is_digit(&self) -> bool {
        match self {
            Self::Known(Text::One(one)) => one.is_numeric(),
            Self::Known(Text::Many(many)) => many.contains(char::is_numeric),
            Self::Space | Self::Unknown(_) => false,
        }
    }
}

/// Reads a letter: by what its font says of it, or else, where it draws nothing, as a space. A font whose letters are
/// pictures may have them under the numbers that everybody uses, `code`.
pub(super) fn read(
    said: Option<BfString>,
    code: Option<u32>,
    draws_nothing: impl FnOnce() -> bool,
) -> Letter {
    let letter = match said {
        Some(BfString::Char(one)) => one_of(one),
        Some(BfString::String(many)) => many_of(&many),
        None => None,
    };
    match letter {
        Some(letter) => letter,
        None if draws_nothing() => Letter::Space,
        None => Letter::Unknown(code.and_then(guess)),
    }
}

fn one_of(one: char) -> Option<Letter> {
    Some(match one {
        '\u{fb00}' => many("ff"),
        '\u{fb01}' => many("fi"),
        '\u{fb02}' => many("fl"),
        '\u{fb03}' => many("ffi"),
        '\u{fb04}' => many("ffl"),
        '\u{fb05}' | '\u{fb06}' => many("st"),
        // The dots of lists, as symbol fonts have them.
        '\u{f0b7}' | '\u{f0a7}' => Letter::Known(Text::One('•')),
        // Drawn, it is where a word is parted.
        '\u{ad}' => Letter::Known(Text::One('-')),
        space if space.is_whitespace() => Letter::Space,
        '\u{200b}'..='\u{200d}' | '\u{feff}' => Letter::Known(Text::Many(String::new())),
        known if is_letter(known) => Letter::Known(Text::One(known)),
        _ => return None,
    })
}

fn many_of(several: &str) -> Option<Letter> {
    let mut all = String::new();
    for one in several.chars() {
        match one_of(one) {
            Some(Letter::Known(Text::One(one))) => all.push(one),
            Some(Letter::Known(Text::Many(many))) => all.push_str(&many),
            Some(Letter::Space) => all.push(' '),
            // Fonts end their letters with a zero here and there.
            None if one == '\0' => {}
            Some(Letter::Unknown(_)) | None => return None,
        }
    }
    if all.trim().is_empty() {
        return (!all.is_empty()).then_some(Letter::Space);
    }
    Some(Letter::Known(Text::Many(all)))
}

fn many(letters: &str) -> Letter {
    Letter::Known(Text::Many(letters.to_owned()))
}

/// Whether a character is one that everybody reads alike: no stand-in for an unknown one, none that each font has for
/// itself, none that steers a machine.
fn is_letter(one: char) -> bool {
    !(one.is_control()
        || matches!(
            one,
            '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' | '\u{fff0}'..='\u{ffff}'
        ))
}

/// The letter that has this number everywhere. Never a digit: a number that is wrong is worse than one that is missing.
fn guess(code: u32) -> Option<char> {
    let one = char::from_u32(code)?;
    (one.is_ascii_alphabetic() || matches!(one, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '-' | '\''))
        .then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_what_everybody_reads_alike() {
        let known = |said: char| read(Some(BfString::Char(said)), None, || false);
        let one = |one| Letter::Known(Text::One(one));
        for (said, letter) in [
            ('a', one('a')),
            ('5', one('5')),
            ('ﬁ', many("fi")),
            ('\u{f0b7}', one('•')),
            ('\u{ad}', one('-')),
            ('\u{a0}', Letter::Space),
            ('\u{fffd}', Letter::Unknown(None)),
            ('\u{e001}', Letter::Unknown(None)),
            ('\u{f031}', Letter::Unknown(None)),
            ('\u{100001}', Letter::Unknown(None)),
            ('\u{3}', Letter::Unknown(None)),
        ] {
            assert_eq!(known(said), letter, "{said:?}");
        }
        let several = |said: &str| read(Some(BfString::String(said.into())), None, || false);
        assert_eq!(several("ffi"), many("ffi"));
        assert_eq!(several("لا"), many("لا"));
        assert_eq!(several("1\u{e000}"), Letter::Unknown(None));
    }

    #[test]
    fn what_draws_nothing_is_a_space_and_no_digit_is_guessed() {
        assert_eq!(read(None, None, || true), Letter::Space);
        assert_eq!(read(None, Some(u32::from('a')), || false), Letter::Unknown(Some('a')));
        for digit in '0'..='9' {
            assert_eq!(read(None, Some(u32::from(digit)), || false), Letter::Unknown(None));
        }
    }
}
