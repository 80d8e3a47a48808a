//! What a session, its vote and its decisions say of its modules. Only what is certain: what a field says, what was given,
//! what was told.

use serde::{Deserialize, Serialize};

use super::{Evidence, Moved, TrustKind};
use crate::{
    Basis, Conflict, ConflictResolution, Decision, ExpertPoints, Module, ModuleName, ModuleOutput, RaciRow,
    Solution, SolutionId, Supported, Synthesis, Tally, Verdict, Vote, citations,
};

/// A decision that turned out well or badly, in hundredths: the one thing that happened outside the session.
const OUTCOME: u32 = 100;
/// Most that the team's points say, by ever so many voters.
const POINTS: u64 = 60;
/// A flag that the synthesis has, shared by those who raised it, and most of them in a session.
const FLAG: u32 = 12;
const FLAGS: u32 = 30;
/// Flags of which the synthesis has none.
const PASSED_OVER: u32 = 10;
/// A position that lost against another's by a rule.
const CONTRADICTED: u32 = 20;
/// A position that pages speak against: more than a rule, and less than what happened, for pages may be wrong too.
const REFUTED: u32 = 35;
/// Most positions of a module in a session that count as lost in one of these ways.
const LOST: usize = 2;
/// Points with figures or sources, or without any: little, for a figure may be wrong and some sides have few.
const SPECIFIC: u32 = 5;

/// A module and the solutions that it stood for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Champion {
    /// Who.
    pub module: ModuleName,
    /// What it stood for, one at least.
    pub solutions: Vec<SolutionId>,
}

/// What each of these modules stood for: the solutions to which it gave most of its points, and those that are named as
/// its own and that it gave some. Of one whose points are no opinion, those that are named as its own.
#[must_use]
pub fn champions<'a>(
    modules: impl IntoIterator<Item = &'a ModuleName>,
    solutions: &[Solution],
    experts: &[ExpertPoints],
) -> Vec<Champion> {
    let stood_for = |module: &ModuleName| -> Vec<SolutionId> {
        let own =
            experts.iter().find(|expert| expert.title == module.expert() && expert.basis != Basis::Even);
        let points = own.map(|expert| expert.allocation.points());
        let most = points.and_then(|points| points.iter().max().copied()).unwrap_or_default();
        let stands = |(at, solution): (usize, &Solution)| {
            let named = solution.raised_by.iter().any(|title| title == module.title());
            match points.map(|points| points.get(at).copied().unwrap_or_default()) {
                Some(given) => given > 0 && (named || given == most),
                None => named,
            }
            .then_some(solution.id)
        };
        solutions.iter().enumerate().filter_map(stands).collect()
    };
    let known = modules.into_iter().filter(|module| has_history(module));
    let each = known.map(|module| Champion { module: module.clone(), solutions: stood_for(module) });
    each.filter(|champion| !champion.solutions.is_empty()).collect()
}

/// What a synthesis says of those who spoke for themselves, by their last words: whose flags it has, and, where one
/// position carries a conflict of two, whose did not; and whose position the pages speak against that were found since.
#[must_use]
pub fn by_synthesis(
    spoke: &[&ModuleOutput],
    synthesis: &Synthesis,
    raci: &[RaciRow],
    verdicts: &[ConflictResolution],
) -> Vec<Moved> {
    let known = spoke.iter().copied().filter(|output| has_history(&output.module));
    let of = |output: &ModuleOutput| {
        let module = &output.module;
        [
            moved(module, TrustKind::Flags, flags(output, synthesis)),
            moved(module, TrustKind::Contradicted, contradicted(module, synthesis, raci, verdicts)),
            moved(module, TrustKind::Refuted, refuted(module, verdicts)),
            moved(module, TrustKind::Specific, specific(output)),
        ]
    };
    known.flat_map(of).flatten().collect()
}

/// What the team's points in a counted vote say of those who championed solutions in it: as much as those got more or
/// less than an even share. A vote that nobody came to, or too few, says nothing.
#[must_use]
pub fn by_points(vote: &Vote) -> Vec<Moved> {
    let team = Tally::count(vote).team;
    if team.voters == 0 || vote.missing() > 0 {
        return Vec::new();
    }
    let (all, voters) = (u64::from(team.points.iter().sum::<u32>()), u64::from(team.voters));
    let solutions = vote.solutions.len() as u64;
    let got = |champion: &Champion| {
        let places = vote.solutions.iter().zip(&team.points);
        let own: Vec<u64> = places
            .filter(|(solution, _)| champion.solutions.contains(&solution.id))
            .map(|(_, points)| u64::from(*points))
            .collect();
        let (got, even) = (own.iter().sum::<u64>() * solutions, own.len() as u64 * all);
        // One voter may be alone with an opinion; ten are not.
        let worth = |over: u64, room: u64| {
            let worth = POINTS * voters * over / (voters + 1) / room.max(1);
            u32::try_from(worth).unwrap_or_default()
        };
        if got > even {
            Evidence { good: worth(got - even, solutions * all - even), bad: 0 }
        } else {
            Evidence { good: 0, bad: worth(even - got, even) }
        }
    };
    vote.champions
        .iter()
        .filter_map(|champion| moved(&champion.module, TrustKind::Points, got(champion)))
        .collect()
}

