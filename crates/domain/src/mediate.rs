//! What a mediation says: outputs of modules and the mediator's synthesis.

mod brief;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::brief::{MediateBrief, MediateExtras};
use super::{Influence, ModelName, ModuleName, Numbered, PanelSeat, Searched, Source, written::any_case};

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
    /// red: a danger; yellow: a doubt; green: a strength.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "FlagColor")]
    pub color: FlagColor,
    /// What must not be overlooked, in a sentence.
    #[schemars(length(max = 180))]
    pub text: String,
    /// In a synthesis: the modules that raised it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub raised_by: Vec<ModuleName>,
    /// Before deep research, of a mediator's red flag: the conflict that it belongs to, by its number; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub conflict: Option<usize>,
}

/// What a module said in a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModuleOutput {
    /// The module that spoke.
    pub module: ModuleName,
    /// The round in which it spoke.
    pub round: Round,
    /// The finding in a sentence or two.
    pub summary: String,
    /// The whole, in Markdown.
    pub analysis: String,
    /// What to take away.
    pub key_points: Vec<String>,
    /// What not to overlook.
    pub flags: Vec<Flag>,
    /// What it cites, by the numbers of its marks from 1; none once they stand on the session's list.
    pub sources: Vec<Source>,
    /// What became of searching for it; `None` where nothing was looked up for it.
    pub searched: Option<Searched>,
    /// Round 2: what the module changed and why; `None` where it stands by round 1.
    pub revised: Option<String>,
    /// Who spoke for the module where it could not itself.
    pub spoken_for_by: Option<ModuleName>,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Sources and citations the code took out because there is no source of theirs.
    pub dropped_citations: u32,
}

/// Points whose words overlap by at least this share count as the same point.
const SAME: f64 = 0.6;

/// What of a module's points is not as it was in its first round, as code finds it by their words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference<'a> {
    /// Points that round 1 had none like, by their places.
    pub new: Vec<usize>,
    /// Points of round 1 that are there no more.
    pub gone: Vec<&'a str>,
}

impl ModuleOutput {
    /// Whose view it is, and who spoke for it: `Risk`, `Risk, spoken for by Cost`.
    #[must_use]
    pub fn heading(&self) -> String {
        let by = self.spoken_for_by.as_ref().map(|by| format!(", spoken for by {}", by.title()));
        format!("{}{}", self.module.title(), by.unwrap_or_default())
    }

    /// How its points differ from those of its first round, whatever the module says about it.
    #[must_use]
    pub fn changed_since<'a>(&self, first: &'a Self) -> Difference<'a> {
        let (now, before) = (Words::of_each(&self.key_points), Words::of_each(&first.key_points));
        let is_in = |point: &Words, points: &[Words]| points.iter().any(|other| other.alike(point));
        let new = (0..).zip(&now).filter(|(_, point)| !is_in(point, &before));
        let gone = first.key_points.iter().zip(&before).filter(|(_, words)| !is_in(words, &now));
        Difference {
            new: new.map(|(place, _)| place).collect(),
            gone: gone.map(|(point, _)| point.as_str()).collect(),
        }
    }
}

/// The words of a point, each once and without its case.
#[derive(PartialEq, Eq)]
struct Words(BTreeSet<String>);

impl Words {
    fn of_each(points: &[String]) -> Vec<Self> {
        points.iter().map(|point| Self::of(point)).collect()
    }

    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self(words.map(str::to_owned).collect())
    }

    /// Whether two points say nearly the same.
    #[allow(clippy::cast_precision_loss)] // counts of words are small
    fn alike(&self, other: &Self) -> bool {
        let shared = self.0.intersection(&other.0).count();
        let all = self.0.len() + other.0.len() - shared;
        self == other || shared as f64 / all.max(1) as f64 >= SAME
    }
}

/// How much those at the table count.
impl MediateBrief {
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

/// Two or more modules that cannot both be right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The modules that cannot all be right, two at least.
    #[schemars(with = "Vec<String>", length(min = 2, max = 4))]
    pub modules: Vec<ModuleName>,
    /// About what, in a few words.
    #[schemars(length(max = 100))]
    pub topic: String,
    /// What each says and why both cannot hold.
    #[schemars(length(max = 260))]
    pub description: String,
    /// How bad it is to leave it undecided.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity")]
    pub severity: Severity,
    /// Under a RACI matrix: the side of the problem that the matter in dispute belongs to, by its module's name.
    #[serde(default)]
    #[schemars(with = "String")]
    pub area: Option<ModuleName>,
    /// What the one that answers for that side holds on it, in a sentence, or the word "nothing".
    #[serde(default)]
    #[schemars(with = "String", length(max = 300))]
    pub carries: Option<String>,
}

/// Something the team could do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    /// What to do, in at most ten words, starting with a verb.
    #[schemars(length(max = 100))]
    pub title: String,
    /// What, how and why.
    #[schemars(length(max = 320))]
    pub description: String,
    /// The modules whose findings it rests on.
    #[schemars(with = "Vec<String>", length(min = 1, max = 6))]
    pub raised_by: Vec<ModuleName>,
    /// Which of the modules' options it stands for: the module and the option in a few words.
    #[serde(default)]
    #[schemars(length(max = 6), inner(length(max = 120)))]
    pub stands_for: Vec<String>,
}

/// What the mediator writes: conflicts and flags before the synthesis that weighs them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Synthesis {
    /// Where modules cannot all be right.
    #[schemars(length(max = 4))]
    pub conflicts: Vec<Conflict>,
    /// What the team must not overlook, over all modules.
    #[schemars(length(max = 6))]
    pub flags: Vec<Flag>,
    /// The whole, in Markdown.
    #[schemars(length(max = 1700))]
    pub synthesis: String,
    /// Two to six different things the team could do, to choose between.
    #[schemars(length(min = 2, max = 6))]
    pub recommendations: Vec<Recommendation>,
    /// The answer in two or three sentences.
    #[schemars(length(max = 400))]
    pub summary: String,
    /// What was not looked at because its module was left out, and what that means for the answer.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub deactivated_disclaimer: Option<String>,
    /// Whose view is thin, spoken for by another or missing, and what is therefore not known.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub gaps: Option<String>,
    /// The model that answered, as its provider says.
    #[serde(default)]
    #[schemars(skip)]
    pub answered_by: String,
    /// The pages that its marks point at.
    #[serde(default)]
    #[schemars(skip)]
    pub sources: Vec<Numbered>,
    /// Citations the code took out because there is no page of theirs.
    #[serde(default)]
    #[schemars(skip)]
    pub dropped_citations: u32,
}
