//! JSON with the slips models make, made JSON again.
//!
//! Written here because the crate `jsonrepair` (0.1.0) slices within characters and panics on hostile text.
//! One pass, no recursion. It mends form only: commas, quotes, comments, bare words, raw line feeds, a
//! forgotten bracket in the middle. It never makes up an end that is not there.

use std::{iter::Peekable, str::CharIndices};

/// The text as JSON, or `None` where that would be guesswork. The result may still not be valid JSON; the
/// parser decides.
pub(super) fn mend(text: &str) -> Option<String> {
    let mut mender =
        Mender { text, chars: text.char_indices().peekable(), out: String::new(), open: Vec::new() };
    while let Some((at, c)) = mender.chars.next() {
        mender.take(at, c)?;
    }
    mender.open.is_empty().then_some(mender.out)
}

struct Mender<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    out: String,
    /// Closing brackets still owed, the innermost last.
    open: Vec<char>,
}

impl Mender<'_> {
    fn take(&mut self, at: usize, c: char) -> Option<()> {
        match c {
            _ if c.is_whitespace() => {}
            '/' => self.comment()?,
            '{' | '[' => {
                self.begin();
                self.out.push(c);
                self.open.push(if c == '{' { '}' } else { ']' });
            }
            '}' | ']' => self.close(c)?,
            ',' if self.out.ends_with([',', '{', '[', ':']) => {}
            ',' | ':' => self.out.push(c),
            '"' | '\'' | '“' | '”' => {
                self.begin();
                self.string(c)?;
            }
            '-' | '0'..='9' => {
                self.begin();
                let length = self.run(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
                self.out.push_str(&self.text[at..=at + length]);
            }
            _ if c.is_alphabetic() || c == '_' => {
                self.begin();
                let length = c.len_utf8() + self.run(|c| c.is_alphanumeric() || c == '_' || c == '-');
                self.word(&self.text[at..at + length]);
            }
            _ => return None,
        }
        Some(())
    }

    /// Before a value or key: the comma that was forgotten.
    fn begin(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with([',', '{', '[', ':']) {
            self.out.push(',');
        }
    }

    /// Closes what is open, with the brackets that were forgotten inside it.
    fn close(&mut self, bracket: char) -> Option<()> {
        let place = self.open.iter().rposition(|&owed| owed == bracket)?;
        while self.open.len() > place {
            self.out.truncate(self.out.trim_end_matches(',').len());
            self.out.push(self.open.pop()?);
        }
        Some(())
    }

    fn comment(&mut self) -> Option<()> {
        match self.chars.next()?.1 {
            '/' => while self.chars.next_if(|&(_, c)| c != '\n').is_some() {},
            '*' => {
                let mut before = ' ';
                for (_, c) in self.chars.by_ref() {
                    if (before, c) == ('*', '/') {
                        return Some(());
                    }
                    before = c;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Takes the characters that fit, up to the first that does not.
    fn run(&mut self, fits: impl Fn(char) -> bool) -> usize {
        let mut length = 0;
        while let Some((_, c)) = self.chars.next_if(|&(_, c)| fits(c)) {
            length += c.len_utf8();
        }
        length
    }

    fn word(&mut self, word: &str) {
        match word {
            "true" | "false" | "null" => self.out.push_str(word),
            "True" => self.out.push_str("true"),
            "False" => self.out.push_str("false"),
            "None" | "undefined" => self.out.push_str("null"),
            _ => {
                self.out.push('"');
                self.out.push_str(word);
                self.out.push('"');
            }
        }
    }

    fn string(&mut self, quote: char) -> Option<()> {
        let closing = if quote == '“' { '”' } else { quote };
        self.out.push('"');
        while let Some((at, c)) = self.chars.next() {
            match c {
                '\\' => self.escape()?,
                _ if c == closing && self.ends_string(at + c.len_utf8()) => {
                    self.out.push('"');
                    return Some(());
                }
                '"' => self.out.push_str("\\\""),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                _ if c.is_control() => {}
                _ => self.out.push(c),
            }
        }
        None
    }

    fn escape(&mut self) -> Option<()> {
        let (_, c) = self.chars.next()?;
        match c {
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => self.out.extend(['\\', c]),
            '\n' => self.out.push_str("\\n"),
            _ if c.is_control() => {}
            // `\'`, `\_`, `\$`: an escape that JSON does not know stands for the character.
            _ => self.out.push(c),
        }
        Some(())
    }

    /// Whether a quote before `at` ends its string rather than stand in it: what follows is punctuation, or
    /// a key, or a string on the next line.
    fn ends_string(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        let next = rest.trim_start();
        match next.chars().next() {
            None | Some(',' | ':' | '}' | ']') => true,
            Some('/') => next.starts_with("//") || next.starts_with("/*"),
            Some('"' | '\'') => {
                let between = &rest[..rest.len() - next.len()];
                let key = next[1..].find(['"', '\'']).map(|end| next[1 + end + 1..].trim_start());
                between.contains('\n')
                    || (!between.is_empty() && key.is_some_and(|after| after.starts_with(':')))
            }
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_form_are_mended_and_nothing_is_made_up() {
        for (broken, mended) in [
            (r#"{"a": "he said "no" to it", "b": 1}"#, r#"{"a":"he said \"no\" to it","b":1}"#),
            ("{'it': 'it's so'}", r#"{"it":"it's so"}"#),
            ("{“a”: “b”}", r#"{"a":"b"}"#),
            ("{a: True, b: None, c: red}", r#"{"a":true,"b":null,"c":"red"}"#),
            ("{\"a\": [\"x\"\n\"y\"]}", r#"{"a":["x","y"]}"#),
            ("{\"a\": \"x\" \"b\": 2}", r#"{"a":"x","b":2}"#),
            ("{\"a\": [1, 2}", r#"{"a":[1,2]}"#),
            (r#"{"a": "50\% \_x"}"#, r#"{"a":"50% _x"}"#),
            ("{/* so */ \"a\": -1.5e3, // end\n}", r#"{"a":-1.5e3}"#),
            ("{\"a\": \"x\ty\"}", r#"{"a":"x\ty"}"#),
        ] {
            assert_eq!(mend(broken).as_deref(), Some(mended), "{broken}");
        }
        for hopeless in ["{", r#"{"a": "x"#, r#"{"a": [1"#, "}", "{]", "{@}", "{/", "{/x", r#"{"a\"#] {
            assert_eq!(mend(hopeless), None, "{hopeless}");
        }
    }
}
