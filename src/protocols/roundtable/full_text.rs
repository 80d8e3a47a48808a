//! The full text behind a roundtable's cards.

use super::notary;
use crate::{
    protocols::points,
    render,
    steps::{Journal, Stop},
};
use domain::{Letters, Minutes, Proposal, Scored, Stage, Statement, StepKey, WaitKind};

/// Title and text of a card; nothing for a card that shows everything itself.
pub(in crate::protocols) async fn full_text(
    journal: &Journal,
    card: &StepKey,
) -> Result<Option<(String, String)>, Stop> {
    Ok(match card.as_str().split('/').next() {
        // The roles as they stand now; people may have changed them, and the gatekeeper may have failed.
        Some("gatekeeper") => proposal(journal)
            .await?
            .map(|proposal| ("The proposal".to_owned(), render::roundtable::whole_proposal(&proposal))),
        Some("analysis" | "rebuttal") => match journal.stands::<Statement>(card).await? {
            Some(statement) => Some(of_statement(journal, &statement).await?),
            None => None,
        },
        Some("notary") => {
            let minutes = match journal.kept::<Minutes>(&notary::record()).await? {
                Some(minutes) => Some(minutes),
                None => journal.stands::<Minutes>(card).await?,
            };
            minutes.map(|minutes| {
                ("The notary's record".to_owned(), render::roundtable::whole_minutes(&minutes))
            })
        }
        Some("points") => journal.kept::<Scored>(card).await?.map(|scored| points::full_text(&scored)),
        _ => None,
    })
}

/// An expert's statement; of a rebuttal with the names of those it answers.
async fn of_statement(journal: &Journal, statement: &Statement) -> Result<(String, String), Stop> {
    let Some(proposal) = proposal(journal).await? else {
        return Ok((statement.expert.to_string(), statement.stance.clone()));
    };
    let labels: Option<Vec<Letters>> = journal.kept(&"rebuttal/labels".into()).await?;
    let readings = labels.filter(|_| statement.stage == Stage::Rebuttal).unwrap_or_default();
    let reading = readings.iter().find(|reading| reading.reader == statement.expert);
    Ok(render::roundtable::whole_statement(statement, reading, &proposal))
}

/// The roles as people changed or confirmed them, or as they were proposed.
pub(super) async fn proposal(journal: &Journal) -> Result<Option<Proposal>, Stop> {
    match journal.confirmation(WaitKind::Roles).await? {
        Some(proposal) => Ok(Some(proposal)),
        None => Ok(journal.stored("gatekeeper").await?.pop()),
    }
}
