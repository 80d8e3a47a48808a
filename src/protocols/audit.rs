//! The audit of a session that has ended: what it was asked with and what it said is read from its journal, the pages that it
//! cites are looked at, and a cheap model compares where code cannot. What it comes to is one card, with all of it behind.

use std::collections::BTreeSet;

use super::{checker, said};
use crate::{
    audit::{self as rules, Candidate, Evidence, Grounds},
    domain::{
        Audit, AuditLayer, DOSSIER_VERSION, Dossier, Grounded, Judged, ModelName, Page, Plan, Reply, Seat,
        StepKey,
    },
    prompt, render,
    steps::{Ask, Failure, Journal, Steps, Stop, Wanted},
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
    let (searching, said) = said(journal, &brief).await?;
    Ok(Dossier { version: DOSSIER_VERSION, searching, given, prompts, said })
}

/// Audits a session and posts what that came to; `id` names it, `by` asked for it.
pub async fn audit(steps: &Steps, plan: &Plan, id: u64, by: &str) -> Result<(), Stop> {
    let key = StepKey::from(AUDIT).child(id);
    if steps.kept::<Audit>(key.clone()).await?.is_some() {
        return Ok(());
    }
    let dossier = dossier(&steps.journal()).await?;
    let read: BTreeSet<String> = rules::to_read(&dossier);
    let (addresses, _) = rules::addresses(&dossier);
    let wanted: Vec<Wanted> =
        addresses.into_iter().map(|url| Wanted { read: read.contains(&url), url }).collect();
    let pages =
        steps.pages(key.child("pages"), &wanted, |url, text| rules::bearing(&dossier, url, text)).await?;
    let Judgement { grounded, judged, judge, why } =
        judge(steps, &key, plan.checker.as_ref().or(checker(&plan.brief)), (&dossier, &pages)).await?;
    let evidence = Evidence {
        pages: &pages,
        grounded: &grounded,
        judged: judged.as_deref(),
        without_judge: why.as_deref(),
        judge: judge.map(|model| model.shown()),
    };
    let audit = rules::audit(&dossier, &AuditLayer::wanted(None), &evidence);
    let card = render::audit::card(steps.session(), &key, &audit, by);
    steps.keep(key, &audit, vec![card]).await?;
    Ok(())
}

/// What a model said, as far as one could be asked.
struct Judgement {
    grounded: Vec<Option<Vec<Grounded>>>,
    judged: Option<Vec<Judged>>,
    judge: Option<ModelName>,
    why: Option<String>,
}

async fn judge(
    steps: &Steps,
    key: &StepKey,
    seat: Option<&Seat>,
    (dossier, pages): (&Dossier, &[Page]),
) -> Result<Judgement, Stop> {
    let grounds = rules::grounds(dossier, pages);
    let candidates = rules::candidates(dossier, pages);
    let nobody = |why: &str| Judgement {
        grounded: grounds.iter().map(|_| None).collect(),
        judged: None,
        judge: None,
        why: Some(why.to_owned()),
    };
    let Some(Seat { model, .. }) = seat else {
        return Ok(nobody("this session has no model for checks"));
    };
    let asked = async {
        let compared =
            (1..).zip(&grounds).map(|(number, ground)| compare(steps, (key, number), model, ground));
        let grounded = steps.all(compared).await?;
        let of_round = |(round, some)| judge_facts(steps, (key, round), model, (dossier, some));
        let judged = steps.all(rules::by_round(&candidates).map(of_round)).await?;
        Ok((grounded, judged.concat()))
    };
    match asked.await {
        Ok((grounded, judged)) => {
            let grounded: Vec<Option<Vec<Grounded>>> = grounded.into_iter().map(Result::ok).collect();
            let said =
                grounded.iter().any(Option::is_some) || judged.iter().any(|judged| *judged != Judged::Unsaid);
            Ok(Judgement { grounded, judged: Some(judged), judge: said.then(|| model.clone()), why: None })
        }
        // What code can say is said all the same.
        Err(Stop::Spent(_)) => Ok(nobody("the session's budget is used up")),
        Err(Stop::Pause(_)) => Ok(nobody("no further call may be made for now")),
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

/// What a round's candidates are; nothing is said of them where no model could be asked.
async fn judge_facts(
    steps: &Steps,
    (key, round): (&StepKey, u8),
    model: &ModelName,
    (dossier, candidates): (&Dossier, &[Candidate]),
) -> Result<Vec<Judged>, Stop> {
    let shown: Vec<(&str, &str)> =
        candidates.iter().map(|one| (one.what.as_str(), one.sentence.as_str())).collect();
    let ask = Ask {
        key: key.child(format!("judge-round-{round}")),
        who: "Audit".to_owned(),
        model: model.clone(),
        prompt: prompt::audit::facts(steps.prompts(), &rules::known(dossier, round), &shown),
    };
    let read = |reply: &Reply, _| prompt::audit::read_facts(reply, shown.len());
    let judged = steps.ask(ask, read, |_| Vec::new()).await?;
    Ok(judged.unwrap_or_else(|_| vec![Judged::Unsaid; shown.len()]))
}

/// The newest audit of a session, with its step.
pub async fn last_audit(journal: &Journal) -> Result<Option<(StepKey, Audit)>, Stop> {
    let audits: Vec<(StepKey, Audit)> = journal.all_kept(&format!("{AUDIT}/")).await?;
    let number = |key: &StepKey| key.as_str().strip_prefix("audit/").and_then(|id| id.parse::<u64>().ok());
    Ok(audits.into_iter().filter(|(key, _)| number(key).is_some()).max_by_key(|(key, _)| number(key)))
}

/// All that an audit found, with the card's title; nothing for another card.
pub(super) async fn full_text(journal: &Journal, card: &StepKey) -> Result<Option<(String, String)>, Stop> {
    if !card.as_str().starts_with("audit/") {
        return Ok(None);
    }
    let audit: Option<Audit> = journal.kept(card).await?;
    Ok(audit.map(|audit| ("Audit".to_owned(), render::audit::whole(&audit))))
}
