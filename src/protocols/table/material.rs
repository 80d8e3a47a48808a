//! What a table holds for questions about it.

use crate::{
    prompt::table,
    protocols::followup::Held,
    steps::{Steps, Stop},
};
use domain::{Document, ModuleOutput, PanelSeat, Score, Seat, SourceList, Synthesis};

/// What has come about so far at the table of `seats`; `seat`, which has no side, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    seat: &'a Seat,
    document: Option<&'a Document>,
    seats: &[PanelSeat],
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    let mut outputs: Vec<ModuleOutput> = journal.stored("round-").await?;
    // As the run took them in: marks of two lists would say two things by one number.
    let place = |output: &ModuleOutput| seats.iter().position(|seat| seat.module == output.module);
    outputs.sort_by_key(|output| (output.round, place(output).unwrap_or(seats.len())));
    let mut sources = SourceList::default();
    let outputs: Vec<_> = outputs.into_iter().map(|output| sources.take_in(output)).collect();
    let syntheses: Vec<Synthesis> = journal.stored("synthesis").await?;
    let solutions = match syntheses.last() {
        Some(written) => super::solutions(&journal, written).await?,
        None => Vec::new(),
    };
    let research = super::research::kept(&journal).await?;
    let scores: Vec<Score> = journal.stored("points/").await?;
    let parts = table::parts(&outputs, (syntheses.last(), research.as_ref()), &solutions, &scores);
    Ok(Held { seat, document, parts, summed_up: !syntheses.is_empty() })
}
