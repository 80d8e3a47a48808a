//! /roundtable: a gatekeeper restates the problem and proposes experts, people confirm them; each expert analyses
//! alone and then answers the others; a notary writes down what was said; the experts spread ten points over it.
//!
//! The panel is made for the problem instead of taken from a list, and people decide who sits on it. The experts
//! answer one another under letters, so that a point counts by its reasons and not by who made it. The notary adds
//! nothing, so that what is voted on is what an expert proposed. Whatever one model fails at, the others go on.

mod full_text;
mod gatekeeper;
mod material;
mod notary;
mod said;
mod scoring;
mod statements;

pub(super) use full_text::full_text;
use futures::join;
pub(super) use material::material;
pub(super) use said::said;
use statements::Table;

use crate::{
    protocols::question,
    steps::{NewVote, Steps, Stop, vote_key},
};
use domain::{ModelName, Proposal, RoundtableBrief, Seat, VoteRules, WaitKind};

/// How many phases the live card counts.
const PHASES: u8 = 5;

/// Runs the whole roundtable; `questioner` says in a sentence what has to be decided.
pub(super) async fn run(
    steps: &Steps,
    brief: &RoundtableBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(), Stop> {
    steps.phase(1, PHASES, "Gatekeeper: the question and who looks at it");
    let notes = steps.notes("gatekeeper/notes").await?;
    let asked = (&brief.problem, brief.language.as_deref());
    let (proposal, stated) =
        join!(gatekeeper::propose(steps, brief, &notes), question::state(steps, questioner, asked, &[]));
    let proposal = proposal?;
    stated?;
    let proposal = Proposal { models: available(brief), ..proposal };
    let proposal = steps.confirmed(WaitKind::Roles, &proposal).await?;
    gatekeeper::note_stock(steps, &proposal).await?;
    let question = question::fixed(steps, questioner, &brief.problem).await?;
    let seats = seats(brief, &proposal);
    let table = Table { steps, brief, proposal: &proposal, seats: &seats };

    steps.phase(2, PHASES, "Analyses: each expert alone");
    let notes = steps.notes("analysis/notes").await?;
    let analyses = table.analyses(&notes).await?;
    if analyses.is_empty() {
        return Err(Stop::Fail("No expert could answer, so there is nothing to go on with.".to_owned()));
    }

    steps.phase(3, PHASES, "Rebuttals: each answers the others");
    let notes = steps.notes("rebuttal/notes").await?;
    let rebuttals = table.rebuttals(&analyses, &notes).await?;

    steps.phase(4, PHASES, "Notary: what was said");
    let notes = steps.notes("notary/notes").await?;
    let statements = [analyses, rebuttals].concat();
    let minutes = notary::write(&table, &statements, &notes).await?;

    steps.phase(5, PHASES, "Scoring: ten points each");
    let notes = steps.notes("scoring/notes").await?;
    let scored = scoring::score(&table, (&statements, &minutes), &notes).await?;
    let vote = NewVote {
        question,
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        came_out: minutes.synthesis.clone(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await
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
