//! A disk that takes nothing for a while: everything waits and says so, nothing is lost, and nothing is paid or
//! posted twice.

use std::time::{Duration, Instant};

use crate::support::{
    Actor, Stage,
    play::{MEDIATION_CALLS, PATIENCE, buttons, is_private, read},
    until, wait_for_end,
};
use domain::SessionState;
use playground::ids::{ADA, BEN, BOT, DECISIONS};
use serde_json::{Value, json};

/// Locks the database from outside, as another program would, for so long.
async fn lock(stage: &Stage, held: Duration) {
    let rows = stage.rows().await;
    let mut outside = rows.acquire().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *outside).await.unwrap();
    tokio::time::sleep(held).await;
    sqlx::query("ROLLBACK").execute(&mut *outside).await.unwrap();
}

/// Every card of a finished session is there exactly once, and each call was made once.
async fn once_each(stage: &Stage, bot: &Actor, thread: u64) {
    wait_for_end(stage, thread).await;
    let shown = stage.read(thread);
    for module in ["Market", "Cost", "Risk"] {
        for round in ["1", "2"] {
            let title = format!("{module} · round {round}");
            assert_eq!(shown.matches(&title).count(), 1, "{title} in\n{shown}");
        }
    }
    assert!(shown.contains("Nothing was degraded"), "{shown}");
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS, "no call was paid twice");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    let rows = bot.store.unfinished_sessions().await.unwrap();
    assert!(rows.iter().all(|row| row.state == SessionState::Done), "{:?}", rows.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_lives_through_a_database_locked_from_outside() {
    for held in [8, 30].map(Duration::from_secs) {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        stage.model.latency(Duration::from_millis(400));
        let thread = stage.mediate(json!({})).await;
        stage.model.wait_calls(3, |_| true).await;
        let waited = async {
            stage.wait_card(thread, "Waiting for the disk").await;
            if held < Duration::from_secs(10) {
                return;
            }
            // A member is told in time, and what they were told stays true.
            let card = stage.card(thread);
            let (_, pause) = buttons(&card).into_iter().find(|(label, _)| label == "Pause").unwrap();
            let (member, begun) = (stage.discord.client(), Instant::now());
            let said = member.wait_reply(member.click(ADA, DECISIONS, thread, &pause).unwrap()).await;
            assert!(is_private(&said, ADA) && said.text().contains("nothing was changed"), "{said:?}");
            assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
        };
        tokio::join!(lock(&stage, held), waited);
        once_each(&stage, &bot, thread).await;
        let card = stage.wait_card(thread, "✅ Done").await;
        assert!(!card.contains("Waiting for the disk"), "{card}");
        assert!(!stage.read(thread).contains("Paused"), "the press that was given up is not done later");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_runs_without_a_run_goes_on() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.latency(Duration::from_millis(300));
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    stage.press_card(ADA, thread, "Pause").await;
    stage.wait_card(thread, "⏸️ Paused").await;
    // As a write would leave it that was done and whose asker never heard of it.
    let rows = stage.rows().await;
    sqlx::query("UPDATE wait SET value = 'null', closed_ms = 1 WHERE value IS NULL")
        .execute(&rows)
        .await
        .ok();
    sqlx::query("UPDATE session SET state = 'running', notice = NULL").execute(&rows).await.unwrap();
    once_each(&stage, &bot, thread).await;
    assert!(read(&stage.card(thread)).contains("session"), "its card is there");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_by_mention_waits_for_the_disk_and_is_answered() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let ask = |what: &str| stage.discord.client().say(BEN, thread, &format!("<@{BOT}> {what}")).unwrap();
    // One is found by catching up, one arrives; both while nothing can be written, for longer than people wait.
    let asked = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stage.discord.faults().refuse_gateway(true);
        stage.discord.faults().close_gateway(4009);
        until(|| !stage.discord.bot_online(), || "the bot is away").await;
        let missed = ask("Why this one?");
        stage.discord.faults().refuse_gateway(false);
        assert!(stage.discord.client().wait_bot(PATIENCE).await);
        [missed, ask("Why not that one?")]
    };
    let ((), asked) = tokio::join!(lock(&stage, Duration::from_secs(24)), asked);
    for question in asked {
        let question = question.to_string();
        let under = |message: &Value| message["message_reference"]["message_id"] == question.as_str();
        let answers = || stage.public(thread).into_iter().filter(|message| under(message)).count();
        until(|| answers() > 0, || format!("it is answered:\n{}", stage.read(thread))).await;
        assert_eq!(answers(), 1, "{}", stage.read(thread));
    }
    let said = stage.read(thread);
    assert!(!said.contains("waiting for its disk"), "{said}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_waits_for_a_database_that_another_program_has_locked() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.model.wait_calls(3, |_| true).await;
    bot.kill().await;
    let locked = lock(&stage, Duration::from_secs(9));
    let begun = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stage.bot().await
    };
    let ((), bot) = tokio::join!(locked, begun);
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_made_that_rests_on_what_was_refused() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    // What members have added is written ahead of the calls that are told of it.
    stage
        .alter(
            "CREATE TRIGGER refused BEFORE INSERT ON step WHEN new.key = 'round-2/notes'
             BEGIN SELECT raise(ABORT, 'refused'); END",
        )
        .await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_card(thread, "Failed").await;
    assert_eq!(stage.model.calls().len(), 3, "the calls of round 2 were made");
    let shown = stage.read(thread);
    assert!(!shown.contains("refused"), "told in the words of the database: {shown}");
    assert_eq!(
        stage.number("SELECT sum(calls_held) FROM account").await,
        0,
        "a call is held that was not made"
    );

    stage.alter("DROP TRIGGER refused").await;
    stage.told(ADA, thread, "session retry", json!({})).await;
    once_each(&stage, &bot, thread).await;
    bot.kill().await;
}
