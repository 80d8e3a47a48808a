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
    Check, CheckFinding, CheckedBy, Checking, Citing, Compared, Countable, MOST_PROBES, ModelName, Offered,
    Piece, Ran, Reply, ScoutId, ScoutSplit, Searching, StepKey,
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

    /// Who looks at it, as the live card says it.
    fn shown(&self) -> String {
        format!("Checking “{}”", domain::shortened(&self.topic, 40))
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
    keep(case, key, check).await.map(Some)
}

/// Keeps a check, which comes onto the card of all of them.
async fn keep(case: &Case<'_>, key: StepKey, check: Check) -> Result<Check, Stop> {
    let steps = case.steps;
    let kept = key.child("found");
    let (sources, first) = material::numbered(vec![(key, check.clone())]);
    let first = render::investigate::checks_card(steps.session(), &first, &sources);
    steps.onto(CHECKS.into()).keep_onto(&kept, &check, first).await?;
    steps.note_degraded(kept, Countable::Unfounded.counted(check.dropped_citations)).await?;
    Ok(check)
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
    let (mut model, mut independent) = case.fresh(&doubt.scouts, None);
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
    let who = doubt.shown();
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
    let ran = ran.map(|ran| (plan.code.clone(), ran.told()));
    let mut offered = Offered::default();
    if ran.is_none() && searching && !plan.query.is_empty() {
        offered.found = steps.search(key.child("search"), &who, vec![plan.query.clone()]).await?.sources;
    }
    let judge = Judge { model, independent };
    if ran.is_some() || !offered.is_empty() {
        return judge.read(case, key.child("shown"), doubt, Shown { ran, offered }).await.map(Some);
    }
    // What was left to a search that found nothing is not decided.
    let found = if plan.query.is_empty() { finding(&plan.holds, places).ok() } else { None };
    let found = found.unwrap_or(CheckFinding::Unsettled);
    Ok(Some(judge.found(doubt, found, &plan.why, None)))
}

/// What a check has before it.
pub(super) struct Shown {
    /// The program that was run, and what it printed.
    pub(super) ran: Option<(String, String)>,
    /// Pages that were found.
    pub(super) offered: Offered,
}

/// Settles something by what a call of the enquiry gave back, as a model reads it that has no part in it.
pub(super) async fn settle(
    case: &Case<'_>,
    key: StepKey,
    doubt: &Doubt,
    shown: Shown,
) -> Result<Check, Stop> {
    // Who wrote the program or the query wants to be right by it.
    let (model, independent) = case.fresh(&doubt.scouts, Some(&case.brief.investigator.model));
    let check = Judge { model, independent }.read(case, key.clone(), doubt, shown).await?;
    keep(case, key, check).await
}

/// Who says what was found.
struct Judge {
    model: ModelName,
    /// Whether it has no part in what it judges.
    independent: bool,
}

impl Judge {
    /// What holds by what is shown.
    async fn read(self, case: &Case<'_>, key: StepKey, doubt: &Doubt, shown: Shown) -> Result<Check, Stop> {
        let Case { steps, brief, .. } = *case;
        let matter = Matter { topic: &doubt.topic, positions: &doubt.positions };
        let Shown { ran, offered } = shown;
        let printed = ran.as_ref().map(|(code, printed)| (code.as_str(), printed.as_str()));
        let prompt = prompt::investigate::checked(steps.prompts(), brief, &matter, printed, &offered);
        let ask = Ask { key, who: doubt.shown(), model: self.model.clone(), prompt };
        let (places, pages) = (doubt.positions.len(), offered.len());
        let read = |reply: &Reply, _| prompt::parse::<CheckedReply>(&reply.text)?.into_finding(places, pages);
        let (found, why, dropped_citations) = match steps.ask(ask, read, |_| Vec::new()).await? {
            Ok(said) => said,
            Err(failure) => (CheckFinding::Unsettled, failure.sentence().to_owned(), 0),
        };
        let by = ran.map_or(CheckedBy::Pages, |(code, printed)| CheckedBy::Code { code, printed });
        let check = self.found(doubt, found, &why, Some(by));
        let mut check = Check { dropped_citations, ..check }.citing(&offered);
        if check.by == CheckedBy::Pages && check.pages.is_empty() {
            // It looked, and what it says stands on none of the pages.
            check.by = CheckedBy::Model(self.model);
        }
        Ok(check)
    }

    /// What it found, by this; by what it knows where there is nothing else.
    fn found(&self, doubt: &Doubt, finding: CheckFinding, why: &str, by: Option<CheckedBy>) -> Check {
        Check {
            topic: doubt.topic.clone(),
            positions: doubt.positions.clone(),
            lone: doubt.lone,
            finding,
            by: by.unwrap_or_else(|| CheckedBy::Model(self.model.clone())),
            why: without_labels(why, &doubt.positions),
            pages: Vec::new(),
            independent: self.independent,
            dropped_citations: 0,
        }
    }
}
