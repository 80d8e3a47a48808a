//! A decision is recorded once, posted, and stands beside the ones before it.

use playground::ids::{ADA, BEN};
use serde_json::json;

use crate::decision::scene::{cards, count, form, press, record, send, set, wait_pinned, wait_said};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_is_posted_with_all_it_was_made_from_and_pinned() {
    let (stage, bot, thread) = set().await;
    let (_, opened) = press(&stage, ADA, thread, "decide:").await;
    let modal = opened.modal.unwrap();
    let boxes = modal.to_string();
    for phrase in [
        "\"What is chosen\"",
        "{\"label\":\"S2 · Pilot in one district\",\"value\":\"S2\",\"description\":\"experts 6, team 17\",\"default\":true}",
        "\"Another, as written below\"",
        "\"Review on (optional)\"",
    ] {
        assert!(boxes.contains(phrase), "{phrase} is not in {boxes}");
    }
    let owner = BEN.to_string();
    let told =
        record(&stage, ADA, thread, &form(&[("member", &owner), ("review", "in 3 weeks")])).await.text();
    assert!(told.contains("Recorded"), "{told}");
    wait_pinned(&stage, thread, "Decision 1: Pilot in one district").await;
    let card = wait_said(&stage, thread, &["Decision 1: Pilot in one district"]).await;
    for phrase in [
        "food delivery app",
        "It is the smallest step",
        &format!("Who sees to it\n<@{BEN}>"),
        // Without the expert whose points are only spread evenly.
        "experts (20 in all) and team (30 in all)",
        "▫️ **S1 Launch town-wide** · experts\u{a0}14, team\u{a0}5",
        "✅ **S2 Pilot in one district** · experts\u{a0}6, team\u{a0}17",
        "▫️ **S3 Wait 100 % of a year** · experts\u{a0}not\u{a0}asked, team\u{a0}8",
        "1 of 3 voters gave it nothing; 13 of the team's 30 points went elsewhere.",
        "> Chloé would rather wait.",
        "Ada, <t:",
        ":D>: I ask here how it turned out.",
    ] {
        assert!(card.contains(phrase), "{phrase:?} is not in\n{card}");
    }
    assert!(!card.contains("Not pinned") && !card.contains("Replace"), "{card}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_is_delivered_twice_records_once_and_says_the_same() {
    let (stage, bot, thread) = set().await;
    let client = stage.discord.client();
    stage.discord.faults().repeat_events(2);
    let sent = send(&stage, ADA, thread, &form(&[])).await;
    assert!(client.wait_reply(sent).await.text().contains("Recorded"));
    stage.discord.faults().repeat_events(1);
    client.redeliver(sent).unwrap();
    wait_pinned(&stage, thread, "Decision 1:").await;
    // What comes after it shows that the redelivered one was dealt with.
    record(&stage, ADA, thread, &form(&[("solution", "S1")])).await;
    wait_pinned(&stage, thread, "Decision 2: Launch town-wide").await;
    assert_eq!(count(&stage, "SELECT count(*) FROM decision").await, 2);
    assert_eq!(cards(&stage, thread, "Decision 1:").len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_later_decision_replaces_the_earlier() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[("review", "in 1 year")])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    record(&stage, ADA, thread, &form(&[("solution", "S1"), ("review", "in 2 years")])).await;
    wait_said(&stage, thread, &["Decision 2: Launch town-wide", "Replaces decision 1."]).await;
    let first = wait_said(&stage, thread, &["Decision 1:", "Replaced by decision 2."]).await;
    assert!(first.contains("Not asked: see decision 2."), "{first}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_outlives_its_vote_and_its_session() {
    let (stage, bot, thread) = set().await;
    record(&stage, ADA, thread, &form(&[])).await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    bot.kill().await;
    stage.alter("DELETE FROM session").await;
    let bot = stage.bot().await;
    let found = stage.told(BEN, thread, "decisions", json!({"search": "smallest STEP"})).await;
    assert!(found.contains("Pilot in one district") && found.contains("food delivery"), "{found}");
    bot.kill().await;
}
