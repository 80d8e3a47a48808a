//! Checks: each disagreement that can be checked and each grave claim of one scout alone, at most three of either, all at
//! once, by a calculation, by the web, or by a model that has no part in it.

use super::{Case, Found, material};
use crate::{
    prompt::{
        self,
        investigate::Matter,
        reply::investigate::{CheckReply, CheckedReply, finding, without_labels},
    },
    render,
    steps::{Ask, Steps, Stop},
};
use domain::{
    Check, CheckFinding, CheckedBy, Checking, Citing, Compared, Countable, MOST_PROBES, Offered, Piece, Ran,
    Reply, ScoutId, ScoutSplit, Searching, StepKey,
};

/// The card of all checks, and the step below which those are that nobody asked for in the enquiry.
pub(super) const CHECKS: &str = "checks";

/// Something to check.
#[derive(Clone)]
pub(super) struct Doubt {
    pub(super) topic: String,
    pub(super) positions: Vec<String>,
    /// Who stands on a side of it, and so does not judge it.
    pub(super) scouts: Vec<ScoutId>,
    /// Who says it alone.
    pub(super) lone: Option<ScoutId>,
}

impl Doubt {
    /// A disagreement.
    pub(super) fn of_split(split: &ScoutSplit) -> Self {
        Self {
            topic: split.topic.clone(),
            positions: split.sides.iter().map(|side| side.position.clone()).collect(),
            scouts: split.sides.iter().flat_map(|side| side.scouts.clone()).collect(),
            lone: None,
        }
    }

    /// A claim and its denial.
    pub(super) fn of_claim(claim: &str, scouts: Vec<ScoutId>, lone: Option<ScoutId>) -> Self {
        let positions = vec![claim.to_owned(), "That is not so.".to_owned()];
        Self { topic: claim.to_owned(), positions, scouts, lone }
    }
}

/// Everything that is worth checking, in a round of checks; where more is wanted, what is still open in a second.
pub(super) async fn structured(
    case: &Case<'_>,
    compared: &Compared,
    mut found: Found,
) -> Result<Found, Stop> {
    let rounds = if case.brief.checking == Checking::Thorough { 2 } else { 1 };
    for round in 1..=rounds {
        let open = open(compared, &found.checks);
        let checks = (1..).zip(open).map(|(number, doubt)| async move {
            let key = StepKey::new(format!("{CHECKS}/{round}-{number}"));
            check(case, key, &doubt, round).await
        });
        found.checks.extend(case.steps.all(checks).await?.into_iter().flatten());
    }
    Ok(found)
}

/// What can be checked and is not settled: disagreements first.
fn open(compared: &Compared, checks: &[Check]) -> Vec<Doubt> {
    let settled = |topic: &str| checks.iter().any(|check| check.topic == topic && check.is_settled());
    let splits = compared.verifiable().filter(|split| !settled(&split.topic)).take(MOST_PROBES);
    let splits = splits.map(Doubt::of_split);
    let lone = compared.grave().filter(|lone| !settled(&lone.claim)).take(MOST_PROBES);
    splits.chain(lone.map(|lone| Doubt::of_claim(&lone.claim, vec![lone.scout], Some(lone.scout)))).collect()
}

/// One check, which comes onto the card of all of them. Nothing where no model could be asked.
pub(super) async fn check(
    case: &Case<'_>,
    key: StepKey,
    doubt: &Doubt,
    round: usize,
) -> Result<Option<Check>, Stop> {
    let Some(check) = look(case, &key, doubt, round).await? else { return Ok(None) };
    let steps = case.steps;
    let kept = key.child("found");
    let (sources, first) = material::numbered(vec![(key, check.clone())]);
    let first = render::investigate::checks_card(steps.session(), &first, &sources);
    steps.onto(CHECKS.into()).keep_onto(&kept, &check, first).await?;
    steps.note_degraded(kept, Countable::Unfounded.counted(check.dropped_citations)).await?;
    Ok(Some(check))
}

/// A program, run; nothing where there is none.
async fn run(steps: &Steps, key: StepKey, who: &str, code: &str) -> Result<Option<Ran>, Stop> {
    if code.is_empty() { Ok(None) } else { steps.run_code(key, who, code).await.map(Some) }
}

