//! What a mediation said, with the pages that it cites, for whoever audits it.

use crate::steps::{Journal, Stop};
use domain::{ModuleOutput, Speech, Synthesis};

/// The modules in the order of their rounds, then the mediator.
pub(in crate::protocols) async fn said(journal: &Journal) -> Result<Vec<Speech>, Stop> {
    let mut outputs: Vec<(_, ModuleOutput)> = journal.all_stored("round-").await?;
    outputs.sort_by_key(|(_, output)| output.round);
    let modules = outputs.iter().map(|(key, output)| Speech::of_module(key.card().as_str(), output));
    let syntheses: Vec<Synthesis> = journal.stored("synthesis").await?;
    let last = syntheses.last().map(|synthesis| Speech::of_synthesis("synthesis", synthesis));
    Ok(modules.chain(last).collect())
}
