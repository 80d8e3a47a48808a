//! What a judge says of a text: words of it that take a side. It is believed only as far as its words really stand
//! there and are the moderator's own.

use serde::{Deserialize, Serialize};

use super::Section;
use crate::text::own_sentences;

/// What a judge says of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Judgement {
    /// Words of it that take a side.
    pub taken: Vec<SideTaken>,
    /// The judge could not be asked, so only the phrases were checked.
    pub unasked: bool,
}

impl Judgement {
    /// The parts in which it found something, each once, in the order in which they are read.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = self.taken.iter().map(|taken| taken.section).collect();
        sections.sort_unstable();
        sections.dedup();
        sections
    }
}

/// Words that take a side, as a judge sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideTaken {
    /// In which part.
    pub section: Section,
    /// The words, as they stand there.
    pub words: String,
}

impl SideTaken {
    /// For the moderator, that it may mend it.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { section, words } = self;
        format!(
            "“{}” says “{words}”, which takes a side for a careful reader; say it so that both sides would.",
            section.name()
        )
    }

    /// Whether the words really stand in that text in its author's own voice: a judge may misquote, or hold a
    /// quotation against whoever quotes.
    #[must_use]
    pub fn stands_in(&self, text: &str) -> bool {
        let words = plain(&self.words);
        !words.trim().is_empty() && plain(&own_sentences(text, &[]).join(" ")).contains(&words)
    }
}

/// Small letters and digits with one space between words, so that punctuation and case make no difference.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' });
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    format!(" {} ", letters.split_whitespace().collect::<Vec<_>>().join(" "))
}
