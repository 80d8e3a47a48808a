//! What a mediation holds for questions about it.

use crate::{
    domain::{MediateBrief, ModuleOutput, Score, Seat, Solution, Synthesis},
    prompt::{followup::Part, mediate},
    steps::{Steps, Stop},
};

/// Who answers questions: the mediator, who has no side.
pub(in crate::protocols) fn seat(brief: &MediateBrief) -> &Seat {
    &brief.mediator
}

/// Its parts so far. `true`: the session has its synthesis.
pub(in crate::protocols) async fn parts(steps: &Steps) -> Result<(Vec<Part>, bool), Stop> {
    let mut outputs: Vec<ModuleOutput> = steps.stored("round-").await?;
    outputs.sort_by_key(|output| output.round);
    let syntheses: Vec<Synthesis> = steps.stored("synthesis").await?;
    let solutions =
        syntheses.last().map(|synthesis| Solution::distinct(&synthesis.recommendations)).unwrap_or_default();
    let scores: Vec<Score> = steps.stored("scoring/").await?;
    let points: Vec<_> = scores.into_iter().map(|score| (score.module, score.allocation)).collect();
    let parts = mediate::parts(&outputs, syntheses.last(), &solutions, &points);
    Ok((parts, !syntheses.is_empty()))
}
