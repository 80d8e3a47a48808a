//! The audit of a session that has ended: what it was asked with and what it said is read from its journal, the pages that it
//! cites are looked at, and a cheap model compares where code cannot. What it comes to is one card, with all of it behind.

use super::{said, said::Said};
use crate::{
    audit::{self as rules, Candidate, Evidence, Grounds},
    prompt, render,
    steps::{Ask, Failure, Journal, Steps, Stop, Wanted},
};
use domain::{
    Audit, AuditLayer, AuditScope, DOSSIER_VERSION, Dossier, Grounded, Judged, ModelName, Page, Plan, Reply,
    Seat, StepKey,
};

/// All that belongs to audits is below it.
const AUDIT: &str = "audit";
/// Most prompts that are looked at.
const MOST_PROMPTS: i64 = 120;

/// What an audit of a session looks at.
pub async fn dossier(journal: &Journal) -> Result<Dossier, Stop> {
    let Plan { brief, .. } = journal.plan().await?;
    let mut requests = journal.first_requests(MOST_PROMPTS).await?;
    // Some of a debate's tries repeat what was withheld.
    requests.retain(|(key, _)| !key.as_str().contains("/try-"));
    let prompts = rules::asked_with(requests.iter().map(|(key, request)| (key.as_str(), request.as_str())));
    let mut given = vec![brief.problem().as_str().to_owned()];
    given.extend(journal.notes().await?.into_iter().map(|note| note.text));
    given.extend(brief.document().map(|document| rules::gist(&document.text)));
    let Said { searching, given: more, speeches } = said(journal, &brief).await?;
    given.extend(more);
    Ok(Dossier { version: DOSSIER_VERSION, searching, given, prompts, said: speeches })
}

/// Audits as much of a session as is wanted and posts what that came to; `id` names it, `by` asked for it.
pub async fn audit(steps: &Steps, plan: &Plan, scope: AuditScope, (id, by): (u64, &str)) -> Result<(), Stop> {
    let key = StepKey::from(AUDIT).child(id);
    if steps.kept::<Audit>(key.clone()).await?.is_some() {
        return Ok(());
    }
    let dossier = dossier(&steps.journal()).await?;
    let layers = scope.layers();
    let wanted = rules::pages_for(&dossier, &layers).into_iter().map(|(url, read)| Wanted { url, read });
    let wanted: Vec<Wanted> = wanted.collect();
    let pages =
        steps.pages(key.child("pages"), &wanted, |url, text| rules::bearing(&dossier, url, text)).await?;
    let Judgement { grounded, judged, judge, why } =
        judge(steps, &key, plan.brief.checker(), (&dossier, &pages, &layers)).await?;
    let evidence = Evidence {
        pages: &pages,
        grounded: &grounded,
        judged: Some(&judged),
        without_judge: why.as_deref(),
        judge: judge.map(|model| model.shown()),
    };
    let audit = rules::audit(&dossier, &layers, &evidence);
    let card = render::audit::card(steps.session(), &key, &audit, by);
    steps.keep(key, &audit, vec![card]).await?;
    Ok(())
}

/// What a model said, as far as one could be asked.
struct Judgement {
    grounded: Vec<Option<Vec<Grounded>>>,
    judged: Vec<Judged>,
    judge: Option<ModelName>,
    why: Option<String>,
}

