//! Sessions with everything in them, killed after every commit and at any instant. One life is played to its end, and
//! after each of its commits a copy is taken of all there is outside the bot: the database, Discord, what the models
//! were asked, what people have done. From each copy a next life goes on, as if the bot had died at that commit. The
//! same thread comes out, nothing is there twice, no reply that was paid for is paid for again, and whatever a member
//! was told is so.

use std::{
    collections::BTreeSet,
    fmt::Debug,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{StreamExt, stream};
use playground::ids::DECISIONS;
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{
    resume::{
        people::{People, Script},
        scene::{Journal, account, posts, thread},
    },
    support::{self, QUIET, Stage, thirds},
};

/// Stages played at the same time.
const AT_ONCE: usize = 5;

/// What is played, and how what came out of it is read.
pub trait Play: Copy + Send + Sync + 'static {
    /// What the database holds of it in the end.
    type Outcome: Debug + PartialEq + Send + Sync;

    /// What people do in it.
    fn script(self) -> Arc<Script>;
    /// Where it is played.
    fn stage(self, script: &Arc<Script>) -> impl Future<Output = Stage> + Send;
    /// Gives the command it begins with.
    fn starts(self, stage: &Stage);
    /// The model calls that it takes when nothing is disturbed.
    fn calls(self) -> usize;
    /// Whether people record a decision in it, which is pinned.
    fn is_decided(self) -> bool {
        true
    }
    /// The searches that it makes then.
    fn searches(self) -> usize {
        0
    }
    /// Whether models refuse some of its calls, each of which is an attempt that failed.
    fn is_refused(self) -> bool {
        false
    }
    /// Waits until nothing is left to do.
    fn wait_settled(self, stage: &Stage) -> impl Future<Output = Self::Outcome> + Send;
    /// The texts of its thread, the same in every run but for the order of what comes at the same time.
    fn texts(self, stage: &Stage) -> Vec<String>;
    /// What holds of this one in particular, whatever was killed.
    fn check(self, stage: &Stage, outcome: &Self::Outcome);
}

/// What comes out when nothing is disturbed.
pub struct Whole<P: Play> {
    /// The texts of the thread, sorted.
    pub texts: Vec<String>,
    /// What the database holds.
    pub outcome: P::Outcome,
    /// How long it took.
    took: Duration,
}

/// All that a bot's next life would find if it died after a commit.
pub struct Moment {
    stage: support::Moment,
    script: Script,
}

/// A stage with people on it.
pub struct Room<P> {
    play: P,
    pub stage: Stage,
    pub script: Arc<Script>,
    pub kills: Vec<Journal>,
}

impl<P: Play> Room<P> {
    pub async fn new(play: P) -> Self {
        Self::with(play, play.script()).await
    }

    async fn with(play: P, script: Arc<Script>) -> Self {
        Self { play, stage: play.stage(&script).await, script, kills: Vec::new() }
    }

    /// The bot has died at that moment.
    async fn back_to(play: P, moment: Moment) -> Self {
        let mut room = Self::with(play, Arc::new(moment.script)).await;
        room.stage = room.stage.back_to(&moment.stage).await;
        room.look().await;
        room
    }

    /// What a next life would find if the bot died now.
    fn moment(&self) -> Moment {
        let (script, stage) = self.script.moment(|| self.stage.moment());
        Moment { stage, script }
    }

    fn people(&self) -> People {
        People::follow(&self.stage, &self.script)
    }

    /// Whether there is nothing left that a bot would do.
    pub fn is_over(&self) -> bool {
        thread(&self.stage).is_some_and(|thread| {
            let posts = posts(&self.stage, thread);
            posts.iter().any(|post| post["pinned"] == true) == self.play.is_decided()
                && self.play.texts(&self.stage).iter().any(|text| text == "closing")
        })
    }

    /// The first life, until `k` commits are made, or until there is nothing left to wait for.
    pub async fn first_life(&mut self, k: u64, over: impl Fn(&Self) -> bool) {
        let bot = self.stage.bot_that_halts(Some(k)).await;
        self.stage.connected().await;
        let people = self.people();
        self.play.starts(&self.stage);
        bot.commits(k, || over(self)).await;
        drop(people);
        outside_ends(k).await;
        bot.kill().await;
        self.look().await;
    }

