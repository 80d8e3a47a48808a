//! What was said at a table, with the pages that it cites, for whoever audits it.

use super::research::{self, RESEARCH};
use crate::steps::{Journal, Stop};
use domain::{ModuleOutput, Speech, StepKey, Synthesis};

/// Who sits there in the order of the rounds, then the memo, then what was looked into after it.
pub(in crate::protocols) async fn said(journal: &Journal) -> Result<Vec<Speech>, Stop> {
    let mut outputs: Vec<(_, ModuleOutput)> = journal.all_stored("round-").await?;
    outputs.sort_by_key(|(_, output)| output.round);
    let modules = outputs.iter().map(|(key, output)| Speech::of_module(key.card().as_str(), output));
    let syntheses: Vec<Synthesis> = journal.stored("synthesis").await?;
    let last = syntheses.last().map(|synthesis| Speech::of_synthesis("synthesis", synthesis));
    let research = research::kept(journal).await?.unwrap_or_default();
    let looked_into = (1..).zip(&research.resolutions).map(|(number, one): (usize, _)| {
        let step = StepKey::from(RESEARCH).child(number);
        Speech::of_resolution(step.as_str(), one, &research.sources)
    });
    Ok(modules.chain(last).chain(looked_into).collect())
}
