//! *Ask the panel about this message*: a choice of protocols, and a session on the message as it is when it is made.

use playground::{
    Upload,
    ids::{ADA, BEN, CHLOE, DECISIONS, RIVERSIDE},
};
use serde_json::json;

use super::scene::{ENTRY, only_box};
use crate::support::{
    Stage,
    files::{said, thread_of},
    play::read,
    wait_for_end,
};

const QUESTION: &str = "Should we move the depot to the harbour before the winter, @everyone <@1>? It has room for forty carts and stands empty since May.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_protocol_is_offered_with_what_it_is_for_and_starts_on_the_message() {
    for protocol in ["mediate", "roundtable", "debate", "critique", "investigate", "delphi"] {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        stage.model.hold(|_| true);
        let files = vec![Upload::new("plan.md", "The harbour has SEVENTEEN gates.")];
        let message = stage.attach(BEN, DECISIONS, QUESTION, files);
        let offer = stage.offered(message).await;
        let options = offer["components"][0]["components"][0]["options"].as_array().unwrap();
        assert_eq!(options.len(), 6);
        assert!(options.iter().all(|option| option["description"].as_str().unwrap().len() > 30));
        let shown = read(&offer);
        assert!(shown.contains("by **Ben** with a file") && !shown.contains("@everyone"), "{shown}");
        assert_eq!(stage.sessions().await, 0);

        let client = stage.discord.client();
        let thread = thread_of(&client.wait_reply(stage.chosen(&offer, protocol)).await, CHLOE);
        let plan = stage.only_plan().await;
        assert!(plan.contains("forty carts") && plan.contains("SEVENTEEN"), "{protocol}: {plan}");
        let started: (String, i64) = sqlx::query_as("SELECT protocol, starter_id FROM session")
            .fetch_one(&stage.rows().await)
            .await
            .unwrap();
        assert_eq!(started, (protocol.to_owned(), CHLOE.cast_signed()));
        let card = read(&stage.card(thread));
        let title =
            if protocol == "critique" { "Critique of message by Ben" } else { "Should we move the depot" };
        assert!(card.contains(title), "{card}");
        let link = format!("https://discord.com/channels/{RIVERSIDE}/{DECISIONS}/{message}");
        assert!(card.contains(&format!("About [the message]({link}) by Ben")), "{card}");
        stage.nothing_amiss();
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_is_made_after_a_kill_and_twice_starts_once() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let offer = stage.offered(stage.ben_says(QUESTION)).await;
    bot.kill().await;

    let bot = stage.bot().await;
    let client = stage.discord.client();
    let (one, two) = (stage.chosen(&offer, "mediate"), stage.chosen(&offer, "mediate"));
    client.redeliver(one).unwrap();
    let threads =
        [thread_of(&client.wait_reply(one).await, CHLOE), thread_of(&client.wait_reply(two).await, CHLOE)];
    assert_eq!(threads[0], threads[1]);
    let other = said(&client.wait_reply(stage.chosen(&offer, "debate")).await, CHLOE);
    assert!(other.contains(&format!("<#{}> was started already", threads[0])), "{other}");
    wait_for_end(&stage, threads[0]).await;
    assert_eq!((stage.sessions().await, stage.discord.threads(DECISIONS).len()), (1, 1));
    // Offered again, it is another session.
    let offer = stage.offered(stage.ben_says(QUESTION)).await;
    let another = thread_of(&client.wait_reply(stage.chosen(&offer, "debate")).await, CHLOE);
    assert_ne!(another, threads[0]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_no_question_is_read_and_the_question_asked_for() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let client = stage.discord.client();
    let file = || vec![Upload::new("plan.md", "The harbour has SEVENTEEN gates.")];
    let long = format!("THE MINUTES. {}", "We spoke of the depot and of the harbour. ".repeat(30));
    for (n, (protocol, text)) in
        [("mediate", ""), ("investigate", ""), ("debate", &*long)].into_iter().enumerate()
    {
        let offer = stage.offered(stage.attach(BEN, DECISIONS, text, file())).await;
        let opened = stage.chosen(&offer, protocol);
        let input = only_box(&client.wait_reply(opened).await);
        assert!(input["placeholder"].as_str().unwrap().contains("about the message"), "{input}");
        thread_of(&stage.send(CHLOE, opened, "Should the depot be moved to the harbour?").await, CHLOE);
        let plans: Vec<String> = sqlx::query_scalar("SELECT plan FROM session ORDER BY started_ms, rowid")
            .fetch_all(&stage.rows().await)
            .await
            .unwrap();
        let plan = &plans[n];
        assert!(plan.contains("Should the depot be moved") && plan.contains("SEVENTEEN"), "{plan}");
        assert_eq!(plan.contains("THE MINUTES."), !text.is_empty(), "{plan}");
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_asked_about_says_why() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let client = stage.discord.client();
    // Deleted between the offer and the choice, also where a form would open or has opened.
    let message = stage.ben_says(QUESTION);
    let offer = stage.offered(message).await;
    stage.discord.faults().delete_message(DECISIONS, message);
    for protocol in ["mediate", "critique"] {
        let told = said(&client.wait_reply(stage.chosen(&offer, protocol)).await, CHLOE);
        assert!(told.contains("was deleted in the meantime"), "{protocol}: {told}");
    }
    let message = stage.attach(BEN, DECISIONS, "", vec![Upload::new("plan.md", "A plan of few words.")]);
    let offer = stage.offered(message).await;
    let opened = stage.chosen(&offer, "mediate");
    only_box(&client.wait_reply(opened).await);
    stage.discord.faults().delete_message(DECISIONS, message);
    let told = said(&stage.send(CHLOE, opened, "What of this plan?").await, CHLOE);
    assert!(told.contains("was deleted in the meantime") && told.contains("What of this plan?"), "{told}");
    let told = said(&client.wait_reply(stage.chosen(&offer, "mediate")).await, CHLOE);
    assert!(told.contains("was deleted in the meantime"), "{told}");

    // Offered a day ago.
    let offer = stage.offered(stage.ben_says(QUESTION)).await;
    stage.a_day_passes().await;
    let told = said(&client.wait_reply(stage.chosen(&offer, "debate")).await, CHLOE);
    assert!(told.contains("more than a day ago") && told.contains(ENTRY), "{told}");
    assert!(stage.is_untouched(&bot).await);

    // Too short for what was chosen: the sentence of the command.
    let offer = stage.offered(stage.ben_says("We open a shop.")).await;
    let told = said(&client.wait_reply(stage.chosen(&offer, "critique")).await, CHLOE);
    assert!(told.contains("too short to examine"), "{told}");

    // The bot's own card.
    let thread = stage.started(ADA, DECISIONS, "mediate", json!({})).await;
    let told = stage.told_about(DECISIONS, thread).await;
    assert!(
        told.contains("one of my own") && told.contains("press its buttons") && told.contains("`/ask`"),
        "{told}"
    );
    assert_eq!(stage.sessions().await, 1);
    bot.kill().await;
}
