//! The texts of a structure, letter by letter as it comes.

/// How deep it is read: serde reads no deeper either.
const DEEPEST: u32 = 128;

/// Where in a structure the next letter is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Json {
    /// What is open, the innermost in the lowest bit: 1 for an object, 0 for a list.
    kinds: u128,
    /// How much is open.
    depth: u32,
    /// Whether a text that begins here is a value and no key.
    value: bool,
    /// Within a text.
    text: bool,
    escape: Escape,
    /// The first half of a letter that is escaped in two.
    half: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Escape {
    #[default]
    None,
    /// After the backslash.
    Begun,
    /// So many digits, and what they say so far.
    Digits(u8, u16),
}

/// What came of a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    /// Nothing that is read.
    Nothing,
    /// A letter of a value's text.
    Letter(char),
    /// The end of a text.
    Ends,
}

impl Json {
    /// Takes in one letter more.
    pub(super) fn take(&mut self, c: char) -> Read {
        if !self.text {
            match c {
                '{' | '[' => self.open(c == '{'),
                '}' | ']' => self.close(),
                ':' => self.value = true,
                ',' => self.value = !self.in_object(),
                '"' if self.depth > 0 => (self.text, self.half) = (true, None),
                _ => {}
            }
            return Read::Nothing;
        }
        let letter = match self.escape {
            Escape::None if c == '"' => {
                self.text = false;
                return Read::Ends;
            }
            Escape::None if c == '\\' => {
                self.escape = Escape::Begun;
                return Read::Nothing;
            }
            Escape::None => c,
            Escape::Begun if c == 'u' => {
                self.escape = Escape::Digits(0, 0);
                return Read::Nothing;
            }
            Escape::Begun => {
                self.escape = Escape::None;
                if matches!(c, 'n' | 'r' | 't' | 'b' | 'f') { ' ' } else { c }
            }
            Escape::Digits(count, number) => {
                self.escape = Escape::None;
                let digit = c.to_digit(16).and_then(|digit| u16::try_from(digit).ok());
                // Without one it is no escape after all.
                let Some(digit) = digit else { return self.take(c) };
                let number = (number << 4) | digit;
                if count < 3 {
                    self.escape = Escape::Digits(count + 1, number);
                    return Read::Nothing;
                }
                match self.unit(number) {
                    Some(letter) => letter,
                    None => return Read::Nothing,
                }
            }
        };
        self.half = None;
        if self.value && self.depth <= DEEPEST { Read::Letter(letter) } else { Read::Nothing }
    }

    fn open(&mut self, object: bool) {
        self.depth = self.depth.saturating_add(1);
        if self.depth <= DEEPEST {
            self.kinds = (self.kinds << 1) | u128::from(object);
        }
        self.value = !object;
    }

    fn close(&mut self) {
        if self.depth <= DEEPEST {
            self.kinds >>= 1;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn in_object(&self) -> bool {
        self.kinds & 1 == 1
    }

    /// The letter that an escaped number stands for, alone or with the one before; `None` for half a letter.
    fn unit(&mut self, number: u16) -> Option<char> {
        if (0xd800..0xdc00).contains(&number) {
            self.half = Some(number);
            return None;
        }
        let units = self.half.take().into_iter().chain([number]);
        char::decode_utf16(units).filter_map(Result::ok).last()
    }
}