    /// A further life of so many commits, or until there is nothing left to wait for.
    pub async fn life(&mut self, commits: u64, over: impl Fn(&Self) -> bool) {
        let people = self.people();
        self.stage.bot_killed_after(commits, || over(self)).await;
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
            self.play.starts(&self.stage);
        }
    }

    /// The last life: everything that is left is done.
    pub async fn last_life(&mut self) -> P::Outcome {
        let bot = self.stage.bot_that_halts(None).await;
        self.give_again().await;
        let people = self.people();
        let outcome = self.play.wait_settled(&self.stage).await;
        drop(people);
        bot.kill().await;
        self.script.check_promises(&self.stage).await;
        outcome
    }

    /// What holds whatever was killed and whoever was in time.
    pub async fn check(&self, outcome: &P::Outcome) {
        let stage = &self.stage;
        assert_eq!(posts(stage, DECISIONS).len(), 1, "one live card");
        let here = thread(stage).unwrap();
        let said = posts(stage, here);
        let decided = usize::from(self.play.is_decided());
        assert_eq!(
            said.iter().filter(|post| post["pinned"] == true).count(),
            decided,
            "a decision is pinned"
        );
        let notes = stage.discord.messages(here);
        assert_eq!(notes.iter().filter(|note| note["type"] == 6).count(), decided, "it was pinned once");
        self.play.check(stage, outcome);
        self.check_calls(said.len() + 1).await;
    }

    /// The same as if nothing had been disturbed.
    async fn check_same(&self, outcome: &P::Outcome, wanted: &Whole<P>) {
        let mut said = self.play.texts(&self.stage);
        let more: Vec<&String> = said.iter().filter(|text| !wanted.texts.contains(text)).collect();
        let fewer: Vec<&String> = wanted.texts.iter().filter(|text| !said.contains(text)).collect();
        assert!(more.is_empty() && fewer.is_empty(), "there is {more:#?} instead of {fewer:#?}");
        said.sort();
        assert_eq!(said, wanted.texts, "something is there twice");
        assert_eq!(*outcome, wanted.outcome);
        self.check(outcome).await;
    }

    /// Holds the journal of a finished session against what it held at each kill: what was finished stays as it was and
    /// was asked once, and every call is accounted for.
    async fn check_calls(&self, posts: usize) {
        let (stage, play, kills) = (&self.stage, self.play, &self.kills);
        let (calls, searches) = (play.calls(), play.searches());
        let after = Journal::read(stage).await;
        assert_eq!(after.sessions, ["done"]);
        assert_eq!(after.unsent, Vec::<String>::new());
        let mut sent = after.sent.clone();
        sent.sort_unstable();
        sent.dedup();
        assert_eq!(sent.len(), posts, "each post is a message of its own");
        for before in kills {
            for (key, output) in &before.finished {
                assert_eq!(after.finished.get(key), Some(output), "{key} changed");
                assert_eq!(after.attempts.get(key), before.attempts.get(key), "{key} was asked for again");
            }
        }

        let lost = kills.iter().flat_map(|before| &before.open).collect::<BTreeSet<_>>().len();
        assert_eq!(after.in_state("lost"), lost, "what was under way at a kill is marked lost");
        assert_eq!((after.in_state("ok"), after.in_state("sent")), (calls + searches, 0));
        let refused = after.in_state("failed");
        assert_eq!(refused > 0, play.is_refused(), "{refused} attempts failed");
        if play.is_refused() {
            // Within one attempt, a request may go out again as its server likes it.
            assert!(stage.model.calls().len() >= calls + refused);
        } else {
            let made = stage.model.calls().len();
            assert!((calls..=calls + lost).contains(&made), "{made} calls, of which {lost} may be repeated");
        }
        let used = i64::try_from(calls + searches + lost + refused).unwrap();
        let lost = i64::try_from(lost).unwrap();
        assert_eq!(account(stage).await, (used, 0, lost), "every call is in the ledger");
        // What is delivered twice is acknowledged twice, and what comes late too late: that is no fault.
        let mut minded = stage.discord.violations();
        minded.retain(|sentence| {
            let late = sentence.contains("/callback: ") && sentence.ends_with("404 Unknown interaction");
            !late && !sentence.ends_with("Interaction has already been acknowledged.")
        });
        assert_eq!(minded, Vec::<String>::new());
        assert_eq!(stage.model.strays(), Vec::<String>::new());
    }
}

