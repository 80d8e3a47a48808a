//! Who looks at a problem: chosen for it in two calls where the team wants that, before anybody speaks. The mediator's
//! seat is asked: it has no side, and all that follows hangs on the choice, so it is worth more than a cheap check.

use crate::{
    domain::{ContextNote, Gaps, MediateBrief, Picks, Piece, Reply, Selecting, SelectionMetadata, StepKey},
    prompt::{
        self,
        reply::{GapsReply, SelectReply},
    },
    render,
    steps::{Answered, Question, Steps, Stop, Try},
};

/// The step of the choice, and the beginning of all that belongs to it.
pub(super) const SELECT: &str = "select";
/// Below it: what the chosen leave unseen, and what came out.
const GAPS: &str = "gaps";
const CHOSEN: &str = "chosen";

/// Where the choice is kept.
pub(super) fn kept_in() -> StepKey {
    StepKey::from(SELECT).child(CHOSEN)
}

/// The brief with the modules that are chosen for it, where any are to be.
pub(in crate::protocols) async fn chosen(steps: &Steps, brief: MediateBrief) -> Result<MediateBrief, Stop> {
    let Some(selecting) = &brief.selecting else { return Ok(brief) };
    let chosen = match steps.kept(kept_in()).await? {
        Some(kept) => kept,
        None => choose(steps, &brief, selecting).await?,
    };
    Ok(brief.seating(&chosen))
}

/// The same as far as they are chosen by now; asks nobody.
pub(in crate::protocols) async fn as_chosen(
    steps: &Steps,
    brief: MediateBrief,
) -> Result<MediateBrief, Stop> {
    let chosen: Option<SelectionMetadata> = steps.kept(kept_in()).await?;
    Ok(brief.seating(&chosen.unwrap_or_default()))
}

/// Has the modules chosen and the gaps looked for, and shows both. Where no model can choose, the usual ones sit; where
/// none looks for gaps, the chosen ones sit alone. Both are said.
async fn choose(
    steps: &Steps,
    brief: &MediateBrief,
    selecting: &Selecting,
) -> Result<SelectionMetadata, Stop> {
    steps.phase(0, super::PHASES, "Choosing who looks at it");
    let notes = steps.notes(StepKey::from(SELECT).child("notes")).await?;
    let (chosen, why_not) = match pick(steps, brief, selecting, &notes).await? {
        Ok(picks) => {
            let gaps = look_for_gaps(steps, brief, &picks, &notes).await?;
            (SelectionMetadata::of(picks, gaps), None)
        }
        Err(why) => (SelectionMetadata::default(), Some(why)),
    };
    let table = brief.clone().seating(&chosen).panel;
    let in_vain = selecting.weighed_in_vain(&table);
    let key = StepKey::from(SELECT);
    let card = render::mediate::selection_card(
        steps.session(),
        &key,
        (&chosen, why_not.as_deref()),
        &table,
        &in_vain,
    );
    steps.keep(kept_in(), &chosen, card).await
}

/// Which modules of the registry should look at it; else why nobody could say.
async fn pick(
    steps: &Steps,
    brief: &MediateBrief,
    selecting: &Selecting,
    notes: &[ContextNote],
) -> Result<Result<Picks, String>, Stop> {
    let question = Question {
        key: SELECT.into(),
        who: "Choice of modules".to_owned(),
        prompt: prompt::mediate::select(steps.prompts(), brief, selecting, notes),
    };
    let read = |reply: &Reply, reading| {
        let said = prompt::parse::<SelectReply>(&reply.text)?.value;
        said.into_picks(selecting, &reply.answered, reading == Try::Repaired)
    };
    Ok(match steps.ask_seat(&brief.mediator, question, read, |_, _, _| Vec::new()).await? {
        Ok(Answered { value, stand_in }) => {
            steps.note_degraded(SELECT, Piece::Selection.stood_in(stand_in.as_ref())).await?;
            Ok(value)
        }
        Err(failure) => {
            steps.note_degraded(SELECT, [Piece::Selection.missing(Some(failure.sentence()))]).await?;
            Err(failure.sentence().to_owned())
        }
    })
}

/// What the chosen modules leave unseen, with modules made for it; nothing where nobody could say.
async fn look_for_gaps(
    steps: &Steps,
    brief: &MediateBrief,
    picks: &Picks,
    notes: &[ContextNote],
) -> Result<Option<Gaps>, Stop> {
    let key = StepKey::from(SELECT).child(GAPS);
    let question = Question {
        key: key.clone(),
        who: "Look for gaps".to_owned(),
        prompt: prompt::mediate::gaps(steps.prompts(), brief, &picks.picked, notes),
    };
    let read = |reply: &Reply, reading| {
        let said = prompt::parse::<GapsReply>(&reply.text)?.value;
        said.into_gaps(&picks.picked, reading == Try::Repaired)
    };
    let (gaps, note) = match steps.ask_seat(&brief.mediator, question, read, |_, _, _| Vec::new()).await? {
        Ok(Answered { value, stand_in }) => (Some(value), Piece::GapCheck.stood_in(stand_in.as_ref())),
        Err(failure) => (None, Some(Piece::GapCheck.missing(Some(failure.sentence())))),
    };
    steps.note_degraded(key, note).await?;
    Ok(gaps)
}
