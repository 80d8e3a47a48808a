//! Was it worth it? Where it is asked for, one plain call on the same problem is made beside the rounds, which never see
//! it; in the end a cheap model says what became of its recommendations, and the card shows that with what each cost.

use crate::{
    prompt, render,
    steps::{Answered, Ask, Question, Steps, Stop},
};
use domain::{Piece, PlainAnswer, Solution, StepKey, Synthesis, TableBrief, Worth};

/// The step of the plain call, and the beginning of all that belongs to it.
pub(super) const BASELINE: &str = "baseline";

/// What the mediator's model says of the problem alone; `None` where nobody wants to know, or no model could say.
pub(super) async fn answer(steps: &Steps, brief: &TableBrief) -> Result<Option<PlainAnswer>, Stop> {
    if !brief.extras.baseline {
        return Ok(None);
    }
    let question = Question {
        key: BASELINE.into(),
        who: "One plain call".to_owned(),
        prompt: prompt::table::plain(steps.prompts(), brief),
    };
    let answered = steps.ask_seat(
        &brief.writer_seat,
        question,
        |reply, _| {
            prompt::reply::checked_plain_answer(prompt::parse::<PlainAnswer>(&reply.text)?, &reply.answered)
        },
        |_, _, _| Vec::new(),
    );
    match answered.await? {
        Ok(Answered { value, stand_in }) => {
            steps.note_degraded(BASELINE, Piece::Baseline.stood_in(stand_in.as_ref())).await?;
            Ok(Some(value))
        }
        Err(failure) => {
            steps.note_degraded(BASELINE, [Piece::Baseline.missing(Some(failure.sentence()))]).await?;
            Ok(None)
        }
    }
}

/// Posts what the deliberation made of the plain answer, and what each took.
pub(super) async fn compare(
    steps: &Steps,
    (brief, question): (&TableBrief, &str),
    plain: &PlainAnswer,
    (synthesis, solutions): (&Synthesis, &[Solution]),
) -> Result<(), Stop> {
    let baseline = StepKey::from(BASELINE);
    let key = baseline.child("check-worth");
    let ask = Ask {
        key: key.clone(),
        who: "Was it worth it?".to_owned(),
        model: brief.checker.model.clone(),
        prompt: prompt::table::worth(steps.prompts(), (brief, question), plain, solutions),
    };
    let (recommended, options) = (plain.recommendations.len(), solutions.len());
    let read = |reply: &_, _| prompt::table::read_worth(reply, recommended, options);
    let comparison = steps.ask(ask, read, |_| Vec::new()).await?.ok();
    if comparison.is_none() {
        steps.note_degraded(key.clone(), [Piece::BaselinesCheck.missing(None)]).await?;
    }
    let (all, beside) = (steps.spent().await?, steps.spent_on(&baseline).await?);
    let plain_call = beside.without(&steps.spent_on(&key).await?);
    let worth = Worth { comparison, plain: plain_call, deliberation: all.without(&beside) };
    let card = render::table::worth_card(steps.session(), &baseline, &worth, plain, (synthesis, solutions));
    steps.keep(baseline.child("worth"), &worth, vec![card]).await?;
    Ok(())
}
