//! The proposition: a neutral question is made of what was typed, and people edit it and start the debate, or do not.
//! Nothing depends on the gatekeeper: where it fails, the proposition stands as it was typed and can be edited.

use crate::{
    prompt,
    steps::{Answered, Question, Steps, Stop},
};
use domain::{DebateBrief, Piece, Proposition, Reply, StepKey, WaitKind};

/// The proposition as people started the debate with it, after which the thread is named. Until they have, the run ends here.
pub(super) async fn settle(steps: &Steps, brief: &DebateBrief) -> Result<Proposition, Stop> {
    steps.phase(0, brief.preset.count(), "Proposition: making it a neutral question");
    let draft = normalise(steps, brief).await?;
    let settled = steps.confirmed(WaitKind::Proposition, &draft).await?;
    steps.name_thread(&settled.question).await?;
    Ok(settled)
}

async fn normalise(steps: &Steps, brief: &DebateBrief) -> Result<Proposition, Stop> {
    let notes = steps.notes("normalise/notes").await?;
    let key = StepKey::from("normalise");
    let question = Question {
        key: key.clone(),
        who: "Gatekeeper".to_owned(),
        prompt: prompt::debate::normalise(steps.prompts(), brief, &notes),
    };
    let read = |reply: &Reply, _| prompt::debate::read_proposition(brief, reply);
    let said = steps.ask_seat(&brief.gatekeeper, question, read, |_, _, _| Vec::new());
    if let Ok(Answered { value, stand_in }) = said.await? {
        steps.note_degraded(key, Piece::Proposition.stood_in(stand_in.as_ref())).await?;
        return Ok(value);
    }
    let key = key.child("typed");
    let typed = steps.keep(key.clone(), &brief.typed(), Vec::new()).await?;
    steps.note_degraded(key, [Piece::Proposition.missing(None)]).await?;
    Ok(typed)
}
