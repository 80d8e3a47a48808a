//! What a mediation says: outputs of modules, the mediator's memo, and what those who check it find.

mod brief;
mod memo;
mod spoken;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::{
    brief::{TableBrief, TableExtras, Writer},
    memo::{AnsweredObjection, Conflict, CounterFinding, MemoOption, NotKnown, Synthesis},
    spoken::{Alone, Challenge, Holding, ModuleOutput, Position, Rejoinder, Spoken},
};
use super::{Influence, ModelName, ModuleName, PanelSeat, written::any_case};

/// The two rounds in which modules speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Round {
    /// Round 1: nobody has seen anybody.
    Independent,
    /// Round 2: everyone has read round 1.
    Revision,
}

impl Round {
    /// 1 or 2.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Independent => 1,
            Self::Revision => 2,
        }
    }
}

/// How bad a conflict is, worst first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Undecided, it sinks the plan.
    Critical,
    /// Has to be settled before starting.
    High,
    /// Has to be settled on the way.
    Medium,
    /// Worth knowing.
    Low,
}

/// A flag's colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlagColor {
    /// Stop: a danger.
    Red,
    /// Take care: a doubt.
    Yellow,
    /// Go: a strength.
    Green,
}

/// Something that must not be overlooked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// red: stops or sinks the plan unless settled. yellow: a doubt to settle on the way. green: a strength to build on.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "FlagColor", extend("label" = "Colour"))]
    pub color: FlagColor,
    /// One sentence, with its number if there is one.
    #[schemars(extend("line" = true, "label" = "Flag"))]
    pub text: String,
    /// The names of those who flagged it themselves; none if nobody did.
    #[serde(default)]
    #[schemars(with = "Vec<String>", extend("items_asked" = "0-6", "names" = "seats", "when" = "trust"))]
    pub raised_by: Vec<ModuleName>,
    /// Of a red flag the conflict above that it belongs to, counted from 1 in your order; 0 if it belongs to none, and for
    /// every other flag.
    #[serde(default)]
    #[schemars(with = "usize", range(min = 0, max = 12), extend("when" = "researches"))]
    pub conflict: Option<usize>,
}

/// How much those at the table count.
impl TableBrief {
    /// How much a module counts by its history; one where none is kept.
    #[must_use]
    pub fn influence(&self, module: &ModuleName) -> Influence {
        self.trust.as_ref().map_or_else(Influence::default, |trust| trust.of_module(module))
    }

    /// How much a seat counts in the synthesis and in the points: what the team gave it, times its influence.
    #[must_use]
    pub fn counts(&self, seat: &PanelSeat) -> f64 {
        seat.weight.get() * self.influence(&seat.module).get()
    }

    /// A sentence on those at the table who count more or less than usual by their history; nothing where none does.
    #[must_use]
    pub fn trusted(&self) -> Option<String> {
        self.trust.as_ref()?.sentence(self.panel.seats.iter().map(|seat| &seat.module))
    }
}

/// How a module's place was filled after its own call failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum Redelegation {
    /// A shorter, simpler prompt worked.
    Simpler {
        /// Whose place.
        module: ModuleName,
        /// In which round.
        round: Round,
    },
    /// Another model answered.
    Fallback {
        /// Whose place.
        module: ModuleName,
        /// In which round.
        round: Round,
        /// Who answered.
        model: ModelName,
    },
    /// A related module took over its concerns.
    Heir {
        /// Whose place.
        module: ModuleName,
        /// In which round.
        round: Round,
        /// Who took over.
        heir: ModuleName,
    },
    /// Nobody could fill it.
    Lost {
        /// Whose place.
        module: ModuleName,
        /// In which round.
        round: Round,
    },
}

impl Redelegation {
    /// Whose place it is, and in which round.
    #[must_use]
    pub fn place(&self) -> (&ModuleName, Round) {
        match self {
            Self::Simpler { module, round }
            | Self::Fallback { module, round, .. }
            | Self::Heir { module, round, .. }
            | Self::Lost { module, round } => (module, *round),
        }
    }
}
