//! What a roundtable said, for whoever audits it. Nothing is searched, so nothing can be cited.

use super::{full_text::proposal, notary};
use crate::{
    protocols::said::Said,
    steps::{Journal, Stop},
};
use domain::{Minutes, Searching, Speech, Statement};

/// The experts, who go by their names, then the notary as it was checked. People have confirmed the question and who looks
/// at it, so both count as given.
pub(in crate::protocols) async fn said(journal: &Journal) -> Result<Said, Stop> {
    let proposal = proposal(journal).await?;
    let roles = proposal.as_ref().map(|proposal| &proposal.roles[..]).unwrap_or_default();
    let mut given: Vec<String> = roles.iter().map(|role| role.mission.clone()).collect();
    given.extend(proposal.iter().flat_map(|proposal| &proposal.dimensions).cloned());
    given.extend(proposal.iter().map(|proposal| proposal.restated.clone()));
    let mut statements = journal.all_stored::<Statement>("analysis/").await?;
    statements.extend(journal.all_stored::<Statement>("rebuttal/").await?);
    let name = |statement: &Statement| {
        let role = roles.iter().find(|role| role.id == statement.expert);
        role.map_or_else(|| statement.expert.to_string(), |role| role.name.clone())
    };
    let said =
        statements.iter().map(|(key, said)| Speech::of_statement(key.card().as_str(), &name(said), said));
    let mut speeches: Vec<Speech> = said.collect();
    let minutes = match journal.kept::<Minutes>(&notary::record()).await? {
        Some(minutes) => Some(minutes),
        None => journal.stored("notary").await?.pop(),
    };
    speeches.extend(minutes.map(|minutes| Speech::of_minutes("notary", &minutes)));
    Ok(Said { searching: Searching::NotSetUp, given, speeches })
}
