//! /roundtable: a gatekeeper restates the problem and proposes experts, people confirm them; each expert analyses
//! alone and then answers the others; a notary writes down what was said; the experts spread ten points over it.
//!
//! The panel is made for the problem instead of taken from a list, and people decide who sits on it. The experts
//! answer one another under letters, so that a point counts by its reasons and not by who made it. The notary adds
//! nothing, so that what is voted on is what an expert proposed. Whatever one model fails at, the others go on.

mod degraded;
mod full_text;
mod gatekeeper;
mod material;
mod notary;
mod scoring;
mod statements;

use degraded::{Course, degraded};
pub(super) use full_text::full_text;
pub(super) use material::material;
use statements::Table;

use crate::{
    domain::{RoundtableBrief, StepKey, VoteRules, WaitKind},
    render,
    steps::{NewVote, Steps, Stop, vote_key},
};

/// How many phases the live card counts.
const PHASES: u8 = 5;

/// Longest question of a vote, in characters.
const QUESTION: usize = 200;

/// Runs the whole roundtable. Gives a sentence for each thing that was degraded.
pub(super) async fn run(
    steps: &Steps,
    brief: &RoundtableBrief,
    voting: &VoteRules,
) -> Result<Vec<String>, Stop> {
    steps.phase(1, PHASES, "Gatekeeper: the question and who looks at it");
    let notes = steps.notes("gatekeeper/notes").await?;
    let (proposal, gatekeeper_stand_in) = gatekeeper::propose(steps, brief, &notes).await?;
    let proposal = steps.confirmed(WaitKind::Roles, &proposal).await?;
    let table = Table { steps, brief, proposal: &proposal };

    steps.phase(2, PHASES, "Analyses: each expert alone");
    let notes = steps.notes("analysis/notes").await?;
    let analyses = table.analyses(&notes).await?;
    if analyses.statements.is_empty() {
        return Err(Stop::Fail("No expert could answer, so there is nothing to go on with.".to_owned()));
    }

    steps.phase(3, PHASES, "Rebuttals: each answers the others");
    let notes = steps.notes("rebuttal/notes").await?;
    let rebuttals = table.rebuttals(&analyses.statements, &notes).await?;

    steps.phase(4, PHASES, "Notary: what was said");
    let notes = steps.notes("notary/notes").await?;
    let statements = [&analyses.statements[..], &rebuttals.statements[..]].concat();
    let (minutes, notary_stand_in) = notary::write(&table, &statements, &notes).await?;

    steps.phase(5, PHASES, "Scoring: ten points each");
    let scored = scoring::score(&table, &statements, &minutes.solutions).await?;
    let key = StepKey::from("points");
    let cards = render::points::points_card(steps.session(), &key, &scored.solutions, &scored.experts, &[]);
    let scored = steps.keep(key, &scored, cards).await?;

    let sentences = degraded(&Course {
        proposal: &proposal,
        gatekeeper_stand_in,
        analyses: &analyses,
        rebuttals: &rebuttals,
        minutes: &minutes,
        notary_stand_in,
        points: &scored.experts,
    });
    let vote = NewVote {
        question: brief.problem.title(QUESTION),
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await?;
    Ok(sentences)
}
