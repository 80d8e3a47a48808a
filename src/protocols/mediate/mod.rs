//! /mediate: specialist modules look at a problem, each from its side; read one another and revise; a mediator
//! synthesises; the modules spread ten points over what came out.
//!
//! One call that must cover every side goes shallow on all of them. Independent first answers keep anybody
//! from anchoring the others, the second round lets a finding in one field change another (the Delphi method),
//! and the mediator gets whole outputs, so that it is neither bottleneck nor censor.

mod degraded;
mod round;
mod scoring;

use degraded::degraded;
use round::Spoken;
use scoring::Scores;

use crate::{
    domain::{
        Allocation, Analysis, Basis, ContextNote, ExpertPoints, MediateBrief, ModelName, ModuleName,
        ModuleOutput, Redelegation, Round, Solution, StepKey, Synthesis, VoteRules,
    },
    prompt::{self, reply::SynthesisReply},
    render,
    steps::{Ask, Opening, Steps, Stop},
};

/// Longest question of the vote, in characters.
const QUESTION: usize = 200;

/// Runs the whole mediation. Gives a sentence for each thing that was degraded.
pub async fn run(steps: &Steps, brief: &MediateBrief, voting: &VoteRules) -> Result<Vec<String>, Stop> {
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
    let Spoken { outputs, redelegations } = first.and(revised);
    let (synthesis, mediator_stand_in) = synthesize(steps, brief, &outputs, &redelegations, &notes).await?;

    steps.phase(4, 4, "Scoring: ten points each");
    let solutions = Solution::distinct(&synthesis.recommendations);
    let Scores { points, scaled, abstained, totals } = scoring::score(steps, brief, &solutions).await?;
    let card = render::mediate::points_card(
        steps.session(),
        &StepKey::from("points"),
        &solutions,
        &points,
        &abstained,
        &scaled,
        &brief.panel,
        &totals,
    );
    steps.post("points", card).await?;
    if !solutions.is_empty() {
        let opening = Opening {
            question: brief.problem.title(QUESTION),
            solutions: solutions.clone(),
            experts: experts(brief, &points, &scaled),
            rules: voting.clone(),
        };
        steps.open_vote("vote", opening).await?;
    }

    let analysis =
        Analysis { outputs, redelegations, synthesis, mediator_stand_in, solutions, points, scaled, totals };
    Ok(degraded(&analysis))
}

/// The modules' points as they stand beside the team's, with the weights that they were given. Those that gave none
/// are left out.
fn experts(
    brief: &MediateBrief,
    points: &[(ModuleName, Allocation)],
    scaled: &[ModuleName],
) -> Vec<ExpertPoints> {
    let weight = |module: &ModuleName| {
        brief.panel.seats.iter().find(|seat| seat.module == *module).map_or(1.0, |seat| seat.weight.get())
    };
    let expert = |(module, allocation): &(ModuleName, Allocation)| ExpertPoints {
        title: format!("{} {}", module.emoji(), module.title()).trim().to_owned(),
        weight: weight(module),
        allocation: allocation.clone(),
        basis: if scaled.contains(module) { Basis::Scaled } else { Basis::Given },
    };
    points.iter().map(expert).collect()
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
    let models = std::iter::once(&brief.mediator.model).chain(&brief.mediator.fallbacks);
    let mut reason = "";
    for (place, model) in models.enumerate() {
        let key = if place == 0 {
            StepKey::from("synthesis")
        } else {
            StepKey::new(format!("synthesis/fallback-{place}"))
        };
        let ask = Ask {
            key: key.clone(),
            who: "Mediator".to_owned(),
            model: model.clone(),
            prompt: prompt::mediate::synthesis(steps.prompts(), brief, outputs, redelegations, notes),
        };
        let one_model = brief.only_model().is_some() && brief.seats.len() > 1;
        let spoken = steps.ask(
            ask,
            |reply, _| {
                prompt::parse::<SynthesisReply>(&reply.text)?
                    .value
                    .into_synthesis(&brief.panel, &reply.answered)
            },
            |outcome| match outcome {
                Ok(synthesis) => render::mediate::synthesis_cards(
                    steps.session(),
                    &key,
                    synthesis,
                    &brief.panel,
                    redelegations,
                    one_model,
                ),
                Err(_) => Vec::new(),
            },
        );
        match spoken.await? {
            Ok(synthesis) => return Ok((synthesis, (place > 0).then(|| model.clone()))),
            Err(failure) => reason = failure.sentence(),
        }
    }
    Err(Stop::Fail(format!(
        "The mediator could not write its synthesis: {reason}. The modules' analyses stand."
    )))
}