async fn judge(
    steps: &Steps,
    key: &StepKey,
    Seat { model, .. }: &Seat,
    (dossier, pages, layers): (&Dossier, &[Page], &[AuditLayer]),
) -> Result<Judgement, Stop> {
    let wants = |layer| layers.contains(&layer);
    let grounds = if wants(AuditLayer::Grounding) { rules::grounds(dossier, pages) } else { Vec::new() };
    let compared = (1..).zip(&grounds);
    let compared =
        compared.map(|(number, ground)| as_far_as_paid(compare(steps, (key, number), model, ground)));
    let grounded = steps.all(compared).await?;
    let facts = wants(AuditLayer::Consistency);
    let candidates = if facts { rules::candidates(dossier, pages) } else { Vec::new() };
    let rounds: Vec<(u8, &[Candidate])> = rules::by_round(&candidates).collect();
    let of_round = |&(round, some)| as_far_as_paid(judge_facts(steps, (key, round), model, (dossier, some)));
    let judged = steps.all(rounds.iter().map(of_round)).await?;

    let whys = grounded.iter().filter_map(|said| said.as_ref().err());
    let why = whys.chain(judged.iter().filter_map(|said| said.as_ref().err())).find_map(Clone::clone);
    let judged = rounds.iter().zip(judged);
    let judged: Vec<Judged> = judged
        .flat_map(|((_, some), said)| said.unwrap_or_else(|_| vec![Judged::Unsaid; some.len()]))
        .collect();
    let grounded: Vec<Option<Vec<Grounded>>> = grounded.into_iter().map(Result::ok).collect();
    let said = grounded.iter().any(Option::is_some) || judged.iter().any(|judged| *judged != Judged::Unsaid);
    Ok(Judgement { grounded, judged, judge: said.then(|| model.clone()), why })
}

/// What came of a call; where none may be made any more, why. The others, which were paid, count all the same.
async fn as_far_as_paid<T>(
    asked: impl Future<Output = Result<Result<T, Failure>, Stop>>,
) -> Result<Result<T, Option<String>>, Stop> {
    match asked.await {
        Ok(said) => Ok(said.map_err(|_| None)),
        Err(Stop::Spent(..)) => Ok(Err(Some("the session's budget is used up".to_owned()))),
        Err(Stop::Pause(..)) => Ok(Err(Some("no further call may be made for now".to_owned()))),
        Err(other) => Err(other),
    }
}

async fn compare(
    steps: &Steps,
    (key, number): (&StepKey, usize),
    model: &ModelName,
    ground: &Grounds,
) -> Result<Result<Vec<Grounded>, Failure>, Stop> {
    let sentences: Vec<&str> = ground.claims.iter().map(|claim| claim.sentence.as_str()).collect();
    let ask = Ask {
        key: key.child(format!("judge-{number}")),
        who: "Audit".to_owned(),
        model: model.clone(),
        prompt: prompt::audit::grounding(steps.prompts(), &ground.passages, &sentences),
    };
    let read = |reply: &Reply, _| prompt::audit::read_grounding(reply, sentences.len());
    steps.ask(ask, read, |_| Vec::new()).await
}

/// What a round's candidates are.
async fn judge_facts(
    steps: &Steps,
    (key, round): (&StepKey, u8),
    model: &ModelName,
    (dossier, candidates): (&Dossier, &[Candidate]),
) -> Result<Result<Vec<Judged>, Failure>, Stop> {
    let shown: Vec<(&str, &str)> =
        candidates.iter().map(|one| (one.what.as_str(), one.sentence.as_str())).collect();
    let ask = Ask {
        key: key.child(format!("judge-round-{round}")),
        who: "Audit".to_owned(),
        model: model.clone(),
        prompt: prompt::audit::facts(steps.prompts(), &rules::known(dossier, round), &shown),
    };
    let read = |reply: &Reply, _| prompt::audit::read_facts(reply, shown.len());
    steps.ask(ask, read, |_| Vec::new()).await
}

/// The newest audit of a session that looked at as much as is wanted, with its step.
pub async fn last_audit(journal: &Journal, scope: AuditScope) -> Result<Option<(StepKey, Audit)>, Stop> {
    let audits: Vec<(StepKey, Audit)> = journal.all_kept(&format!("{AUDIT}/")).await?;
    let number = |key: &StepKey| key.as_str().strip_prefix("audit/").and_then(|id| id.parse::<u64>().ok());
    let audits = audits.into_iter().filter(|(_, audit)| audit.covers(scope));
    Ok(audits.filter(|(key, _)| number(key).is_some()).max_by_key(|(key, _)| number(key)))
}

/// All that an audit found, with the card's title; nothing for another card.
pub(super) async fn full_text(journal: &Journal, card: &StepKey) -> Result<Option<(String, String)>, Stop> {
    if !card.as_str().starts_with("audit/") {
        return Ok(None);
    }
    let audit: Option<Audit> = journal.kept(card).await?;
    Ok(audit.map(|audit| ("Audit".to_owned(), render::audit::whole(&audit))))
}
