//! /mediate: specialist modules look at a problem, each from its side, at the [table](super::table) that /roundtable has too.
//!
//! One call that must cover every side goes shallow on all of them.

mod baseline;
mod brief;
mod full_text;
mod select;

pub(super) use brief::wanted;
pub(super) use full_text::full_text;
pub(super) use select::{as_chosen, chosen};

use futures::join;

use crate::{
    prompt::table::Table,
    protocols::{
        question,
        table::{self, Opened},
    },
    steps::{Steps, Stop},
};
use domain::{Seat, Solution, SourceList, Synthesis, TableBrief, VoteRules};

/// Runs the whole mediation; `questioner` says in a sentence what has to be decided. Where a baseline is wanted, its
/// plain call goes beside the rounds and holds none of them up.
pub(super) async fn run(
    steps: &Steps,
    brief: &TableBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(), Stop> {
    let (plain, came_to) =
        join!(baseline::answer(steps, brief), deliberate(steps, brief, questioner, voting));
    let (synthesis, solutions) = came_to?;
    let Some(plain) = plain? else { return Ok(()) };
    let question = question::fixed(steps, questioner, &brief.problem).await?;
    baseline::compare(steps, (brief, &question), &plain, (&synthesis, &solutions)).await
}

/// The first round, beside which the question is put in a sentence and others may join; then all that follows it.
async fn deliberate(
    steps: &Steps,
    brief: &TableBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    table::phase(steps, brief, 1, "Round 1: each on its own");
    let notes = steps.notes("round-1/notes").await?;
    let asked = (&brief.problem, brief.language.as_deref());
    let mut sources = SourceList::default();
    let usual = brief.offers_beside();
    let table = Table { prompts: steps.prompts(), brief, question: None, notes: &notes };
    let (first, stated) = join!(
        table::alone(steps, table, &[], &mut sources),
        question::state(steps, questioner, asked, &usual)
    );
    let mut first = first?;
    stated?;
    let joined = select::joined(steps, brief, questioner).await?;
    if let Some(joined) = &joined {
        // As independent as the others: they see nobody's either.
        let table = Table { brief: joined, ..table };
        first.extend(table::alone(steps, table, &usual, &mut sources).await?);
    }
    let brief = joined.as_ref().unwrap_or(brief);
    if first.is_empty() {
        return Err(Stop::Fail("No module could answer, so there is nothing to go on with.".to_owned()));
    }
    let question = question::fixed(steps, questioner, &brief.problem).await?;
    let opened = Opened { first, sources, question };
    table::deliberate(steps, brief, opened, voting).await
}
