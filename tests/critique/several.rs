//! Several files in one command, and a message that is linked to: one document, in which each keeps its name. What cannot
//! be read is said privately, and nothing is started.

use std::collections::HashMap;

use playground::{
    Id, Upload,
    ids::{ADA, BEN, BOT, CHLOE, DECISIONS, DMITRI, GENERAL, PRIVATE, RIVERSIDE, SECOND, SECOND_DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::{PLAN, growing, has, whole_review},
    support::{
        Stage,
        files::{said, thread_of},
        play::read,
        wait_for_end,
    },
};

/// Runs a command with these files, by the options that hold them.
async fn with_files(
    stage: &Stage,
    (member, command): (Id, &str),
    options: Value,
    files: &[(&str, Upload)],
) -> playground::Seen {
    let client = stage.discord.client();
    let files: HashMap<String, Upload> =
        files.iter().map(|(option, file)| ((*option).to_owned(), file.clone())).collect();
    let ran = client.run_command_with(member, DECISIONS, command, options, files).unwrap();
    client.wait_reply(ran).await
}

/// Options, files, and what is said about them.
type Row = (Value, Vec<(&'static str, Upload)>, &'static [&'static str]);

fn link(guild: Id, channel: Id, message: Id) -> Value {
    json!(format!("https://discord.com/channels/{guild}/{channel}/{message}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_files_and_a_linked_message_are_one_document_with_four_names() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let text = format!("<@{BOT}> what riders cost:");
    let message =
        stage.attach(BEN, GENERAL, &text, vec![Upload::new("pay.csv", "Rider;Pay\nOne;12 euros an hour")]);
    let files = [
        ("document", Upload::new("plan.md", PLAN)),
        ("document2", Upload::new("more.txt", "RIDERS are paid by the hour.")),
        ("document3", Upload::new("more.txt", "RIDERS have no insurance.")),
    ];
    let options = json!({"depth": 1, "message": link(RIVERSIDE, GENERAL, message)});
    let seen = with_files(&stage, (ADA, "critique"), options, &files).await;
    let thread = thread_of(&seen, ADA);
    wait_for_end(&stage, thread).await;
    has(&read(&stage.card(thread)), &["Critique of plan.md, more.txt and 3 more"]);
    let calls = growing(&stage);
    assert!(!calls.is_empty());
    for call in calls {
        has(
            &call.text(),
            &["Delivery in the town", "by the hour.", "no insurance", "what riders cost", "12 euros"],
        );
    }
    has(&whole_review(&stage, thread).await, &["plan.md, line"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_takes_several_files_and_a_message() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let message = stage.attach(BEN, DECISIONS, &format!("<@{BOT}> see"), vec![Upload::new("a.md", PLAN)]);
    for (command, option) in [
        ("mediate", "problem"),
        ("roundtable", "problem"),
        ("debate", "proposition"),
        ("investigate", "question"),
        ("delphi", "question"),
    ] {
        let options =
            json!({option: "Should we deliver with riders?", "message": link(RIVERSIDE, DECISIONS, message)});
        let files = [("document2", Upload::new("b.md", "RIDERS are paid by the hour."))];
        thread_of(&with_files(&stage, (ADA, command), options, &files).await, ADA);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_read_together_is_a_sentence_and_nothing_starts() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let post = |channel, text: &str| stage.attach(BEN, channel, text, vec![Upload::new("plan.md", PLAN)]);
    let mention = format!("<@{BOT}>");
    let (closed, unseen) = (post(PRIVATE, &mention), post(DECISIONS, "no mention"));
    let elsewhere = stage.attach(DMITRI, SECOND_DECISIONS, &mention, vec![Upload::new("plan.md", PLAN)]);
    let large = || Upload::new("large.txt", "word ".repeat(120_000));
    let rows: Vec<Row> = vec![
        (json!({"message": "plan.md"}), vec![], &["Copy Message Link", "Nothing was started"]),
        (json!({"message": link(SECOND, SECOND_DECISIONS, elsewhere)}), vec![], &["another server"]),
        // Whose channel it is cannot be claimed.
        (
            json!({"message": link(RIVERSIDE, SECOND_DECISIONS, elsewhere)}),
            vec![],
            &["one of us two cannot read it"],
        ),
        (json!({"message": link(RIVERSIDE, PRIVATE, closed)}), vec![], &["one of us two cannot read it"]),
        (json!({"message": link(RIVERSIDE, DECISIONS, 1_234)}), vec![], &["one of us two cannot read it"]),
        (
            json!({"message": link(RIVERSIDE, DECISIONS, unseen)}),
            vec![],
            &["no text and no file that I can see", "`document`"],
        ),
        (json!({"text": "a", "message": link(RIVERSIDE, DECISIONS, unseen)}), vec![], &["both given"]),
        (
            json!({}),
            vec![("document", large()), ("document3", large())],
            &["`large.txt and large.txt` have too much text together", "Leave one of them out"],
        ),
        (
            json!({}),
            vec![
                ("document", Upload::new("plan.md", PLAN)),
                ("document2", Upload::new("a.png", &b"\x89PNG\r\n\x1a\n\0"[..])),
            ],
            &["`a.png`"],
        ),
    ];
    for (options, files, phrases) in rows {
        has(&said(&with_files(&stage, (CHLOE, "critique"), options, &files).await, CHLOE), phrases);
    }
    assert!(stage.is_untouched(&bot).await);
    // Whoever can read the channel may have it read.
    let options = json!({"message": link(RIVERSIDE, PRIVATE, closed)});
    thread_of(&with_files(&stage, (ADA, "critique"), options, &[]).await, ADA);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_goes_on_with_the_document_of_the_thread_that_it_is_asked_for_in() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let first = stage.critique("plan.md", PLAN, json!({"depth": 1})).await;
    wait_for_end(&stage, first).await;
    let told = async |member, channel, command: &str, options| {
        let ran = client.run_command(member, channel, command, options).unwrap();
        client.wait_reply(ran).await
    };
    let refused = told(ADA, first, "mediate", json!({"problem": "Should we deliver?"})).await;
    has(&said(&refused, ADA), &["has its session already", "`thread_document`"]);
    let elsewhere = told(BEN, DECISIONS, "critique", json!({"thread_document": true})).await;
    has(&said(&elsewhere, BEN), &["for a session's thread", "nothing was started"]);

    let mediated =
        told(BEN, first, "mediate", json!({"problem": "Should we deliver?", "thread_document": true})).await;
    let second = thread_of(&mediated, BEN);
    wait_for_end(&stage, second).await;
    assert_ne!(first, second);
    has(&stage.read(second), &["plan.md"]);
    let calls = stage.model.calls();
    let both =
        |text: &str| ["Should we deliver?", "Delivery in the town"].iter().all(|part| text.contains(part));
    assert!(calls.iter().any(|call| both(&call.text())));

    // And of a session that has none, there is none.
    let bare = told(ADA, DECISIONS, "mediate", json!({"problem": "Should we deliver?"})).await;
    let bare = thread_of(&bare, ADA);
    let nothing = told(ADA, bare, "critique", json!({"thread_document": true})).await;
    has(&said(&nothing, ADA), &["session has no document"]);
    stage.nothing_amiss();
    bot.kill().await;
}
