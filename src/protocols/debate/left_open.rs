//! What a debate that is done left open, for whoever wants to go on with it.

use super::synthesis_key;
use crate::steps::{Journal, Stop};
use domain::{NeutralSynthesis, OpenMatter, OpenMatters};

/// What the moderator says the sides part on; nothing of what was withheld.
pub(in crate::protocols) async fn left_open(journal: &Journal) -> Result<OpenMatters, Stop> {
    let kept: Option<NeutralSynthesis> = journal.kept(&synthesis_key()).await?;
    Ok(kept.map(|kept| of(&kept)).unwrap_or_default())
}

/// Where the sides part, and what one would have to know: what is not known, and what the answer hangs on.
fn of(kept: &NeutralSynthesis) -> OpenMatters {
    let synthesis = &kept.synthesis;
    let hinges = synthesis.decision_hinges.iter();
    let positions = |pro: &str, con: &str| format!("Pro: {pro} Con: {con}");
    OpenMatters {
        conflicts: (synthesis.core_disagreements.iter())
            .map(|one| OpenMatter::new(&one.topic, &positions(&one.pro_position, &one.con_position)))
            .collect(),
        facts: (synthesis.evidence_gaps.iter())
            .map(|gap| OpenMatter::new(&gap.question, &format!("{} {}", gap.question, gap.why_it_matters)))
            .chain(hinges.map(|hinge| OpenMatter::new(&hinge.if_true, &hinge.known())))
            .collect(),
    }
}
