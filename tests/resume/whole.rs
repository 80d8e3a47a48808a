//! Sessions with everything in them, killed at any instant: roles are edited and confirmed, experts speak, people
//! vote in three ways and propose, the vote closes, a decision is recorded and pinned.

use std::sync::Arc;

use crate::{
    resume::{
        doing::Doing,
        people::Script,
        scene::{self, stage},
        sweep::{self, Play, Room, Whole},
        table::{
            self, Held, MEDIATION, Outcome, ROUNDTABLE, ROUNDTABLE_CALLS, answer_alike, phase_of, roundtable,
        },
    },
    support::{Stage, thirds},
};

/// Every other pair is killed again while it goes on.
const LIVES: &[&[u64]] = &[&[], &[1], &[], &[2], &[], &[3, 1], &[], &[5], &[], &[1, 1, 2]];

/// A session that ends with a vote: what people do, the calls it takes, its command.
#[derive(Clone, Copy)]
struct Voted {
    doings: &'static [Doing],
    calls: usize,
    starts: fn(&Stage) -> playground::Id,
}

const TABLE: Voted = Voted { doings: ROUNDTABLE, calls: ROUNDTABLE_CALLS, starts: roundtable };
const TALK: Voted = Voted { doings: MEDIATION, calls: scene::MEDIATE_CALLS, starts: scene::mediate };

impl Play for Voted {
    type Outcome = Outcome;

    fn script(self) -> Arc<Script> {
        Script::new(self.doings)
    }

    async fn stage(self, _: &Arc<Script>) -> Stage {
        let stage = stage().await;
        answer_alike(&stage);
        stage
    }

    fn starts(self, stage: &Stage) {
        (self.starts)(stage);
    }

    fn calls(self) -> usize {
        self.calls
    }

    async fn wait_settled(self, stage: &Stage) -> Outcome {
        table::wait_settled(stage).await
    }

    fn texts(self, stage: &Stage) -> Vec<String> {
        table::texts(stage)
    }

    fn check(self, stage: &Stage, outcome: &Outcome) {
        let said = table::texts(stage);
        let phases: Vec<usize> =
            said.iter().filter(|text| *text != "closing").map(|text| phase_of(text)).collect();
        assert!(phases.is_sorted(), "out of order: {phases:?}");
        assert_eq!(outcome.decisions, [(1, "done".to_owned())]);
        assert_eq!(outcome.votes.len(), 1);
        assert_eq!(outcome.votes[0].0, "counted");
    }
}

fn check_whole(whole: &Whole<Voted>) {
    let ballots: Vec<&str> = whole.outcome.ballots.iter().map(|(_, points)| &**points).collect();
    assert_eq!(ballots, ["[10,0,0]", "[3,7,0]", "[0,1,0,9]"]);
    assert_eq!(whole.outcome.solutions.len(), 4);
    let result = whole.texts.iter().find(|text| text.contains("What the experts and the team chose"));
    let result = result.unwrap_or_else(|| panic!("no result in {:#?}", whole.texts));
    assert!(result.contains("3 voted"), "{result}");
    assert!(whole.texts.iter().any(|text| text.contains("Courier · round 1")), "{:#?}", whole.texts);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_killed_after_every_commit_ends_as_it_would_have() {
    let (wanted, moments) = sweep::recorded(TABLE).await;
    check_whole(&wanted);
    assert!(moments.len() > 40, "{} commits", moments.len());
    sweep::killed_after(TABLE, (0..).zip(moments), LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_killed_at_any_instant_ends_as_it_would_have() {
    let wanted = sweep::undisturbed(TABLE).await;
    check_whole(&wanted);
    sweep::killed_at_any_instant((0..12).map(|seed| (seed, TABLE, Arc::clone(&wanted)))).await;
}

/// A mediation whose vote is closed by its deadline while the bot is dead: after `k` commits, or later where there
/// was no vote by then.
async fn closed_while_dead(k: u64) {
    let mut room = Room::new(TALK).await;
    // Everybody has voted and knows it.
    let voted = |room: &Room<Voted>| room.script.promised(&room.stage).len() + 1 == MEDIATION.len();
    room.first_life(k, voted).await;
    while Outcome::read(&room.stage).await.votes.is_empty() {
        // Once everybody has voted it does nothing more, however few commits that took.
        room.life(9, voted).await;
    }
    let before = Outcome::read(&room.stage).await;
    assert_eq!(before.votes, [("open".to_owned(), None)]);
    let passed = "UPDATE vote SET opened_ms = 1, deadline_ms = 2, remind_ms = NULL WHERE state = 'open'";
    assert_eq!(room.stage.alter(passed).await, 1);
    if k.is_multiple_of(3) {
        // Killed once more on the way to the result.
        room.life(k % 4 + 1, Room::is_over).await;
    }
    let outcome = room.last_life().await;
    assert_eq!(outcome.ballots, before.ballots, "exactly those in time count");
    assert_eq!(outcome.solutions, before.solutions);
    assert_eq!(outcome.votes, [("counted".to_owned(), Some("deadline".to_owned()))]);
    let said = table::texts(&room.stage);
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
    let commits = {
        let stage = TALK.stage(&TALK.script()).await;
        let bot = stage.bot().await;
        TALK.starts(&stage);
        scene::wait_over(&stage, "Done").await;
        bot.store.commits()
    };
    sweep::play_all(
        thirds::of_this_run(commits - 5..=commits + 8)
            .map(|k| (format!("killed after commit {k}"), async move { closed_while_dead(k).await })),
    )
    .await;
}
