//! The full text behind the card that a roundtable has beside those of its table.

use crate::{
    protocols::table,
    render,
    steps::{Journal, Stop},
};
use domain::{FullText, Proposal, StepKey, WaitKind};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<FullText>, Stop> {
    if card.as_str() != "gatekeeper" {
        return table::full_text(journal, card).await;
    }
    let proposal = proposal(journal).await?;
    Ok(proposal
        .map(|proposal| ("The proposal".to_owned(), render::roundtable::whole_proposal(&proposal)).into()))
}

/// What people confirmed before the table sat down: the problem in other words, and who sits there.
pub(in crate::protocols) async fn given(journal: &Journal) -> Result<Vec<String>, Stop> {
    let proposal = proposal(journal).await?;
    Ok(proposal.iter().map(render::roundtable::whole_proposal).collect())
}

/// The roles as people changed or confirmed them, or as they were proposed.
pub(in crate::protocols) async fn proposal(journal: &Journal) -> Result<Option<Proposal>, Stop> {
    match journal.confirmation(WaitKind::Roles).await? {
        Some(proposal) => Ok(Some(proposal)),
        None => Ok(journal.stored("gatekeeper").await?.pop()),
    }
}
