//! /mediate: specialist modules look at a problem, each from its side; read one another and revise; a mediator
//! synthesises; the modules spread ten points over what came out.
//!
//! One call that must cover every side goes shallow on all of them. Independent first answers keep anybody
//! from anchoring the others, the second round lets a finding in one field change another (the Delphi method),
//! and the mediator gets whole outputs, so that it is neither bottleneck nor censor.

mod baseline;
mod full_text;
mod left_open;
mod material;
mod research;
mod round;
mod said;
mod scoring;
mod search;
mod select;
mod trust;

pub(super) use full_text::full_text;
pub(super) use left_open::left_open;
pub(super) use material::material;
pub(super) use research::in_the_end;
pub(super) use said::said;
pub(super) use select::{as_chosen, chosen};

use futures::join;

use crate::{
    prompt::{self, reply::SynthesisBounds},
    protocols::{question, solutions},
    render,
    steps::{Answered, Journal, NewVote, Question, Steps, Stop, vote_key},
};
use domain::{
    ContextNote, Degraded, MediateBrief, ModuleName, ModuleOutput, Piece, RaciRow, Redelegation, Round, Seat,
    Solution, SourceList, StepKey, Synthesis, VoteRules,
};

/// How many phases the live card counts.
const PHASES: u8 = 4;

/// The step that holds who answers for what.
const RACI: &str = "raci";

/// Below the step of the synthesis: its solutions as they are voted on.
const SOLUTIONS: &str = "solutions";

/// The solutions of a synthesis as they are voted on.
async fn solutions(journal: &Journal, synthesis: &Synthesis) -> Result<Vec<Solution>, Stop> {
    let kept = journal.kept(&StepKey::from("synthesis").child(SOLUTIONS)).await?;
    let solutions = kept.unwrap_or_else(|| Solution::distinct(&synthesis.recommendations));
    let research = research::kept(journal).await?;
    Ok(research.iter().fold(solutions, |solutions, research| research.beside(solutions)))
}

