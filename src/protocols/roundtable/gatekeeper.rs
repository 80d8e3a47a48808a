//! The gatekeeper: it makes the question clear and proposes who looks at it. Nothing depends on it: where it fails,
//! stock roles stand ready, and people can change them.

use crate::{
    domain::{ContextNote, ExpertId, ModelName, Proposal, Role, RoundtableBrief, StepKey},
    prompt::{self, reply::GatekeeperReply},
    steps::{Answered, Question, Steps, Stop, Try},
};

/// The proposal, and the model that stood in for the gatekeeper's if one did.
pub(super) async fn propose(
    steps: &Steps,
    brief: &RoundtableBrief,
    notes: &[ContextNote],
) -> Result<(Proposal, Option<ModelName>), Stop> {
    let models: Vec<ModelName> = brief.experts.iter().map(|seat| seat.model.clone()).collect();
    let question = Question {
        key: StepKey::from("gatekeeper"),
        who: "Gatekeeper".to_owned(),
        prompt: prompt::roundtable::gatekeeper(steps.prompts(), brief, notes),
    };
    let proposed = steps.ask_seat(
        &brief.gatekeeper,
        question,
        |reply, attempt| {
            let said = prompt::parse::<GatekeeperReply>(&reply.text)?.value;
            said.into_proposal(&models, &reply.answered, attempt == Try::Repaired)
        },
        |_, _, _| Vec::new(),
    );
    if let Ok(Answered { value, stand_in }) = proposed.await? {
        return Ok((value, stand_in));
    }
    let proposal = stock(brief, models);
    Ok((steps.keep("gatekeeper/stock", &proposal, Vec::new()).await?, None))
}

/// The problem as it is, and stock roles.
fn stock(brief: &RoundtableBrief, models: Vec<ModelName>) -> Proposal {
    let mut roles: Vec<Role> = Vec::new();
    for (model, id) in models.into_iter().zip(1..) {
        roles.push(Role::stock(ExpertId(id), model, &roles));
    }
    Proposal { restated: brief.problem.as_str().to_owned(), dimensions: Vec::new(), roles, answered_by: None }
}
