//! Scoring: every scout that answered spreads ten points over the answer and its rivals. With no rival there is nothing to
//! spread them over, and nobody is asked.

use super::Case;
use crate::{
    prompt,
    protocols::points::{self, Scorer},
    steps::Stop,
};
use domain::{Check, Compared, InvestigationAnswer, Scored, ledger};

/// The answer and its rivals with the scouts' points.
pub(super) async fn score(
    case: &Case<'_>,
    compared: &Compared,
    checks: &[Check],
    answer: &InvestigationAnswer,
) -> Result<Scored, Stop> {
    let Case { steps, brief, answers } = *case;
    let solutions = answer.solutions(compared);
    if solutions.len() < 2 {
        return Ok(Scored { solutions, experts: Vec::new(), reasons: Vec::new() });
    }
    let entries = &ledger(compared, checks);
    let options = &solutions;
    let scorers = answers.iter().filter_map(|own| {
        let id = own.scout.to_string();
        Some(Scorer {
            step: id.clone(),
            id,
            name: own.scout.title(),
            model: case.model_of(own.scout)?,
            // Each scout is a model of its own.
            fallbacks: &[],
            prompt: Box::new(move |order, _| {
                prompt::investigate::scoring(steps.prompts(), brief, (own, entries), options, order)
            }),
        })
    });
    points::score(steps, &solutions, scorers.collect()).await
}
