//! /mediate: specialist modules look at a problem, each from its side; read one another and revise; a mediator
//! synthesises; the modules spread ten points over what came out.
//!
//! One call that must cover every side goes shallow on all of them. Independent first answers keep anybody
//! from anchoring the others, the second round lets a finding in one field change another (the Delphi method),
//! and the mediator gets whole outputs, so that it is neither bottleneck nor censor.

mod full_text;
mod material;
mod round;
mod scoring;

pub(super) use full_text::full_text;
pub(super) use material::material;

use futures::join;

use crate::{
    domain::{
        ContextNote, Countable, Degraded, MediateBrief, ModuleOutput, Piece, Redelegation, Round, Seat,
        Solution, StepKey, Synthesis, VoteRules,
    },
    prompt,
    protocols::question,
    render,
    steps::{Answered, NewVote, Question, Steps, Stop, vote_key},
};

/// Runs the whole mediation; `questioner` says in a sentence what has to be decided.
pub(super) async fn run(
    steps: &Steps,
    brief: &MediateBrief,
    (questioner, voting): (Option<&Seat>, &VoteRules),
) -> Result<(), Stop> {
    steps.phase(1, 4, "Round 1: each on its own");
    let notes = steps.notes("round-1/notes").await?;
    let asked = (&brief.problem, brief.language.as_deref());
    let (first, stated) = join!(
        round::speak(steps, brief, Round::Independent, &[], &notes),
        question::state(steps, questioner, asked)
    );
    let first = first?;
    stated?;
    if first.is_empty() {
        return Err(Stop::Fail("No module could answer, so there is nothing to go on with.".to_owned()));
    }

    let question = question::fixed(steps, questioner, &brief.problem).await?;
    steps.phase(2, 4, "Round 2: after reading each other");
    let notes = steps.notes("round-2/notes").await?;
    let revised = round::speak(steps, brief, Round::Revision, &first, &notes).await?;

    steps.phase(3, 4, "Round 3: the mediator's synthesis");
    let notes = steps.notes("round-3/notes").await?;
    let outputs = [first, revised].concat();
    let synthesis = synthesize(steps, brief, &outputs, &notes).await?;

    steps.phase(4, 4, "Scoring: ten points each");
    let solutions = Solution::distinct(&synthesis.recommendations);
    let notes = steps.notes("scoring/notes").await?;
    let experts = scoring::score(steps, brief, (&outputs, &synthesis), &notes, &solutions).await?;
    if !solutions.is_empty() {
        let vote = NewVote { question, solutions, experts, rules: voting.clone(), ..NewVote::default() };
        steps.open_vote(vote_key(), vote).await?;
    }
    Ok(())
}

/// The mediator's synthesis, which tells how the modules' gaps were filled; where its model fails, the others stand in,
/// in order.
async fn synthesize(
    steps: &Steps,
    brief: &MediateBrief,
    outputs: &[ModuleOutput],
    notes: &[ContextNote],
) -> Result<Synthesis, Stop> {
    let one_model = brief.only_model().is_some() && brief.seats.len() > 1;
    let gap = |note| if let Degraded::Redelegated(how) = note { Some(how) } else { None };
    let redelegations: Vec<Redelegation> = steps.degraded().await?.into_iter().filter_map(gap).collect();
    let key = StepKey::from("synthesis");
    let question = Question {
        key: key.clone(),
        who: "Mediator".to_owned(),
        prompt: prompt::mediate::synthesis(steps.prompts(), brief, outputs, &redelegations, notes),
    };
    let written = steps.ask_seat(
        &brief.mediator,
        question,
        |reply, _| prompt::parse::<Synthesis>(&reply.text)?.value.checked(&brief.panel, &reply.answered),
        |key, synthesis, _| {
            let session = steps.session();
            render::mediate::synthesis_cards(session, key, synthesis, &brief.panel, &redelegations, one_model)
        },
    );
    let Answered { value, stand_in } = written.await?.map_err(|failure| {
        let why = failure.sentence();
        Stop::Fail(format!("The mediator could not write its synthesis: {why}. The modules' analyses stand."))
    })?;
    let stood_in = Piece::MediatorsSynthesis.stood_in(stand_in.as_ref());
    let citations = Countable::Citations.counted(value.dropped_citations);
    steps.note_degraded(key, stood_in.into_iter().chain(citations)).await?;
    Ok(value)
}