/// What a check finds. Nothing where no model could be asked.
pub(super) async fn look(
    case: &Case<'_>,
    key: &StepKey,
    doubt: &Doubt,
    round: usize,
) -> Result<Option<Check>, Stop> {
    let Case { steps, brief, .. } = *case;
    let (mut model, mut independent) = case.fresh(&doubt.scouts);
    if round > 1 {
        // The second look is another's, where there is another.
        let others = case.models().into_iter().filter(|other| *other != model);
        let theirs: Vec<_> = doubt.scouts.iter().filter_map(|scout| case.model_of(*scout)).collect();
        if let Some(other) = others.into_iter().find(|other| !theirs.contains(&other)) {
            (model, independent) = (other, true);
        }
    }
    let matter = Matter { topic: &doubt.topic, positions: &doubt.positions };
    let (prompts, places) = (steps.prompts(), doubt.positions.len());
    let searching = brief.searching == Searching::On;
    let who = format!("Checking “{}”", domain::shortened(&doubt.topic, 40));
    let asked = |key: StepKey, prompt| Ask { key, who: who.clone(), model: model.clone(), prompt };
    let first = asked(key.clone(), prompt::investigate::check(prompts, brief, (&matter, None), searching));
    let read = |reply: &Reply, _| prompt::parse::<CheckReply>(&reply.text)?.checked(places, searching);
    let mut plan = match steps.ask(first, read, |_| Vec::new()).await? {
        Ok(plan) => plan,
        Err(failure) => {
            let why = failure.sentence();
            steps.note_degraded(key.clone(), [Piece::Check(doubt.topic.clone()).missing(Some(why))]).await?;
            return Ok(None);
        }
    };
    let mut ran = run(steps, key.child("code"), &who, &plan.code).await?;
    // A program that fails is written once more.
    if let Some(failed) = ran.as_ref().filter(|ran| ran.error.is_some()).map(Ran::told) {
        let failed = (&matter, Some((plan.code.as_str(), failed.as_str())));
        let again = asked(key.child("again"), prompt::investigate::check(prompts, brief, failed, searching));
        if let Ok(second) = steps.ask(again, read, |_| Vec::new()).await? {
            plan = second;
            ran = run(steps, key.child("code-again"), &who, &plan.code).await?;
        }
    }
    let ran = ran.map(|ran| ran.told());
    let mut offered = Offered::default();
    if ran.is_none() && searching && !plan.query.is_empty() {
        offered.found = steps.search(key.child("search"), &who, vec![plan.query.clone()]).await?.sources;
    }
    let mut dropped = 0;
    let (found, why, by) = if ran.is_none() && offered.is_empty() {
        // What was left to a search that found nothing is not decided.
        let found = if plan.query.is_empty() { finding(&plan.holds, places).ok() } else { None };
        (found.unwrap_or(CheckFinding::Unsettled), plan.why, CheckedBy::Model(model.clone()))
    } else {
        let shown = ran.as_ref().map(|printed| (plan.code.as_str(), printed.as_str()));
        let second =
            asked(key.child("shown"), prompt::investigate::checked(prompts, brief, &matter, shown, &offered));
        let pages = offered.len();
        let read = |reply: &Reply, _| prompt::parse::<CheckedReply>(&reply.text)?.into_finding(places, pages);
        let by = match &ran {
            Some(printed) => CheckedBy::Code { code: plan.code.clone(), printed: printed.clone() },
            None => CheckedBy::Pages,
        };
        match steps.ask(second, read, |_| Vec::new()).await? {
            Ok((found, why, citations)) => {
                dropped = citations;
                (found, why, by)
            }
            Err(failure) => (CheckFinding::Unsettled, failure.sentence().to_owned(), by),
        }
    };
    let (topic, positions, lone) = (doubt.topic.clone(), doubt.positions.clone(), doubt.lone);
    let (pages, why) = (Vec::new(), without_labels(&why, &doubt.positions));
    let mut check = Check {
        topic,
        positions,
        lone,
        finding: found,
        by,
        why,
        pages,
        independent,
        dropped_citations: dropped,
    }
    .citing(&offered);
    if check.by == CheckedBy::Pages && check.pages.is_empty() {
        // It looked, and what it says stands on none of the pages.
        check.by = CheckedBy::Model(model);
    }
    Ok(Some(check))
}