/// What the outcome of a decision says of those who championed what was chosen; nothing of anybody else, and nothing
/// while nobody has told it.
#[must_use]
pub fn by_outcome(decision: &Decision) -> Vec<Moved> {
    let Some(outcome) = &decision.outcome else { return Vec::new() };
    let evidence = match outcome.verdict {
        Verdict::Worked => Evidence { good: OUTCOME, bad: 0 },
        Verdict::Partly => Evidence { good: OUTCOME / 2, bad: OUTCOME / 2 },
        Verdict::DidNot => Evidence { good: 0, bad: OUTCOME },
    };
    let chose = decision.vote.champions.iter().filter(|one| one.solutions.contains(&decision.chosen));
    let moved = |champion: &Champion| Moved {
        module: champion.module.clone(),
        kind: TrustKind::Outcome,
        decision: decision.number,
        evidence,
    };
    chose.map(moved).collect()
}

/// Whether a module is the same from session to session, so that a history says something of it.
fn has_history(module: &ModuleName) -> bool {
    Module::find(&module.0).is_some()
}

fn moved(module: &ModuleName, kind: TrustKind, evidence: Evidence) -> Option<Moved> {
    (evidence != Evidence::default()).then(|| Moved { module: module.clone(), kind, decision: 0, evidence })
}

/// What the synthesis has of a module's flags, by whom the mediator says that each is from.
fn flags(output: &ModuleOutput, synthesis: &Synthesis) -> Evidence {
    let own = synthesis.flags.iter().filter(|flag| flag.raised_by.contains(&output.module));
    let good: u32 = own.map(|flag| FLAG / u32::try_from(flag.raised_by.len()).unwrap_or(FLAG).max(1)).sum();
    // Of a synthesis without a name on any flag nobody knows whose they are.
    let named = synthesis.flags.iter().any(|flag| !flag.raised_by.is_empty());
    let bad = if good == 0 && named && !output.flags().is_empty() { PASSED_OVER } else { 0 };
    Evidence { good: good.min(FLAGS), bad }
}

/// Conflicts that were settled against a module by rule: only those of two of which the other's position carries, for among
/// more nobody knows who held with whom. Where pages say who is right, the rule says nothing.
fn contradicted(
    module: &ModuleName,
    synthesis: &Synthesis,
    raci: &[RaciRow],
    verdicts: &[ConflictResolution],
) -> Evidence {
    let lost = synthesis.conflicts.iter().filter(|conflict| {
        let row = conflict.area.as_ref().and_then(|area| RaciRow::of(raci, area));
        let carries = row.filter(|_| conflict.carries.is_some()).map(|row| &row.accountable);
        conflict.modules.len() == 2
            && conflict.modules.contains(module)
            && carries.is_some_and(|other| other != module && conflict.modules.contains(other))
            && !verdicts.iter().any(|verdict| is_about(verdict, conflict) && rests_on_pages(verdict))
    });
    lost_in(lost.count(), CONTRADICTED)
}

/// Conflicts in which pages speak against what a module holds: for the other one of two, or for nobody. Of more than two
/// that one is borne out says nothing of the others, who may hold the same.
fn refuted(module: &ModuleName, verdicts: &[ConflictResolution]) -> Evidence {
    let lost = verdicts.iter().filter(|verdict| {
        let against = match &verdict.finding {
            Supported::Module(other) => verdict.modules.len() == 2 && other != module,
            Supported::Neither => true,
            Supported::InPart | Supported::Confirmed | Supported::Refuted | Supported::Unsettled => false,
        };
        against && verdict.modules.contains(module) && rests_on_pages(verdict)
    });
    lost_in(lost.count(), REFUTED)
}

fn is_about(verdict: &ConflictResolution, conflict: &Conflict) -> bool {
    verdict.topic == conflict.topic && verdict.modules == conflict.modules
}

/// Whether a verdict settles something, and cites a page for it that there is.
fn rests_on_pages(verdict: &ConflictResolution) -> bool {
    verdict.is_settled() && !citations::cited(&verdict.verdict).is_empty()
}

fn lost_in(times: usize, each: u32) -> Evidence {
    let times = u32::try_from(times.min(LOST)).unwrap_or_default();
    Evidence { good: 0, bad: each * times }
}

/// Whether what a module says in its last word has figures or marks of sources: half of its texts at least, or not one.
fn specific(output: &ModuleOutput) -> Evidence {
    let texts = output.texts();
    let (all, with) =
        (texts.len(), texts.iter().filter(|text| text.chars().any(|c| c.is_ascii_digit())).count());
    match with {
        _ if all == 0 => Evidence::default(),
        0 => Evidence { good: 0, bad: SPECIFIC },
        with if with * 2 >= all => Evidence { good: SPECIFIC, bad: 0 },
        _ => Evidence::default(),
    }
}
