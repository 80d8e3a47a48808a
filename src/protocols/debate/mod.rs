//! /debate: two advocates show the best case for and against a proposition in six phases; a moderator says where they
//! meet, where and why they part, and what it hangs on, and never who is right.
//!
//! Invariants: every request carries the proposition and what it answers to; a side is told once what its turn
//! breaks, and what it breaks all the same is said on its card; nothing of the moderator's is posted that has not
//! passed the neutrality check. Whatever one model fails at, the debate goes on, marked. Called by `session`.

mod clarify;
mod cross;
mod full_text;
mod gate;
mod hinge;
mod left_open;
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

pub(super) use full_text::full_text;
pub use hinge::review_hinge;
pub(super) use left_open::left_open;
pub(super) use question::answer;
pub(super) use raw_output::raw_output;
pub use record::{hinges_key, synthesis_key};
use running::DebateRun;
pub(super) use said::said;

use crate::steps::{Journal, NewVote, Steps, Stop};
use domain::{
    Act, DebateBrief, DebatePhase, Post, Preset, Side, Slot, StepKey, VoteKind, VoteRules, WaitKind,
};

/// The vote on the proposition with the debate behind everybody. The one before it has the key of the proposition.
#[must_use]
pub fn opinion_key() -> StepKey {
    StepKey::from("opinion")
}

/// Runs the whole debate.
pub(super) async fn run(steps: &Steps, brief: &DebateBrief, voting: &VoteRules) -> Result<(), Stop> {
    let opened = proposition::settle(steps, brief).await?;
    let mut run = DebateRun::new(steps, brief, opened);

    let mut came_out = String::new();
    for phase in brief.preset.phases() {
        if *phase != DebatePhase::Opening {
            clarify::answer_open(&mut run, phase.name(), *phase).await?;
        }
        match phase {
            DebatePhase::Opening => openings(&mut run).await?,
            DebatePhase::Constructive => constructive(&mut run, brief.preset).await?,
            DebatePhase::CrossExamination => {
                cross::examine(&mut run, Side::Pro).await?;
                cross::examine(&mut run, Side::Con).await?;
            }
            DebatePhase::Rebuttal => rebuttals(&mut run).await?,
            DebatePhase::Closing => closings(&mut run).await?,
            DebatePhase::Synthesis => came_out = synthesis::write(&mut run).await?,
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

/// Both sides say what they hold, and neither sees the other's. With neither there is no debate; with one of them
/// the other side goes on alone, marked.
async fn openings(run: &mut DebateRun<'_>) -> Result<(), Stop> {
    run.phase(DebatePhase::Opening, "both sides at once");
    let next = run.brief.preset.themes().first().map(|theme| Act::Constructive(*theme));
    run.together(Act::Opening, next).await?;
    if run.debate.turns.is_empty() {
        return Err(Stop::Fail("Neither side could open, so there is nothing to debate.".to_owned()));
    }
    Ok(())
}

/// Round by round the full arguments of one theme. Nobody is rebutted yet, so both sides of a round speak at once.
async fn constructive(run: &mut DebateRun<'_>, preset: Preset) -> Result<(), Stop> {
    for (place, theme) in preset.themes().iter().enumerate() {
        run.phase(DebatePhase::Constructive, theme.name());
        let next = preset.themes().get(place + 1).map(|theme| Act::Constructive(*theme));
        run.together(Act::Constructive(*theme), next).await?;
    }
    Ok(())
}

/// Con speaks first, and Pro knows what Con has said; what bears on Con's case is looked up meanwhile.
async fn rebuttals(run: &mut DebateRun<'_>) -> Result<(), Stop> {
    let [con, pro] = [Side::Con, Side::Pro].map(|side| Slot::new(Act::Rebuttal, side));
    run.phase(DebatePhase::Rebuttal, con.side.name());
    let ahead = if run.has_spoken(con.side) { &[pro][..] } else { &[] };
    run.hear(&[con], ahead).await?;
    run.phase(DebatePhase::Rebuttal, pro.side.name());
    run.alone(pro).await
}

/// Con closes first, and Pro knows what Con has said.
async fn closings(run: &mut DebateRun<'_>) -> Result<(), Stop> {
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
