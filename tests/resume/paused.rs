//! Pauses, cancellations and deadlines, over restarts and at awkward moments.

use std::time::Duration;

use domain::{ChannelId, InteractionId, UserId};
use playground::ids::ADA;
use quorum::session::Actor;

use crate::{
    resume::scene::{
        Journal, MEDIATE_CALLS, account, card, mediate, phase_of, posts, press, stage, text_of, texts,
        thread, wait_over, wait_thread,
    },
    support::{
        self, Stage,
        model::{Call, End},
        nothing_comes,
        play::PATIENCE,
        until,
    },
};

fn calls(stage: &Stage) -> usize {
    stage.model.calls().len()
}

/// The undisturbed thread has eight posts, in the order of the protocol, each once.
fn check_thread(stage: &Stage) {
    let mut said = texts(stage, thread(stage).unwrap());
    let phases: Vec<usize> = said.iter().map(|text| phase_of(text)).collect();
    // Of the third phase: the check of the draft, and the memo in two posts.
    assert_eq!(phases, [1, 2, 3, 3, 3, 4, 5, 7], "{said:#?}");
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 8, "something is there twice");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_outlives_the_process_and_a_resume_goes_on() {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(400));
    let bot = stage.bot().await;
    mediate(&stage);
    wait_thread(&stage).await;
    until(|| calls(&stage) == 3, || "round 1 is under way").await;
    let said = press(&stage, "pause").await;
    assert!(said.contains("Paused"), "{said}");
    Journal::wait(&stage, "what was under way is kept", |journal| {
        journal.sessions == ["paused"] && journal.open.is_empty() && journal.unsent.is_empty()
    })
    .await;
    // A call may have been let go just before the pause, and reach the model after it.
    let paid = calls(&stage);
    bot.kill().await;
    let before = Journal::read(&stage).await;
    assert_eq!(before.sessions, ["paused"]);
    assert!(before.finished.contains_key("round-1/market"), "what was under way is kept");

    let bot = stage.bot().await;
    nothing_comes(Duration::from_millis(600)).await;
    assert_eq!(calls(&stage), paid, "nothing is spent while it is paused");
    assert!(card(&stage).contains("⏸️ Paused"), "{}", card(&stage));
    let said = press(&stage, "resume").await;
    assert!(said.contains("Resumed"), "{said}");
    wait_over(&stage, "Done").await;
    bot.kill().await;
    check_thread(&stage);
    assert_eq!(calls(&stage), MEDIATE_CALLS);
    assert_eq!(account(&stage).await, (i64::try_from(MEDIATE_CALLS).unwrap(), 0, 0));
}

/// Whoever started it, at the keyboard for the `nth` time.
fn starter(nth: u64) -> Actor {
    let (interaction, name) = (InteractionId(ADA + nth), "Ada".to_owned());
    Actor { interaction, user: UserId(ADA), name, moderator: false, manages: false, roles: Vec::new() }
}

