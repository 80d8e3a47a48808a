//! The cross-examination: one side asks, the other answers, and the first may ask once more on those answers. What
//! is in turn waits for what it answers to.

use super::running::DebateRun;
use crate::steps::Stop;
use domain::{Act, DebatePhase, Side, Slot};

/// One side questions the other. Without questions there is nothing to answer, and without answers nothing to follow
/// up.
pub(super) async fn examine(run: &mut DebateRun<'_>, asks: Side) -> Result<(), Stop> {
    let answers = asks.other();
    let (asking, asked) = (asks.name(), answers.name());
    let exchange = [
        (Slot::new(Act::Questions, asks), format!("{asking} questions {asked}")),
        (Slot::new(Act::Answers, answers), format!("{asked} answers {asking}")),
        (Slot::new(Act::FollowUp, asks), format!("{asking} may ask {asked} once more")),
        (Slot::new(Act::FollowUpAnswer, answers), format!("{asked} answers {asking} once more")),
    ];
    for (slot, whose) in exchange {
        run.phase(DebatePhase::CrossExamination, &whose);
        run.alone(slot).await?;
        if run.debate.turn(slot).is_none() {
            return Ok(());
        }
    }
    Ok(())
}
