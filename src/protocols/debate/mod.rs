//! /debate: two advocates show the best case for and against a proposition in six phases; a moderator says where they
//! meet, where and why they part, and what it hangs on, and never who is right.
//!
//! Invariants: every request carries the proposition and what it answers to; a side is told once what its turn
//! breaks, and what it breaks all the same is said on its card; nothing of the moderator's is posted that has not
//! passed the neutrality check. Whatever one model fails at, the debate goes on, marked. Called by `session`.

mod clarify;
mod course;
mod cross;
mod degraded;
mod floor;
mod gate;
mod hinge;
mod proposition;
mod question;
mod record;
mod synthesis;
mod turn;

use degraded::degraded;
use floor::Floor;
pub use hinge::{hinges_key, review_hinge};
pub(super) use question::answer;
pub use synthesis::synthesis_key;

use crate::{
    domain::{Act, DebateBrief, DebatePhase, Post, Preset, Side, Slot, VoteRules},
    steps::{Journal, Steps, Stop, proposition_key},
};

/// Runs the whole debate. Gives a sentence for each thing that was degraded.
pub(super) async fn run(steps: &Steps, brief: &DebateBrief, voting: &VoteRules) -> Result<Vec<String>, Stop> {
    let opened = proposition::settle(steps, brief).await?;
    let mut floor = Floor::new(steps, brief, opened);

    for phase in brief.preset.phases() {
        if *phase != DebatePhase::Opening {
            clarify::answer_open(&mut floor, phase.name(), *phase).await?;
        }
        match phase {
            DebatePhase::Opening => openings(&mut floor).await?,
            DebatePhase::Constructive => constructive(&mut floor, brief.preset).await?,
            DebatePhase::CrossExamination => {
                cross::examine(&mut floor, Side::Pro).await?;
                cross::examine(&mut floor, Side::Con).await?;
            }
            DebatePhase::Rebuttal => con_then_pro(&mut floor, Act::Rebuttal).await?,
            DebatePhase::Closing => con_then_pro(&mut floor, Act::Closing).await?,
            DebatePhase::Synthesis => synthesis::write(&mut floor).await?,
        }
    }
    clarify::answer_open(&mut floor, "end", DebatePhase::Synthesis).await?;
    steps.open_opinions(voting).await?;
    Ok(degraded(&floor))
}

/// Both sides say what they hold, and neither sees the other's. With neither there is no debate; with one of them
/// the other side goes on alone, marked.
async fn openings(floor: &mut Floor<'_>) -> Result<(), Stop> {
    floor.phase(DebatePhase::Opening, "both sides at once");
    floor.together(Act::Opening).await?;
    if floor.debate.turns.is_empty() {
        return Err(Stop::Fail("Neither side could open, so there is nothing to debate.".to_owned()));
    }
    Ok(())
}

/// Round by round the full arguments of one theme. Nobody is rebutted yet, so both sides of a round speak at once.
async fn constructive(floor: &mut Floor<'_>, preset: Preset) -> Result<(), Stop> {
    for theme in preset.themes() {
        floor.phase(DebatePhase::Constructive, theme.name());
        floor.together(Act::Constructive(*theme)).await?;
    }
    Ok(())
}

/// The two phases in which Con speaks first, and Pro knows what Con has said.
async fn con_then_pro(floor: &mut Floor<'_>, act: Act) -> Result<(), Stop> {
    for side in [Side::Con, Side::Pro] {
        floor.phase(act.phase(), side.name());
        floor.alone(Slot::new(act, side)).await?;
    }
    Ok(())
}

/// What one of its panels has to show now; nothing for a key that is none of them.
pub(super) async fn panel(journal: &Journal, key: &str) -> Result<Option<Post>, Stop> {
    if key == proposition_key().as_str() {
        proposition::panel(journal).await
    } else if key == hinges_key().as_str() {
        hinge::panel(journal).await
    } else {
        Ok(None)
    }
}
