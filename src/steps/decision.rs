//! What decision records and their reviews show, drawn from the database.

use crate::{
    render::decision::{self, Standing},
    store::{DecisionRow, Pin, Store, StoreError},
};
use domain::{Post, SessionId};

/// A record's card as it stands.
#[must_use]
pub fn decision_card(row: &DecisionRow) -> Post {
    let unpinned = match &row.pin {
        Pin::Refused(problem) => Some(problem.clone()),
        Pin::Wanted | Pin::Done => None,
    };
    decision::card(&row.session, &row.decision, &Standing { unpinned, replaced_by: row.replaced_by })
}

/// What a panel shows: `decision/<n>` the record, `review/<n>` the question how it turned out. Nothing for any other
/// key.
pub(super) async fn panel(store: &Store, session: &SessionId, key: &str) -> Result<Option<Post>, StoreError> {
    let Some((kind, number)) = key.split_once('/') else { return Ok(None) };
    let Ok(number) = number.parse() else { return Ok(None) };
    let Some(row) = store.decision(session, number).await? else { return Ok(None) };
    Ok(match kind {
        "decision" => Some(decision_card(&row)),
        "review" => Some(decision::review_card(session, &row.decision)),
        _ => None,
    })
}
