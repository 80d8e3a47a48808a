//! What a table that is done left open, for whoever wants to go on with it.

use super::research::kept;
use crate::steps::{Journal, Stop};
use domain::{ConflictResolution, FlagColor, OpenMatter, OpenMatters, Research, Synthesis};

/// What the mediator says is in dispute, or not known.
pub(in crate::protocols) async fn left_open(journal: &Journal) -> Result<OpenMatters, Stop> {
    let synthesis = journal.stored::<Synthesis>("synthesis").await?.pop();
    let research = kept(journal).await?;
    Ok(synthesis.map(|synthesis| of(&synthesis, research.as_ref())).unwrap_or_default())
}

/// Conflicts that no research has settled, and what is not known: what research could not settle, else the red flags.
fn of(synthesis: &Synthesis, research: Option<&Research>) -> OpenMatters {
    let looked_into = |topic: &str| {
        research.iter().flat_map(|research| &research.resolutions).find(|one| one.topic == topic)
    };
    let settled = |topic: &str| looked_into(topic).is_some_and(ConflictResolution::is_settled);
    let conflicts = synthesis.conflicts.iter().filter(|conflict| !settled(&conflict.topic));
    let flags = synthesis.flags.iter().filter(|flag| flag.color == FlagColor::Red && !settled(&flag.text));
    OpenMatters {
        conflicts: conflicts
            .map(|conflict| OpenMatter::new(&conflict.topic, &conflict.description))
            .collect(),
        facts: flags
            .map(|flag| OpenMatter::new(&flag.text, ""))
            .chain(synthesis.unknown.iter().map(|unknown| OpenMatter::new(&unknown.what, &unknown.find_out)))
            .collect(),
    }
}
