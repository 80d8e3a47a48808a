//! The question: one cheap call says in a sentence what has to be decided, beside the panel's first round, which does
//! not wait for it. Nothing hangs on it but the title of the vote: where it fails, the problem's own question is that.

use crate::{
    prompt::{self, reply::QuestionReply},
    steps::{Ask, Steps, Stop},
};
use domain::{MAX_QUESTION, ModuleName, Piece, Problem, Seat};

/// The step in which it is asked for.
const KEY: &str = "question";

/// Has the seat say what has to be decided, for the live card; nothing where the plan names no seat. Where it finds that the
/// `usual` modules miss what decides it, that others join them is offered.
pub(super) async fn state(
    steps: &Steps,
    seat: Option<&Seat>,
    (problem, language): (&Problem, Option<&str>),
    usual: &[ModuleName],
) -> Result<(), Stop> {
    let Some(seat) = seat else { return Ok(()) };
    let ask = Ask {
        key: KEY.into(),
        who: "The question in a sentence".to_owned(),
        model: seat.model.clone(),
        prompt: prompt::question::question(steps.prompts(), problem, language, usual),
    };
    let said = steps
        .ask(
            ask,
            |reply, _| prompt::parse::<QuestionReply>(&reply.text)?.into_question(!usual.is_empty()),
            |_| Vec::new(),
        )
        .await?;
    match said {
        Ok(put) => {
            steps.state_question(put.text()).await?;
            if put.is_missed() { steps.make_offer().await } else { Ok(()) }
        }
        Err(_) => Ok(()),
    }
}

/// What titles the vote, from now on as it stands: the question as a model or its author put it, else the problem's own
/// question, else its beginning.
pub(super) async fn fixed(steps: &Steps, seat: Option<&Seat>, problem: &Problem) -> Result<String, Stop> {
    let beginning = problem.asks(MAX_QUESTION);
    if seat.is_none() {
        return Ok(beginning);
    }
    if let Some(question) = steps.fix_question().await? {
        return Ok(question);
    }
    steps.note_degraded(KEY, [Piece::Question.missing(None)]).await?;
    Ok(beginning)
}
