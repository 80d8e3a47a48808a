//! Debates with everything in them, killed after every commit and at any instant: the proposition is edited, people
//! say what they think, bring evidence, have things made clear, ask, pause, resume, say again what they think, bring
//! evidence on a hinge, close the asking and decide.

use std::sync::Arc;

use crate::{
    resume::{
        debate::{self, DEBATE, FULL_CALLS, Outcome, QUERIES, QUICK_CALLS, debate},
        people::Script,
        scene::{posts, text_of, thread},
        sweep::{self, Play, Whole},
        table::{Held, texts, wait_until},
    },
    support::Stage,
};

/// A debate of a length, with the calls that it takes, and whether it searches.
#[derive(Clone, Copy)]
struct Debate(&'static str, usize, bool);

const QUICK: Debate = Debate("quick", QUICK_CALLS, false);
const FULL: Debate = Debate("full", FULL_CALLS, false);
const SEARCHING: Debate = Debate("quick", QUICK_CALLS + QUERIES, true);
/// Every third is killed once, the others again while they go on.
const LIVES: &[&[u64]] = &[&[], &[1], &[5], &[], &[2], &[3, 1], &[], &[12], &[1, 1, 2]];

impl Play for Debate {
    type Outcome = Outcome;

    fn script(self) -> Arc<Script> {
        Script::in_turn(DEBATE)
    }

    async fn stage(self, script: &Arc<Script>) -> Stage {
        debate::stage_for(script, self.2).await
    }

    fn starts(self, stage: &Stage) {
        debate(stage, self.0);
    }

    fn calls(self) -> usize {
        self.1
    }

    fn searches(self) -> usize {
        if self.2 { QUERIES } else { 0 }
    }

    async fn wait_settled(self, stage: &Stage) -> Outcome {
        wait_until(stage, Outcome::settled).await
    }

    fn texts(self, stage: &Stage) -> Vec<String> {
        texts(stage)
    }

    fn check(self, stage: &Stage, _: &Outcome) {
        nothing_degraded(stage);
    }
}

/// The last line says that nothing was degraded.
pub fn nothing_degraded(stage: &Stage) {
    let said = posts(stage, thread(stage).unwrap());
    let closing = said.iter().map(text_of).find(|text| text.starts_with("✅ Done")).expect("a last line");
    assert!(closing.contains("Nothing was degraded"), "{closing}");
}

fn check_whole(whole: &Whole<Debate>) {
    assert_eq!(whole.outcome.askings, ["proposition counted start", "opinion counted person"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_killed_after_every_commit_ends_as_it_would_have() {
    let (wanted, moments) = sweep::recorded(QUICK).await;
    check_whole(&wanted);
    assert!(moments.len() > 60, "{} commits", moments.len());
    sweep::killed_after(QUICK, (0..).zip(moments), LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_debate_killed_on_its_way_ends_as_it_would_have() {
    let (wanted, moments) = sweep::recorded(FULL).await;
    check_whole(&wanted);
    // What both have in common is tried above commit by commit. After an odd number, so that replies are cut off too.
    let some = (0..).zip(moments).filter(|(nth, _)| nth % 8 == 0);
    sweep::killed_after(FULL, some, LIVES, &wanted).await;
}

/// What is looked up ahead of a turn is looked up once, and what is cited of it stands.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_that_searches_killed_on_its_way_ends_as_it_would_have() {
    let (wanted, moments) = sweep::recorded(SEARCHING).await;
    check_whole(&wanted);
    let cards = wanted.texts.join("\n");
    assert!(cards.contains("1 search found 3 pages") && cards.contains("⚠️ no source"), "{cards}");
    assert!(cards.contains("So it went in three towns \\[1]\\[2]"), "{cards}");
    let some = (0..).zip(moments).filter(|(nth, _)| nth % 3 == 0);
    sweep::killed_after(SEARCHING, some, LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_killed_at_any_instant_ends_as_it_would_have() {
    let (quick, full) = (sweep::undisturbed(QUICK).await, sweep::undisturbed(FULL).await);
    let plays = (0..9).map(|seed| {
        let (play, wanted) = if seed % 3 == 0 { (FULL, &full) } else { (QUICK, &quick) };
        (seed, play, Arc::clone(wanted))
    });
    sweep::killed_at_any_instant(plays).await;
}
