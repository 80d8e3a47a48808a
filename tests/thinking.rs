//! A command whose process dies between "thinking…" and its answer is answered after the restart, once.

use std::{collections::HashMap, time::Duration};

use playground::{
    Fault, Id, Upload,
    ids::{ADA, DECISIONS},
};
use serde_json::json;

use crate::support::{Stage, nothing_comes, play::PATIENCE, wait_for_end};

/// Where the answer to a command is given.
const ORIGINAL: &str = "/webhooks/*/*/messages/@original";

/// Waits until so many answers are noted as promised.
async fn wait_promised(stage: &Stage, wanted: i64) {
    stage.wait_number("SELECT count(*) FROM pending_reply", wanted).await;
}

fn edits(stage: &Stage) -> usize {
    let requests = stage.discord.requests();
    requests.iter().filter(|asked| asked.method == "PATCH" && asked.path.ends_with("/@original")).count()
}

fn start(stage: &Stage) -> Id {
    stage
        .discord
        .client()
        .run_command(ADA, DECISIONS, "mediate", json!({"problem": "Where do we meet?"}))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_was_cut_off_before_its_answer_is_answered_with_its_thread() {
    let stage = Stage::start().await;
    stage.discord.faults().on("PATCH", ORIGINAL, 100, Fault::Stall(Duration::from_mins(1)));
    let bot = stage.bot().await;
    let command = start(&stage);
    let thread = stage.discord.client().wait_thread(DECISIONS, PATIENCE, |_| true).await.unwrap();
    let thread: Id = thread["id"].as_str().unwrap().parse().unwrap();
    wait_promised(&stage, 1).await;
    // Before the bot knows of its thread it would have to say that there will be one.
    stage.wait_number("SELECT count(*) FROM session WHERE thread_id IS NOT NULL", 1).await;
    bot.kill().await;
    assert!(stage.discord.client().look(command).text().is_empty(), "still thinking");

    stage.discord.faults().clear();
    let bot = stage.bot().await;
    let said = stage.discord.client().wait_reply(command).await;
    assert_eq!(said.messages.len(), 1);
    assert!(said.text().contains(&format!("It has begun: <#{thread}>")), "{}", said.text());
    wait_promised(&stage, 0).await;
    wait_for_end(&stage, thread).await;
    let edited = edits(&stage);
    bot.kill().await;
    // Another restart has nothing to say.
    let bot = stage.bot().await;
    nothing_comes(Duration::from_millis(300)).await;
    assert_eq!(edits(&stage), edited);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_had_not_begun_says_that_nothing_was_done() {
    let stage = Stage::start().await;
    stage.discord.faults().on("GET", "/attachments/**", 100, Fault::Stall(Duration::from_mins(1)));
    let bot = stage.bot().await;
    let files =
        HashMap::from([("document".to_owned(), Upload::new("plan.md", "A plan of few words.".to_owned()))]);
    let client = stage.discord.client();
    let command = client.run_command_with(ADA, DECISIONS, "critique", json!({}), files).unwrap();
    wait_promised(&stage, 1).await;
    bot.kill().await;

    stage.discord.faults().clear();
    let bot = stage.bot().await;
    let said = client.wait_reply(command).await;
    assert!(said.text().contains("nothing was done. Please do it again"), "{}", said.text());
    wait_promised(&stage, 0).await;
    assert!(stage.discord.threads(DECISIONS).is_empty());
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_given_stays_and_a_token_that_expired_is_left_alone() {
    let stage = Stage::start().await;
    // The answer arrives, and the process dies before it hears so.
    stage.discord.faults().on("PATCH", ORIGINAL, 1, Fault::SlowReply(Duration::from_mins(1)));
    let bot = stage.bot().await;
    let given = start(&stage);
    let said = stage.discord.client().wait_reply(given).await;
    wait_promised(&stage, 1).await;
    bot.kill().await;
    let bot = stage.bot().await;
    wait_promised(&stage, 0).await;
    assert_eq!(stage.discord.client().look(given).messages, said.messages, "the answer stays as it was");

    stage.discord.faults().on("PATCH", ORIGINAL, 100, Fault::Stall(Duration::from_mins(1)));
    let late = start(&stage);
    wait_promised(&stage, 1).await;
    stage.discord.client().wait_acknowledged(late).await;
    bot.kill().await;
    stage.discord.faults().clear();
    stage.discord.faults().expire_tokens();
    let asked = edits(&stage);
    let bot = stage.bot().await;
    wait_promised(&stage, 0).await;
    nothing_comes(Duration::from_millis(300)).await;
    assert_eq!(edits(&stage), asked, "nothing is tried again and again");
    bot.kill().await;
}
