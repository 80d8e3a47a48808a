//! A reply as far as it has come, and what a person would read of it: the texts of its JSON without keys, braces and
//! escapes, or plain text as it is; of thoughts only how much there was.
//!
//! It is read letter by letter as it comes, so that no more of it has to be kept than what is shown. What is not JSON
//! after all, or breaks off, gives fewer or odd words and never a fault: whoever shows them treats them as untrusted.

mod json;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use self::json::{Json, Read};

/// Most bytes of words that are kept; until they are cut back there may be twice as many.
const KEPT: usize = 2 << 10;
/// Stands between two texts that have nothing to do with one another.
const BETWEEN: &str = " · ";
/// About so many letters are a token.
const LETTERS_A_TOKEN: u64 = 4;

/// How the marks begin with which servers that do not keep thoughts apart begin and end them.
const THOUGHT: [&[u8]; 2] = [b"<think", b"</think"];

/// What a seat has said so far of an answer that is still coming.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Writing {
    /// The seat's title.
    pub who: String,
    /// What is shown of it.
    pub said: Said,
}

/// What is shown of an answer that is still coming.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Said {
    /// Its last words, untrusted.
    Words(String),
    /// No word of it yet, and about so many tokens of thought; 0 where the provider does not show them.
    Thought(u64),
    /// About so many tokens, of which nobody sees any before they have passed a check.
    Unchecked(u64),
}

/// A reply that is still coming.
#[derive(Clone, Debug, Default)]
pub struct PartialReply {
    mode: Mode,
    /// The last of what can be read, on one line.
    words: String,
    /// Where in it the text begins that is still coming.
    start: usize,
    /// Whether that text is one to read. One word alone in a structure is a name or a grade, such as `high`.
    prose: bool,
    /// Letters of the answer, of which not all can be read.
    letters: u64,
    thinks: bool,
    /// Letters of thought.
    thought: u64,
}

/// What the next letter belongs to.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Nothing yet, but for so many letters of the mark of thoughts.
    Start(usize),
    /// Thoughts among the text, of whose end so many letters have come.
    Thought(usize),
    /// The rest of the mark at their end.
    ThoughtEnds,
    /// Plain text, at a line's start or not.
    Text(bool),
    /// A structure.
    Json(Json),
}

impl Default for Mode {
    fn default() -> Self {
        Self::Start(0)
    }
}

impl PartialReply {
    /// Takes in more of the answer.
    pub fn push(&mut self, text: &str) {
        for c in text.chars() {
            self.take(c);
        }
    }

    /// Takes in more of what the model thinks before it answers, which may be nothing that can be read.
    pub fn think(&mut self, text: &str) {
        self.thinks = true;
        self.thought += u64::try_from(text.chars().count()).unwrap_or_default();
    }

    /// What is shown of it, in at most `most` letters and a mark that something stands before them. `None` where
    /// nothing has come that can be shown.
    #[must_use]
    pub fn said(&self, most: usize) -> Option<Said> {
        let words = self.last_words(most);
        if words.is_empty() { self.thinking() } else { Some(Said::Words(words)) }
    }

    /// The same without a word of it, for what has to pass a check first.
    #[must_use]
    pub fn unchecked(&self) -> Option<Said> {
        if self.letters == 0 {
            return self.thinking();
        }
        Some(Said::Unchecked(self.letters / LETTERS_A_TOKEN))
    }

    fn thinking(&self) -> Option<Said> {
        self.thinks.then_some(Said::Thought(self.thought / LETTERS_A_TOKEN))
    }

    fn last_words(&self, most: usize) -> String {
        let shown = if self.prose { &self.words[..] } else { &self.words[..self.start] };
        let shown = shown.trim();
        let Some(cut) = shown.chars().count().checked_sub(most).filter(|cut| *cut > 0) else {
            return shown.trim_start_matches(BETWEEN.trim()).trim_start().to_owned();
        };
        let at = shown.char_indices().nth(cut).map_or(shown.len(), |(at, _)| at);
        // Whole words, where one begins soon enough.
        let tail = &shown[at..];
        let word = tail.find(' ').filter(|space| *space < tail.len() / 3).unwrap_or(0);
        let tail = tail[word..].trim_start().trim_start_matches(BETWEEN.trim()).trim_start();
        format!("…{tail}")
    }

    fn take(&mut self, c: char) {
        if !matches!(self.mode, Mode::Thought(_) | Mode::ThoughtEnds) {
            self.letters += 1;
        }
        let is = |mark: &[u8], place: usize| u32::from(c.to_ascii_lowercase()) == u32::from(mark[place]);
        self.mode = match self.mode {
            Mode::Start(0) if c.is_whitespace() => Mode::Start(0),
            Mode::Start(known) if is(THOUGHT[0], known) => {
                if known + 1 == THOUGHT[0].len() {
                    self.letters = 0;
                    self.thinks = true;
                    Mode::Thought(0)
                } else {
                    Mode::Start(known + 1)
                }
            }
            Mode::Start(known) => {
                self.prose = true;
                for letter in &THOUGHT[0][..known] {
                    self.say(char::from(*letter));
                }
                self.text(c, known == 0)
            }
            Mode::Thought(known) => {
                self.thought += 1;
                match known {
                    _ if !is(THOUGHT[1], known) => Mode::Thought(usize::from(c == '<')),
                    last if last + 1 == THOUGHT[1].len() => Mode::ThoughtEnds,
                    _ => Mode::Thought(known + 1),
                }
            }
            Mode::ThoughtEnds if c == '>' => Mode::Start(0),
            Mode::ThoughtEnds => Mode::ThoughtEnds,
            Mode::Text(line_start) => self.text(c, line_start),
            Mode::Json(json) => self.json(json, c),
        };
    }

    /// A structure begins on a line of its own; what a model says before it is no part of the answer.
    fn text(&mut self, c: char, line_start: bool) -> Mode {
        if c == '{' && line_start {
            self.words.clear();
            (self.start, self.prose) = (0, false);
            return self.json(Json::default(), c);
        }
        self.say(c);
        Mode::Text(c == '\n' || (line_start && c.is_whitespace()))
    }

    fn json(&mut self, mut json: Json, c: char) -> Mode {
        match json.take(c) {
            Read::Nothing => {}
            Read::Letter(letter) => self.say(letter),
            Read::Ends => self.text_ends(),
        }
        Mode::Json(json)
    }

    /// One letter more that can be read.
    fn say(&mut self, c: char) {
        let begins = self.words.len() == self.start;
        if c.is_whitespace() || c.is_control() {
            if !begins && !self.words.ends_with(' ') {
                self.words.push(' ');
                self.prose = true;
            }
            return;
        }
        if begins && self.start > 0 {
            self.words.push_str(BETWEEN);
        }
        self.words.push(c);
        self.prose |= !c.is_ascii();
        if self.words.len() > 2 * KEPT {
            let cut = self.words.ceil_char_boundary(self.words.len() - KEPT);
            self.words.drain(..cut);
            self.start = self.start.saturating_sub(cut);
        }
    }

    fn text_ends(&mut self) {
        let end = if self.prose { self.words.trim_end().len() } else { self.start };
        self.words.truncate(end);
        (self.start, self.prose) = (self.words.len(), false);
    }
}
