//! /mediate: specialist modules look at a problem, each from its side; challenge one another; a mediator drafts a memo, all
//! check it, and the mediator writes it as it stands; the modules spread ten points over its options.
//!
//! One call that must cover every side goes shallow on all of them. Independent first answers keep anybody
//! from anchoring the others, the challenge lets a finding in one field change another (the Delphi method), the mediator
//! gets whole outputs, so that it is neither bottleneck nor censor, and whoever it speaks for reads what it says before
//! anybody votes on it.

mod baseline;
mod full_text;
mod left_open;
mod material;
mod memo;
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
    prompt::mediate::Table,
    protocols::question,
    steps::{Journal, NewVote, Steps, Stop, vote_key},
};
use domain::{MediateBrief, Post, Round, Seat, Solution, SourceList, StepKey, Synthesis, VoteRules};

/// How many phases the live card counts.
const PHASES: u8 = 6;

/// The step that holds who answers for what.
const RACI: &str = "raci";

/// Below the step of the memo: its options as they are voted on.
const SOLUTIONS: &str = "solutions";

/// The solutions of a synthesis as they are voted on.
async fn solutions(journal: &Journal, synthesis: &Synthesis) -> Result<Vec<Solution>, Stop> {
    let kept = journal.kept(&StepKey::from("synthesis").child(SOLUTIONS)).await?;
    let solutions = kept.unwrap_or_else(|| Solution::distinct(&synthesis.options));
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

/// The rounds, the memo and the scoring; gives what they came to, on which the vote is open.
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
    let table = Table { prompts: steps.prompts(), brief, question: None, notes: &notes };
    let (first, stated) = join!(
        round::speak(steps, table, (Round::Independent, &nobody), &[], &mut sources),
        question::state(steps, questioner, asked, &usual)
    );
    let mut first = first?;
    stated?;
    let joined = select::joined(steps, brief, questioner).await?;
    if let Some(joined) = &joined {
        // As independent as the others: they see nobody's either.
        let table = Table { brief: joined, ..table };
        first.extend(round::speak(steps, table, (Round::Independent, &usual), &[], &mut sources).await?);
    }
    let brief = joined.as_ref().unwrap_or(brief);
    if first.is_empty() {
        return Err(Stop::Fail("No module could answer, so there is nothing to go on with.".to_owned()));
    }

    let question = question::fixed(steps, questioner, &brief.problem).await?;
    steps.phase(2, PHASES, "Round 2: each challenges the others");
    let notes = steps.notes("round-2/notes").await?;
    let table = Table { brief, question: Some(&question), notes: &notes, ..table };
    let second = round::speak(steps, table, (Round::Revision, &nobody), &first, &mut sources).await?;

    steps.phase(3, PHASES, "The mediator drafts the memo");
    let notes = steps.notes("round-3/notes").await?;
    let table = Table { notes: &notes, ..table };
    let outputs = [first, second].concat();
    let (memo, solutions) = memo::write(steps, table, &outputs, &sources).await?;
    if brief.extras.researches() {
        steps.phase(5, PHASES, "Looking into what is grave");
    }
    let said = (&outputs[..], &memo, &solutions[..]);
    let research = research::research(steps, brief, said, sources, &notes).await?;
    let solutions = research.iter().fold(solutions, |solutions, research| research.beside(solutions));

    steps.phase(6, PHASES, "Scoring: ten points each");
    let notes = steps.notes("scoring/notes").await?;
    let table = Table { notes: &notes, ..table };
    let experts = scoring::score(steps, table, (&outputs, &memo, research.as_ref()), &solutions).await?;
    if !solutions.is_empty() {
        let (solutions, rules) = (solutions.clone(), voting.clone());
        let came_out = memo.answer.clone();
        let vote = NewVote { question, rules, solutions, experts, came_out, ..NewVote::default() };
        let vote = trust::judged(steps, brief, (&outputs, &memo, research.as_ref()), vote).await?;
        steps.open_vote(vote_key(), vote).await?;
    }
    Ok((memo, solutions))
}

/// What a panel of a round has to show now; nothing for a key that is none.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    let rounds = [Round::Independent, Round::Revision];
    match rounds.into_iter().find(|round| round::panel_of(*round).as_str() == key) {
        Some(round) => round::panel(journal, round).await,
        None => Ok(None),
    }
}