/// Pauses and resumes without the moment that a person needs to find the button.
async fn pause_and_resume(stage: &Stage, bot: &support::Actor) {
    let here = ChannelId(thread(stage).unwrap());
    // Discord shows a thread a moment before the journal has it.
    let written = async || loop {
        match bot.sessions.of_thread(here).await.unwrap() {
            Some(row) => break row,
            None => tokio::time::sleep(Duration::from_millis(2)).await,
        }
    };
    let row = tokio::time::timeout(PATIENCE, written()).await.expect("the journal has it too");
    bot.sessions.pause(&row, &starter(1)).await.unwrap();
    bot.sessions.resume(&row, &starter(2)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paused_and_resumed_at_once_there_is_one_run() {
    // At the border between steps, and in the middle of calls.
    for (at, after) in
        [(1, 0), (3, 0), (3, 60), (4, 0), (6, 0), (6, 63), (7, 0), (7, 66), (9, 0), (11, 66), (13, 0)]
    {
        let stage = stage().await;
        stage.model.latency(Duration::from_millis(60));
        let bot = stage.bot().await;
        mediate(&stage);
        wait_thread(&stage).await;
        until(|| calls(&stage) >= at, || "there are calls").await;
        // In the middle of calls, which take 60 ms.
        tokio::time::sleep(Duration::from_millis(after)).await;
        pause_and_resume(&stage, &bot).await;
        wait_over(&stage, "Done").await;
        nothing_comes(Duration::from_millis(200)).await;
        bot.kill().await;
        check_thread(&stage);
        assert_eq!(calls(&stage), MEDIATE_CALLS, "paused at call {at}");
        assert_eq!(account(&stage).await, (i64::try_from(MEDIATE_CALLS).unwrap(), 0, 0));
    }
}

/// Ends the session as a member does: asked once more, then sure.
async fn cancel(stage: &Stage) {
    let asked = press(stage, "cancel").await;
    assert!(asked.contains("End this session?"), "{asked}");
    let said = press(stage, "cancel_sure").await;
    assert!(said.contains("Cancelled"), "{said}");
}

fn check_cancelled(stage: &Stage, paid: usize) {
    assert_eq!(calls(stage), paid, "nothing new is spent");
    let thread = posts(stage, thread(stage).unwrap());
    let notices = thread.iter().filter(|post| text_of(post).contains("ended the session")).count();
    assert_eq!(notices, 1);
    assert!(text_of(thread.last().unwrap()).contains("ended the session"), "something follows the notice");
    assert!(card(stage).contains("⏹️ Cancelled"), "{}", card(stage));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_during_calls_nothing_more_is_said_or_spent() {
    let stage = stage().await;
    let bot = stage.bot().await;
    // Three challenges and three drafts start together; a cancel between two of them is another test.
    let second = |call: &Call| matches!(call.kind(), "module_revision" | "first_answer");
    stage.model.hold(second);
    mediate(&stage);
    wait_thread(&stage).await;
    stage.model.wait_calls(6, second).await;
    cancel(&stage).await;
    let paid = calls(&stage);
    wait_over(&stage, "Cancelled").await;
    until(|| stage.model.calls().iter().all(|call| call.end != End::Running), || "calls are aborted").await;
    check_cancelled(&stage, paid);
    // A provider sees its call aborted a moment before it is charged. What a kill in that moment leaves is another test.
    let charged = (i64::try_from(paid).unwrap(), 0);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    loop {
        let (used, held, _) = account(&stage).await;
        if (used, held) == charged {
            break;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "aborted calls are charged, not held: {used} and {held} held"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    bot.kill().await;

    let bot = stage.bot().await;
    nothing_comes(Duration::from_millis(500)).await;
    check_cancelled(&stage, paid);
    assert_eq!(Journal::read(&stage).await.sessions, ["cancelled"]);
    bot.kill().await;
}

/// Killed between the cancellation and the end of the calls that it aborts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_cancelled_session_had_under_way_at_a_kill_is_charged() {
    let stage = stage().await;
    stage.model.latency(Duration::from_secs(20));
    let bot = stage.bot().await;
    mediate(&stage);
    wait_thread(&stage).await;
    until(|| calls(&stage) > 0, || "round 1 is under way").await;
    bot.kill().await;
    let open = Journal::read(&stage).await.open.len();
    assert!(open > 0);
    // As if the process had got as far as the notice and the card, and no further.
    stage
        .alter("UPDATE session SET state = 'cancelled', card_state = 'cancelled', ended_ms = started_ms")
        .await;
    let bot = stage.bot().await;
    bot.kill().await;
    let journal = Journal::read(&stage).await;
    assert_eq!((journal.in_state("lost"), journal.in_state("sent")), (open, 0));
    let open = i64::try_from(open).unwrap();
    assert_eq!(account(&stage).await, (open, 0, open));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadline_that_passes_while_the_bot_is_down_closes_once() {
    let stage = stage().await;
    stage.model.latency(Duration::from_millis(200));
    let bot = stage.bot().await;
    mediate(&stage);
    wait_thread(&stage).await;
    until(|| calls(&stage) > 0, || "round 1 is under way").await;
    press(&stage, "pause").await;
    Journal::wait(&stage, "what was under way is kept", |journal| {
        journal.sessions == ["paused"] && journal.open.is_empty() && journal.unsent.is_empty()
    })
    .await;
    bot.kill().await;
    let paid = calls(&stage);
    assert_eq!(stage.alter("UPDATE wait SET deadline_ms = 1 WHERE value IS NULL").await, 1);
    for _ in 0..2 {
        let bot = stage.bot().await;
        let thread = wait_over(&stage, "Cancelled").await;
        nothing_comes(Duration::from_millis(300)).await;
        bot.kill().await;
        let said = texts(&stage, thread);
        let notices = said.iter().filter(|text| text.contains("Nobody resumed")).count();
        assert_eq!(notices, 1, "{said:#?}");
        assert_eq!(calls(&stage), paid);
    }
}