/// Runs the whole mediation; `questioner` says in a sentence what has to be decided. Where a baseline is wanted, its
/// plain call goes beside the rounds and holds none of them up.
pub(super) async fn run(
    steps: &Steps,
    brief: &MediateBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(), Stop> {
    let (plain, came_to) =
        join!(baseline::answer(steps, brief), deliberate(steps, brief, questioner, voting));
    let (synthesis, solutions) = came_to?;
    match plain? {
        Some(plain) => baseline::compare(steps, brief, &plain, (&synthesis, &solutions)).await,
        None => Ok(()),
    }
}

/// The rounds, the synthesis and the scoring; gives what they came to, on which the vote is open.
async fn deliberate(
    steps: &Steps,
    brief: &MediateBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    steps.phase(1, PHASES, "Round 1: each on its own");
    let notes = steps.notes("round-1/notes").await?;
    let asked = (&brief.problem, brief.language.as_deref());
    let mut sources = SourceList::default();
    let (usual, nobody) = (brief.offers_beside(), []);
    let (first, stated) = join!(
        round::speak(steps, brief, (Round::Independent, &nobody), &[], &mut sources, &notes),
        question::state(steps, questioner, asked, &usual)
    );
    let mut first = first?;
    stated?;
    let joined = select::joined(steps, brief, questioner).await?;
    if let Some(joined) = &joined {
        // As independent as the others: they see nobody's either.
        first.extend(
            round::speak(steps, joined, (Round::Independent, &usual), &[], &mut sources, &notes).await?,
        );
    }
    let brief = joined.as_ref().unwrap_or(brief);
    if first.is_empty() {
        return Err(Stop::Fail("No module could answer, so there is nothing to go on with.".to_owned()));
    }

    let question = question::fixed(steps, questioner, &brief.problem).await?;
    steps.phase(2, PHASES, "Round 2: after reading each other");
    let notes = steps.notes("round-2/notes").await?;
    let revised =
        round::speak(steps, brief, (Round::Revision, &nobody), &first, &mut sources, &notes).await?;

    steps.phase(3, PHASES, "Round 3: the mediator's synthesis");
    let notes = steps.notes("round-3/notes").await?;
    let outputs = [first, revised].concat();
    let (synthesis, solutions) = synthesize(steps, brief, (&outputs, &sources, &notes)).await?;
    if brief.extras.researches() {
        steps.phase(3, 4, "Round 3: looking into what is grave");
    }
    let said = (&outputs[..], &synthesis, &solutions[..]);
    let research = research::research(steps, brief, said, sources, &notes).await?;
    let solutions = research.iter().fold(solutions, |solutions, research| research.beside(solutions));

    steps.phase(4, PHASES, "Scoring: ten points each");
    let notes = steps.notes("scoring/notes").await?;
    let experts =
        scoring::score(steps, brief, (&outputs, &synthesis, research.as_ref()), &notes, &solutions).await?;
    if !solutions.is_empty() {
        let (solutions, rules) = (solutions.clone(), voting.clone());
        let came_out = synthesis.summary.clone();
        let vote = NewVote { question, rules, solutions, experts, came_out, ..NewVote::default() };
        let vote = trust::judged(steps, brief, (&outputs, &synthesis, research.as_ref()), vote).await?;
        steps.open_vote(vote_key(), vote).await?;
    }
    Ok((synthesis, solutions))
}

/// Who answers for what among those who spoke for themselves; nothing where nobody asked for it.
async fn answering(
    steps: &Steps,
    brief: &MediateBrief,
    outputs: &[ModuleOutput],
) -> Result<Vec<RaciRow>, Stop> {
    if !brief.extras.raci {
        return Ok(Vec::new());
    }
    let seated = brief.panel.seats.iter().map(|seat| &seat.module);
    let itself = |name: &&ModuleName| {
        prompt::mediate::last_word(outputs, name).is_some_and(|last| last.spoken_for_by.is_none())
    };
    let spoke: Vec<ModuleName> = seated.filter(itself).cloned().collect();
    steps.keep(StepKey::from(RACI), &RaciRow::rows(&brief.panel, &spoke), Vec::new()).await
}

/// The mediator's synthesis, which tells how the modules' gaps were filled; where its model fails, the others stand in,
/// in order. Its solutions come out with it, once it is known whether two of them are the same.
async fn synthesize(
    steps: &Steps,
    brief: &MediateBrief,
    (outputs, sources, notes): (&[ModuleOutput], &SourceList, &[ContextNote]),
) -> Result<(Synthesis, Vec<Solution>), Stop> {
    let one_model = brief.only_model().is_some() && brief.seats.len() > 1;
    let gap = |note| if let Degraded::Redelegated(how) = note { Some(how) } else { None };
    let mut redelegations: Vec<Redelegation> = steps.degraded().await?.into_iter().filter_map(gap).collect();
    // As they sit, not as their calls came back.
    let seats = &brief.panel.seats;
    redelegations.sort_by_key(|how| {
        let (module, round) = how.place();
        (round, seats.iter().position(|seat| seat.module == *module))
    });
    let raci = answering(steps, brief, outputs).await?;
    let key = StepKey::from("synthesis");
    let question = Question {
        key: key.clone(),
        who: "Mediator".to_owned(),
        prompt: prompt::mediate::synthesis(
            steps.prompts(),
            brief,
            (outputs, sources),
            &redelegations,
            &raci,
            notes,
        ),
    };
    let trusted = brief.trusted();
    let cards = |synthesis: &Synthesis, solutions: &[Solution]| {
        let written = (synthesis, solutions);
        render::mediate::synthesis_cards(
            steps.session(),
            &key,
            written,
            (&brief.panel, trusted.as_deref()),
            &redelegations,
            &raci,
            one_model,
        )
    };
    let bounds = SynthesisBounds {
        panel: &brief.panel,
        raci: &raci,
        gaps: prompt::mediate::has_gaps(brief, outputs, &redelegations),
        sources,
    };
    let written = steps.ask_seat(
        &brief.mediator,
        question,
        |reply, _| {
            prompt::reply::checked_synthesis(
                prompt::parse::<Synthesis>(&reply.text)?,
                &bounds,
                &reply.answered,
            )
        },
        |_, _, _| Vec::new(),
    );
    let Answered { value, stand_in } = written.await?.map_err(|failure| {
        let why = failure.sentence();
        Stop::Fail(format!("The mediator could not write its synthesis: {why}. The modules' analyses stand."))
    })?;
    let stood_in = Piece::MediatorsSynthesis.stood_in(stand_in.as_ref());
    let citations = search::taken_out(brief).counted(value.dropped_citations);
    steps.note_degraded(key.clone(), stood_in.into_iter().chain(citations)).await?;
    let solutions = Solution::distinct(&value.recommendations);
    let about = (&brief.problem, &key);
    let solutions = solutions::without_duplicates(steps, &brief.checker, about, solutions).await?;
    let posts = cards(&value, &solutions);
    let solutions = steps.keep(key.child(SOLUTIONS), &solutions, posts).await?;
    Ok((value, solutions))
}
