//! Final scoring: every expert that has spoken spreads exactly ten points over the solutions. One whose points cannot
//! be had is shown with ten spread evenly, which is said on the card and counted nowhere.

use super::{notary::last_word, statements::Table};
use crate::{
    domain::{Allocation, Basis, ExpertPoints, ExpertScore, Reply, Scored, Solution, Statement, StepKey},
    prompt,
    protocols::points,
    steps::{Ask, Failure, Stop},
};

/// Has every expert that has spoken score the solutions, all at once.
pub(super) async fn score(
    table: &Table<'_>,
    statements: &[Statement],
    solutions: &[Solution],
) -> Result<Scored, Stop> {
    let Table { steps, brief, proposal } = *table;
    let seed = steps.seed("scoring/order");
    let speakers =
        table.experts().filter_map(|(role, seat)| Some((role, seat, last_word(statements, role.id)?)));
    let asked = speakers.map(|(role, seat, last)| async move {
        let scorer = role.id.to_string();
        let order = points::order(solutions.len(), seed, &scorer);
        let (prompts, expert) = (steps.prompts(), (role, last));
        let ask = Ask {
            key: StepKey::new(format!("points/{scorer}")),
            who: role.name.clone(),
            model: seat.model.clone(),
            prompt: prompt::roundtable::scoring(prompts, brief, proposal, expert, solutions, &order),
        };
        let read = |reply: &Reply, attempt| {
            let points::Given { allocation, basis, reasoning } = points::read(reply, &order, attempt)?;
            Ok(ExpertScore { expert: role.id, allocation, basis, reasoning })
        };
        let said = steps.ask(ask, read, |_: &Result<ExpertScore, Failure>| Vec::new()).await?;
        Ok::<_, Stop>((role, said.ok().or_else(|| even(role.id, solutions.len()))))
    });
    let mut scored = Scored { solutions: solutions.to_vec(), experts: Vec::new(), reasons: Vec::new() };
    for (role, score) in steps.all(asked).await? {
        let Some(ExpertScore { allocation, basis, reasoning, .. }) = score else { continue };
        scored.experts.push(ExpertPoints { title: role.name.clone(), weight: 1.0, allocation, basis });
        scored.reasons.push(reasoning);
    }
    Ok(scored)
}

/// Ten points spread evenly; none where there is nothing to spread them over.
fn even(expert: crate::domain::ExpertId, solutions: usize) -> Option<ExpertScore> {
    let allocation = Allocation::scaled(&vec![1; solutions]).ok()?;
    Some(ExpertScore { expert, allocation, basis: Basis::Even, reasoning: String::new() })
}
