//! /roundtable.

use crate::{
    domain::{ExpertId, Proposal, Role, RoundtableBrief, VoteRules},
    render,
    steps::{Steps, Stop, roles_key},
};

/// Runs the whole roundtable. Gives a sentence for each thing that was degraded.
pub async fn run(steps: &Steps, brief: &RoundtableBrief, _voting: &VoteRules) -> Result<Vec<String>, Stop> {
    steps.phase(1, 5, "Who should look at it");
    let role = |id: u8, name: &str| Role {
        id: ExpertId(id),
        name: name.to_owned(),
        mission: format!("Looks at it as a {name} does."),
    };
    let proposal = Proposal {
        restated: brief.problem.as_str().to_owned(),
        dimensions: Vec::new(),
        roles: vec![role(1, "Optimist"), role(2, "Sceptic")],
        answered_by: None,
    };
    let card = render::roundtable::proposal(steps.session(), &proposal);
    let proposal = steps.confirmed(roles_key(), proposal, vec![card]).await?;

    steps.phase(2, 5, "Who sits at the table");
    let names: Vec<&str> = proposal.roles.iter().map(|role| role.name.as_str()).collect();
    let sentence = format!("At the table: {}.", names.join(", "));
    steps.post("table", vec![render::notices::done(&sentence)]).await?;
    Ok(Vec::new())
}
