//! What a roundtable holds for questions about it.

use crate::{
    domain::{Minutes, Proposal, Reading, RoundtableBrief, Scored, Seat, Statement},
    prompt::{followup::Part, roundtable},
    steps::{Steps, Stop},
};

/// Who answers questions: the notary, who has no side.
pub(in crate::protocols) fn seat(brief: &RoundtableBrief) -> &Seat {
    &brief.notary
}

/// Its parts so far, in the order in which they came about. `true`: the session has its record.
pub(in crate::protocols) async fn parts(steps: &Steps) -> Result<(Vec<Part>, bool), Stop> {
    // As people confirmed it; before that, as it was proposed.
    let confirmed: Vec<Proposal> = steps.stored("roles").await?;
    let proposed: Vec<Proposal> = steps.stored("gatekeeper").await?;
    let proposal = confirmed.last().or(proposed.last());
    let mut statements: Vec<Statement> = steps.stored("analysis/").await?;
    statements.extend(steps.stored::<Statement>("rebuttal/").await?);
    let readings: Vec<Reading> = steps.stored("rebuttal/labels").await?.pop().unwrap_or_default();
    let minutes: Vec<Minutes> = steps.stored("notary").await?;
    let scored: Vec<Scored> = steps.stored("points").await?;
    let parts = roundtable::parts(proposal, &statements, &readings, minutes.last(), scored.last());
    Ok((parts, !minutes.is_empty()))
}
