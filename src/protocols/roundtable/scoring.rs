//! Final scoring: every expert that has spoken spreads exactly ten points over the solutions.

use super::{notary::last_word, statements::Table};
use crate::{
    prompt,
    protocols::points::{self, Scorer, Told},
    steps::Stop,
};
use domain::{ContextNote, Minutes, Scored, Statement};

/// Has every expert that has spoken score the solutions, with all before it that was said and added.
pub(super) async fn score(
    table: &Table<'_>,
    (statements, minutes): (&[Statement], &Minutes),
    notes: &[ContextNote],
) -> Result<Scored, Stop> {
    let Table { steps, brief, proposal, .. } = *table;
    let (prompts, solutions) = (steps.prompts(), &minutes.solutions[..]);
    let last: Vec<&Statement> =
        table.experts().filter_map(|(role, _)| last_word(statements, role.id)).collect();
    let seed = steps.seed("scoring/said");
    let told = &prompt::roundtable::deliberation(prompts, (&last, minutes), notes, seed);
    let speakers =
        table.experts().filter_map(|(role, seat)| Some((role, seat, last_word(statements, role.id)?)));
    let scorers = speakers.map(|(role, seat, last)| Scorer {
        id: role.id.to_string(),
        step: role.id.to_string(),
        name: role.name.clone(),
        model: &seat.model,
        fallbacks: &seat.fallbacks,
        prompt: Box::new(move |order, how| {
            let told = (how == Told::All).then_some(told);
            prompt::roundtable::scoring(prompts, (brief, proposal), (role, last), told, solutions, order)
        }),
    });
    points::score(steps, solutions, scorers.collect()).await
}
