//! Critiques with everything in them, killed after every commit and at any instant: somebody says Go, trees grow three
//! levels deep, a question is put meanwhile, findings are accepted, rejected, fixed and opened again, the team votes and
//! decides. The same thread comes out, nothing is there twice, no reply that was paid for is paid for again, and
//! whatever a member was told is so.

use std::{sync::Arc, time::Duration};

use quorum::playground::ids::DECISIONS;
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{
    resume::{
        critique::{CALLS, CRITIQUE, Outcome, critique, stage_for, texts, wait_settled},
        killed,
        people::{People, Script},
        scene::{Journal, account, posts, text_of, thread},
    },
    support::Stage,
};

/// Stages played at the same time: they wait most of the time, for panels are drawn at people's pace.
const AT_ONCE: usize = 10;

/// What comes out when nothing is disturbed.
struct Whole {
    /// How many commits it took.
    commits: u64,
    /// The texts of the thread, sorted.
    texts: Vec<String>,
    /// What the database holds.
    outcome: Outcome,
}

/// A stage with people on it.
struct Room {
    stage: Stage,
    script: Arc<Script>,
    kills: Vec<Journal>,
}

impl Room {
    async fn new() -> Self {
        let script = Script::in_turn(CRITIQUE);
        Self { stage: stage_for(&script).await, script, kills: Vec::new() }
    }

    fn people(&self) -> People {
        People::follow(&self.stage, &self.script)
    }

    /// Whether there is nothing left that a bot would do.
    fn is_over(&self) -> bool {
        thread(&self.stage).is_some_and(|thread| {
            let posts = posts(&self.stage, thread);
            posts.iter().any(|post| post["pinned"] == true)
                && texts(&self.stage).iter().any(|text| text == "closing")
        })
    }

