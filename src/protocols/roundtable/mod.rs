//! /roundtable: a gatekeeper restates the problem and proposes experts, people confirm them, and the experts sit down at the
//! [table](super::table) that /mediate has too; a notary writes its memo.
//!
//! The panel is made for the problem instead of taken from a list, and people decide who sits on it. Whatever one model
//! fails at, the others go on.

mod brief;
mod full_text;
mod gatekeeper;
mod material;

pub(super) use brief::wanted;
pub(super) use full_text::{full_text, given, proposal};
pub(super) use material::material;

use futures::join;

use crate::{
    prompt::table::Table,
    protocols::{
        question,
        table::{self, Opened},
    },
    steps::{Steps, Stop},
};
use domain::{ModelName, Problem, Proposal, RoundtableBrief, Seat, SourceList, VoteRules, WaitKind, Writer};

/// Runs the whole roundtable; `questioner` says in a sentence what has to be decided.
pub(super) async fn run(
    steps: &Steps,
    brief: &RoundtableBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(), Stop> {
    steps.phase(1, Writer::Notary.phases(), "Gatekeeper: the question and who looks at it");
    let notes = steps.notes("gatekeeper/notes").await?;
    let proposal = gatekeeper::propose(steps, brief, &notes).await?;
    let proposal = Proposal { models: available(brief), ..proposal };
    let proposal = steps.confirmed(WaitKind::Roles, &proposal).await?;
    gatekeeper::note_stock(steps, &proposal).await?;

    let brief = &brief.table(&proposal, seats(brief, &proposal));
    table::phase(steps, brief, 1, "Round 1: each expert alone");
    let notes = steps.notes("round-1/notes").await?;
    let restated = Problem::new(&proposal.restated).unwrap_or_else(|_| brief.problem.clone());
    let asked = (&restated, brief.language.as_deref());
    let mut sources = SourceList::default();
    let table = Table { prompts: steps.prompts(), brief, question: None, notes: &notes };
    let (first, stated) =
        join!(table::alone(steps, table, &[], &mut sources), question::state(steps, questioner, asked, &[]));
    let first = first?;
    stated?;
    if first.is_empty() {
        return Err(Stop::Fail("No expert could answer, so there is nothing to go on with.".to_owned()));
    }
    let question = question::fixed(steps, questioner, &restated).await?;
    table::deliberate(steps, brief, Opened { first, sources, question }, voting).await?;
    Ok(())
}

/// Every model that may sit at the table: those that do, and those that may stand in for them.
fn available(brief: &RoundtableBrief) -> Vec<ModelName> {
    let mut models: Vec<ModelName> = Vec::new();
    for seat in &brief.experts {
        for model in std::iter::once(&seat.model).chain(&seat.fallbacks) {
            if !models.contains(model) {
                models.push(model.clone());
            }
        }
    }
    models
}

/// The seat of each expert, by the model that people have given it; the others stand in.
fn seats(brief: &RoundtableBrief, proposal: &Proposal) -> Vec<Seat> {
    let seat = |model: &ModelName| {
        let planned = brief.experts.iter().find(|seat| seat.model == *model).cloned();
        let others = || available(brief).into_iter().filter(|other| other != model).collect();
        planned.unwrap_or_else(|| Seat { model: model.clone(), fallbacks: others() })
    };
    proposal.roles.iter().map(|role| seat(&role.model)).collect()
}
