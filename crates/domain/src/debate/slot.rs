//! Who speaks where: the phases of a debate, and its places for turns.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::StepKey;

/// One of the two advocates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Side {
    /// Argues for the proposition.
    Pro,
    /// Argues against it.
    Con,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Pro => Self::Con,
            Self::Con => Self::Pro,
        }
    }

    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pro => "Pro",
            Self::Con => "Con",
        }
    }

    /// As steps spell it.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.into()
    }
}

/// Whom a question is put to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressee {
    /// An advocate, who answers in its role.
    Advocate(Side),
    /// The moderator, who has no side.
    Moderator,
}

impl Addressee {
    /// Everybody a question can be put to.
    pub const ALL: [Self; 3] = [Self::Advocate(Side::Pro), Self::Advocate(Side::Con), Self::Moderator];

    /// As commands, buttons and the database spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Advocate(side) => side.key(),
            Self::Moderator => "moderator",
        }
    }

    /// Reads that, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|to| to.as_str().eq_ignore_ascii_case(text.trim()))
    }

    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Advocate(side) => side.name(),
            Self::Moderator => "Moderator",
        }
    }
}

/// What a constructive round is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Theme {
    /// Economic and technical.
    Economic,
    /// Ethical and social; the ethical framework is named.
    Ethical,
    /// Practical implications.
    Practical,
}

impl Theme {
    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Economic => "economic and technical",
            Self::Ethical => "ethical and social",
            Self::Practical => "practical implications",
        }
    }

    fn key(self) -> &'static str {
        self.into()
    }
}

/// What an advocate does at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Position and full arguments of any theme at once; no rebuttal.
    Case,
    /// Position and preview; no rebuttal.
    Opening,
    /// Full arguments of one theme; no rebuttal.
    Constructive(Theme),
    /// Up to three questions to the other side.
    Questions,
    /// The answers to the other side's questions.
    Answers,
    /// At most one question more, on those answers.
    FollowUp,
    /// The answer to it.
    FollowUpAnswer,
    /// Steel-man, why it fails or is outweighed, even if.
    Rebuttal,
    /// Why we disagree, and what would change my mind.
    Closing,
}

impl Act {
    /// Whether nobody is answered yet: each side builds its own case.
    #[must_use]
    pub fn is_early(self) -> bool {
        matches!(self, Self::Case | Self::Opening | Self::Constructive(_))
    }

    /// Whether its side looks up on the web what bears on it, where the session searches.
    #[must_use]
    pub fn looks_up(self) -> bool {
        matches!(self, Self::Case | Self::Constructive(_) | Self::Rebuttal)
    }

    /// The phase it belongs to.
    #[must_use]
    pub fn phase(self) -> DebatePhase {
        match self {
            Self::Case => DebatePhase::Case,
            Self::Opening => DebatePhase::Opening,
            Self::Constructive(_) => DebatePhase::Constructive,
            Self::Questions | Self::Answers | Self::FollowUp | Self::FollowUpAnswer => {
                DebatePhase::CrossExamination
            }
            Self::Rebuttal => DebatePhase::Rebuttal,
            Self::Closing => DebatePhase::Closing,
        }
    }

    /// As people read it: `opening`, `answers to Pro`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Case => "case".to_owned(),
            Self::Opening => "opening".to_owned(),
            Self::Constructive(theme) => theme.name().to_owned(),
            Self::Questions => "questions".to_owned(),
            Self::Answers => "answers".to_owned(),
            Self::FollowUp => "follow-up question".to_owned(),
            Self::FollowUpAnswer => "answer to the follow-up".to_owned(),
            Self::Rebuttal => "rebuttal".to_owned(),
            Self::Closing => "closing".to_owned(),
        }
    }

    /// The step above those of both sides' turns: below it is what is asked of both at once.
    #[must_use]
    pub fn step(self) -> StepKey {
        StepKey::new(format!("turn/{}", self.key()))
    }

    fn key(self) -> String {
        match self {
            Self::Case => "case".to_owned(),
            Self::Opening => "opening".to_owned(),
            Self::Constructive(theme) => format!("constructive/{}", theme.key()),
            Self::Questions => "questions".to_owned(),
            Self::Answers => "answers".to_owned(),
            Self::FollowUp => "follow-up".to_owned(),
            Self::FollowUpAnswer => "follow-up-answer".to_owned(),
            Self::Rebuttal => "rebuttal".to_owned(),
            Self::Closing => "closing-turn".to_owned(),
        }
    }
}

