//! How a text is spelled once what does not count is made alike, so that a quotation can be found in it.

/// A text made alike: small letters, single spaces, no quotation marks or marks of emphasis, one kind of dash.
///
/// A dash between two letters is dropped with the white space around it, so that a word that is broken at the end of a
/// line is the whole word; one beside a digit stays, for it may be a minus or a range. One that marks an item of a list
/// is dropped. An apostrophe stays within a word.
pub(super) struct Spelling {
    /// What it is alike.
    pub text: String,
    /// For each byte of it, where the character begins that it came from.
    pub at: Vec<usize>,
}

impl Spelling {
    /// Of a text; one pass over it.
    pub(super) fn of(text: &str) -> Self {
        let mut scribe = Scribe {
            spelling: Self { text: String::with_capacity(text.len()), at: Vec::with_capacity(text.len()) },
            last: None,
            space: false,
            dash: None,
            apostrophe: None,
            dots: 0,
            dots_at: 0,
            line_start: true,
        };
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            scribe.read(at, c, characters.peek().map(|(_, next)| *next));
        }
        scribe.flush();
        scribe.spelling
    }
}

/// Chinese, Japanese, Thai, Lao, Burmese and Khmer, which set no spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e01}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3041}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Soft hyphens, what has no width, quotation marks that are no apostrophes, marks of code and of items.
fn counts_nowhere(c: char) -> bool {
    let unseen = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}');
    let quotes = "\"“”„‟«»‹›″＂「」『』〝〞`•◦▪●○■‣";
    unseen || quotes.contains(c)
}

/// Writes a spelling, holding back what only counts by what follows it.
struct Scribe {
    spelling: Spelling,
    last: Option<char>,
    space: bool,
    dash: Option<usize>,
    apostrophe: Option<usize>,
    dots: usize,
    dots_at: usize,
    /// Nothing but white space and marks of a quotation stood in the line.
    line_start: bool,
}

impl Scribe {
    fn read(&mut self, at: usize, c: char, next: Option<char>) {
        match c {
            '\n' | '\r' => {
                self.pause();
                self.line_start = true;
            }
            _ if c.is_whitespace() => self.pause(),
            _ if counts_nowhere(c) => {}
            '\'' | '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '´' | '＇' => {
                self.flush();
                self.apostrophe.get_or_insert(at);
            }
            // Marks of emphasis; between digits it is a sign.
            '*' | '_' if !(self.last_is_digit() && next.is_some_and(|c| c.is_ascii_digit())) => {}
            '\\' if next.is_some_and(|c| c.is_ascii_punctuation()) => {}
            '>' if self.line_start => {}
            '#' if self.line_start && next.is_none_or(|c| c == '#' || c.is_whitespace()) => {}
            '-' | '+' if self.line_start && next.is_some_and(char::is_whitespace) => self.pause(),
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
                self.flush();
                self.dash.get_or_insert(at);
                self.line_start = false;
            }
            '.' => self.dot(at, 1),
            '…' => self.dot(at, 3),
            _ => {
                self.line_start = false;
                self.flush();
                self.letters(at, c);
            }
        }
    }

    fn last_is_digit(&self) -> bool {
        !self.space && self.last.is_some_and(|c| c.is_ascii_digit())
    }

    fn pause(&mut self) {
        self.flush();
        self.space = true;
    }

    fn dot(&mut self, at: usize, count: usize) {
        if self.dots == 0 {
            self.dots_at = at;
        }
        self.dots += count;
        self.line_start = false;
    }

    /// Writes the dots held back: three or more are an ellipsis.
    fn flush(&mut self) {
        let (dots, at) = (std::mem::take(&mut self.dots), self.dots_at);
        match dots {
            0 => {}
            1 | 2 => (0..dots).for_each(|more| self.put(at + more, '.')),
            _ => self.put(at, '…'),
        }
    }

    fn letters(&mut self, at: usize, c: char) {
        let joined = match c {
            'ﬀ' => "ff",
            'ﬁ' => "fi",
            'ﬂ' => "fl",
            'ﬃ' => "ffi",
            'ﬄ' => "ffl",
            'ﬅ' | 'ﬆ' => "st",
            _ => "",
        };
        if joined.is_empty() {
            for small in c.to_lowercase() {
                match small {
                    // What is left of a capital i with a dot.
                    '\u{307}' => {}
                    'ς' => self.put(at, 'σ'),
                    _ => self.put(at, small),
                }
            }
        } else {
            joined.chars().for_each(|c| self.put(at, c));
        }
    }

    fn put(&mut self, at: usize, c: char) {
        let (space, apostrophe) = (std::mem::take(&mut self.space), self.apostrophe.take());
        let last = self.last;
        if let Some(dash) = self.dash.take() {
            if !(last.is_some_and(char::is_alphabetic) && c.is_alphabetic()) {
                self.write(dash, '-');
            }
        } else if space {
            if let Some(last) = last
                && is_spaced(last, c)
            {
                self.write(at, ' ');
            }
        } else if let Some(apostrophe) = apostrophe
            && last.is_some_and(char::is_alphanumeric)
            && c.is_alphanumeric()
        {
            self.write(apostrophe, '\'');
        }
        self.write(at, c);
        self.last = Some(c);
    }

    fn write(&mut self, at: usize, c: char) {
        self.spelling.text.push(c);
        self.spelling.at.extend(std::iter::repeat_n(at, c.len_utf8()));
    }
}

/// Whether white space between two characters counts.
fn is_spaced(before: char, after: char) -> bool {
    let no_space_after = matches!(before, '(' | '[' | '…');
    let no_space_before = matches!(after, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '…');
    !(no_space_after || no_space_before || (is_unspaced(before) && is_unspaced(after)))
}
