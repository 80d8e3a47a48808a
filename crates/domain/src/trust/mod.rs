//! Trust: how much a module counts on a server, by how its earlier advice there turned out. What speaks for a module and
//! against it is counted in hundredths of a decided case; a Beta posterior over all of it gives its influence.
//!
//! Invariant: an influence lies between a half and one and a half; a module without history counts exactly one; no one
//! session moves a module's influence by much more than a tenth; the order in which things happened changes nothing.

mod evidence;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

pub use evidence::{Champion, by_outcome, by_points, by_synthesis, champions};

use super::{Module, ModuleName, SessionId, enumerated};

/// What everybody starts with on either side, in hundredths: Beta(4, 4), whose mean is a half.
const PRIOR: f64 = 400.0;
/// Most hundredths that one session can add in all: two decided cases.
const SESSION: f64 = 200.0;
/// Most events that one card tells of a module.
const TOLD: usize = 2;

/// What moves a module's influence.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    IntoStaticStr,
    EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TrustKind {
    /// The synthesis took up what it flagged, or nothing of it.
    Flags,
    /// In a conflict of two, the position of the other carried.
    Contradicted,
    /// Pages that deep research found speak against its position.
    Refuted,
    /// Its points named figures or sources, or not one of them did.
    Specific,
    /// What the team gave the solutions that it championed.
    Points,
    /// How a decision for a solution that it championed turned out.
    Outcome,
}

impl TrustKind {
    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads that.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// What speaks for a module and against it, in hundredths of a decided case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// For it.
    pub good: u32,
    /// Against it.
    pub bad: u32,
}

impl Evidence {
    fn and(self, other: Self) -> Self {
        let Self { good, bad } = self;
        Self { good: good.saturating_add(other.good), bad: bad.saturating_add(other.bad) }
    }

    /// As far as one session counts: what is more is scaled down, both sides alike.
    fn of_one_session(self) -> (f64, f64) {
        let (good, bad) = (f64::from(self.good), f64::from(self.bad));
        let scale = SESSION / (good + bad).max(SESSION);
        (good * scale, bad * scale)
    }

    fn weight(self) -> u32 {
        self.good.abs_diff(self.bad)
    }
}

/// Something that happened to a module's advice.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// Whose.
    pub module: ModuleName,
    /// What.
    pub kind: TrustKind,
    /// Of an outcome: the decision's number in its session, from 1; else 0.
    pub decision: u32,
    /// What that says for it and against it.
    pub evidence: Evidence,
}

/// The same with where and when it happened.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TrustEvent {
    /// In which session, which may be deleted since.
    pub session: SessionId,
    /// What.
    pub moved: Moved,
    /// When, seconds since 1970.
    pub at: i64,
}

impl TrustEvent {
    /// What happened, in words that go on after the module's name.
    #[must_use]
    pub fn told(&self) -> &'static str {
        let Evidence { good, bad } = self.moved.evidence;
        match (self.moved.kind, good.cmp(&bad)) {
            (TrustKind::Flags, std::cmp::Ordering::Less) => "none of its flags was taken up",
            (TrustKind::Flags, _) => "the synthesis took up what it flagged",
            (TrustKind::Contradicted, _) => "another's position carried against its own",
            (TrustKind::Refuted, _) => "pages that were found spoke against its position",
            (TrustKind::Specific, std::cmp::Ordering::Less) => "its points named no figure and no source",
            (TrustKind::Specific, _) => "its points named figures or sources",
            (TrustKind::Points, std::cmp::Ordering::Less) => "the team gave little to what it championed",
            (TrustKind::Points, _) => "the team gave much to what it championed",
            (TrustKind::Outcome, std::cmp::Ordering::Less) => "a decision it championed did not work out",
            (TrustKind::Outcome, std::cmp::Ordering::Equal) => "a decision it championed worked in part",
            (TrustKind::Outcome, std::cmp::Ordering::Greater) => "a decision it championed worked out",
        }
    }
}

/// How much a module counts by its history: a half to one and a half, in hundredths. One is usual.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Influence(f64);

impl Default for Influence {
    fn default() -> Self {
        Self(1.0)
    }
}

impl From<f64> for Influence {
    fn from(number: f64) -> Self {
        if number.is_nan() {
            return Self::default();
        }
        Self((number.clamp(0.5, 1.5) * 100.0).round() / 100.0)
    }
}

