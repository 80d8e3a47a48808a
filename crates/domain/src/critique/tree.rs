//! The reasoning tree that a member grows over the text.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Effect, Philosopher, SectionId};
use crate::{ModelName, Severity, Span};

/// How sure a claim is, 0 to 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(f64);

impl Confidence {
    /// Claims below it are neither grown nor kept.
    pub const FLOOR: Self = Self(0.3);

    /// How much of what is left to 0 or to 1 the strongest effect takes.
    const SHARE: f64 = 0.8;

    /// A number, held to 0 to 1; what is no number counts as 0.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// As a member says it, of 100; it says neither 0 nor 100.
    #[must_use]
    pub fn of_100(said: u8) -> Self {
        Self(f64::from(said.clamp(1, 99)) / 100.0)
    }

    /// 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// After a closer look: nearer to 0 or to 1 by a share of what is left, so that neither is ever reached.
    #[must_use]
    pub fn moved(self, effect: Effect) -> Self {
        let share = effect.share() * Self::SHARE;
        let left = if share < 0.0 { self.0 } else { 1.0 - self.0 };
        Self::new(self.0 + left * share)
    }

    /// Whether a claim that is so sure stays. What a rounding keeps from the floor stands on it.
    #[must_use]
    pub fn stays(self) -> bool {
        self.0 + 1e-9 >= Self::FLOOR.0
    }

    /// In thousandths, to compare.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 1
    pub fn thousandths(self) -> u32 {
        (self.0 * 1e3).round() as u32
    }
}

/// A claim's place: whose, and its path in the tree (the second child of the first claim: 1, 2). Shown as `Popper 1.2`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ClaimId {
    /// The member whose branch it is.
    pub member: Philosopher,
    /// From 1 at each level.
    pub path: Vec<u16>,
}

impl ClaimId {
    /// The id of a child, from 1.
    #[must_use]
    pub fn child(&self, place: u16) -> Self {
        let path = self.path.iter().copied().chain([place]).collect();
        Self { member: self.member, path }
    }

    /// `1.2`.
    #[must_use]
    pub fn number(&self) -> String {
        self.path.iter().map(u16::to_string).collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.member, self.number())
    }
}

/// Words of the text that something rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// The words, as the model gave them.
    pub quote: String,
    /// Where they stand in the text; `None`: they do not, and the claim is marked unquoted.
    pub found: Option<Span>,
}

/// Why a branch goes no deeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The depth that was chosen is reached.
    Depth,
    /// The passage is too small to split.
    TooSmall,
    /// The claim is below [`Confidence::FLOOR`].
    Unsure,
    /// The member says that nothing is gained by going on.
    NothingGained,
    /// The passage it named does not stand in the text.
    NotFound,
    /// The plan of calls allows no more branches here.
    Budget,
    /// The call that was to grow it failed.
    Failed,
}

/// Where a member wants to look deeper.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deeper {
    /// Words of one or two passages, verbatim.
    pub passages: Vec<String>,
    /// What to look at in them.
    pub topic: String,
}

/// What changed a claim after it was written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// What a closer look makes of it; `None`: the member itself, after reading the others.
    pub effect: Option<Effect>,
    /// Why.
    pub why: String,
    /// How sure it was before.
    pub sure: Confidence,
    /// How grave it was before, where that changed.
    pub severity: Option<Severity>,
    /// Its words before, where they changed.
    pub words: Option<String>,
}

/// A claim about a part of the text, with what was found by looking deeper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Its place.
    pub id: ClaimId,
    /// The section its branch began in.
    pub section: SectionId,
    /// The part of the text in which it was found.
    pub segment: Span,
    /// What is wrong or missing, as it stands now.
    pub claim: String,
    /// The passages that it rests on; at most two.
    pub evidence: Vec<Evidence>,
    /// How sure it is now; halved where none of the evidence is in the text.
    pub confidence: Confidence,
    /// How much it matters now.
    pub severity: Severity,
    /// Where the member wants to look deeper, if it does.
    pub deeper: Option<Deeper>,
    /// What changed it, first to last.
    pub changes: Vec<Change>,
    /// What was found by looking deeper.
    pub children: Vec<Claim>,
    /// Why the branch ends here; `None` where it has been grown.
    pub ended: Option<Ended>,
}

