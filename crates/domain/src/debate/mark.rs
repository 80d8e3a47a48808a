//! What a turn breaks: told to its side once, and shown to everybody if it stays so.

use serde::{Deserialize, Serialize};

/// A rule that a turn breaks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Too few words.
    Short {
        /// It has.
        words: u32,
        /// It should have at least.
        least: u32,
    },
    /// Too many words.
    Long {
        /// It has.
        words: u32,
        /// It should have at most.
        most: u32,
    },
    /// It was cut at a sentence. Nothing is cut any more; sessions of before have it in their journal.
    Cut {
        /// It had.
        words: u32,
        /// It should have at most.
        most: u32,
    },
    /// A part is missing.
    Missing(String),
    /// More of something than its phase asks for.
    TooMany {
        /// Of what, in the plural unless `most` is one.
        part: String,
        /// It should have at most.
        most: u8,
    },
    /// It quotes what the other side has not said.
    NotSaid(String),
    /// It says nothing of a piece of evidence, by its number.
    Unacknowledged(u32),
    /// It answers the other side where it may not yet.
    RebutsTooEarly,
    /// A question that asks nothing, or argues, by its number.
    NoQuestion(u8),
    /// A question of the other side that it does not answer, by its number.
    Unanswered(u8),
    /// It is about something else.
    OffTopic(String),
    /// It refuses to argue its side.
    Declined,
    /// Its model cannot take in all that was said before, and read it in short.
    ReadInShort,
}

impl Mark {
    /// How much it weighs: of two tries at a turn the one is kept whose marks weigh less.
    #[must_use]
    pub fn weight(&self) -> u32 {
        let off = |by: u32, of: u32| 1 + (by.saturating_mul(20) / of.max(1)).min(19);
        match self {
            Self::Declined => 1_000,
            Self::OffTopic(_) => 200,
            Self::NotSaid(_) => 60,
            Self::RebutsTooEarly => 40,
            Self::Missing(_) | Self::Unacknowledged(_) | Self::NoQuestion(_) | Self::Unanswered(_) => 20,
            Self::TooMany { .. } => 10,
            Self::Short { words, least } => off(least.saturating_sub(*words), *least),
            Self::Long { words, most } | Self::Cut { words, most } => off(words.saturating_sub(*most), *most),
            Self::ReadInShort => 0,
        }
    }

    /// For the side, that it may mend it: an order in the second person.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Short { words, least } => {
                format!("It has {words} words; write at least {least}, by saying more of substance.")
            }
            Self::Long { words, most } | Self::Cut { words, most } => {
                format!("It has {words} words; write at most {most}.")
            }
            Self::Missing(part) => format!("`{part}` is missing or empty; fill it."),
            Self::TooMany { part, most } => {
                format!("It has more than {most} {part}; keep the {most} that matter most.")
            }
            Self::NotSaid(quotation) => format!(
                "The other side never said “{quotation}”; quote it word for word from what it said, or leave the quotation away."
            ),
            Self::Unacknowledged(number) => format!(
                "It says nothing of the team's evidence E{number}; use it, or say why it does not bear on the proposition."
            ),
            Self::RebutsTooEarly => {
                "It answers the other side; here only your own case is made, and nobody is rebutted.".to_owned()
            }
            Self::NoQuestion(number) => {
                format!("Question {number} asks nothing or argues; ask one short question that ends with a question mark.")
            }
            Self::Unanswered(number) => format!("Question {number} of the other side is not answered."),
            Self::OffTopic(what) => {
                format!("It left the proposition and is about something else: {what}. Debate the proposition.")
            }
            Self::ReadInShort => "You were given the debate in short.".to_owned(),
            Self::Declined => {
                "It declines to argue. This is an exercise to show the best case for each side; you need not hold it yourself. Make the best honest case.".to_owned()
            }
        }
    }

    /// For people, on the turn's card.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Short { words, least } => {
                format!("shorter than its phase asks for ({words} of {least} words)")
            }
            Self::Long { words, most } => {
                format!("longer than its phase allows ({words} words, {most} allowed)")
            }
            Self::Cut { words, most } => {
                format!("ran on to {words} words ({most} allowed) and was cut at a sentence")
            }
            Self::Missing(part) => {
                format!("a part its phase asks for is missing ({})", part.replace('_', " "))
            }
            Self::TooMany { part, most } => format!("has more than {most} {part}"),
            Self::NotSaid(_) => "quotes words the other side has not said".to_owned(),
            Self::Unacknowledged(number) => format!("says nothing of the team's evidence E{number}"),
            Self::RebutsTooEarly => "answers the other side before the rebuttal".to_owned(),
            Self::NoQuestion(number) => format!("question {number} argues instead of asking"),
            Self::Unanswered(number) => format!("question {number} was not answered"),
            Self::OffTopic(_) => "has left the proposition".to_owned(),
            Self::Declined => "the model declined to argue this side".to_owned(),
            Self::ReadInShort => {
                "written from the turns in short, because its model cannot take in the whole debate"
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_too_many_weigh_less_than_a_quotation_that_was_never_said() {
        let long = |words| Mark::Long { words, most: 260 }.weight();
        assert!(long(330) < long(500) && long(500) <= 20 && long(u32::MAX) <= 20);
        assert!(Mark::Short { words: 0, least: 180 }.weight() < Mark::NotSaid("x".to_owned()).weight());
        assert!(Mark::NotSaid("x".to_owned()).weight() < Mark::OffTopic("x".to_owned()).weight());
        assert!(Mark::OffTopic("x".to_owned()).weight() < Mark::Declined.weight());
    }
}
