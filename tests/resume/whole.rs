//! Sessions with everything in them, killed at any instant: roles are edited and confirmed, experts speak, people
//! vote in three ways and propose, the vote closes, a decision is recorded and pinned. The same thread comes out,
//! nothing is there twice, and whatever a member was told is so.

use std::{sync::Arc, time::Duration};

use quorum::playground::{Id, ids::DECISIONS};
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{
    resume::{
        doing::Doing,
        killed,
        people::{People, Script},
        scene::{self, Journal, account, posts, stage, thread},
        table::{
            MEDIATE_CALLS, MEDIATION, Outcome, ROUNDTABLE, ROUNDTABLE_CALLS, answer_alike, phase_of,
            roundtable, texts, wait_settled,
        },
    },
    support::Stage,
};

/// Stages played at the same time: they wait most of the time, for panels are drawn at people's pace.
const AT_ONCE: usize = 10;

/// What comes out when nothing is disturbed.
struct Whole {
    /// How many commits it took.
    commits: u64,
    /// The texts of the thread.
    texts: Vec<String>,
    /// What the database holds.
    outcome: Outcome,
}

/// A stage with people on it.
struct Room {
    stage: Stage,
    script: Arc<Script>,
    kills: Vec<Journal>,
    calls: usize,
    starts: fn(&Stage) -> Id,
}

impl Room {
    async fn roundtable() -> Self {
        Self::of(ROUNDTABLE, ROUNDTABLE_CALLS, roundtable).await
    }

    async fn mediation() -> Self {
        Self::of(MEDIATION, MEDIATE_CALLS, scene::mediate).await
    }

