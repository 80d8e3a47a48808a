//! On the day that was set the bot asks how it turned out, once; the newest answer counts.

use playground::{Id, ids::ADA};
use serde_json::json;

use crate::{
    decision::scene::{cards, count, form, press, record, set, wait_pinned, wait_said},
    support::{
        Stage,
        play::{buttons, id},
    },
};

const ASKED: &str = "Decision 1: how did it turn out?";

/// Lets the review fall due.
async fn due(stage: &Stage) {
    stage.alter("UPDATE decision SET review_ms = 1000 WHERE review_ms IS NOT NULL").await;
}

/// Presses a button of the review card and sends the form that opens; gives what is said.
async fn answer(stage: &Stage, thread: Id, label: &str, text: &str) -> String {
    let card = cards(stage, thread, ASKED).remove(0);
    let pressed = stage.press(ADA, thread, &card, label).await;
    assert!(pressed.modal.is_some(), "{}", pressed.text());
    let (_, custom_id) = buttons(&card).into_iter().find(|(shown, _)| shown == label).unwrap();
    let client = stage.discord.client();
    let opener = client.click(ADA, thread, id(&card["id"]), &custom_id).unwrap();
    client.wait_reply(opener).await;
    let sent = client.submit_modal(ADA, opener, &[("text", text)]).unwrap();
    client.wait_reply(sent).await.text()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_that_fell_due_while_the_bot_was_away_is_asked_once() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[("review", "in 1 month")])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    assert_eq!(bot.store.due_reviews(i64::MAX).await.unwrap().len(), 1);
    assert_eq!(cards(&stage, thread, ASKED).len(), 0, "not before its day");
    bot.kill().await;
    due(&stage).await;
    let bot = stage.bot().await;
    let card = wait_said(&stage, thread, &[ASKED]).await;
    for phrase in [
        "Pilot in one district",
        "food delivery app",
        "It is the smallest step",
        "[Worked]",
        "[Partly]",
        "[Did not]",
    ] {
        assert!(card.contains(phrase), "{phrase} is not in\n{card}");
    }
    // Asked again by a later life, or at the same time, nothing more is posted.
    let (session, number) = (domain::SessionId::parse(&stage.session(thread)).unwrap(), 1);
    bot.store.ask_review(&session, number, Vec::new(), 5).await.unwrap();
    bot.kill().await;
    let bot = stage.bot().await;
    assert!(bot.store.due_reviews(i64::MAX).await.unwrap().is_empty());
    stage.told(ADA, thread, "decisions", json!({})).await;
    assert_eq!(cards(&stage, thread, ASKED).len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outcome_is_shown_and_a_newer_one_replaces_it() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[("review", "in 1 day")])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    bot.kill().await;
    due(&stage).await;
    let bot = stage.bot().await;
    wait_said(&stage, thread, &[ASKED]).await;

    let told = answer(&stage, thread, "Partly", "Two of ten @everyone left.").await;
    assert!(told.contains("Noted"), "{told}");
    for title in ["Decision 1: Pilot", ASKED] {
        wait_said(&stage, thread, &[title, "🟡 **Partly:** Two of ten @\u{200b}everyone left.", "Ada"]).await;
    }
    answer(&stage, thread, "Did not", "All of them left.").await;
    for title in ["Decision 1: Pilot", ASKED] {
        let card = wait_said(&stage, thread, &[title, "❌ **Did not:** All of them left."]).await;
        assert!(!card.contains("Two of ten"), "{card}");
    }
    let found = stage.told(ADA, thread, "decisions", json!({"search": "THEM left"})).await;
    assert!(found.contains("❌ Did not: All of them left."), "{found}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_outcomes_the_newer_event_counts_however_late_the_older_comes() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    let client = stage.discord.client();
    let (first, _) = press(&stage, ADA, thread, "outcome:1/worked").await;
    let (second, _) = press(&stage, ADA, thread, "outcome:1/did_not").await;
    bot.kill().await;
    // Sent while nobody listens; delivered in the wrong order afterwards.
    let older = client.submit_modal(ADA, first, &[("text", "older")]).unwrap();
    let newer = client.submit_modal(ADA, second, &[("text", "newer")]).unwrap();
    let bot = stage.bot().await;
    client.redeliver(newer).unwrap();
    wait_said(&stage, thread, &["Decision 1:", "❌ **Did not:** newer"]).await;
    client.redeliver(older).unwrap();
    client.redeliver(older).unwrap();
    let applied = async || bot.store.applied(older).await.unwrap().is_some();
    stage.wait_until(thread, "the older one is applied", applied).await;
    assert_eq!(
        count(&stage, "SELECT count(*) FROM decision WHERE outcome = 'did_not' AND outcome_text = 'newer'")
            .await,
        1
    );
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_decision_is_not_reviewed() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[("review", "in 1 day")])).await;
    record(&stage, ADA, thread, &form(&[("review", "in 2 days")])).await;
    wait_pinned(&stage, thread, "Decision 2:").await;
    bot.kill().await;
    due(&stage).await;
    let bot = stage.bot().await;
    wait_said(&stage, thread, &["Decision 2: how did it turn out?"]).await;
    assert_eq!(cards(&stage, thread, ASKED).len(), 0);
    bot.kill().await;
}
