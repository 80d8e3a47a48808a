//! RTF as it is written: groups in braces, words that begin with a backslash, and letters.

/// A piece of an RTF file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// `\word` with its number, if it has one.
    Word(&'a [u8], Option<i32>),
    /// A backslash and another sign, such as `\~`.
    Symbol(u8),
    /// A letter, as it stands or by its number (`\'e9`).
    Byte(u8),
}

/// The pieces of a file.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Passes over so many bytes, which are no text.
    pub(super) fn pass_over(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// What follows a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let letters = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).take(32).count();
        if letters == 0 {
            let (&sign, rest) = self.rest.split_first()?;
            self.rest = rest;
            if sign != b'\'' {
                return Some(Token::Symbol(sign));
            }
            let code = rest.get(..2).and_then(|code| std::str::from_utf8(code).ok());
            return match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                Some(byte) => {
                    self.rest = &rest[2..];
                    Some(Token::Byte(byte))
                }
                None => Some(Token::Symbol(sign)),
            };
        }
        let (word, rest) = self.rest.split_at(letters);
        let minus = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[minus..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = if digits == 0 { 0 } else { minus + digits };
        let number = std::str::from_utf8(&rest[..end]).ok().and_then(|number| number.parse().ok());
        // The space behind a word belongs to it.
        let space = usize::from(rest.get(end) == Some(&b' '));
        self.rest = &rest[end + space..];
        Some(Token::Word(word, number))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            match byte {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => return self.control(),
                // Lines are broken anywhere, and mean nothing.
                b'\r' | b'\n' | 0 => {}
                byte => return Some(Token::Byte(byte)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_their_number_does() {
        let tokens: Vec<Token<'_>> =
            Tokens::new(b"{\\b0 a\\u-3913?\\'e9\\~\\li-720\\par}\r\n\\'zz\\").collect();
        assert_eq!(
            tokens,
            [
                Token::Open,
                Token::Word(b"b", Some(0)),
                Token::Byte(b'a'),
                Token::Word(b"u", Some(-3913)),
                Token::Byte(b'?'),
                Token::Byte(0xe9),
                Token::Symbol(b'~'),
                Token::Word(b"li", Some(-720)),
                Token::Word(b"par", None),
                Token::Close,
                Token::Symbol(b'\''),
                Token::Byte(b'z'),
                Token::Byte(b'z'),
            ]
        );
    }
}