impl From<Influence> for f64 {
    fn from(influence: Influence) -> Self {
        influence.0
    }
}

impl Influence {
    /// By all that happened to one module's advice, in whatever order it comes.
    #[must_use]
    pub fn of<'a>(events: impl IntoIterator<Item = &'a TrustEvent>) -> Self {
        let mut sessions: BTreeMap<&SessionId, Evidence> = BTreeMap::new();
        for event in events {
            let so_far = sessions.entry(&event.session).or_default();
            *so_far = so_far.and(event.moved.evidence);
        }
        let (mut good, mut bad) = (PRIOR, PRIOR);
        for evidence in sessions.values() {
            let (more_good, more_bad) = evidence.of_one_session();
            good += more_good;
            bad += more_bad;
        }
        Self::from(0.5 + good / (good + bad))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        (self.0 - 1.0).abs() < 1e-9
    }
}

/// The influences of a server's modules as a session keeps them from its start; whoever is not named counts one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Influences(BTreeMap<ModuleName, Influence>);

impl Influences {
    /// By a server's whole history. Only modules of the registry have one: a name that was made up for one session says
    /// nothing of who will have it next.
    #[must_use]
    pub fn of(events: &[TrustEvent]) -> Self {
        let modules: BTreeSet<&ModuleName> = events.iter().map(|event| &event.moved.module).collect();
        let known = modules.into_iter().filter(|module| Module::find(&module.0).is_some());
        let each = known.map(|module| (module.clone(), Influence::of(history(events, module))));
        Self(each.filter(|(_, influence)| !influence.is_usual()).collect())
    }

    /// That of a module.
    #[must_use]
    pub fn of_module(&self, module: &ModuleName) -> Influence {
        self.0.get(module).copied().unwrap_or_default()
    }

    /// A sentence on those of these modules that count more or less than usual; nothing where none does.
    #[must_use]
    pub fn sentence<'a>(&self, modules: impl IntoIterator<Item = &'a ModuleName>) -> Option<String> {
        told(modules.into_iter().map(|module| (module.title().to_owned(), self.of_module(module))))
    }
}

/// `Market counts 1.12 and Cost 0.9, by how their earlier advice here turned out.`; nothing where all count one.
#[must_use]
pub fn told(each: impl IntoIterator<Item = (String, Influence)>) -> Option<String> {
    let unusual = each.into_iter().filter(|(_, influence)| !influence.is_usual());
    let counts = |place| if place == 0 { "counts " } else { "" };
    let parts: Vec<String> = unusual
        .enumerate()
        .map(|(place, (title, influence))| format!("{title} {}{}", counts(place), influence.get()))
        .collect();
    let whose = match parts.len() {
        0 => return None,
        1 => "its",
        _ => "their",
    };
    Some(format!("{}, by how {whose} earlier advice here turned out.", enumerated(&parts)))
}

/// A module's history on a server.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleTrust {
    /// Whose.
    pub module: ModuleName,
    /// What it comes to.
    pub influence: Influence,
    /// How many sessions it comes from.
    pub sessions: usize,
    /// What moved it most, newest first.
    pub moved_most: Vec<TrustEvent>,
}

impl ModuleTrust {
    /// That of every module of the registry that has a history, in the registry's order.
    #[must_use]
    pub fn all(events: &[TrustEvent]) -> Vec<Self> {
        let names = super::MODULES.iter().map(Module::name);
        names.filter_map(|module| Self::of(module, events)).collect()
    }

    fn of(module: ModuleName, events: &[TrustEvent]) -> Option<Self> {
        let mut own: Vec<&TrustEvent> = history(events, &module).collect();
        let sessions: BTreeSet<&SessionId> = own.iter().map(|event| &event.session).collect();
        let (influence, sessions) = (Influence::of(own.iter().copied()), sessions.len());
        own.sort_by_key(|event| std::cmp::Reverse((event.moved.evidence.weight(), event.at)));
        own.truncate(TOLD);
        own.sort_by_key(|event| std::cmp::Reverse(event.at));
        let moved_most = own.into_iter().cloned().collect();
        (sessions > 0).then_some(Self { module, influence, sessions, moved_most })
    }
}

/// What happened to one module's advice.
fn history<'a>(events: &'a [TrustEvent], module: &ModuleName) -> impl Iterator<Item = &'a TrustEvent> {
    events.iter().filter(move |event| event.moved.module == *module)
}
