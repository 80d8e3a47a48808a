//! Scoring: every module spreads exactly ten points over the solutions, shown to each in an order of its own.
//! A module whose points cannot be had abstains; points are never made up for it.

use crate::{
    domain::{Allocation, MediateBrief, ModuleName, Reply, Score, Solution, StepKey, Totals},
    prompt::{self, ParseError, reply::PointsReply},
    steps::{Ask, Failure, Steps, Stop, Try},
};

/// What the modules allocated, in the order of the panel.
pub(super) struct Scores {
    pub(super) points: Vec<(ModuleName, Allocation)>,
    /// Whose points were not ten and were scaled to ten.
    pub(super) scaled: Vec<ModuleName>,
    /// Whose points could not be had.
    pub(super) abstained: Vec<ModuleName>,
    pub(super) totals: Totals,
}

/// Has every module score the solutions, all at once.
pub(super) async fn score(
    steps: &Steps,
    brief: &MediateBrief,
    solutions: &[Solution],
) -> Result<Scores, Stop> {
    let seed = steps.chance("scoring/order");
    let seats = brief.panel.seats.iter().zip(&brief.seats);
    let asked = seats.map(|(seat, model)| async move {
        let order = prompt::shuffled(solutions.len(), prompt::seed(&[&seed.to_string(), &seat.module.0]));
        let ask = Ask {
            key: StepKey::new(format!("scoring/{}", seat.module)),
            who: seat.module.title().to_owned(),
            model: model.model.clone(),
            prompt: prompt::mediate::scoring(steps.prompts(), brief, &seat.module, solutions, &order),
        };
        let read = |reply: &Reply, attempt| {
            let said = prompt::parse::<PointsReply>(&reply.text)?.value;
            let reasoning = said.reasoning.clone();
            let (allocation, scaled) = allocation(said.into_allocation(&order), attempt)?;
            Ok(Score { module: seat.module.clone(), allocation, scaled, reasoning })
        };
        Ok::<_, Stop>((
            seat.module.clone(),
            steps.ask(ask, read, |_: &Result<Score, Failure>| Vec::new()).await?,
        ))
    });
    let outcomes = steps.all(asked).await?;

    let mut scores = Scores {
        points: Vec::new(),
        scaled: Vec::new(),
        abstained: Vec::new(),
        totals: Totals::count(0, []),
    };
    for (module, outcome) in outcomes {
        match outcome {
            Ok(score) => {
                if score.scaled {
                    scores.scaled.push(module.clone());
                }
                scores.points.push((module, score.allocation));
            }
            Err(_) => scores.abstained.push(module),
        }
    }
    let weight = |module: &ModuleName| {
        brief.panel.seats.iter().find(|seat| seat.module == *module).map_or(1.0, |seat| seat.weight.get())
    };
    let votes = scores.points.iter().map(|(module, allocation)| (allocation, weight(module)));
    scores.totals = Totals::count(solutions.len(), votes);
    Ok(scores)
}

/// Ten points as given; once asked to correct them, what is not ten is scaled to it. Says whether it was.
fn allocation(read: Result<Allocation, ParseError>, attempt: Try) -> Result<(Allocation, bool), ParseError> {
    match (read, attempt) {
        (Ok(allocation), _) => Ok((allocation, false)),
        (Err(ParseError::Points { points, error }), Try::Repaired) => Allocation::scaled(&points)
            .map(|allocation| (allocation, true))
            .map_err(|_| ParseError::Points { points, error }),
        (Err(error), _) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PointsError;

    #[test]
    fn points_are_scaled_only_after_the_repair_turn_and_never_made_up() {
        let wrong = |points: Vec<u32>| Err(ParseError::Points { points, error: PointsError::Sum(20) });
        assert!(allocation(wrong(vec![15, 5]), Try::First).is_err());
        let (scaled, was_scaled) = allocation(wrong(vec![15, 5]), Try::Repaired).unwrap();
        assert!(was_scaled);
        assert_eq!(scaled.points(), [8, 2]);
        assert!(allocation(wrong(vec![0, 0]), Try::Repaired).is_err());
    }
}
