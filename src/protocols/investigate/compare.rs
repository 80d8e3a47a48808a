//! What the answers have in common: one cheap call; where nobody can be asked, only equal words count as the same.

use super::Case;
use crate::{
    prompt::{self, reply::investigate::ComparedReply},
    render,
    steps::{Question, Stop},
};
use domain::{Compared, Piece, Reply, StepKey, TeamQuestion, WaitKind};

/// The step in which it is kept.
pub(super) const COMPARED: &str = "compared";
/// The same after scouts that had answered another question were asked again; behind it in the order of keys.
pub(super) const COMPARED_AGAIN: &str = "compared_again";

/// Compares the answers and shows it.
pub(super) async fn compare(case: &Case<'_>, key: &str) -> Result<Compared, Stop> {
    let Case { steps, brief, answers } = *case;
    let key = StepKey::from(key);
    let question = Question {
        key: key.clone(),
        who: "Comparing".to_owned(),
        prompt: prompt::investigate::compare(steps.prompts(), brief, answers),
    };
    let read = |reply: &Reply, _| {
        prompt::parse::<ComparedReply>(&reply.text)?.into_compared(answers, &reply.answered)
    };
    let cards = |key: &StepKey, compared: &Compared, _: Option<&_>| {
        render::investigate::compared_card(steps.session(), key, compared)
    };
    if let Ok(said) = steps.ask_seat(&brief.checker, question, read, cards).await? {
        let stood_in = Piece::Comparison.stood_in(said.stand_in.as_ref());
        steps.note_degraded(key, stood_in).await?;
        return Ok(said.value);
    }
    let compared = Compared::by_words(answers);
    let posts = render::investigate::compared_card(steps.session(), &key, &compared);
    let compared = steps.keep(key.child("plain"), &compared, posts).await?;
    steps.note_degraded(key.child("plain"), [Piece::Comparison.missing(None)]).await?;
    Ok(compared)
}

/// Where scouts answered different questions, the team says which was meant; nothing where they did not, or nobody says.
pub(super) async fn ask_what_was_meant(case: &Case<'_>, compared: &Compared) -> Result<Option<String>, Stop> {
    if !compared.is_of_different_questions() {
        return Ok(None);
    }
    let draft = TeamQuestion {
        question: "The scouts answered different questions. Which one is meant?".to_owned(),
        why: compared.readings.iter().map(|reading| reading.question.clone()).collect(),
        answer: None,
        by: String::new(),
    };
    let asked: TeamQuestion = case.steps.confirmed(WaitKind::Team, &draft).await?;
    Ok(asked.answer)
}
