//! Who looks at a problem: chosen for it in two calls, before anybody speaks where the team wants that, or beside the usual
//! modules where somebody takes the offer while round 1 runs. The mediator's seat is asked: it has no side, and all that
//! follows hangs on the choice, so it is worth more than a cheap check.

use crate::{
    prompt::{
        self,
        reply::{GapsReply, SelectReply},
    },
    protocols::table,
    render::{self, table::Choice},
    steps::{Answered, Question, Steps, Stop, Try},
};
use domain::{
    ContextNote, Gaps, ModuleName, Picks, Piece, Reply, Seat, SelectionMetadata, StepKey, TableBrief,
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

/// The brief with the modules that are chosen for it before it begins, where any are to be.
pub(in crate::protocols) async fn chosen(steps: &Steps, brief: TableBrief) -> Result<TableBrief, Stop> {
    if brief.selects().is_none() {
        return Ok(brief);
    }
    table::phase(steps, &brief, 0, "Choosing who looks at it");
    let chosen = choose(steps, &brief, None).await?;
    Ok(brief.seating(&chosen))
}

/// The brief with those who join, where somebody has taken the offer by now; from now on nobody can. Without anybody to say
/// in a sentence what has to be decided, nobody said that the usual modules miss it either.
pub(super) async fn joined(
    steps: &Steps,
    brief: &TableBrief,
    questioner: Option<&Seat>,
) -> Result<Option<TableBrief>, Stop> {
    if questioner.is_none() || brief.offers_beside().is_empty() {
        return Ok(None);
    }
    let Some(by) = steps.close_offer().await? else { return Ok(None) };
    table::phase(steps, brief, 1, "Round 1: choosing who joins");
    let chosen = choose(steps, brief, Some(&by)).await?;
    Ok(Some(brief.clone().seating(&chosen)))
}

/// The brief with all who were chosen by now; asks nobody.
pub(in crate::protocols) async fn as_chosen(steps: &Steps, brief: TableBrief) -> Result<TableBrief, Stop> {
    let chosen: Option<SelectionMetadata> = steps.kept(kept_in()).await?;
    Ok(brief.seating(&chosen.unwrap_or_default()))
}

/// Has modules chosen and the gaps looked for, and shows both. Where no model can choose, those who sit anyway go on;
/// where none looks for gaps, the chosen ones sit alone. Both are said.
async fn choose(steps: &Steps, brief: &TableBrief, by: Option<&str>) -> Result<SelectionMetadata, Stop> {
    if let Some(kept) = steps.kept(kept_in()).await? {
        return Ok(kept);
    }
    let notes = steps.notes(StepKey::from(SELECT).child("notes")).await?;
    let (chosen, why_not) = match pick(steps, brief, &notes).await? {
        Ok(picks) => {
            let gaps = look_for_gaps(steps, brief, &picks, &notes).await?;
            (SelectionMetadata::of(picks, gaps), None)
        }
        Err(why) => (SelectionMetadata::default(), Some(why)),
    };
    let table = brief.clone().seating(&chosen).panel;
    let in_vain = brief.selects().map(|selecting| selecting.weighed_in_vain(&table)).unwrap_or_default();
    let choice =
        Choice { chosen: &chosen, why_not: why_not.as_deref(), table: &table, in_vain: &in_vain, by };
    let card = render::table::selection_card(steps.session(), &SELECT.into(), &choice);
    steps.keep(kept_in(), &chosen, card).await
}

/// Which modules of the registry should look at it; else why nobody could say.
async fn pick(
    steps: &Steps,
    brief: &TableBrief,
    notes: &[ContextNote],
) -> Result<Result<Picks, String>, Stop> {
    let who = brief.choosable();
    let question = Question {
        key: SELECT.into(),
        who: "Choice of modules".to_owned(),
        prompt: prompt::table::select(steps.prompts(), brief, notes),
    };
    let read = |reply: &Reply, reading| {
        let said = prompt::parse::<SelectReply>(&reply.text)?;
        said.into_picks(&who, &reply.answered, reading == Try::Repaired)
    };
    Ok(match steps.ask_seat(&brief.writer_seat, question, read, |_, _, _| Vec::new()).await? {
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

/// What those who will sit leave unseen, with modules made for it; nothing where nobody could say.
async fn look_for_gaps(
    steps: &Steps,
    brief: &TableBrief,
    picks: &Picks,
    notes: &[ContextNote],
) -> Result<Option<Gaps>, Stop> {
    let mut seated: Vec<ModuleName> = brief.choosable().seated;
    seated.extend(picks.picked.iter().map(|one| one.module.clone()));
    let key = StepKey::from(SELECT).child(GAPS);
    let question = Question {
        key: key.clone(),
        who: "Look for gaps".to_owned(),
        prompt: prompt::table::gaps(steps.prompts(), brief, &picks.picked, notes),
    };
    let read = |reply: &Reply, reading| {
        let said = prompt::parse::<GapsReply>(&reply.text)?;
        said.into_gaps(&seated, reading == Try::Repaired)
    };
    let (gaps, note) = match steps.ask_seat(&brief.writer_seat, question, read, |_, _, _| Vec::new()).await? {
        Ok(Answered { value, stand_in }) => (Some(value), Piece::GapCheck.stood_in(stand_in.as_ref())),
        Err(failure) => (None, Some(Piece::GapCheck.missing(Some(failure.sentence())))),
    };
    steps.note_degraded(key, note).await?;
    Ok(gaps)
}
