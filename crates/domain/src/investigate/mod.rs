//! What an investigation is made of: independent answers, what they agree on and where they differ, what was checked, and
//! the answer with the ground that each of its claims stands on.

mod answer;
mod check;
mod comparison;
mod guard;
mod ledger;
mod opening;
mod scout;
mod team;

pub use answer::{EvidenceTag, Given, InvestigationAnswer, Rival, Stated, Sure};
pub use check::{Check, CheckedBy, Finding as CheckFinding};
pub use comparison::{
    Compared, LoneClaim, ScoutSplit, SharedAnswer, SharedClaim, SplitKind, SplitSide, Understood,
};
pub use guard::{
    Action as ToolAction, Call, Called, Guard, Nudge, StopReason, StopRule, Tool as InvestigatorTool,
    missing as unfinished, used as calls_used,
};
pub use ledger::{Entry, LedgerTag, ledger};
pub use opening::{Critic, Opening, QuestionKind};
pub use scout::{Scout, ScoutAnswer, ScoutId};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
pub use team::TeamQuestion;

use super::{
    Brief, Document, Effort, OptionName, Problem, Searching, Seat,
    brief::{SessionBrief, said_alike},
};

/// Fewest and most scouts: one cannot disagree with itself, and more than five add little.
pub const SCOUTS: std::ops::RangeInclusive<usize> = 2..=5;
/// Most disagreements that are checked in a round.
pub const MOST_PROBES: usize = 3;

/// How freely it is investigated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Mode {
    /// Free while it is unclear what the matter is, bound to checks once it is.
    #[default]
    Adaptive,
    /// Scouts, their disagreements, at most three checks, an answer.
    Structured,
    /// The scouts' answers, principles and a budget, and nothing prescribed.
    Unstructured,
}

impl Mode {
    /// All, as they are offered.
    pub const ALL: [Self; 3] = [Self::Adaptive, Self::Structured, Self::Unstructured];

    /// What it means, for whoever chooses.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Adaptive => "looks freely while the matter is unclear, then checks step by step",
            Self::Structured => "checks what the answers differ on, one by one",
            Self::Unstructured => "a goal and a budget, nothing prescribed",
        }
    }

    /// As commands and the journal spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Checking {
    /// Each disagreement that can be checked, once.
    #[default]
    Usual,
    /// What is still open after that, once more; never a third time.
    Thorough,
    /// As usual; nobody writes an answer.
    VerifyOnly,
}

impl Checking {
    /// All, as they are offered.
    pub const ALL: [Self; 3] = [Self::Usual, Self::Thorough, Self::VerifyOnly];

    /// What it means, for whoever chooses.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Usual => "each disagreement that can be checked, once",
            Self::Thorough => "what is still open after that, once more",
            Self::VerifyOnly => "checks alone; nobody writes an answer",
        }
    }

    /// As commands and the journal spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What the investigator may use in its loop, whatever it says itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopLimits {
    /// Calls of tools.
    pub calls: u32,
    /// Tokens in all of what it says, and of what is said to whom it asks and by them.
    pub tokens: u64,
    /// Seconds, what the team takes to answer left out.
    pub seconds: u64,
}

impl LoopLimits {
    /// Those of so many calls. Each has as much of tokens and time as the usual ones have, and twice the time where it is
    /// thought about at length: more effort leaves no fewer calls.
    #[must_use]
    pub fn of(calls: u32, effort: Effort) -> Self {
        let usual = Self::default();
        let (all, of) = (u64::from(calls.max(usual.calls)), u64::from(usual.calls));
        let slow = if effort == Effort::Deep { 2 } else { 1 };
        Self { calls, tokens: usual.tokens * all / of, seconds: usual.seconds * slow * all / of }
    }
}

impl Default for LoopLimits {
    fn default() -> Self {
        Self { calls: 15, tokens: 50_000, seconds: 300 }
    }
}

/// An investigation's brief.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InvestigateBrief {
    /// What is to be found out.
    pub problem: Problem,
    /// A document for everybody.
    pub document: Option<Document>,
    /// Who answers first and alone, 2 to 5.
    pub scouts: Vec<Seat>,
    /// Who looks into what they differ on, and writes the answer.
    pub investigator: Seat,
    /// Who compares and checks.
    pub checker: Seat,
    /// How freely.
    pub mode: Mode,
    /// How much is checked.
    pub checking: Checking,
    /// What the loop may use.
    pub limits: LoopLimits,
    /// Whether it may search the web.
    pub searching: Searching,
    /// The language the answers should be in, as a name (`English`); `None`: the problem's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it: `27 November 2026`.
    #[serde(default)]
    pub today: String,
    /// Which question the team said is meant, once scouts had answered different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
}

impl SessionBrief for InvestigateBrief {
    said_alike!(document);

    fn panel(&self) -> Vec<&Seat> {
        self.scouts.iter().collect()
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.investigator, &self.checker]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        self.scouts.iter_mut().chain([&mut self.investigator]).collect()
    }

    fn options(&self) -> Vec<(OptionName, String)> {
        vec![
            (OptionName::Mode, self.mode.as_str().to_owned()),
            (OptionName::Checks, self.checking.as_str().to_owned()),
            (OptionName::Scouts, self.scouts.len().to_string()),
            (OptionName::Budget, self.limits.calls.to_string()),
            (OptionName::Search, OptionName::switch(self.searching == Searching::On)),
        ]
    }

    fn phases(&self) -> u8 {
        4
    }

    fn measured(&self) -> &'static crate::measured::Sessions {
        &crate::measured::INVESTIGATE
    }

    /// At most, beside its loop: once for each check.
    fn searches(&self) -> u32 {
        let rounds = if self.checking == Checking::Thorough { 2 } else { 1 };
        let checks = 2 * rounds * u32::try_from(MOST_PROBES).unwrap_or(u32::MAX);
        if self.searching == Searching::On { checks } else { 0 }
    }
}

impl TryFrom<Brief> for InvestigateBrief {
    type Error = Brief;

    fn try_from(brief: Brief) -> Result<Self, Brief> {
        match brief {
            Brief::Investigate(brief) => Ok(brief),
            other => Err(other),
        }
    }
}

impl InvestigateBrief {
    /// Whether all scouts are one model: then their independence is limited, and they answer at different temperatures.
    #[must_use]
    pub fn one_model(&self) -> bool {
        self.scouts.windows(2).all(|pair| pair[0].model == pair[1].model)
    }

    /// The temperature of a scout's answer by its place; the model's own where the scouts are different models.
    #[must_use]
    pub fn temperature(&self, place: usize) -> Option<f32> {
        const SPREAD: [f32; 5] = [0.2, 1.0, 0.6, 0.8, 0.4];
        self.one_model().then(|| SPREAD[place % SPREAD.len()])
    }
}
