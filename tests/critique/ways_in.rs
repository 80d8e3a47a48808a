//! The three ways into a critique, and what is wrong with what comes by each: said privately, with what to do, and
//! nothing is started.

use playground::{
    Id, Upload, bits,
    ids::{ADA, BEN, CHLOE, DECISIONS, DMITRI, GENERAL, RIVERSIDE, SECOND_DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::{PLAN, depth, growing, has, whole_review},
    support::{
        Stage,
        files::{said, thread_of},
        play::read,
        wait_for_end,
    },
};

const MENU: &str = "Critique this message";

/// What Ada is told when she gives these options and this file.
async fn told(stage: &Stage, options: Value, file: Option<Upload>) -> String {
    match file {
        Some(file) => said(&stage.with_document(ADA, DECISIONS, "critique", options, file).await, ADA),
        None => stage.told(ADA, DECISIONS, "critique", options).await,
    }
}

/// What Chloé is told when she has this message of Ben's examined.
async fn told_of(stage: &Stage, text: &str, files: Vec<Upload>) -> String {
    let message = stage.attach(BEN, DECISIONS, text, files);
    said(&stage.apps(CHLOE, DECISIONS, message, MENU).await, CHLOE)
}

fn card(stage: &Stage, thread: Id) -> String {
    read(&stage.card(thread))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pasted_text_is_examined_as_it_is() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let text = &PLAN[..2_000];
    let options = json!({"text": text, "depth": 1, "vote_hours": 5, "voters": format!("<@{BEN}>")});
    let client = stage.discord.client();
    let ran = client.run_command(ADA, DECISIONS, "critique", options).unwrap();
    let thread = thread_of(&client.wait_reply(ran).await, ADA);
    wait_for_end(&stage, thread).await;
    has(&card(&stage, thread), &["Critique of pasted text"]);
    has(&stage.read(thread), &["What matters most in pasted text?", &format!("<@{BEN}>")]);
    assert!(growing(&stage).iter().all(|call| call.text().contains(text.trim_end())));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_examined_with_its_attachments_by_whoever_asks() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let files = vec![Upload::new("plan.md", PLAN), Upload::new("more.txt", "RIDERS are paid by the hour.")];
    let message = stage.attach(BEN, DECISIONS, "Please tear this apart, <@1> @everyone.", files);
    let thread = thread_of(&stage.apps(CHLOE, DECISIONS, message, MENU).await, CHLOE);
    wait_for_end(&stage, thread).await;
    has(&card(&stage, thread), &["Critique of message by Ben"]);
    for call in growing(&stage).iter().filter(|call| !call.is_deeper()) {
        has(&call.text(), &["tear this apart", "Delivery in the town", "RIDERS are paid by the hour."]);
    }
    has(&whole_review(&stage, thread).await, &["plan.md, line"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forwarded_message_is_examined_with_the_files_that_it_hands_on() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let files = vec![Upload::new("plan.md", PLAN)];
    let first = stage.attach(BEN, GENERAL, &format!("Please tear this apart, <@{BEN}>."), files);
    let forwarded = stage.discord.client().forward(BEN, (GENERAL, first), DECISIONS).unwrap();
    let thread = thread_of(&stage.apps(CHLOE, DECISIONS, forwarded, MENU).await, CHLOE);
    wait_for_end(&stage, thread).await;
    has(&card(&stage, thread), &["Critique of message by Ben"]);
    let calls = growing(&stage);
    assert!(!calls.is_empty());
    for call in calls.iter().filter(|call| !call.is_deeper()) {
        has(&call.text(), &["Forwarded message:", "tear this apart, @Ben.", "Delivery in the town"]);
    }
    has(&whole_review(&stage, thread).await, &["plan.md, line"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_one_file_is_called_by_it() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let message = stage.attach(BEN, DECISIONS, "", vec![Upload::new("plan.md", PLAN)]);
    let thread = thread_of(&stage.apps(ADA, DECISIONS, message, MENU).await, ADA);
    has(&card(&stage, thread), &["Critique of plan.md"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_one_thing_of_some_length_is_examined() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let plan = || Some(Upload::new("plan.md", PLAN));
    let short = || Some(Upload::new("short.md", "# Plan\n\nWe open a shop."));
    let dashes = || Some(Upload::new("dashes.md", "--- *** ---\n".repeat(90)));
    let rows: Vec<(Value, Option<Upload>, &[&str])> = vec![
        (json!({}), None, &["`document`", "`text`", "Apps → Critique this message"]),
        (json!({"text": PLAN[..500]}), plan(), &["both given", "Give one of them"]),
        (json!({"text": " \u{200b}\n"}), None, &["The text has nothing to read"]),
        (
            json!({"text": "We open a shop."}),
            None,
            &["The text is too short to examine: it has 11", "of the 100", "the whole"],
        ),
        (json!({}), short(), &["`short.md` is too short to examine: it has 15", "of the 100"]),
        (json!({}), dashes(), &["`dashes.md` has nothing to read"]),
        (json!({"model": "openai/none"}), plan(), &["`openai/none`", "`openai/alpha`"]),
        (json!({"voters": "the board"}), plan(), &["nobody I can ask"]),
        (json!({"voters": format!("<@{BEN}>"), "quorum": 2}), plan(), &["1 may vote"]),
    ];
    for (options, file, phrases) in rows {
        has(&told(&stage, options, file).await, phrases);
    }
    // What the command's own bounds keep out does not even reach me.
    let client = stage.discord.client();
    for options in [json!({"text": PLAN, "depth": 4}), json!({"text": PLAN, "depth": 0})] {
        assert!(client.run_command(ADA, DECISIONS, "critique", options.clone()).is_err(), "{options}");
    }
    let long = json!({"text": "a".repeat(6_001)});
    assert!(client.run_command(ADA, DECISIONS, "critique", long).is_err());
    assert!(stage.is_untouched(&bot).await);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_cannot_be_read_is_named_with_what_to_do_and_the_bot_goes_on() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    has(
        &told(&stage, json!({}), Some(Upload::new("empty.pdf", Vec::new()))).await,
        &["`empty.pdf` is empty"],
    );
    has(
        &told(&stage, json!({}), Some(Upload::new("notes.txt", picture.clone()))).await,
        &["`notes.txt` is a picture"],
    );
    let client = stage.discord.client();
    let large = [("document".to_owned(), Upload::new("large.txt", vec![b'a'; (25 << 20) + 1]))].into();
    let ran = client.run_command_with(DMITRI, SECOND_DECISIONS, "critique", json!({}), large).unwrap();
    has(&said(&client.wait_reply(ran).await, DMITRI), &["`large.txt` is too large", "at most 25 MiB"]);

    // A message is examined whole or not at all, and the file at fault is named.
    let good = || Upload::new("plan.md", PLAN);
    let bad = Upload::new("chart.md", picture);
    let all_or_nothing = "with all its files or not at all";
    has(
        &told_of(&stage, "Both of these.", vec![good(), bad]).await,
        &["`chart.md` is a picture", all_or_nothing],
    );
    stage.discord.faults().expire_links(true);
    has(
        &told_of(&stage, &PLAN[..1_900], vec![good()]).await,
        &["`plan.md` could not be fetched", "Attach it again", all_or_nothing],
    );
    has(&told(&stage, json!({}), Some(good())).await, &["`plan.md`", "its link has expired"]);
    stage.discord.faults().expire_links(false);
    assert!(stage.is_untouched(&bot).await);

    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_without_enough_of_its_own_is_not_examined() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let short = told_of(&stage, "We open a shop.", vec![]).await;
    has(&short, &["`message by Ben` is too short to examine: it has 11", "of the 100"]);
    // A card has an embed and no text, as the bot's own live card.
    stage.model.hold(|_| true);
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    let own = said(&stage.apps(CHLOE, DECISIONS, thread, MENU).await, CHLOE);
    has(&own, &["no text and no file of its own", "`/critique text:`"]);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn critiques_begin_only_where_a_thread_can_be_opened() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    stage.wait_for(thread, "What it takes").await;
    let inside = stage.told(ADA, thread, "critique", json!({"text": &PLAN[..500]})).await;
    has(&inside, &["This thread has its session already", "Use `/critique` in a channel"]);
    // What is said there can be examined: beside it.
    let message = stage.attach(BEN, thread, &PLAN[..500], vec![]);
    let beside = thread_of(&stage.apps(BEN, thread, message, MENU).await, BEN);
    assert_ne!(beside, thread);
    let link = format!("https://discord.com/channels/{RIVERSIDE}/{thread}/{message}");
    has(&read(&stage.card(beside)), &[&format!("About [the message]({link}) by Ben")]);

    stage.discord.faults().deny(DECISIONS, bits::SEND_MESSAGES_IN_THREADS, true);
    let lacking = told_of(&stage, &PLAN[..1_900], vec![]).await;
    has(&lacking, &["I lack a permission", "Send Messages in Threads"]);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 2);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delivered_twice_it_begins_once() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let message = stage.attach(BEN, DECISIONS, &PLAN[..1_900], vec![]);
    let client = stage.discord.client();
    let ran = client.message_command(ADA, DECISIONS, MENU, message).unwrap();
    client.redeliver(ran).unwrap();
    let thread = thread_of(&client.wait_reply(ran).await, ADA);
    stage.wait_for(thread, "What it takes").await;
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    assert_eq!(bot.store.unfinished_sessions().await.unwrap().len(), 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_sets_the_budget_is_named_where_it_does_not_suffice() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let set = stage.told(ADA, DECISIONS, "settings budget", json!({"session_calls": "12"})).await;
    has(&set, &["12"]);
    let few = told(&stage, json!({"text": &PLAN[..2_000]}), None).await;
    has(&few, &["may make 12 calls", "even the shortest takes", "`/settings budget`", "Nothing was started"]);
    let least: usize = {
        let rest = few.split_once("even the shortest takes ").unwrap().1;
        rest.split_once('.').unwrap().0.parse().unwrap()
    };
    stage.told(ADA, DECISIONS, "settings budget", json!({"session_calls": (least - 1).to_string()})).await;
    has(&told(&stage, json!({"text": &PLAN[..2_000]}), None).await, &["may make"]);
    assert!(stage.is_untouched(&bot).await);
    stage.told(ADA, DECISIONS, "settings budget", json!({"session_calls": least.to_string()})).await;
    has(&told(&stage, json!({"text": &PLAN[..2_000]}), None).await, &["<#"]);
    stage.nothing_amiss();
    bot.kill().await;
}
