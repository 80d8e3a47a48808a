//! A command without its text opens a form, and what is sent in it starts what the command would have.

use std::{collections::HashMap, time::Duration};

use playground::{
    Fault, Upload,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use super::scene::{TEXTS, only_box};
use crate::support::{
    Stage,
    files::{said, thread_of},
    play::{PATIENCE, is_private},
    wait_for_end,
};

const QUESTION: &str = "Should we move the depot to the harbour before the winter?";

fn plan() -> HashMap<String, Upload> {
    HashMap::from([(
        "document".to_owned(),
        Upload::new("plan.md", "The depot has SEVENTEEN gates.".to_owned()),
    )])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_without_its_text_asks_for_it_and_starts_with_all_that_was_chosen() {
    for (command, option) in TEXTS {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        stage.model.hold(|_| true);
        let chosen = match command {
            "mediate" => json!({"modules": "legal, cost", "weights": "legal=2", "raci": true}),
            "roundtable" => json!({"experts": 4}),
            "debate" => json!({"preset": "quick"}),
            "delphi" => json!({"estimators": 4, "unit": "carts"}),
            _ => json!({"scouts": 4, "mode": "structured", "budget": 7}),
        };
        let mut options =
            json!({"effort": "deep", "vote_hours": 5, "voters": format!("<@{BEN}>"), "search": false});
        if ["roundtable", "delphi"].contains(&command) {
            options.as_object_mut().unwrap().remove("search");
        }
        options.as_object_mut().unwrap().extend(chosen.as_object().unwrap().clone());
        let client = stage.discord.client();

        // What the command makes of them with its text.
        let mut whole = options.clone();
        whole[option] = QUESTION.into();
        let ran = client.run_command_with(ADA, DECISIONS, command, whole, plan()).unwrap();
        thread_of(&client.wait_reply(ran).await, ADA);
        let expected = stage.only_plan().await;
        assert!(expected.contains("SEVENTEEN") && expected.contains(QUESTION), "{expected}");

        let opened = client.run_command_with(ADA, DECISIONS, command, options, plan()).unwrap();
        let input = only_box(&client.wait_reply(opened).await);
        assert_eq!((&input["style"], &input["required"]), (&json!(2), &json!(true)), "a large box");
        let most = if command == "debate" { 500 } else { 4_000 };
        assert_eq!(input["max_length"], most, "{command}");
        assert_eq!(stage.sessions().await, 1, "nothing is started yet");
        let thread = thread_of(&stage.send(ADA, opened, QUESTION).await, ADA);
        let plans: Vec<String> = sqlx::query_scalar("SELECT plan FROM session ORDER BY started_ms, rowid")
            .fetch_all(&stage.rows().await)
            .await
            .unwrap();
        let plans: Vec<Value> = plans.iter().map(|plan| serde_json::from_str(plan).unwrap()).collect();
        let [first, second] = plans.as_slice() else { panic!("two sessions") };
        assert_eq!(first, second, "{command}: the form starts what the command does");
        assert!(stage.discord.channel(thread).is_some());
        stage.nothing_amiss();
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_was_opened_before_a_kill_starts_after_it() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let opened =
        client.run_command_with(ADA, DECISIONS, "mediate", json!({"modules": "cost, risk"}), plan()).unwrap();
    only_box(&client.wait_reply(opened).await);
    bot.kill().await;

    let bot = stage.bot().await;
    let thread = thread_of(&stage.send(ADA, opened, QUESTION).await, ADA);
    wait_for_end(&stage, thread).await;
    assert!(stage.model.calls().iter().any(|call| call.text().contains("SEVENTEEN")), "the file was read");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_typed_outlives_a_kill_before_the_session_is_there() {
    let stage = Stage::start().await;
    stage.discord.faults().on("GET", "/attachments/**", 100, Fault::Stall(Duration::from_mins(1)));
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let opened = client.run_command_with(ADA, DECISIONS, "roundtable", json!({}), plan()).unwrap();
    only_box(&client.wait_reply(opened).await);
    let sent = client.submit_modal(ADA, opened, &[("text", QUESTION)]).unwrap();
    let rows = stage.rows().await;
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let ready: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM opening, pending_reply WHERE typed IS NOT NULL AND sent_by = interaction_id",
        )
        .fetch_one(&rows)
        .await
        .unwrap();
        if ready == 1 {
            break;
        }
        assert!(tokio::time::Instant::now() < until, "what was typed is kept, and an answer is promised");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    bot.kill().await;

    stage.discord.faults().clear();
    let bot = stage.bot().await;
    let told = client.wait_reply(sent).await;
    let text = said(&told, ADA);
    assert!(text.contains("nothing was done") && text.contains(QUESTION), "{text}");
    let (again, form) = stage.open_again(ADA, DECISIONS, &told).await;
    assert_eq!(only_box(&form)["value"], QUESTION, "it is in the form");
    let seen = stage.send(ADA, again, QUESTION).await;
    thread_of(&seen, ADA);
    assert!(stage.only_plan().await.contains("SEVENTEEN"), "with its file");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_whose_answer_was_lost_in_a_kill_is_answered_with_its_thread() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let client = stage.discord.client();
    let opened = client.run_command(ADA, DECISIONS, "investigate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    stage.discord.faults().on(
        "PATCH",
        "/webhooks/*/*/messages/@original",
        100,
        Fault::Stall(Duration::from_mins(1)),
    );
    let sent = client.submit_modal(ADA, opened, &[("text", QUESTION)]).unwrap();
    let thread = client.wait_thread(DECISIONS, PATIENCE, |_| true).await.unwrap();
    // The answer is on its way, which nobody sees of a request that stalls.
    tokio::time::sleep(Duration::from_millis(200)).await;
    bot.kill().await;

    stage.discord.faults().clear();
    let bot = stage.bot().await;
    let told = client.wait_reply(sent).await;
    assert_eq!(thread_of(&told, ADA).to_string(), thread["id"].as_str().unwrap());
    assert_eq!(stage.sessions().await, 1);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sent_twice_it_starts_once_and_other_words_come_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|_| true);
    let client = stage.discord.client();
    let opened = client.run_command(ADA, DECISIONS, "debate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    client.redeliver(opened).unwrap();
    let (one, two) = (
        client.submit_modal(ADA, opened, &[("text", QUESTION)]).unwrap(),
        client.submit_modal(ADA, opened, &[("text", QUESTION)]).unwrap(),
    );
    client.redeliver(two).unwrap();
    let threads =
        [thread_of(&client.wait_reply(one).await, ADA), thread_of(&client.wait_reply(two).await, ADA)];
    assert_eq!(threads[0], threads[1]);
    let other = stage.send(ADA, opened, "Should we rather stay where we are?").await;
    let text = said(&other, ADA);
    assert!(text.contains("was started already") && text.contains(&format!("<#{}>", threads[0])), "{text}");
    assert!(text.contains("Should we rather stay where we are?"), "{text}");
    assert_eq!((stage.sessions().await, stage.discord.threads(DECISIONS).len()), (1, 1));
    // Another use of the command is another session.
    let opened = client.run_command(ADA, DECISIONS, "debate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    let another = thread_of(&stage.send(ADA, opened, QUESTION).await, ADA);
    assert_ne!(another, threads[0]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_comes_too_late_gives_the_words_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let opened = client.run_command(ADA, DECISIONS, "mediate", json!({})).unwrap();
    only_box(&client.wait_reply(opened).await);
    stage.a_day_passes().await;
    let long = format!("{QUESTION} {}", "And what of the boats? ".repeat(150));
    let seen = stage.send(ADA, opened, &long).await;
    assert!(is_private(&seen, ADA));
    let text = said(&seen, ADA);
    assert!(text.contains("more than a day ago") && text.contains("Use the command again"), "{text}");
    assert!(text.contains(QUESTION), "{text}");
    assert_eq!(seen.messages[0]["attachments"][0]["filename"], "what-you-wrote.txt", "all of it");
    assert!(seen.messages[0]["components"].as_array().is_none_or(Vec::is_empty), "there is no form to open");
    assert!(stage.is_untouched(&bot).await);
    stage.nothing_amiss();
    bot.kill().await;
}
