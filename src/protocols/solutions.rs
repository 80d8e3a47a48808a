//! The solutions that somebody wrote down who sums up what others said: a cheap call looks once whether two are the
//! same. Its verdict is shown with both titles; where nobody could be asked, nothing is put together and that is said.

use crate::{
    prompt,
    steps::{Ask, Steps, Stop},
};
use domain::{Piece, Problem, Seat, Solution, StepKey};

/// Fewest solutions among which duplicates are looked for: of two that are put together nothing to choose is left.
const FEWEST: usize = 3;

/// The solutions without duplicates; `card` is the step whose card shows them.
pub(super) async fn without_duplicates(
    steps: &Steps,
    checker: &Seat,
    (problem, card): (&Problem, &StepKey),
    solutions: Vec<Solution>,
) -> Result<Vec<Solution>, Stop> {
    if solutions.len() < FEWEST {
        return Ok(solutions);
    }
    let key = card.child("check-duplicates");
    let ask = Ask {
        key: key.clone(),
        who: "Duplicates".to_owned(),
        model: checker.model.clone(),
        prompt: prompt::solutions::duplicates(steps.prompts(), problem, &solutions),
    };
    let read = |reply: &_, _| prompt::solutions::read_duplicates(reply, solutions.len());
    if let Ok(pairs) = steps.ask(ask, read, |_| Vec::new()).await? {
        return Ok(Solution::without_duplicates(solutions, &pairs));
    }
    steps.note_degraded(key, [Piece::DuplicatesCheck.missing(None)]).await?;
    Ok(solutions)
}
