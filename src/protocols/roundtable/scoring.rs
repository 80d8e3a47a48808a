//! Final scoring: every expert that has spoken spreads exactly ten points over the solutions.

use super::{notary::last_word, statements::Table};
use crate::{
    domain::{Scored, Solution, Statement},
    prompt,
    protocols::points::{self, Scorer},
    steps::Stop,
};

/// Has every expert that has spoken score the solutions.
pub(super) async fn score(
    table: &Table<'_>,
    statements: &[Statement],
    solutions: &[Solution],
) -> Result<Scored, Stop> {
    let Table { steps, brief, proposal } = *table;
    let speakers =
        table.experts().filter_map(|(role, seat)| Some((role, seat, last_word(statements, role.id)?)));
    let scorers = speakers.map(|(role, seat, last)| Scorer {
        id: role.id.to_string(),
        name: role.name.clone(),
        model: &seat.model,
        prompt: Box::new(move |order| {
            prompt::roundtable::scoring(steps.prompts(), brief, proposal, (role, last), solutions, order)
        }),
    });
    points::score(steps, solutions, scorers.collect()).await
}