/// A place in the debate at which one side speaks: `rebuttal/con` as a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// What it does.
    pub act: Act,
    /// The side whose turn it is.
    pub side: Side,
}

impl Slot {
    /// A place.
    #[must_use]
    pub fn new(act: Act, side: Side) -> Self {
        Self { act, side }
    }

    /// The step in which the turn as it stands is kept; the model's tries are below it.
    #[must_use]
    pub fn step(self) -> StepKey {
        self.act.step().child(self.side.key())
    }
}

/// As people read it: `Con · rebuttal`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {}", self.side.name(), self.act.name())
    }
}

/// The six phases, and the one that stands for the first two where a debate is quick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebatePhase {
    /// What each side holds, and what speaks for it.
    Case,
    /// What each side holds.
    Opening,
    /// What speaks for it.
    Constructive,
    /// Questions and answers.
    CrossExamination,
    /// Con, then Pro; both at once where a debate is quick.
    Rebuttal,
    /// As the rebuttal.
    Closing,
    /// The moderator alone.
    Synthesis,
}

impl DebatePhase {
    /// As people read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Case => "Cases",
            Self::Opening => "Opening",
            Self::Constructive => "Arguments",
            Self::CrossExamination => "Cross-examination",
            Self::Rebuttal => "Rebuttal",
            Self::Closing => "Closing",
            Self::Synthesis => "Synthesis",
        }
    }
}

/// How long a debate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Preset {
    /// One case a side, rebuttal, closing, synthesis: nobody speaks last. The usual one.
    #[default]
    Quick,
    /// All six phases.
    Full,
}

impl Preset {
    /// All, as they are offered.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Full];

    /// What it means, for whoever chooses.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Full => "six phases, with cross-examination",
            Self::Quick => "one case a side, rebuttal, closing, synthesis",
        }
    }

    /// Its phases, in order.
    #[must_use]
    pub fn phases(self) -> &'static [DebatePhase] {
        use DebatePhase::{Case, Closing, Constructive, CrossExamination, Opening, Rebuttal, Synthesis};
        match self {
            Self::Full => &[Opening, Constructive, CrossExamination, Rebuttal, Closing, Synthesis],
            Self::Quick => &[Case, Rebuttal, Closing, Synthesis],
        }
    }

    /// Its constructive rounds, in order.
    #[must_use]
    pub fn themes(self) -> &'static [Theme] {
        match self {
            Self::Full => &[Theme::Economic, Theme::Ethical, Theme::Practical],
            Self::Quick => &[],
        }
    }

    /// What a side does to make its case, in order, before anybody is answered.
    pub fn cases(self) -> impl Iterator<Item = Act> {
        let first = match self {
            Self::Full => Act::Opening,
            Self::Quick => Act::Case,
        };
        std::iter::once(first).chain(self.themes().iter().map(|theme| Act::Constructive(*theme)))
    }

    /// Whether both sides rebut at once and close at once, each having read all that stands before.
    #[must_use]
    pub fn answers_at_once(self) -> bool {
        self == Self::Quick
    }

    /// How many phases the live card counts.
    #[must_use]
    pub fn count(self) -> u8 {
        u8::try_from(self.phases().len()).unwrap_or(u8::MAX)
    }

    /// Which of its phases this is, from 1; 0 if it has none such.
    #[must_use]
    pub fn number(self, phase: DebatePhase) -> u8 {
        let place = self.phases().iter().position(|other| *other == phase);
        place.and_then(|place| u8::try_from(place + 1).ok()).unwrap_or_default()
    }

    /// As commands and the database spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
