//! What a mediation says: outputs of modules and the mediator's synthesis.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ModelName, ModuleName};

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
pub struct Flag {
    /// How urgent.
    pub color: FlagColor,
    /// What, in a sentence.
    pub text: String,
}

/// What a module said in a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModuleOutput {
    /// Who.
    pub module: ModuleName,
    /// When.
    pub round: Round,
    /// The finding in a sentence or two.
    pub summary: String,
    /// The whole, in Markdown.
    pub analysis: String,
    /// What to take away.
    pub key_points: Vec<String>,
    /// What not to overlook.
    pub flags: Vec<Flag>,
    /// `https://` sources; empty while there is no search.
    pub sources: Vec<String>,
    /// Round 2: what the module changed and why; `None` where it stands by round 1.
    pub revised: Option<String>,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Sources and citations the code took out because nothing was searched.
    pub dropped_citations: u32,
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

/// Two or more modules that cannot both be right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conflict {
    /// Who, two at least.
    pub modules: Vec<ModuleName>,
    /// About what.
    pub topic: String,
    /// What each says.
    pub description: String,
    /// How bad.
    pub severity: Severity,
}

/// Something the team could do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recommendation {
    /// In a few words.
    pub title: String,
    /// What, how and why.
    pub description: String,
    /// The modules it came from.
    pub raised_by: Vec<ModuleName>,
}

/// What the mediator made of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Synthesis {
    /// The answer in two or three sentences.
    pub summary: String,
    /// The whole, in Markdown.
    pub synthesis: String,
    /// Worst first.
    pub conflicts: Vec<Conflict>,
    /// Red, then yellow, then green.
    pub flags: Vec<Flag>,
    /// What the team could do.
    pub recommendations: Vec<Recommendation>,
    /// What was not looked at because its module was left out; required when any was.
    pub deactivated_disclaimer: Option<String>,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Citations the code took out because there were no sources.
    pub dropped_citations: u32,
}
