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

/// Fewest bytes of letters in what is marked as a quotation: "the pier" is nobody's.
const MARKED_LONG: usize = 12;

/// The words that somebody wrote, to look for in what others say.
#[derive(Clone, Debug, Default)]
pub(super) struct Quotations {
    /// From each word on the shortest run that is a quotation.
    runs: HashSet<String>,
    /// The shortest beginnings of sentences that are.
    beginnings: HashSet<String>,
    /// Each text as one run, with a space before and behind every word.
    texts: Vec<String>,
    /// In the same way, texts of others in which quotations of these may stand too.
    cited: Vec<String>,
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
        let begins = |first: &usize| begins(text, words.at[*first].start);
        let first = |first| {
            let run = Some(first).filter(begins).and_then(|first| words.beginning(first));
            run.filter(|run| self.beginnings.contains(&run.words))
        };
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

    /// Whether what is marked as a quotation, of however few words, is of these.
    pub(super) fn holds(&self, quotation: &str) -> bool {
        let words = Words::of(quotation);
        let letters: usize = words.small.iter().map(String::len).sum();
        let stands_in = |texts: &[String]| texts.iter().any(|text| text.contains(&words.joined()));
        letters >= MARKED_LONG && stands_in(&self.texts) && !stands_in(&self.cited)
    }

    /// These without what they quote themselves of other texts: whoever cites a problem has not written it.
    pub(super) fn not_from<'a>(mut self, others: impl IntoIterator<Item = &'a String>) -> Self {
        for other in others {
            let other = Words::of(other);
            // One that is theirs as a whole, as a message that was given in as the question, stays theirs.
            if self.texts.iter().any(|text| text.contains(&other.joined())) {
                continue;
            }
            for first in 0..other.small.len() {
                for run in [other.run(first), other.beginning(first)].into_iter().flatten() {
                    self.runs.remove(&run.words);
                    self.beginnings.remove(&run.words);
                }
            }
            let joined = other.joined();
            self.cited.push(joined);
        }
        self
    }
}

/// Words of a text in their order: letters and digits behind one another, without those of addresses. A sign of a script
/// that sets no spaces between its words is a word.
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
        let mut unspaced = false;
        for (start, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            let end = start + c.len_utf8();
            let joins = !unspaced && !is_unspaced(c);
            unspaced = is_unspaced(c);
            match at.last_mut() {
                Some(last) if last.end == start && joins => last.end = end,
                _ => at.push(start..end),
            }
        }
        let addresses = addresses(text);
        at.retain(|word| !addresses.iter().any(|address| address.contains(&word.start)));
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

/// Signs of scripts that set no spaces between words: Thai, Lao, Myanmar, Khmer, kana and Han.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

/// Where addresses stand in a text: one that somebody named leads to the same place for everybody.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("://").map(|at| from + at) {
        let start = text[..at].rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let end = text[at..].find(char::is_whitespace).map_or(text.len(), |space| at + space);
        found.push(start..end);
        from = end;
    }
    found
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
    fn nothing_of_an_address_or_of_what_they_cite_themselves_is_theirs() {
        let link = "https://www.example.org/harbour/report is what I mean".to_owned();
        let quoted = Quotations::of([&link]);
        assert_eq!(quoted.taken_out("https://www.example.org/harbour/other"), None);
        assert_eq!(quoted.taken_out("See https://www.example.org/harbour/report."), None);

        let asked =
            "You say: the harbour pays for the new crane. Why not the shipping companies instead?".to_owned();
        let problem = "We think that the harbour pays for the new crane.".to_owned();
        let quoted = Quotations::of([&asked]).not_from([&problem]);
        assert_eq!(quoted.taken_out(&problem), None);
        assert!(!quoted.holds("pays for the new crane") && quoted.holds("the shipping companies"));
        assert!(quoted.taken_out("Why not the shipping companies instead?").is_some());
        // What they gave in as the question is theirs, though it stands there.
        assert!(Quotations::of([&problem]).not_from([&problem]).taken_out(&problem).is_some());
    }

    #[test]
    fn words_of_other_scripts_are_words() {
        for (wrote, said) in [
            ("이 항구는 새로운 기중기를 위해 돈을 냅니다", "항구는 새로운"),
            ("Công việc này rất quan trọng với chúng tôi", "công việc này"),
        ] {
            assert_eq!(Quotations::of([&wrote.to_owned()]).taken_out(said), None, "{said}");
            assert!(Quotations::of([&wrote.to_owned()]).taken_out(wrote).is_some(), "{wrote}");
        }
    }

    #[test]
    fn a_quotation_is_known_by_any_of_its_words_in_their_order() {
        let quoted = Quotations::of([&WROTE.to_owned()]);
        for (quotation, is_theirs) in [
            ("the Crane.\nIs it", true),
            ("whoever lands", true),
            ("lands whoever", false),
            ("Pier", false),
            ("…", false),
        ] {
            assert_eq!(quoted.holds(quotation), is_theirs, "{quotation}");
        }
    }
}
