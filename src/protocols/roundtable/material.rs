//! What a roundtable holds for questions about it.

use super::notary;
use crate::{
    prompt::roundtable,
    protocols::followup::Held,
    steps::{Steps, Stop},
};
use domain::{Letters, Minutes, Proposal, RoundtableBrief, Scored, Statement};

/// What has come about so far. The notary, who has no side, answers.
pub(in crate::protocols) async fn material<'a>(
    steps: &Steps,
    brief: &'a RoundtableBrief,
) -> Result<Held<'a>, Stop> {
    let journal = steps.journal();
    // As people confirmed it; before that, as it was proposed.
    let confirmed: Vec<Proposal> = journal.stored("roles").await?;
    let proposed: Vec<Proposal> = journal.stored("gatekeeper").await?;
    let proposal = confirmed.last().or(proposed.last());
    let mut statements: Vec<Statement> = journal.stored("analysis/").await?;
    statements.extend(journal.stored::<Statement>("rebuttal/").await?);
    let readings: Vec<Letters> = journal.stored("rebuttal/labels").await?.pop().unwrap_or_default();
    let mut minutes: Vec<Minutes> = journal.stored("notary").await?;
    // As it was checked, where it was.
    minutes.extend(journal.kept::<Minutes>(&notary::record()).await?);
    let scored: Option<Scored> = journal.kept(&"points".into()).await?;
    let parts = roundtable::parts(proposal, &statements, &readings, minutes.last(), scored.as_ref());
    Ok(Held { seat: &brief.notary, document: brief.document.as_ref(), parts, summed_up: !minutes.is_empty() })
}
