//! How much a session asks of its models: how long they write, how many points they make, how hard they think.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// How much is asked for.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Default,
    Serialize,
    Deserialize,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Effort {
    /// The main points in a paragraph or two: what fits a small model.
    #[default]
    Brief,
    /// What a senior consultant would hand in, on one page each.
    Standard,
    /// What a good analyst writes in a day.
    Deep,
}

impl Effort {
    /// The word that people choose it by.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What it means, for whoever chooses.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Brief => "the main points, a paragraph or two each: fast and cheap",
            Self::Standard => "a page from each, as a senior consultant would hand it in",
            Self::Deep => {
                "several pages from each, with hard thinking: slow, about six times the cost of brief"
            }
        }
    }

    /// This one and those of which less is asked, the next first.
    pub fn and_below(self) -> impl Iterator<Item = Self> {
        [Self::Deep, Self::Standard, Self::Brief].into_iter().filter(move |other| *other <= self)
    }

    /// How many times as much may be written as at [`Effort::Brief`], in tenths. The words that prompts ask for grow by the
    /// same.
    #[must_use]
    pub fn tenths(self) -> u32 {
        match self {
            Self::Brief => 10,
            Self::Standard => 25,
            Self::Deep => 70,
        }
    }

    /// A bound that is meant for [`Effort::Brief`], grown to this one.
    #[must_use]
    pub fn grown(self, brief: u32) -> u32 {
        brief.saturating_mul(self.tenths()) / 10
    }
}
