//! Scoring: every module spreads exactly ten points over the solutions, shown to each in an order of its own.
//! A module whose points cannot be had abstains; points are never made up for it.

use crate::{
    domain::{
        Allocation, Basis, ExpertPoints, MediateBrief, ModuleName, Reply, Score, Solution, StepKey, Totals,
    },
    prompt,
    protocols::points,
    steps::{Ask, Failure, Steps, Stop},
};

/// What the modules allocated, in the order of the panel.
pub(super) struct Scores {
    pub(super) points: Vec<(ModuleName, Allocation)>,
    /// The same, as it stands beside the team's.
    pub(super) experts: Vec<ExpertPoints>,
    /// Whose points were not ten and were scaled to ten.
    pub(super) scaled: Vec<ModuleName>,
    /// Titles of those whose points could not be had.
    pub(super) abstained: Vec<String>,
    pub(super) totals: Totals,
}

/// Has every module score the solutions, all at once.
pub(super) async fn score(
    steps: &Steps,
    brief: &MediateBrief,
    solutions: &[Solution],
) -> Result<Scores, Stop> {
    let seed = steps.seed("scoring/order");
    let seats = brief.panel.seats.iter().zip(&brief.seats);
    let asked = seats.map(|(seat, model)| async move {
        let order = points::order(solutions.len(), seed, &seat.module.0);
        let ask = Ask {
            key: StepKey::new(format!("points/{}", seat.module)),
            who: seat.module.title().to_owned(),
            model: model.model.clone(),
            prompt: prompt::mediate::scoring(steps.prompts(), brief, &seat.module, solutions, &order),
        };
        let read = |reply: &Reply, attempt| {
            let points::Given { allocation, basis, reasoning } = points::read(reply, &order, attempt)?;
            let scaled = basis == Basis::Scaled;
            Ok(Score { module: seat.module.clone(), allocation, scaled, reasoning })
        };
        Ok::<_, Stop>((seat, steps.ask(ask, read, |_: &Result<Score, Failure>| Vec::new()).await?))
    });
    let outcomes = steps.all(asked).await?;

    let mut scores = Scores {
        points: Vec::new(),
        experts: Vec::new(),
        scaled: Vec::new(),
        abstained: Vec::new(),
        totals: Totals::count(0, []),
    };
    for (seat, outcome) in outcomes {
        let Ok(score) = outcome else {
            scores.abstained.push(seat.module.title().to_owned());
            continue;
        };
        if score.scaled {
            scores.scaled.push(seat.module.clone());
        }
        scores.experts.push(ExpertPoints {
            title: seat.module.expert(),
            weight: seat.weight.get(),
            allocation: score.allocation.clone(),
            basis: if score.scaled { Basis::Scaled } else { Basis::Given },
        });
        scores.points.push((seat.module.clone(), score.allocation));
    }
    let votes = scores.experts.iter().map(|expert| (&expert.allocation, expert.weight));
    scores.totals = Totals::count(solutions.len(), votes);
    Ok(scores)
}
