//! /debate: two advocates show the best case for and against a proposition, in four phases or six; a moderator says where they
//! meet, where and why they part, and what it hangs on, and never who is right.
//!
//! Invariants: every request carries the proposition and what it answers to; a side is told once what its turn
//! breaks, and what it breaks all the same is said on its card; nothing of the moderator's is posted that has not
//! passed the neutrality check. Whatever one model fails at, the debate goes on, marked. Called by `session`.

mod brief;
mod check;
mod clarify;
mod cross;
mod full_text;
mod gate;
mod hinge;
mod left_open;
mod paper;
mod proposition;
mod question;
mod raw_output;
mod record;
mod running;
mod said;
mod search;
mod spoken;
mod synthesis;
mod turn;

pub(super) use brief::wanted;
pub(super) use full_text::full_text;
pub use hinge::review_hinge;
pub(super) use left_open::left_open;
pub(super) use question::answer;
pub(super) use raw_output::raw_output;
pub use record::{hinges_key, synthesis_key};
use running::DebateRun;
pub(super) use said::said;

use futures::join;

use crate::steps::{Journal, NewVote, Steps, Stop};
use domain::{Act, DebateBrief, DebatePhase, Post, Side, Slot, StepKey, VoteKind, VoteRules, WaitKind};

/// The vote on the proposition with the debate behind everybody. The one before it has the key of the proposition.
#[must_use]
pub fn opinion_key() -> StepKey {
    StepKey::from("opinion")
}

/// Whose turn it is where nobody waits for the other, on the live card.
const BOTH: &str = "both sides at once";

/// Runs the whole debate.
pub(super) async fn run(steps: &Steps, brief: &DebateBrief, voting: &VoteRules) -> Result<(), Stop> {
    let opened = proposition::settle(steps, brief).await?;
    let mut run = DebateRun::new(steps, brief, opened);

    let (mut came_out, mut drafts) = (String::new(), Vec::new());
    for phase in brief.preset.phases() {
        if !run.debate.turns.is_empty() {
            clarify::answer_open(&mut run, phase.name(), *phase).await?;
        }
        match phase {
            DebatePhase::Case | DebatePhase::Opening | DebatePhase::Constructive => {
                cases(&mut run, *phase).await?;
            }
            DebatePhase::CrossExamination => {
                cross::examine(&mut run, Side::Pro).await?;
                cross::examine(&mut run, Side::Con).await?;
            }
            DebatePhase::Rebuttal => rebuttals(&mut run).await?,
            DebatePhase::Closing => {
                // Whoever drafts the paper hears nobody, and so need not wait for the last turns.
                let proposition = run.debate.proposition.clone();
                let (closed, drafted) = join!(closings(&mut run), paper::drafts(steps, brief, &proposition));
                (drafts, ()) = (drafted?, closed?);
            }
            DebatePhase::Synthesis => {
                came_out = synthesis::write(&mut run, std::mem::take(&mut drafts)).await?;
            }
        }
    }
    clarify::answer_open(&mut run, "end", DebatePhase::Synthesis).await?;
    let again = NewVote {
        kind: VoteKind::Opinion,
        question: run.debate.proposition.question.clone(),
        rules: voting.clone(),
        repeats: Some(WaitKind::Proposition.key()),
        came_out,
        ..NewVote::default()
    };
    steps.open_vote(opinion_key(), again).await
}

/// Both sides say what they hold and what speaks for it, round by round, and neither answers the other yet. With neither
/// there is no debate; with one of them the other side goes on alone, marked.
async fn cases(run: &mut DebateRun<'_>, phase: DebatePhase) -> Result<(), Stop> {
    let acts: Vec<Act> = run.brief.preset.cases().collect();
    for (place, act) in acts.iter().enumerate().filter(|(_, act)| act.phase() == phase) {
        match act {
            Act::Constructive(theme) => run.phase(phase, theme.name()),
            _ => run.phase(phase, BOTH),
        }
        run.together(*act, acts.get(place + 1).copied()).await?;
        if run.debate.turns.is_empty() {
            return Err(Stop::Fail("Neither side could open, so there is nothing to debate.".to_owned()));
        }
    }
    Ok(())
}

/// Both at once, each having read the other's case; else Con first, and Pro knows what Con has said, while what bears on
/// Con's case is looked up.
async fn rebuttals(run: &mut DebateRun<'_>) -> Result<(), Stop> {
    if run.brief.preset.answers_at_once() {
        run.phase(DebatePhase::Rebuttal, BOTH);
        return run.together(Act::Rebuttal, None).await;
    }
    let [con, pro] = [Side::Con, Side::Pro].map(|side| Slot::new(Act::Rebuttal, side));
    run.phase(DebatePhase::Rebuttal, con.side.name());
    let ahead = if run.has_spoken(con.side) { &[pro][..] } else { &[] };
    run.hear(&[con], ahead).await?;
    run.phase(DebatePhase::Rebuttal, pro.side.name());
    run.alone(pro).await
}

/// Both at once, each having read the other's rebuttal; else Con first, and Pro knows what Con has said.
async fn closings(run: &mut DebateRun<'_>) -> Result<(), Stop> {
    if run.brief.preset.answers_at_once() {
        run.phase(DebatePhase::Closing, BOTH);
        return run.together(Act::Closing, None).await;
    }
    for side in [Side::Con, Side::Pro] {
        run.phase(DebatePhase::Closing, side.name());
        run.alone(Slot::new(Act::Closing, side)).await?;
    }
    Ok(())
}

/// What one of its panels has to show now; nothing for a key that is none of them.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    if key == hinges_key().as_str() { hinge::panel(journal).await } else { Ok(None) }
}
