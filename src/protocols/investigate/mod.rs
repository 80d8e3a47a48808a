//! /investigate: scouts answer alone; what they agree and differ on is compared; what can be checked is checked, freely or
//! step by step; an answer is written, each claim of it with its ground; scouts and team vote on it and its rivals.
//!
//! Code decides what models are bad at: who said what, what one alone says, when a loop is over, what was observed. A
//! disagreement of judgement is shown and never resolved; what one scout alone says and nobody confirmed is no fact.
//! Whatever one model fails at, the others go on.

mod answer;
mod brief;
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
    brief::wanted,
    full_text::full_text,
    left_open::left_open,
    material::{material, panel},
    said::said,
};
use crate::{
    protocols::question,
    steps::{NewVote, Steps, Stop, vote_key},
};
use domain::{Compared, ContextNote, Critic, InvestigateBrief, Mode, ScoutAnswer, Seat, StepKey, VoteRules};

/// How many phases the live card counts.
const PHASES: u8 = 5;

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
    // Nothing before the answer needs its drafts.
    let known = Box::pin(find_out(steps, brief, questioner, &notes));
    let (known, drafts) = join!(known, Box::pin(answer::drafts(steps, brief, answer::ANSWER, &notes)));
    let (Known { brief, question, answers, compared, found }, mut drafts) = (known?, drafts?);
    if brief.meant.is_some() {
        // What was answered before the team said which question it means may answer another.
        phase(steps, 4, "The answer is drafted again, as it is meant");
        let key = StepKey::from(answer::ANSWER).child("meant");
        let notes = steps.notes(key.child("notes")).await?;
        drafts = answer::drafts(steps, &brief, key.as_str(), &notes).await?;
    }
    let case = Case { steps, brief: &brief, answers: &answers };
    let answer = answer::write(&case, (&compared, &found), drafts).await?;
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

/// Says which phase begins.
fn phase(steps: &Steps, number: u8, what: &str) {
    steps.phase(number, PHASES, what);
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
    phase(steps, 1, "Scouts: each answers alone");
    let asked = (&brief.problem, brief.language.as_deref());
    let (answers, stated) =
        join!(scouts::ask(steps, brief, notes), question::state(steps, questioner, asked, &[]));
    let answers = answers?;
    stated?;
    if answers.is_empty() {
        return Err(Stop::Fail("No scout could answer, so there is nothing to go on with.".to_owned()));
    }
    let question = question::fixed(steps, questioner, &brief.problem).await?;

    phase(steps, 2, "Comparing: where the answers differ");
    let case = Case { steps, brief, answers: &answers };
    let compared = compare::compare(&case, compare::COMPARED).await?;
    let meant = compare::ask_what_was_meant(&case, &compared).await?;
    let brief = InvestigateBrief { meant, ..brief.clone() };
    let (answers, compared) = as_meant(&Case { brief: &brief, ..case }, compared).await?;
    let case = Case { steps, brief: &brief, answers: &answers };

    phase(steps, 3, "Checking what they differ on");
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
    phase(steps, 1, "Scouts: who answered another question answers again");
    let notes = steps.notes("scouts/notes_again").await?;
    let answers = scouts::ask_again(steps, brief, (answers, &others), &notes).await?;
    if answers.is_empty() {
        return Err(Stop::Fail("No scout could answer, so there is nothing to go on with.".to_owned()));
    }
    phase(steps, 2, "Comparing: where the answers differ");
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
