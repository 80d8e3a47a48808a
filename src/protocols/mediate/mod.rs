//! /mediate: specialist modules look at a problem, each from its side; read one another and revise; a mediator
//! synthesises; the modules spread ten points over what came out.
//!
//! One call that must cover every side goes shallow on all of them. Independent first answers keep anybody
//! from anchoring the others, the second round lets a finding in one field change another (the Delphi method),
//! and the mediator gets whole outputs, so that it is neither bottleneck nor censor.

mod degraded;
mod full_text;
mod material;
mod round;
mod scoring;

use degraded::degraded;
pub(super) use full_text::full_text;
pub(super) use material::material;
use round::RoundOutputs;
use scoring::Scores;

use crate::{
    domain::{
        Analysis, ContextNote, MediateBrief, ModelName, ModuleOutput, Redelegation, Round, Solution, StepKey,
        Synthesis, VoteRules,
    },
    prompt, render,
    steps::{Answered, NewVote, Question, Steps, Stop, vote_key},
};

/// Longest question of the vote, in characters.
const QUESTION: usize = 200;

/// Runs the whole mediation. Gives a sentence for each thing that was degraded.
pub(super) async fn run(
    steps: &Steps,
    brief: &MediateBrief,
    voting: &VoteRules,
) -> Result<Vec<String>, Stop> {
    steps.phase(1, 4, "Round 1: each on its own");
    let notes = steps.notes("round-1/notes").await?;
    let first = round::speak(steps, brief, Round::Independent, &[], &notes).await?;
    if first.outputs.is_empty() {
        return Err(Stop::Fail("No module could answer, so there is nothing to go on with.".to_owned()));
    }

    steps.phase(2, 4, "Round 2: after reading each other");
    let notes = steps.notes("round-2/notes").await?;
    let revised = round::speak(steps, brief, Round::Revision, &first.outputs, &notes).await?;

    steps.phase(3, 4, "Round 3: the mediator's synthesis");
    let notes = steps.notes("round-3/notes").await?;
    let RoundOutputs { outputs, redelegations } = first.and(revised);
    let (synthesis, mediator_stand_in) = synthesize(steps, brief, &outputs, &redelegations, &notes).await?;

    steps.phase(4, 4, "Scoring: ten points each");
    let solutions = Solution::distinct(&synthesis.recommendations);
    let Scores { points, experts, scaled, abstained, totals } =
        scoring::score(steps, brief, &solutions).await?;
    let key = StepKey::from("points");
    let card = render::points::points_card(steps.session(), &key, &solutions, &experts, &abstained);
    steps.post("points", card).await?;
    if !solutions.is_empty() {
        let vote = NewVote {
            question: brief.problem.title(QUESTION),
            solutions: solutions.clone(),
            experts,
            rules: voting.clone(),
            ..NewVote::default()
        };
        steps.open_vote(vote_key(), vote).await?;
    }

    let analysis =
        Analysis { outputs, redelegations, synthesis, mediator_stand_in, solutions, points, scaled, totals };
    Ok(degraded(&analysis))
}

/// The mediator's synthesis; where its model fails, the others stand in, in order, and the one that did is
/// named.
async fn synthesize(
    steps: &Steps,
    brief: &MediateBrief,
    outputs: &[ModuleOutput],
    redelegations: &[Redelegation],
    notes: &[ContextNote],
) -> Result<(Synthesis, Option<ModelName>), Stop> {
    let one_model = brief.only_model().is_some() && brief.seats.len() > 1;
    let question = Question {
        key: StepKey::from("synthesis"),
        who: "Mediator".to_owned(),
        prompt: prompt::mediate::synthesis(steps.prompts(), brief, outputs, redelegations, notes),
    };
    let round = steps.ask_seat(
        &brief.mediator,
        question,
        |reply, _| prompt::parse::<Synthesis>(&reply.text)?.value.checked(&brief.panel, &reply.answered),
        |key, synthesis, _| {
            let session = steps.session();
            render::mediate::synthesis_cards(session, key, synthesis, &brief.panel, redelegations, one_model)
        },
    );
    match round.await? {
        Ok(Answered { value, stand_in }) => Ok((value, stand_in)),
        Err(failure) => Err(Stop::Fail(format!(
            "The mediator could not write its synthesis: {}. The modules' analyses stand.",
            failure.sentence()
        ))),
    }
}
