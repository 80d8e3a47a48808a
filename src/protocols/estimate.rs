//! What a session will take: worked out before the first call, told, and confirmed by somebody where it is much.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{Brief, CallsTogether, Document, Estimate, ModelName, WaitKind, estimate},
    prompt::{Prompts, debate, mediate, roundtable},
    render,
    steps::{Steps, Stop},
};

/// An estimate as it is kept, with whether somebody is asked, which an upgrade does not change either.
#[derive(Serialize, Deserialize)]
struct Planned {
    #[serde(flatten)]
    estimate: Estimate,
    asks: bool,
}

/// What the session asks of everybody, as it was confirmed where what it takes is much.
pub(super) async fn confirmed(steps: &Steps, brief: &Brief) -> Result<Brief, Stop> {
    // A critique plans what is read of its document by what it may take, and so does this by itself.
    if matches!(brief, Brief::Critique(_)) {
        return Ok(brief.clone());
    }
    let estimate = settled(steps, brief.document(), async || work_out(steps, brief).await).await?;
    Ok(brief.clone().with_effort(estimate.effort.unwrap_or(brief.effort())))
}

/// An estimate that holds to the end, told or confirmed. It is kept, for what models cost and how fast they are is not the
/// same tomorrow.
pub(super) async fn settled(
    steps: &Steps,
    document: Option<&Document>,
    work_out: impl AsyncFnOnce() -> Result<Estimate, Stop>,
) -> Result<Estimate, Stop> {
    let Planned { estimate, asks } = if let Some(kept) = steps.kept("plan").await? {
        kept
    } else {
        let estimate = work_out().await?;
        let asks = estimate.needs_go(steps.caps());
        let told = document.filter(|_| !asks);
        let told = told.map(|document| render::estimate::told(Some(document), &estimate));
        steps.keep("plan", &Planned { estimate, asks }, told.into_iter().collect()).await?
    };
    if asks { steps.confirmed(WaitKind::Estimate, &estimate).await } else { Ok(estimate) }
}

/// What was asked for, and behind it the same with less effort.
async fn work_out(steps: &Steps, brief: &Brief) -> Result<Estimate, Stop> {
    let models: Vec<ModelName> = brief.models().iter().filter_map(|model| model.parse().ok()).collect();
    let mut estimates = Vec::new();
    for effort in brief.effort().and_below() {
        let rates = steps.rates(&models, effort).await?;
        let calls = calls(steps.prompts(), &brief.clone().with_effort(effort));
        estimates.push(Estimate { effort: Some(effort), ..estimate(&calls, rates) });
    }
    Estimate::chain(estimates.into_iter()).ok_or_else(|| Stop::Drift("plan".into()))
}

fn calls(prompts: &Prompts, brief: &Brief) -> Vec<CallsTogether> {
    match brief {
        Brief::Mediate(brief) => mediate::calls(prompts, brief),
        Brief::Roundtable(brief) => roundtable::calls(prompts, brief),
        Brief::Debate(brief) => debate::calls(prompts, brief),
        Brief::Critique(_) => Vec::new(),
    }
}
