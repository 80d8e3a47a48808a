//! Scouts: all at once, none sees another, on one message that is edited as each answers.

use super::Case;
use crate::{
    prompt::{self, reply::investigate::read_scout},
    render::{self, investigate::ScoutSeat},
    steps::{Answered, Failure, Journal, Question, Steps, Stop, Try},
};
use domain::{
    ContextNote, Countable, InvestigateBrief, ModelName, Piece, Post, Reply, Scout, ScoutAnswer, ScoutId,
    StepKey,
};
use forms::Asked;
use serde::{Deserialize, Serialize};

/// Has every scout answer; those that could.
pub(super) async fn ask(
    steps: &Steps,
    brief: &InvestigateBrief,
    notes: &[ContextNote],
) -> Result<Vec<ScoutAnswer>, Stop> {
    let asked = (0..brief.scouts.len()).map(|place| {
        let id = ScoutId(u8::try_from(place + 1).unwrap_or(u8::MAX));
        scout(steps, brief, (id, StepKey::from(SCOUTS).child(id)), notes)
    });
    Ok(Scout::answers(steps.all(asked).await?))
}

/// Has those scouts answer once more that answered another question than the one that is meant; an answer to another question
/// counts no longer.
pub(super) async fn ask_again(
    steps: &Steps,
    brief: &InvestigateBrief,
    (answers, others): (&[ScoutAnswer], &[ScoutId]),
    notes: &[ContextNote],
) -> Result<Vec<ScoutAnswer>, Stop> {
    // Behind the first in the order of keys.
    let asked = others.iter().map(|id| {
        let key = StepKey::from(SCOUTS).child(format!("{id}{AGAIN}"));
        scout(steps, brief, (*id, key), notes)
    });
    let again = Scout::answers(steps.all(asked).await?);
    let kept = answers.iter().filter(|answer| !others.contains(&answer.scout)).cloned();
    let mut all: Vec<ScoutAnswer> = kept.chain(again).collect();
    all.sort_by_key(|answer| answer.scout);
    Ok(all)
}

/// The card of the scouts, and the step below which they are.
pub(super) const SCOUTS: &str = "scouts";
/// The card of those who answered again.
pub(super) const SCOUTS_AGAIN: &str = "scouts-again";

/// A scout that could not answer, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    scout: ScoutId,
    why: String,
}

/// The scouts' card as it has to look now, or that of those who answered again.
pub(super) async fn panel(journal: &Journal, again: bool) -> Result<Option<Post>, Stop> {
    let brief: InvestigateBrief = journal.brief().await?;
    let below = format!("{SCOUTS}/");
    let said: Vec<(StepKey, ScoutAnswer)> = journal.all_stored(&below).await?;
    let said: Vec<_> = said.into_iter().filter(|(key, _)| is_again(key) == again).collect();
    let missing: Vec<(StepKey, Missing)> = journal.all_kept(&below).await?;
    let missing = missing.into_iter().filter(|(key, _)| is_again(key) == again);
    let missing: Vec<_> = missing.map(|(key, gone)| (gone.scout, key.card(), gone.why)).collect();
    let steps: Vec<StepKey> = said.iter().map(|(key, _)| key.call()).collect();
    let seats = said.iter().zip(&steps).map(|((key, answer), step)| {
        let place = usize::from(answer.scout.0).saturating_sub(1);
        let instead = key.as_str().rsplit_once("/fallback-").and_then(|(_, nth)| nth.parse::<usize>().ok());
        let stand_in = instead.and_then(|nth| brief.scouts.get(place)?.fallbacks.get(nth.checked_sub(1)?));
        ScoutSeat { step, answer, stand_in, temperature: brief.temperature(place) }
    });
    let seats: Vec<ScoutSeat<'_>> = seats.collect();
    Ok(Some(render::investigate::scouts_card(journal.session(), &seats, &missing)))
}

/// Whether a step is of a scout's second answer.
fn is_again(key: &StepKey) -> bool {
    key.as_str().split('/').nth(1).is_some_and(|scout| scout.ends_with(AGAIN))
}

/// What the key of a scout's second answer ends with.
const AGAIN: &str = "-again";

