//! What others quote of somebody's words: runs of them within a text, however they are set there.

use std::{collections::HashSet, ops::Range};

use domain::WORDS_DELETED;

/// So many words in a row are a quotation; fewer are a phrase that anybody uses.
const RUN: usize = 5;

/// Fewest bytes of letters in such a run: "is it true that the" is nobody's.
const LONG: usize = 20;

/// So many words are one where a sentence begins with them: a title that is made of its beginning has room for no more.
const BEGINNING: usize = 3;

/// Fewest bytes of letters in such a beginning: "should the city" is nobody's.
const BEGINNING_LONG: usize = 16;

/// The words that somebody wrote, to look for in what others say.
#[derive(Clone, Debug, Default)]
pub(super) struct Quotations {
    /// From each word on the shortest run that is a quotation.
    runs: HashSet<String>,
    /// The shortest beginnings of sentences that are.
    beginnings: HashSet<String>,
    /// Each text as one run, with a space before and behind every word.
    texts: Vec<String>,
}

impl Quotations {
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        let mut quoted = Self::default();
        for text in texts {
            let words = Words::of(text);
            let all = 0..words.small.len();
            quoted.runs.extend(all.clone().filter_map(|first| words.run(first)).map(|run| run.words));
            let first = all.filter(|first| begins(text, words.at[*first].start));
            quoted.beginnings.extend(first.filter_map(|first| words.beginning(first)).map(|run| run.words));
            quoted.texts.push(words.joined());
        }
        quoted
    }

    /// A text without what it quotes of these words; `None` where it quotes nothing.
    pub(super) fn taken_out(&self, text: &str) -> Option<String> {
        let words = Words::of(text);
        let mut cut: Vec<Range<usize>> = Vec::new();
        let long = |first| words.run(first).filter(|run| self.runs.contains(&run.words));
        let first = |first| words.beginning(first).filter(|run| self.beginnings.contains(&run.words));
        for run in (0..words.small.len()).filter_map(|word| long(word).or_else(|| first(word))) {
            match cut.last_mut() {
                Some(last) if run.at.start <= last.end => last.end = last.end.max(run.at.end),
                _ => cut.push(run.at),
            }
        }
        let (mut out, mut at) = (String::new(), 0);
        for run in &cut {
            out.push_str(&text[at..run.start]);
            out.push_str(WORDS_DELETED);
            at = run.end;
        }
        out.push_str(&text[at..]);
        (!cut.is_empty()).then_some(out)
    }

    /// Whether a quotation, however short, is of these words.
    pub(super) fn holds(&self, quotation: &str) -> bool {
        let words = Words::of(quotation);
        !words.small.is_empty() && self.texts.iter().any(|text| text.contains(&words.joined()))
    }
}

/// Words of a text in their order: letters and digits behind one another. A sign of a script that sets no spaces between
/// its words is a word.
struct Words {
    /// In small letters.
    small: Vec<String>,
    /// Where each of them stands.
    at: Vec<Range<usize>>,
}

/// Words behind one another, and where they stand.
struct Run {
    words: String,
    at: Range<usize>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut at: Vec<Range<usize>> = Vec::new();
        for (start, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            let end = start + c.len_utf8();
            match at.last_mut() {
                Some(last) if last.end == start && c.len_utf8() < 3 => last.end = end,
                _ => at.push(start..end),
            }
        }
        Self { small: at.iter().map(|word| text[word.clone()].to_lowercase()).collect(), at }
    }

    /// The shortest run from a word on that is long enough for a quotation.
    fn run(&self, first: usize) -> Option<Run> {
        self.shortest(first, RUN, LONG)
    }

    /// The same where a sentence begins.
    fn beginning(&self, first: usize) -> Option<Run> {
        self.shortest(first, BEGINNING, BEGINNING_LONG)
    }

    fn shortest(&self, first: usize, fewest_words: usize, fewest_bytes: usize) -> Option<Run> {
        let mut bytes = 0;
        let last = (first..self.small.len()).find(|&word| {
            bytes += self.small[word].len();
            word + 1 >= first + fewest_words && bytes >= fewest_bytes
        })?;
        Some(Run { words: self.small[first..=last].join(" "), at: self.at[first].start..self.at[last].end })
    }

    fn joined(&self) -> String {
        format!(" {} ", self.small.join(" "))
    }
}

/// Whether a sentence, a line, or what follows a mention begins at this place of a text.
fn begins(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '*', '_', '@', '"', '“']);
    before.is_empty() || before.ends_with(['.', '!', '?', ':', ';', '>', '\n', '。'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const WROTE: &str =
        "A **long** pier, then: whoever lands there pays for the crane.\nIs it true that they pay?";

    #[test]
    fn a_run_of_words_is_taken_out_however_it_is_set_and_a_phrase_stays() {
        let quoted = Quotations::of([&WROTE.to_owned(), &"港口的仓库必须在冬天之前搬走".to_owned()]);
        for (said, left) in [
            (
                "It says that *whoever* LANDS there — pays for the… nobody.",
                format!("It says that *{WORDS_DELETED}… nobody."),
            ),
            (
                "“A long pier, then: whoever lands” and whoever lands there pays for crane",
                format!("“{WORDS_DELETED}” and {WORDS_DELETED} crane"),
            ),
            ("“there pays for the crane. Is it true?”", format!("“{WORDS_DELETED}?”")),
            ("Ground: Is it true that they paid?", format!("Ground: {WORDS_DELETED} paid?")),
            ("**S1: is it true that they**", format!("**S1: {WORDS_DELETED}**")),
            ("他说仓库必须在冬天之前搬走。", format!("他说{WORDS_DELETED}。")),
        ] {
            assert_eq!(quoted.taken_out(said).as_deref(), Some(left.as_str()), "{said}");
        }
        for said in
            ["Is it true that the sea rises?", "that they pay", "lands there pays for", "仓库在冬天之前", ""]
        {
            assert_eq!(quoted.taken_out(said), None, "{said}");
        }
        assert_eq!(Quotations::default().taken_out(WROTE), None);
    }

    #[test]
    fn a_quotation_is_known_by_any_of_its_words_in_their_order() {
        let quoted = Quotations::of([&WROTE.to_owned()]);
        for (quotation, is_theirs) in
            [("long pier", true), ("Pier", true), ("pier long", false), ("pie", false), ("…", false)]
        {
            assert_eq!(quoted.holds(quotation), is_theirs, "{quotation}");
        }
    }
}
