//! Scouts: all at once, none sees another, each card as its answer comes.

use super::Case;
use crate::{
    prompt::{self, reply::investigate::ScoutReply},
    render,
    steps::{Answered, Failure, Question, Steps, Stop},
};
use domain::{
    ContextNote, Countable, InvestigateBrief, ModelName, Piece, Reply, Scout, ScoutAnswer, ScoutId, Seat,
    StepKey,
};

/// Has every scout answer; those that could.
pub(super) async fn ask(
    steps: &Steps,
    brief: &InvestigateBrief,
    notes: &[ContextNote],
) -> Result<Vec<ScoutAnswer>, Stop> {
    let asked =
        brief.scouts.iter().enumerate().map(|(place, seat)| scout(steps, brief, (place, seat), notes));
    Ok(Scout::answers(steps.all(asked).await?))
}

async fn scout(
    steps: &Steps,
    brief: &InvestigateBrief,
    (place, seat): (usize, &Seat),
    notes: &[ContextNote],
) -> Result<Scout, Stop> {
    let id = ScoutId(u8::try_from(place + 1).unwrap_or(u8::MAX));
    let key = StepKey::from("scouts").child(id);
    let question = Question {
        key: key.clone(),
        who: id.title(),
        prompt: prompt::investigate::scout(steps.prompts(), brief, place, notes),
    };
    let read = |reply: &Reply, _| prompt::parse::<ScoutReply>(&reply.text)?.into_answer(id, &reply.answered);
    let temperature = brief.temperature(place);
    let cards = |key: &StepKey, answer: &ScoutAnswer, stand_in: Option<&ModelName>| {
        render::investigate::scout_card(steps.session(), key, answer, stand_in, temperature)
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
            steps
                .post(missing.clone(), render::investigate::silent_card(steps.session(), &key, id, why))
                .await?;
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

    /// A model that has no part in what these scouts say, and whether there is one; else the one for checks.
    pub(super) fn fresh(&self, scouts: &[ScoutId]) -> (ModelName, bool) {
        let theirs: Vec<&ModelName> = scouts.iter().filter_map(|scout| self.model_of(*scout)).collect();
        let checker = &self.brief.checker.model;
        let others = std::iter::once(checker.clone()).chain(self.models());
        let other = others.into_iter().find(|model| !theirs.contains(&model));
        let independent = other.is_some();
        (other.unwrap_or_else(|| checker.clone()), independent)
    }
}
