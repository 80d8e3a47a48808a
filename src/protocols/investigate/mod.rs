//! /investigate: scouts answer alone; what they agree and differ on is compared; what can be checked is checked, freely or
//! step by step; an answer is written, each claim of it with its ground; scouts and team vote on it and its rivals.
//!
//! Code decides what models are bad at: who said what, what one alone says, when a loop is over, what was observed. A
//! disagreement of judgement is shown and never resolved; what one scout alone says and nobody confirmed is no fact.
//! Whatever one model fails at, the others go on.

mod answer;
mod checks;
mod compare;
mod enquiry;
mod full_text;
mod left_open;
mod material;
mod said;
mod scoring;
mod scouts;
mod tools;

use futures::join;

pub(super) use self::{
    full_text::full_text,
    left_open::left_open,
    material::{material, panel},
    said::said,
};
use crate::{
    protocols::question,
    steps::{NewVote, Steps, Stop, vote_key},
};
use domain::{
    Compared, ContextNote, Critic, FirstAnswer, InvestigateBrief, Mode, ScoutAnswer, Seat, VoteRules,
};

/// How many phases the live card counts.
const PHASES: u8 = 4;

/// An investigation under way.
#[derive(Clone, Copy)]
struct Case<'a> {
    steps: &'a Steps,
    brief: &'a InvestigateBrief,
    /// Who answered, and what.
    answers: &'a [ScoutAnswer],
}

/// What was found out before the answer is written.
#[derive(Default)]
struct Found {
    calls: Vec<domain::Call>,
    checks: Vec<domain::Check>,
    /// Why the loop ended; nothing where there was none.
    ended: Option<domain::StopReason>,
    /// The special checks that the answer needs.
    critics: Vec<Critic>,
    /// What whoever writes the answer said alone; nothing where it may answer another question.
    first: Option<FirstAnswer>,
    /// How the investigator began: the question restated, and what would tell most; nothing where it said nothing.
    begun: Option<String>,
}

/// Runs the whole investigation; `questioner` says in a sentence what is to be found out.
pub(super) async fn run(
    steps: &Steps,
    brief: &InvestigateBrief,
    questioner: Option<&Seat>,
    voting: &VoteRules,
) -> Result<(), Stop> {
    let notes = steps.notes("scouts/notes").await?;
    // Nothing before the answer needs what it begins with.
    let known = Box::pin(find_out(steps, brief, questioner, &notes));
    let (known, first) = join!(known, Box::pin(answer::first(steps, brief, &notes)));
    let (Known { brief, question, answers, compared, found }, first) = (known?, first?);
    let case = Case { steps, brief: &brief, answers: &answers };
    // What was answered before the team said which question it means may answer another.
    let first = first.filter(|_| brief.meant.is_none());
    let found = Found { first, ..found };

    steps.phase(4, PHASES, "Answer, and the ground of each claim");
    let answer = answer::write(&case, &compared, &found).await?;
    let scored = scoring::score(&case, &compared, &found.checks, &answer).await?;
    let vote = NewVote {
        question,
        solutions: scored.solutions,
        experts: scored.experts,
        rules: voting.clone(),
        came_out: answer.in_short(),
        ..NewVote::default()
    };
    steps.open_vote(vote_key(), vote).await
}

/// What is known before the answer is written.
struct Known {
    /// With the question that the team means, where it was asked.
    brief: InvestigateBrief,
    /// In a sentence.
    question: String,
    answers: Vec<ScoutAnswer>,
    compared: Compared,
    found: Found,
}

/// The scouts' answers, what they differ on, and what was looked into.
async fn find_out(
    steps: &Steps,
    brief: &InvestigateBrief,
    questioner: Option<&Seat>,
    notes: &[ContextNote],
) -> Result<Known, Stop> {
    steps.phase(1, PHASES, "Scouts: each answers alone");
    let asked = (&brief.problem, brief.language.as_deref());
    let (answers, stated) =
        join!(scouts::ask(steps, brief, notes), question::state(steps, questioner, asked, &[]));
    let answers = answers?;
    stated?;
    if answers.is_empty() {
        return Err(Stop::Fail("No scout could answer, so there is nothing to go on with.".to_owned()));
    }
    let question = question::fixed(steps, questioner, &brief.problem).await?;

    steps.phase(2, PHASES, "Comparing: where the answers differ");
    let case = Case { steps, brief, answers: &answers };
    let compared = compare::compare(&case, compare::COMPARED).await?;
    let meant = compare::ask_what_was_meant(&case, &compared).await?;
    let brief = InvestigateBrief { meant, ..brief.clone() };
    let (answers, compared) = as_meant(&Case { brief: &brief, ..case }, compared).await?;
    let case = Case { steps, brief: &brief, answers: &answers };

    steps.phase(3, PHASES, "Checking what they differ on");
    let found = look(&case, &compared).await?;
    Ok(Known { brief, question, answers, compared, found })
}

/// Once the team has said which question is meant, the answers to that one and what they agree and differ on.
async fn as_meant(case: &Case<'_>, compared: Compared) -> Result<(Vec<ScoutAnswer>, Compared), Stop> {
    let Case { steps, brief, answers } = *case;
    let others = brief.meant.as_deref().map(|meant| compared.of_another_question(meant)).unwrap_or_default();
    if others.is_empty() {
        return Ok((answers.to_vec(), compared));
    }
    steps.phase(1, PHASES, "Scouts: who answered another question answers again");
    let notes = steps.notes("scouts/notes_again").await?;
    let answers = scouts::ask_again(steps, brief, (answers, &others), &notes).await?;
    if answers.is_empty() {
        return Err(Stop::Fail("No scout could answer, so there is nothing to go on with.".to_owned()));
    }
    steps.phase(2, PHASES, "Comparing: where the answers differ");
    let case = Case { answers: &answers, ..*case };
    let compared = compare::compare(&case, compare::COMPARED_AGAIN).await?;
    Ok((answers, compared))
}

/// What can be found out about what they differ on, as the mode has it.
async fn look(case: &Case<'_>, compared: &Compared) -> Result<Found, Stop> {
    if compared.agrees() {
        // Nothing that could be checked divides them, so nothing is spent on it.
        return Ok(Found::default());
    }
    match case.brief.mode {
        Mode::Structured => checks::structured(case, compared, Found::default()).await,
        Mode::Unstructured => enquiry::free(case, compared).await,
        Mode::Adaptive => enquiry::adaptive(case, compared).await,
    }
}
