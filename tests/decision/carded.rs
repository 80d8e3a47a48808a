//! The live card of a session that is done: it says what came out, and goes on saying so, whenever the bot was killed.

use playground::{Id, ids::ADA};
use serde_json::{Value, json};

use super::scene::{form, press, record, wait_pinned};
use crate::support::{
    Stage, has, has_not,
    play::{buttons, id},
    thirds, wait_for_end,
};

/// Sends a decision's outcome.
async fn worked(stage: &Stage, thread: Id) {
    let (pressed, seen) = press(stage, ADA, thread, "outcome:1/worked").await;
    assert!(seen.modal.is_some(), "{}", seen.text());
    let client = stage.discord.client();
    let sent = client.submit_modal(ADA, pressed, &[("text", "Forty orders a day.")]).unwrap();
    has(&client.wait_reply(sent).await.text(), &["Noted"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_live_card_ends_as_the_answer_and_follows_the_team() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = stage.wait_card(thread, "The vote is open until").await;
    has(&card, &["✅ Done", "🧠 The experts' points", " of 30 · **S1", " calls · ", "[Export]"]);
    has_not(&card, &["Step 5 of 5", "Used so far"]);
    let synthesis: Value = {
        let rows = stage.rows().await;
        let output: String =
            sqlx::query_scalar("SELECT output FROM step WHERE key = 'vote'").fetch_one(&rows).await.unwrap();
        rows.close().await;
        serde_json::from_str(&output).unwrap()
    };
    let first: String = synthesis.as_str().unwrap().chars().take(30).collect();
    has(&card, &[&first]);

    let panel = stage.wait_for(thread, "[Spread 10 points]").await;
    stage.choose(ADA, thread, &panel, "All 10 points to…", "2").await;
    stage.wait_for(thread, "1 has voted").await;
    has_not(&stage.wait_card(thread, "The vote is open").await, &["leads with 100 %"]);
    let sure = stage.press(ADA, thread, &stage.message(thread, "[Close vote]"), "Close vote").await;
    stage.press(ADA, thread, &sure.messages[0], "Close it for everyone").await;
    has_not(&stage.wait_card(thread, "leads with 100 % (10 of 10 points)").await, &["The vote is open"]);
    record(&stage, ADA, thread, &form(&[("solution", "S2")])).await;
    stage.wait_card(thread, "📌 Decision 1").await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    worked(&stage, thread).await;
    has(&stage.wait_card(thread, "Forty orders a day.").await, &["✅ **Worked:**", "decided by Ada"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_each_commit_the_card_follows_all_the_same() {
    let stage = Stage::start().await;
    let mut bot = stage.bot().await;
    for commits in thirds::of_this_run(1..=4) {
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        stage.wait_card(thread, "The vote is open until").await;
        let sure = stage.press(ADA, thread, &stage.message(thread, "[Close vote]"), "Close vote").await;
        let (_, close) = buttons(&sure.messages[0]).remove(0);
        let last = bot.store.commits() + commits;
        bot.store.halt_after(last);
        let pressed = stage.discord.client().click(ADA, thread, id(&sure.messages[0]["id"]), &close).unwrap();
        bot.commits_or_rests(last).await;
        bot.kill().await;
        bot = stage.bot().await;
        // What was cut off before it was taken comes once more; what was taken is not taken twice.
        stage.discord.client().redeliver(pressed).unwrap();
        stage.wait_card(thread, "Nobody voted.").await;
    }
    bot.kill().await;
}
