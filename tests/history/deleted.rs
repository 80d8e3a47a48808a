//! A session that is deleted, or kept long enough, is gone: from the lists, the search and the bytes of the file.

use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS, GENERAL},
};
use serde_json::{Value, json};

use super::scene::{answer, ended, on_disk, pick, search, turn, wait_gone};
use crate::{
    decision::scene::{form, record, wait_pinned},
    support::{
        Stage,
        files::said,
        has, has_not,
        play::{buttons, id, read},
    },
};

/// Comes to the question whether a session should really be deleted; gives the private answer.
async fn about_to(stage: &Stage, member: Id, thread: Id) -> Value {
    let listed = answer(stage, member, DECISIONS, "history", json!({})).await;
    let picked = pick(stage, member, DECISIONS, &listed, &stage.session(thread)).await;
    turn(stage, member, DECISIONS, &picked, "Delete").await
}

async fn close_vote(stage: &Stage, thread: Id) {
    let panel = stage.wait_for(thread, "[Close vote]").await;
    let sure = stage.press(ADA, thread, &panel, "Close vote").await;
    stage.press(ADA, thread, &sure.messages[0], "Close it for everyone").await;
    stage.wait_for(thread, "What the experts and the team chose").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_session_is_gone_from_the_search_and_from_the_file() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = ended(&stage, BEN, DECISIONS, "Do we breed the quizzacious ferret?").await;
    close_vote(&stage, thread).await;
    record(&stage, ADA, thread, &form(&[("solution", "S1"), ("why", "It is obstreperous enough.")])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    has(&search(&stage, ADA, GENERAL, "ferret").await, &["One session"]);
    has(&search(&stage, ADA, GENERAL, "obstreperous").await, &["One session", "**obstreperous**"]);
    assert!(on_disk(&stage, "quizzacious"));

    // Who neither started it nor manages the server cannot.
    let message = stage
        .forged_buttons(DECISIONS, &[&format!("v1:-:history_delete_sure:{}", stage.session(thread))])
        .await;
    let client = stage.discord.client();
    let forged = format!("v1:-:history_delete_sure:{}", stage.session(thread));
    let pressed = client.click(CHLOE, DECISIONS, message, &forged).unwrap();
    let refused = said(&client.wait_reply(pressed).await, CHLOE);
    has(&refused, &["Only Ben (who started this session)", "manages the server"]);

    let asked = about_to(&stage, BEN, thread).await;
    has(&read(&asked), &["Delete this session?", "Gone for good", "Its decision record stays"]);
    let kept = turn(&stage, BEN, DECISIONS, &asked, "Keep it").await;
    has(&read(&kept), &["[Delete]", "ferret"]);
    let asked = turn(&stage, BEN, DECISIONS, &kept, "Delete").await;
    let (_, sure) = buttons(&asked).into_iter().find(|(label, _)| label == "Yes, delete it").unwrap();
    let pressed = client.click(BEN, DECISIONS, id(&asked["id"]), &sure).unwrap();
    has(&said(&client.wait_reply(pressed).await, BEN), &["Deleted, and no search finds it any more"]);
    client.redeliver(pressed).unwrap();

    has(&search(&stage, ADA, GENERAL, "ferret").await, &["Nothing was found"]);
    has_not(&read(&answer(&stage, ADA, DECISIONS, "history", json!({})).await), &["ferret"]);
    for table in ["session", "step", "attempt", "part", "outbox", "vote", "ballot", "searchable", "found"] {
        assert_eq!(stage.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    // The decision stays, with the question in it, and takes its word along when the server is forgotten.
    has(&stage.told(ADA, DECISIONS, "decisions", json!({})).await, &["Decision 1", "ferret"]);
    stage.alter("DELETE FROM decision").await;
    stage.alter("DELETE FROM lookup").await;
    stage.alter("DELETE FROM inbound").await;
    stage.alter("PRAGMA wal_checkpoint(TRUNCATE)").await;
    wait_gone(&stage, "quizzacious").await;
    has(&stage.told(BEN, thread, "export", json!({})).await, &["in a session's thread"]);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1, "what is on Discord stays");
    stage.nothing_amiss_but_repeats();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_goes_on_has_to_be_cancelled_first() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 2;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "[Go]").await;
    let listed = answer(&stage, ADA, DECISIONS, "history", json!({})).await;
    let picked = pick(&stage, ADA, DECISIONS, &listed, &stage.session(thread)).await;
    has_not(&read(&picked), &["[Delete]", "[Export]"]);
    let forged = format!("v1:-:history_delete_sure:{}", stage.session(thread));
    let message = stage.forged_buttons(DECISIONS, &[&forged]).await;
    let client = stage.discord.client();
    let pressed = client.click(ADA, DECISIONS, message, &forged).unwrap();
    has(&said(&client.wait_reply(pressed).await, ADA), &["not over yet. Cancel it first"]);
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_kept_long_enough_is_found_no_more() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    ended(&stage, ADA, DECISIONS, "Do we breed the quizzacious ferret?").await;
    has(&search(&stage, ADA, GENERAL, "ferret").await, &["One session"]);
    bot.kill().await;
    stage.alter("DELETE FROM lookup").await;
    stage.alter("DELETE FROM vote").await;
    stage.alter("UPDATE session SET ended_ms = ended_ms - 2 * 86400000").await;
    stage
        .alter("INSERT INTO guild_settings (guild_id, settings, changed_ms) SELECT guild_id, '{\"retention_days\": 1}', 0 FROM session")
        .await;
    let bot = stage.bot().await;
    stage.wait_number("SELECT count(*) FROM session", 0).await;
    has(&search(&stage, ADA, GENERAL, "ferret").await, &["Nothing was found"]);
    assert_eq!(stage.number("SELECT count(*) FROM searchable").await, 0);
    wait_gone(&stage, "quizzacious").await;
    stage.nothing_amiss();
    bot.kill().await;
}

/// Killed at each commit between the press and its effect: the session is there whole or gone whole, and a second press
/// does what the first did not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_between_press_and_deletion_leaves_all_or_nothing() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = ended(&stage, ADA, DECISIONS, "Do we breed the quizzacious ferret?").await;
    let mut bot = Some(bot);
    let (mut whole, mut gone) = (0, 0);
    for commits in 0..12 {
        let asked = about_to(&stage, ADA, thread).await;
        let (_, sure) = buttons(&asked).into_iter().find(|(label, _)| label == "Yes, delete it").unwrap();
        let live = bot.take().unwrap();
        let last = live.store.commits() + commits;
        live.store.halt_after(last);
        stage.discord.client().click(ADA, DECISIONS, id(&asked["id"]), &sure).unwrap();
        // Not even the first of these commits is made where none may be.
        live.commits_or_rests(last + u64::from(commits == 0)).await;
        live.kill().await;
        let again = stage.bot().await;
        let left = stage.number("SELECT count(*) FROM session").await;
        let texts = stage.number("SELECT count(*) FROM searchable").await;
        let steps = stage.number("SELECT count(*) > 0 FROM step").await;
        assert_eq!((texts, steps), (left, left), "after {commits} commits");
        bot = Some(again);
        if left == 0 {
            gone += 1;
            break;
        }
        whole += 1;
    }
    assert!(whole > 0 && gone > 0, "{whole} whole, {gone} gone");
    bot.unwrap().kill().await;
}
