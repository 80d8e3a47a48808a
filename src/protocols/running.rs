//! The brief as its session goes by it. What was asked for is fixed at the start; what became of it since is in the journal:
//! less may have been confirmed, notes may stand for the document, modules may have been chosen. Whoever wants to know what
//! a session was asked, who sits in it and by which model, asks here.

use super::{estimate, mediate, pictures, reading};
use crate::steps::{Steps, Stop};
use domain::{Brief, Plan};

/// The brief for a run, which confirms, reads and chooses what has not been yet.
pub(super) async fn settled(steps: &Steps, plan: &Plan) -> Result<Brief, Stop> {
    let brief = estimate::confirmed(steps, plan).await?;
    let brief = pictures::read(steps, brief, plan).await?;
    Ok(match reading::in_sections(steps, brief, plan.reading.as_ref()).await? {
        Brief::Mediate(brief) => Brief::Mediate(mediate::chosen(steps, brief).await?),
        other => other,
    })
}

/// The brief as it is up to this moment, for whatever happens beside a run; asks nobody and waits for nobody.
pub(super) async fn as_it_stands(steps: &Steps, plan: &Plan) -> Result<Brief, Stop> {
    let brief = estimate::as_it_stands(steps, plan).await?;
    Ok(match reading::as_read(steps, brief).await? {
        Brief::Mediate(brief) => Brief::Mediate(mediate::as_chosen(steps, brief).await?),
        other => other,
    })
}