    async fn of(doings: &'static [Doing], calls: usize, starts: fn(&Stage) -> Id) -> Self {
        let stage = stage().await;
        answer_alike(&stage);
        Self { stage, script: Script::new(doings), kills: Vec::new(), calls, starts }
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

    /// Whether everybody has voted and knows it.
    fn has_voted(&self) -> bool {
        self.script.promised(&self.stage).len() + 1 == MEDIATION.len()
    }

    /// The first life, until `k` commits are made, or until there is nothing left to wait for.
    async fn first_life(&mut self, k: u64, over: impl Fn(&Self) -> bool) {
        let bot = self.stage.bot_that_halts(Some(k)).await;
        assert!(self.stage.discord.client().wait_bot(Duration::from_secs(10)).await);
        let people = self.people();
        (self.starts)(&self.stage);
        while bot.store.commits() < k && !over(self) {
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
            (self.starts)(&self.stage);
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

    /// What holds whatever was killed and whoever was in time.
    async fn check(&self, outcome: &Outcome) {
        let said = texts(&self.stage);
        let phases: Vec<usize> =
            said.iter().filter(|text| *text != "closing").map(|text| phase_of(text)).collect();
        assert!(phases.is_sorted(), "out of order: {phases:?}");
        assert_eq!(posts(&self.stage, DECISIONS).len(), 1, "one live card");
        assert_eq!(outcome.decisions, [(1, "done".to_owned())]);
        assert_eq!(outcome.votes.len(), 1);
        assert_eq!(outcome.votes[0].0, "counted");
        let thread = thread(&self.stage).unwrap();
        let pinned = posts(&self.stage, thread).iter().filter(|post| post["pinned"] == true).count();
        assert_eq!(pinned, 1, "the decision alone is pinned");
        let notes = self.stage.discord.messages(thread);
        assert_eq!(notes.iter().filter(|note| note["type"] == 6).count(), 1, "it was pinned once");
        killed::check_calls(&self.stage, &self.kills, self.calls, said.len() + 1).await;
    }

    /// The same as if nothing had been disturbed.
    async fn check_same(&self, outcome: &Outcome, wanted: &Whole) {
        let said = texts(&self.stage);
        let more: Vec<&String> = said.iter().filter(|text| !wanted.texts.contains(text)).collect();
        let fewer: Vec<&String> = wanted.texts.iter().filter(|text| !said.contains(text)).collect();
        assert!(more.is_empty() && fewer.is_empty(), "there is {more:#?} instead of {fewer:#?}");
        assert_eq!(said.len(), wanted.texts.len(), "something is there twice: {said:#?}");
        assert_eq!(*outcome, wanted.outcome);
        self.check(outcome).await;
    }

    /// From the command to the pinned decision without any kill.
    async fn undisturbed(mut self) -> Whole {
        let bot = self.stage.bot().await;
        let people = self.people();
        (self.starts)(&self.stage);
        let outcome = wait_settled(&self.stage).await;
        drop(people);
        let commits = bot.store.commits();
        bot.kill().await;
        self.look().await;
        assert_eq!(self.script.promised(&self.stage).len(), ROUNDTABLE.len(), "everything is answered");
        let calls = i64::try_from(self.calls).unwrap();
        assert_eq!(account(&self.stage).await, (calls, 0, 0));
        self.check(&outcome).await;
        Whole { commits, texts: texts(&self.stage), outcome }
    }
}

async fn roundtable_undisturbed() -> Arc<Whole> {
    let whole = Room::roundtable().await.undisturbed().await;
    let ballots: Vec<&str> = whole.outcome.ballots.iter().map(|(_, points)| &**points).collect();
    assert_eq!(ballots, ["[10,0,0]", "[3,7,0]", "[0,1,0,9]"]);
    assert_eq!(whole.outcome.solutions.len(), 4);
    let result = whole.texts.iter().find(|text| text.contains("What the experts and the team chose"));
    let result = result.unwrap_or_else(|| panic!("no result in {:#?}", whole.texts));
    assert!(result.contains("3 voted"), "{result}");
    assert!(whole.texts.iter().any(|text| text.contains("Courier · analysis")), "{:#?}", whole.texts);
    Arc::new(whole)
}

async fn killed_at(k: u64, lives: &[u64], wanted: &Whole) {
    let mut room = Room::roundtable().await;
    room.first_life(k, Room::is_over).await;
    for commits in lives {
        room.life(*commits).await;
    }
    let outcome = room.last_life().await;
    room.check_same(&outcome, wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_killed_after_every_commit_ends_as_it_would_have() {
    let wanted = roundtable_undisturbed().await;
    assert!(wanted.commits > 40, "{} commits", wanted.commits);
    let lives: [&[u64]; 5] = [&[1], &[2], &[3, 1], &[5], &[1, 1, 2]];
    // A few more than were counted: how many commits are shared differs from run to run.
    let cases = (1..=wanted.commits + 2).map(|k| {
        // Every fourth one is killed again while it goes on.
        let lives = if k % 4 == 0 { lives[usize::try_from(k / 4).unwrap() % lives.len()] } else { &[] };
        (k, lives)
    });
    killed::play_at_once(
        AT_ONCE,
        cases.map(|(k, lives)| {
            let wanted = Arc::clone(&wanted);
            let name = format!("killed after commit {k} and then {lives:?}");
            (name, async move { killed_at(k, lives, &wanted).await })
        }),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_killed_at_any_instant_ends_as_it_would_have() {
    let wanted = roundtable_undisturbed().await;
    killed::play_at_once(
        AT_ONCE,
        (0..12_u64).map(|seed| {
            let wanted = Arc::clone(&wanted);
            (format!("seed {seed}"), async move { killed_by_chance(seed, &wanted).await })
        }),
    )
    .await;
}

/// Killed one to three times, each at an instant that the seed gives.
async fn killed_by_chance(seed: u64, wanted: &Whole) {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut room = Room::roundtable().await;
    let mut bot = room.stage.bot().await;
    (room.starts)(&room.stage);
    for _ in 0..chance.random_range(1..=3) {
        let people = room.people();
        tokio::time::sleep(Duration::from_millis(chance.random_range(0..4_000))).await;
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

/// A mediation whose vote is closed by its deadline while the bot is dead: after `k` commits, or later where there
/// was no vote by then.
async fn closed_while_dead(k: u64) {
    let mut room = Room::mediation().await;
    room.first_life(k, Room::has_voted).await;
    while Outcome::read(&room.stage).await.votes.is_empty() {
        room.life(9).await;
    }
    let before = Outcome::read(&room.stage).await;
    assert_eq!(before.votes, [("open".to_owned(), None)]);
    let passed = "UPDATE vote SET opened_ms = 1, deadline_ms = 2, remind_ms = NULL WHERE state = 'open'";
    assert_eq!(scene::alter(&room.stage, passed).await, 1);
    if k.is_multiple_of(3) {
        // Killed once more on the way to the result.
        room.life(k % 4 + 1).await;
    }
    let outcome = room.last_life().await;
    assert_eq!(outcome.ballots, before.ballots, "exactly those in time count");
    assert_eq!(outcome.solutions, before.solutions);
    assert_eq!(outcome.votes, [("counted".to_owned(), Some("deadline".to_owned()))]);
    let said = texts(&room.stage);
    let results: Vec<&String> =
        said.iter().filter(|text| text.contains("What the experts and the team chose")).collect();
    assert_eq!(results.len(), 1, "{said:#?}");
    let came = match before.ballots.len() {
        0 => "Nobody voted".to_owned(),
        voters => format!("{voters} voted"),
    };
    assert!(results[0].contains(&came), "{came}: {}", results[0]);
    room.check(&outcome).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_whose_deadline_passes_while_the_bot_is_dead_counts_what_came_in_time() {
    // From before the vote opens to after the last ballot.
    let (commits, _) = killed::undisturbed().await;
    killed::play_at_once(
        AT_ONCE,
        (commits - 5..=commits + 8)
            .map(|k| (format!("killed after commit {k}"), async move { closed_while_dead(k).await })),
    )
    .await;
}