    /// The first life, until `k` commits are made, or until there is nothing left to wait for.
    async fn first_life(&mut self, k: u64) {
        let bot = self.stage.bot_that_halts(Some(k)).await;
        self.stage.connected().await;
        let people = self.people();
        critique(&self.stage);
        // Looked at rarely: reading the whole thread takes its time.
        for look in 1.. {
            if bot.store.commits() >= k || (look % 40 == 0 && self.is_over()) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(people);
        if k.is_multiple_of(2) {
            // What is under way outside ends, and nobody writes it down.
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        bot.kill().await;
        self.look().await;
    }

    /// A further life of so many commits.
    async fn life(&mut self, commits: u64) {
        let people = self.people();
        self.stage.bot_killed_after(commits, || self.is_over()).await;
        drop(people);
        self.look().await;
    }

    /// What is so at a kill: whatever was said holds.
    async fn look(&mut self) {
        self.kills.push(Journal::read(&self.stage).await);
        self.script.check_promises(&self.stage).await;
    }

    /// A command that had not been taken by the last kill left nothing half-made, and is given again.
    async fn give_again(&self) {
        if self.kills.last().is_some_and(|journal| journal.sessions.is_empty()) {
            assert_eq!(posts(&self.stage, DECISIONS).len(), 0);
            self.stage.connected().await;
            critique(&self.stage);
        }
    }

    /// The last life: everything that is left is done.
    async fn last_life(&mut self) -> Outcome {
        let bot = self.stage.bot_that_halts(None).await;
        self.give_again().await;
        let people = self.people();
        let outcome = wait_settled(&self.stage).await;
        drop(people);
        bot.kill().await;
        self.script.check_promises(&self.stage).await;
        outcome
    }

    /// What holds whatever was killed.
    async fn check(&self) {
        let stage = &self.stage;
        assert_eq!(posts(stage, DECISIONS).len(), 1, "one live card");
        let said = posts(stage, thread(stage).unwrap());
        assert_eq!(said.iter().filter(|post| post["pinned"] == true).count(), 1, "the decision is pinned");
        let closing = said.iter().map(text_of).find(|text| text.starts_with("✅ Done")).expect("a last line");
        assert!(closing.contains("Nothing was degraded"), "{closing}");
        killed::check_calls(stage, &self.kills, CALLS, said.len() + 1).await;
    }

    /// The same as if nothing had been disturbed.
    async fn check_same(&self, outcome: &Outcome, wanted: &Whole) {
        let mut said = texts(&self.stage);
        let more: Vec<&String> = said.iter().filter(|text| !wanted.texts.contains(text)).collect();
        let fewer: Vec<&String> = wanted.texts.iter().filter(|text| !said.contains(text)).collect();
        assert!(more.is_empty() && fewer.is_empty(), "there is {more:#?} instead of {fewer:#?}");
        said.sort();
        assert_eq!(said, wanted.texts, "something is there twice");
        assert_eq!(*outcome, wanted.outcome);
        self.check().await;
    }

    /// From the document to the pinned decision without any kill.
    async fn undisturbed(mut self) -> Arc<Whole> {
        let bot = self.stage.bot().await;
        let people = self.people();
        critique(&self.stage);
        let outcome = wait_settled(&self.stage).await;
        drop(people);
        let commits = bot.store.commits();
        bot.kill().await;
        self.look().await;
        let asked: Vec<&str> = CRITIQUE.iter().map(|doing| doing.verb).collect();
        assert_eq!(self.script.promised(&self.stage), asked, "everything is answered as promised");
        assert_eq!(account(&self.stage).await, (i64::try_from(CALLS).unwrap(), 0, 0));
        assert_eq!(outcome.triage, ["1 accepted Ada", "2 rejected Ben", "1 fixed Chloé", "2 open Ada"]);
        assert!(
            outcome.steps.contains(&"critique/kant/1/1-1".to_owned()),
            "three levels: {:?}",
            outcome.steps
        );
        self.check().await;
        let mut texts = texts(&self.stage);
        texts.sort();
        Arc::new(Whole { commits, texts, outcome })
    }
}

async fn undisturbed() -> Arc<Whole> {
    Room::new().await.undisturbed().await
}

async fn killed_at(k: u64, lives: &[u64], wanted: &Whole) {
    let mut room = Room::new().await;
    room.first_life(k).await;
    for commits in lives {
        room.life(*commits).await;
    }
    let outcome = room.last_life().await;
    room.check_same(&outcome, wanted).await;
}

/// Kills a critique after each of these commits, every third of them once, the others again while they go on.
async fn killed_after(commits: impl Iterator<Item = u64>, wanted: Arc<Whole>) {
    const LIVES: [&[u64]; 9] = [&[], &[1], &[5], &[], &[2], &[3, 1], &[], &[12], &[1, 1, 2]];
    let cases = commits.zip(0_usize..).map(|(k, nth)| {
        let lives = LIVES[nth % LIVES.len()];
        let wanted = Arc::clone(&wanted);
        let name = format!("killed after commit {k} and then {lives:?}");
        (name, async move { killed_at(k, lives, &wanted).await })
    });
    killed::play_at_once(AT_ONCE, cases).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_killed_after_every_odd_commit_ends_as_it_would_have() {
    let wanted = undisturbed().await;
    assert!(wanted.commits > 80, "{} commits", wanted.commits);
    // A few more than were counted: how many commits are shared differs from run to run.
    killed_after((1..=wanted.commits + 2).step_by(2), wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_killed_after_every_even_commit_ends_as_it_would_have() {
    let wanted = undisturbed().await;
    killed_after((2..=wanted.commits + 2).step_by(2), wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_killed_at_any_instant_ends_as_it_would_have() {
    let wanted = undisturbed().await;
    let cases = (0..9_u64).map(|seed| {
        let wanted = Arc::clone(&wanted);
        (format!("seed {seed}"), async move { killed_by_chance(seed, &wanted).await })
    });
    killed::play_at_once(AT_ONCE, cases).await;
}

/// Killed one to three times, each at an instant that the seed gives.
async fn killed_by_chance(seed: u64, wanted: &Whole) {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut room = Room::new().await;
    let mut bot = room.stage.bot().await;
    critique(&room.stage);
    for _ in 0..chance.random_range(1..=3) {
        let people = room.people();
        tokio::time::sleep(Duration::from_millis(chance.random_range(0..5_000))).await;
        drop(people);
        bot.kill().await;
        room.look().await;
        bot = room.stage.bot().await;
        room.give_again().await;
    }
    bot.kill().await;
    room.look().await;
    let outcome = room.last_life().await;
    room.check_same(&outcome, wanted).await;
}