impl Claim {
    /// Whether none of its quotations stands in the text.
    #[must_use]
    pub fn is_unquoted(&self) -> bool {
        self.evidence.iter().all(|evidence| evidence.found.is_none())
    }

    /// Notes a change and makes it: of the words, where there are others, and of the severity, where it is lower.
    pub(super) fn change(
        &mut self,
        (effect, why): (Option<Effect>, &str),
        confidence: Confidence,
        severity: Severity,
        restated: Option<&str>,
    ) {
        let restated = restated.filter(|restated| !restated.trim().is_empty() && *restated != self.claim);
        // A severity is the larger the milder it is.
        let milder = severity > self.severity;
        self.changes.push(Change {
            effect,
            why: why.to_owned(),
            sure: self.confidence,
            severity: milder.then_some(self.severity),
            words: restated.map(|_| self.claim.clone()),
        });
        self.confidence = confidence;
        if milder {
            self.severity = severity;
        }
        if let Some(restated) = restated {
            restated.clone_into(&mut self.claim);
        }
    }

    /// Takes in what a closer look makes of it and has found.
    pub fn looked_into(&mut self, effect: Effect, why: &str, restated: Option<&str>, found: Vec<Self>) {
        // What holds in part is as sure as it was once its words are narrowed to that part.
        let narrowed = effect == Effect::Weaker && restated.is_some();
        let confidence = if narrowed { self.confidence } else { self.confidence.moved(effect) };
        self.change((Some(effect), why), confidence, self.severity, restated);
        self.children = found;
    }

    /// What weighs more comes first: the graver, then the surer.
    #[must_use]
    pub fn weight(&self) -> impl Ord + use<> {
        (self.severity, std::cmp::Reverse(self.confidence.thousandths()))
    }
}

/// A passage that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HoldsUp {
    /// Which.
    pub evidence: Evidence,
    /// What was tried on it.
    pub why: String,
}

/// A member's tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The member whose tree it is.
    pub member: Philosopher,
    /// The claims of the first level, in the order of the text's sections.
    pub claims: Vec<Claim>,
    /// What holds up under its method.
    pub holds_up: Vec<HoldsUp>,
    /// What sections state that another could contradict, a line each; only where somebody compares them.
    #[serde(default)]
    pub stated: Vec<String>,
    /// Sections that this member could not read, because its call failed.
    pub failed: Vec<SectionId>,
    /// Calls that grew it and failed further down.
    pub failed_branches: u32,
    /// Branches for which no calls were left.
    pub given_up: u32,
    /// The models that answered, each once.
    pub answered_by: Vec<String>,
    /// Those that stood in for the member's own, each once.
    pub stand_ins: Vec<ModelName>,
}

impl Tree {
    /// Without a claim.
    #[must_use]
    pub fn new(member: Philosopher) -> Self {
        Self {
            member,
            claims: Vec::new(),
            holds_up: Vec::new(),
            stated: Vec::new(),
            failed: Vec::new(),
            failed_branches: 0,
            given_up: 0,
            answered_by: Vec::new(),
            stand_ins: Vec::new(),
        }
    }

    /// Every claim, parents before children.
    #[must_use]
    pub fn all(&self) -> Vec<&Claim> {
        fn walk<'a>(claim: &'a Claim, all: &mut Vec<&'a Claim>) {
            all.push(claim);
            for child in &claim.children {
                walk(child, all);
            }
        }
        let mut all = Vec::new();
        for claim in &self.claims {
            walk(claim, &mut all);
        }
        all
    }

    /// The claim of that place.
    #[must_use]
    pub fn claim(&self, id: &ClaimId) -> Option<&Claim> {
        self.all().into_iter().find(|claim| claim.id == *id)
    }

    /// The number that the next claim of the first level gets.
    #[must_use]
    pub fn next(&self) -> u16 {
        let numbers = self.claims.iter().filter_map(|claim| claim.id.path.first().copied());
        numbers.max().unwrap_or(0).saturating_add(1)
    }
}
