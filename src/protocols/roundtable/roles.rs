//! The proposed roles, which people change and confirm.

use crate::{
    domain::{Post, Proposal},
    render,
    steps::{Asked, Journal, Outcome, Stop, roles_key},
};

/// The roles as they stand: with buttons while somebody may still press them.
pub(super) async fn panel(journal: &Journal) -> Result<Option<Post>, Stop> {
    let Some(Asked { draft, outcome, .. }) = journal.asked::<Proposal>(&roles_key()).await? else {
        return Ok(None);
    };
    let session = journal.session();
    Ok(Some(match outcome {
        Outcome::Open => render::roundtable::proposal(session, &draft),
        Outcome::Answered(by) => render::roundtable::proposal_confirmed(session, &draft, &by),
        Outcome::Expired => render::roundtable::proposal_ended(
            session,
            &draft,
            "Nobody pressed Go within a day, so the session was ended.",
        ),
        Outcome::Ended => render::roundtable::proposal_ended(
            session,
            &draft,
            "The session ended before anybody pressed Go.",
        ),
    }))
}