/// Of answers in the order of their keys, the last of each scout.
pub(super) fn last_of_each(answers: Vec<(StepKey, ScoutAnswer)>) -> Vec<(StepKey, ScoutAnswer)> {
    let mut last: Vec<(StepKey, ScoutAnswer)> = Vec::new();
    for (key, answer) in answers {
        last.retain(|(_, earlier)| earlier.scout != answer.scout);
        last.push((key, answer));
    }
    last
}

async fn scout(
    steps: &Steps,
    brief: &InvestigateBrief,
    (id, key): (ScoutId, StepKey),
    notes: &[ContextNote],
) -> Result<Scout, Stop> {
    let place = usize::from(id.0).saturating_sub(1);
    let Some(seat) = brief.scouts.get(place) else { return Ok(Scout::Silent(id)) };
    let question = Question {
        key: key.clone(),
        who: id.title(),
        prompt: prompt::investigate::scout(steps.prompts(), brief, place, notes),
    };
    let asked = Asked::at(brief.effort);
    let read = |reply: &Reply, attempt| {
        read_scout(&reply.text, (&asked, attempt == Try::First), id, &reply.answered)
    };
    let temperature = brief.temperature(place);
    let steps = &steps.onto(if is_again(&key) { SCOUTS_AGAIN } else { SCOUTS }.into());
    let cards = |step: &StepKey, answer: &ScoutAnswer, stand_in: Option<&ModelName>| {
        let seat = ScoutSeat { step, answer, stand_in, temperature };
        vec![render::investigate::scouts_card(steps.session(), &[seat], &[])]
    };
    match steps.ask_seat(seat, question, read, cards).await? {
        Ok(Answered { value, stand_in }) => {
            let piece = Piece::Scout(id.title());
            let notes =
                [piece.stood_in(stand_in.as_ref()), Countable::Citations.counted(value.dropped_citations)];
            steps.note_degraded(key, notes.into_iter().flatten()).await?;
            Ok(Scout::Answered(ScoutAnswer { stand_in, ..value }))
        }
        Err(failure) => {
            let missing = key.child("missing");
            let why = Failure::sentence(&failure);
            let gone = Missing { scout: id, why: why.to_owned() };
            let first = render::investigate::scouts_card(
                steps.session(),
                &[],
                &[(id, key.clone(), gone.why.clone())],
            );
            steps.keep_onto(&missing, &gone, first).await?;
            steps.note_degraded(missing, [Piece::Scout(id.title()).missing(Some(why))]).await?;
            Ok(Scout::Silent(id))
        }
    }
}

impl Case<'_> {
    /// The model by which a scout answered.
    pub(super) fn model_of(&self, scout: ScoutId) -> Option<&ModelName> {
        let stood_in = self.answers.iter().find(|answer| answer.scout == scout);
        if let Some(model) = stood_in.and_then(|answer| answer.stand_in.as_ref()) {
            return Some(model);
        }
        let place = usize::from(scout.0).checked_sub(1)?;
        self.brief.scouts.get(place).map(|seat| &seat.model)
    }

    /// Every model that may be asked, each once, the scouts' first.
    pub(super) fn models(&self) -> Vec<ModelName> {
        let seats = self.brief.scouts.iter().chain([&self.brief.checker, &self.brief.investigator]);
        let mut models: Vec<ModelName> = Vec::new();
        for seat in seats {
            if !models.contains(&seat.model) {
                models.push(seat.model.clone());
            }
        }
        models
    }

    /// A model that has no part in what these scouts say, nor in what `wrote` did, and whether there is one; else the one for
    /// checks.
    pub(super) fn fresh(&self, scouts: &[ScoutId], wrote: Option<&ModelName>) -> (ModelName, bool) {
        let theirs = scouts.iter().filter_map(|scout| self.model_of(*scout)).chain(wrote);
        let theirs: Vec<&ModelName> = theirs.collect();
        let checker = &self.brief.checker.model;
        let others = std::iter::once(checker.clone()).chain(self.models());
        let other = others.into_iter().find(|model| !theirs.contains(&model));
        let independent = other.is_some();
        (other.unwrap_or_else(|| checker.clone()), independent)
    }
}