/// After every second commit, what is under way outside ends, and nobody writes it down.
async fn outside_ends(k: u64) {
    if k.is_multiple_of(2) {
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
}

/// From the command to the pinned decision without any kill.
pub async fn undisturbed<P: Play>(play: P) -> Arc<Whole<P>> {
    let mut room = Room::new(play).await;
    let bot = room.stage.bot().await;
    let began = Instant::now();
    let people = room.people();
    play.starts(&room.stage);
    let outcome = play.wait_settled(&room.stage).await;
    let took = began.elapsed();
    drop(people);
    bot.kill().await;
    whole(&mut room, outcome, took).await
}

/// The same, with all there was outside the bot after each commit, and when there was nothing left to do.
pub async fn recorded<P: Play>(play: P) -> (Arc<Whole<P>>, Vec<Moment>) {
    let mut room = Room::new(play).await;
    let bot = room.stage.bot_that_halts(Some(1)).await;
    room.stage.connected().await;
    let began = Instant::now();
    let people = room.people();
    play.starts(&room.stage);
    let (mut moments, mut settled) = (Vec::new(), None);
    {
        let mut settles = pin!(play.wait_settled(&room.stage));
        loop {
            let k = moments.len() as u64 + 1;
            tokio::select! {
                outcome = &mut settles, if settled.is_none() => {
                    settled = Some(outcome);
                    continue;
                }
                () = bot.commits(k, || false) => {}
                () = tokio::time::sleep(QUIET), if settled.is_some() => break,
            }
            outside_ends(k).await;
            moments.push(room.moment());
            bot.store.halt_after(k + 1);
        }
    }
    moments.push(room.moment());
    drop(people);
    bot.kill().await;
    (whole(&mut room, settled.expect("it settled"), began.elapsed()).await, moments)
}

async fn whole<P: Play>(room: &mut Room<P>, outcome: P::Outcome, took: Duration) -> Arc<Whole<P>> {
    room.look().await;
    assert_eq!(room.script.promised(&room.stage), room.script.verbs(), "everything is answered as promised");
    room.check(&outcome).await;
    let mut texts = room.play.texts(&room.stage);
    texts.sort();
    Arc::new(Whole { texts, outcome, took })
}

/// From each moment that this run tries a next life goes on to the end, some of them killed again after so many commits.
pub async fn killed_after<P: Play>(
    play: P,
    moments: impl Iterator<Item = (usize, Moment)>,
    lives: &'static [&'static [u64]],
    wanted: &Arc<Whole<P>>,
) {
    let cases = thirds::of_this_run(moments).map(|(nth, moment)| {
        let (lives, wanted) = (lives[nth / 2 % lives.len()], Arc::clone(wanted));
        let name = format!("killed after commit {} and then {lives:?}", nth + 1);
        let case = async move {
            let mut room = Room::back_to(play, moment).await;
            for commits in lives {
                room.life(*commits, Room::is_over).await;
            }
            let outcome = room.last_life().await;
            room.check_same(&outcome, &wanted).await;
        };
        (name, case)
    });
    play_all(cases).await;
}

/// Killed at instants that so many seeds give, as far as this run tries them.
pub async fn killed_at_any_instant<P: Play>(seeds: impl Iterator<Item = (u64, P, Arc<Whole<P>>)>) {
    let cases = thirds::of_this_run(seeds)
        .map(|(seed, play, wanted)| (format!("seed {seed}"), killed_by_chance(play, seed, wanted)));
    play_all(cases).await;
}

/// Killed one to three times, each at an instant that the seed gives.
async fn killed_by_chance<P: Play>(play: P, seed: u64, wanted: Arc<Whole<P>>) {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut room = Room::new(play).await;
    let mut bot = room.stage.bot().await;
    play.starts(&room.stage);
    for _ in 0..chance.random_range(1..=3) {
        let people = room.people();
        tokio::time::sleep(wanted.took.mul_f64(chance.random_range(0.0..1.0))).await;
        drop(people);
        bot.kill().await;
        room.look().await;
        bot = room.stage.bot().await;
        room.give_again().await;
    }
    bot.kill().await;
    room.look().await;
    let outcome = room.last_life().await;
    room.check_same(&outcome, &wanted).await;
}

/// Plays all cases, some at a time, and names those that failed.
pub async fn play_all<F: Future<Output = ()> + Send + 'static>(cases: impl Iterator<Item = (String, F)>) {
    let failed: Vec<String> = stream::iter(cases)
        .map(|(name, case)| async move {
            let failure = tokio::spawn(case).await.err()?;
            let said = failure.into_panic();
            let said = said.downcast_ref::<String>().cloned().unwrap_or_default();
            Some(format!("{name}: {said}"))
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(failed.is_empty(), "{} cases failed\n{}", failed.len(), failed.join("\n\n"));
}
