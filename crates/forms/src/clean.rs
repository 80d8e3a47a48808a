//! What models write made fit to keep: texts, lines and lists, with nothing in them that is not there to be read.

use super::ParseError;
use domain::{citations, is_blank, one_line};

/// Most items kept of any list a model writes; the schema asks for fewer, but not every provider holds a
/// model to it.
pub const MAX_ITEMS: usize = 12;

/// A text made fit to keep, and how many citations went. By default nothing was searched, so none stays.
#[derive(Default)]
pub struct Cleaner {
    /// Marks stay for sources 1 to this.
    pub offered: usize,
    /// How many marks, links and sources were taken out.
    pub dropped: u32,
}

impl Cleaner {
    /// Of texts that may cite so many sources.
    #[must_use]
    pub fn offering(offered: usize) -> Self {
        Self { offered, dropped: 0 }
    }

    /// A text of any length, its Markdown kept. One that nobody could read is empty.
    pub fn text(&mut self, text: &str) -> String {
        let text = text.replace(is_private, "");
        if is_blank(&text) {
            return String::new();
        }
        let (text, dropped) = citations::within(&tidy(&text), self.offered);
        self.dropped += dropped;
        text
    }

    /// A text on one line.
    pub fn line(&mut self, text: &str) -> String {
        one_line(&self.text(text))
    }

    /// Lines, the empty and the repeated left out.
    pub fn lines(&mut self, texts: &[String]) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for text in texts {
            let line = self.line(text);
            if !line.is_empty() && !kept.iter().any(|earlier| earlier.eq_ignore_ascii_case(&line)) {
                kept.push(line);
            }
        }
        kept.truncate(MAX_ITEMS);
        kept
    }

    /// Cleans texts where they stand.
    pub fn texts<const N: usize>(&mut self, texts: [&mut String; N]) {
        for text in texts {
            *text = self.text(text);
        }
    }

    /// Puts texts on one line each, where they stand.
    pub fn one_line<const N: usize>(&mut self, texts: [&mut String; N]) {
        for text in texts {
            *text = self.line(text);
        }
    }

    /// Cleans items where they stand, by `clean`, which says whether one still says something; the first `most` that
    /// do are kept.
    pub fn items<T>(
        &mut self,
        items: &mut Vec<T>,
        most: usize,
        mut clean: impl FnMut(&mut Self, &mut T) -> bool,
    ) {
        let mut kept = 0;
        items.retain_mut(|item| {
            let keep = kept < most && clean(self, item);
            kept += usize::from(keep);
            keep
        });
    }
}

/// A text without control characters, and with one blank line at most where there are several.
fn tidy(text: &str) -> String {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let text = text.replace(is_control, "");
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    lines.join("\n").trim().to_owned()
}

/// Characters that have no meaning but somebody's own, which are none to read (Unicode, "Private Use": the whole of three
/// ranges that never change).
fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
}

/// Whether there is a letter or a digit to read in any of the texts.
#[must_use]
pub fn is_said(texts: &[&str]) -> bool {
    texts.iter().any(|text| text.chars().any(char::is_alphanumeric))
}

/// That a field holds a letter or a digit, without which its reply cannot be used.
pub fn needed(field: &'static str, text: &str) -> Result<(), ParseError> {
    if is_said(&[text]) { Ok(()) } else { Err(ParseError::Empty(field)) }
}

#[cfg(test)]
mod tests {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

    use super::*;

    #[test]
    fn blank_lines_shrink_and_what_is_no_text_goes() {
        for (text, tidied) in [
            ("\n a\u{0}b  \r\nc\n", "ab\nc"),
            ("a\n\n \n\t\nb", "a\n\nb"),
            ("- a\n  - b", "- a\n  - b"),
            ("```\na    b\n```", "```\na    b\n```"),
            ("\n ".repeat(5_000).as_str(), ""),
        ] {
            assert_eq!(tidy(text), tidied);
        }
    }

    #[test]
    fn characters_that_are_no_text_go() {
        let mut clean = Cleaner::default();
        assert_eq!(clean.text("Sales \u{e000}grow\u{f8ff} \u{100000}fast."), "Sales grow fast.");
        assert_eq!(clean.text("\u{e000}"), "");
        let private = |c: char| c.general_category() == GeneralCategory::PrivateUse;
        assert!(('\0'..=char::MAX).all(|c| is_private(c) == private(c)));
    }
}
