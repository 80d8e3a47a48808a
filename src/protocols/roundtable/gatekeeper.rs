//! The gatekeeper: it makes the question clear and proposes who looks at it. Nothing depends on it: where it fails,
//! stock roles stand ready, and people can change them.

use crate::{
    prompt::{self, reply::GatekeeperReply},
    steps::{Answered, Question, Steps, Stop, Try},
};
use domain::{ContextNote, Degraded, ModelName, Piece, Proposal, Role, RoundtableBrief, StepKey, WaitKind};

/// The proposal, before anybody has changed it.
pub(super) async fn propose(
    steps: &Steps,
    brief: &RoundtableBrief,
    notes: &[ContextNote],
) -> Result<Proposal, Stop> {
    let models: Vec<ModelName> = brief.experts.iter().map(|seat| seat.model.clone()).collect();
    let key = StepKey::from("gatekeeper");
    let question = Question {
        key: key.clone(),
        who: "Gatekeeper".to_owned(),
        prompt: prompt::roundtable::gatekeeper(steps.prompts(), brief, notes),
    };
    let proposed = steps.ask_seat(
        &brief.gatekeeper,
        question,
        |reply, attempt| {
            let said = prompt::parse::<GatekeeperReply>(&reply.text)?;
            said.into_proposal(&models, &reply.answered, attempt == Try::Repaired)
        },
        |_, _, _| Vec::new(),
    );
    if let Ok(Answered { value, stand_in }) = proposed.await? {
        steps.note_degraded(key, Piece::Roles.stood_in(stand_in.as_ref())).await?;
        return Ok(value);
    }
    steps.keep("gatekeeper/stock", &Proposal::stock(&brief.problem, models), Vec::new()).await
}

/// Notes what of the roles, as people have confirmed them, is stock.
pub(super) async fn note_stock(steps: &Steps, proposal: &Proposal) -> Result<(), Stop> {
    let stock = match proposal.answered_by {
        None => Some(Piece::Roles.missing(None)),
        Some(_) => proposal.roles.iter().any(Role::is_stock).then_some(Degraded::TooFewRoles),
    };
    steps.note_degraded(WaitKind::Roles.key(), stock).await
}
