//! A record is pinned, or says why not.

use playground::{Fault, bits, ids::ADA};

use crate::decision::scene::{cards, count, form, record, set, wait_pinned, wait_said};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lacking_permission_is_named_on_the_card() {
    let (stage, bot, thread) = set().await;
    stage.discord.faults().deny(playground::ids::DECISIONS, bits::PIN_MESSAGES, true);
    record(&stage, ADA, thread, &form(&[])).await;
    let card = wait_said(&stage, thread, &["Decision 1:", "Not pinned"]).await;
    assert!(card.contains("I lack the permission **Pin Messages** here."), "{card}");
    assert_eq!(count(&stage, "SELECT count(*) FROM decision WHERE pin = 'refused'").await, 1);
    // Given back, it serves the next decision.
    stage.discord.faults().deny(playground::ids::DECISIONS, bits::PIN_MESSAGES, false);
    record(&stage, ADA, thread, &form(&[])).await;
    wait_pinned(&stage, thread, "Decision 2:").await;
    assert_eq!(cards(&stage, thread, "Decision 1:")[0]["pinned"], false);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pin_that_discord_stumbled_over_is_tried_again_after_a_restart() {
    let (stage, bot, thread) = set().await;
    let pins = "/channels/*/messages/pins/*";
    stage.discord.faults().on("PUT", pins, 1_000, Fault::Status(503));
    record(&stage, ADA, thread, &form(&[])).await;
    wait_said(&stage, thread, &["Decision 1:"]).await;
    bot.kill().await;
    assert_eq!(count(&stage, "SELECT count(*) FROM decision WHERE pin = 'wanted'").await, 1);
    stage.discord.faults().clear();
    let bot = stage.bot().await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_was_put_aside_is_brought_back_to_pin() {
    let (stage, bot, thread) = set().await;
    let pins = "/channels/*/messages/pins/*";
    stage.discord.faults().on("PUT", pins, 1_000, Fault::Status(503));
    record(&stage, ADA, thread, &form(&[])).await;
    wait_said(&stage, thread, &["Decision 1:"]).await;
    bot.kill().await;
    stage.discord.faults().clear();
    stage.discord.faults().set_thread(thread, true, false);
    let bot = stage.bot().await;
    wait_pinned(&stage, thread, "Decision 1:").await;
    bot.kill().await;
}
