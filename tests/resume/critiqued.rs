//! Critiques with everything in them, killed after every commit and at any instant: somebody says Go, trees grow three
//! levels deep, a question is put meanwhile, findings are accepted, rejected, fixed, opened again and accepted by somebody
//! else, the team votes and decides.

use std::sync::Arc;

use crate::{
    resume::{
        critique::{self, CALLS, CRITIQUE, Outcome, critique},
        debated::nothing_degraded,
        people::Script,
        sweep::{self, Play, Whole},
        table::{Held, texts, wait_until},
    },
    support::Stage,
};

/// Every third is killed once, the others again while they go on.
const LIVES: &[&[u64]] = &[&[], &[1], &[5], &[], &[2], &[3, 1], &[], &[12], &[1, 1, 2]];

#[derive(Clone, Copy)]
struct Critique;

impl Play for Critique {
    type Outcome = Outcome;

    fn script(self) -> Arc<Script> {
        Script::in_turn(CRITIQUE)
    }

    async fn stage(self, script: &Arc<Script>) -> Stage {
        critique::stage_for(script).await
    }

    fn starts(self, stage: &Stage) {
        critique(stage);
    }

    fn calls(self) -> usize {
        CALLS
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

fn check_whole(whole: &Whole<Critique>) {
    let outcome = &whole.outcome;
    let triage = ["1 accepted Ada", "2 rejected Ben", "1 fixed Chloé", "2 open Ada", "2 accepted Chloé"];
    assert_eq!(outcome.triage, triage);
    assert!(outcome.steps.contains(&"critique/kant/1/1-1".to_owned()), "three levels: {:?}", outcome.steps);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_killed_after_every_commit_ends_as_it_would_have() {
    let (wanted, moments) = sweep::recorded(Critique).await;
    check_whole(&wanted);
    // 79 to 85 were seen: how many writes share one is a matter of the moment.
    assert!(moments.len() > 60, "{} commits", moments.len());
    sweep::killed_after(Critique, (0..).zip(moments), LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_killed_at_any_instant_ends_as_it_would_have() {
    let wanted = sweep::undisturbed(Critique).await;
    check_whole(&wanted);
    sweep::killed_at_any_instant((0..9).map(|seed| (seed, Critique, Arc::clone(&wanted)))).await;
}
