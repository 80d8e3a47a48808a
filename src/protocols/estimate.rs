//! What a session will take: told, and confirmed by somebody where it is much.

use crate::{
    render,
    steps::{Steps, Stop},
};
use domain::{Brief, Document, Estimate, Plan, Planned, WaitKind};

/// What the session asks of everybody, as it was confirmed where what it takes is much.
pub(super) async fn confirmed(steps: &Steps, plan: &Plan) -> Result<Brief, Stop> {
    let brief = plan.brief.clone();
    let Some(planned) = &plan.estimate else { return Ok(brief) };
    let estimate = settled(steps, brief.document(), async || Ok(planned.clone())).await?;
    Ok(brief.as_confirmed(&estimate))
}

/// The same for a question, which waits for nobody: less counts as soon as it is asked for.
pub(super) async fn as_it_stands(steps: &Steps, plan: &Plan) -> Result<Brief, Stop> {
    let brief = plan.brief.clone();
    let estimate: Option<Estimate> = match &plan.estimate {
        Some(_) => steps.confirmation(WaitKind::Estimate).await?,
        None => None,
    };
    Ok(match estimate {
        Some(estimate) => brief.as_confirmed(&estimate),
        None => brief,
    })
}

/// An estimate that holds to the end, told or confirmed. It is kept, for what models cost and how fast they are is not the
/// same tomorrow.
pub(super) async fn settled(
    steps: &Steps,
    document: Option<&Document>,
    work_out: impl AsyncFnOnce() -> Result<Planned, Stop>,
) -> Result<Estimate, Stop> {
    let Planned { estimate, asks } = if let Some(kept) = steps.kept("plan").await? {
        kept
    } else {
        let planned = work_out().await?;
        let told = (!planned.asks).then(|| render::estimate::told(document, &planned.estimate));
        steps.keep("plan", &planned, told.into_iter().collect()).await?
    };
    if asks { steps.confirmed(WaitKind::Estimate, &estimate).await } else { Ok(estimate) }
}
