//! *Follow-up as…*: a session goes on with what another left open. Both threads name the other, the new one reads the old
//! one's record, and each matter is taken up once.

use std::time::Duration;

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{
    Moment, Stage, has, has_not,
    model::{Answer, Call},
    play::{id, read, thread_of},
    text_of, thirds, wait_for_end,
};

/// What the mediator leaves open: a conflict, a red flag, something not known, two solutions.
fn says(call: &Call) -> Option<Answer> {
    call.user.contains("You are the mediator.").then(|| {
        call.reply(|synthesis| {
            synthesis["conflicts"] = json!([{
                "modules": ["market", "cost"], "topic": "What riders cost",
                "description": "Market wants low fees, and Cost cannot pay riders from them.",
                "settles": "What two riders ask for an evening.", "severity": "high",
                "area": "cost", "carries": "nothing",
            }]);
            synthesis["unknown"] =
                json!([{ "what": "Whether kitchens pay monthly", "find_out": "Ask three of them by Friday." }]);
            synthesis["flags"] =
                json!([{ "color": "red", "text": "The town may forbid mopeds.", "conflict": null }]);
        })
    })
}

/// A stage with a mediation that is done; gives its thread.
async fn done() -> (Stage, crate::support::Actor, Id) {
    let stage = Stage::start().await;
    stage.model.on(says);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "[Follow-up as…]").await;
    (stage, bot, thread)
}

/// What somebody is offered: the message with the select.
async fn offered(stage: &Stage, member: Id, thread: Id) -> Value {
    let seen = stage.press_card(member, thread, "Follow-up as…").await;
    seen.messages.into_iter().next().expect("an answer")
}

fn options(offered: &Value) -> Vec<(String, String)> {
    let options = offered["components"][0]["components"][0]["options"].as_array().unwrap().iter();
    let text = |option: &Value, key: &str| option[key].as_str().unwrap().to_owned();
    options.map(|option| (text(option, "value"), text(option, "label"))).collect()
}

/// Chooses what to go on with; gives the new thread.
async fn goes_on(stage: &Stage, member: Id, thread: Id, left: &str) -> Id {
    let offered = offered(stage, member, thread).await;
    thread_of(&stage.choose(member, DECISIONS, &offered, "Go on with…", left).await, member)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_mediation_left_open_becomes_a_session_of_the_protocol_that_fits() {
    let (stage, bot, thread) = done().await;
    let offered = options(&offered(&stage, BEN, thread).await);
    let values: Vec<&str> = offered.iter().map(|(value, _)| value.as_str()).collect();
    assert_eq!(values[..4], ["conflict/1", "fact/1", "fact/2", "solution/1"], "{offered:?}");
    assert!(
        values.ends_with(&["whole/roundtable", "whole/debate", "whole/investigate", "whole/delphi"]),
        "{offered:?}"
    );
    has(&offered[0].1, &["/debate: What riders cost"]);

    let debate = goes_on(&stage, BEN, thread, "conflict/1").await;
    has(&stage.read(thread), &["Goes on as a /debate", "What riders cost: Market wants low fees"]);
    stage.wait_for(thread, &format!("It is in <#{debate}>.")).await;
    stage.wait_card(debate, &format!("Goes on from <#{thread}>: What riders cost")).await;
    stage.wait_for(debate, "[Start]").await;

    // Whoever frames the debate reads the record of the mediation, as data.
    let framing = stage.model.calls().into_iter().rev().find(|call| call.text().contains("record.md"));
    let framing = framing.expect("a call that reads the record").text();
    has(&framing, &["Market wants low fees, and Cost cannot pay riders from them."]);
    // The same once more is refused, and something else is not.
    let again = stage.press_card(ADA, thread, "Follow-up as…").await.messages.remove(0);
    let told = stage.choose(ADA, DECISIONS, &again, "Go on with…", "conflict/1").await.text();
    has(&told, &["Ben has taken this up already", &format!("<#{debate}>"), "Nothing was started"]);
    let fact = goes_on(&stage, ADA, thread, "fact/1").await;
    stage.wait_card(fact, "Goes on from").await;
    has(&stage.card(fact).to_string(), &["The town may forbid mopeds", "investigate"]);
    let unknown = goes_on(&stage, ADA, thread, "fact/2").await;
    stage.wait_card(unknown, "Goes on from").await;
    has(&stage.card(unknown).to_string(), &["Whether kitchens pay monthly", "investigate"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_solution_is_examined_by_itself_and_one_that_came_to_nothing_makes_room() {
    let (stage, bot, thread) = done().await;
    let critique = goes_on(&stage, ADA, thread, "solution/1").await;
    wait_for_end(&stage, critique).await;
    let read_by = stage.model.calls().into_iter().filter(|call| call.text().contains("What it is to answer"));
    for call in read_by {
        has_not(&call.text(), &["Market wants low fees"]);
    }
    let first = goes_on(&stage, ADA, thread, "whole/debate").await;
    stage.wait_for(first, "[Start]").await;
    let sure = stage.press_card(ADA, first, "Cancel").await;
    let message = &sure.messages[0];
    stage.press(ADA, DECISIONS, message, "Yes, end it").await;
    stage.wait_card(first, "Cancelled").await;
    let second = goes_on(&stage, BEN, thread, "whole/debate").await;
    assert_ne!(first, second);
    stage.wait_for(second, "[Start]").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_who_choose_the_same_at_once_start_one_session() {
    let (stage, bot, thread) = done().await;
    let (ada, ben) = (offered(&stage, ADA, thread).await, offered(&stage, BEN, thread).await);
    let (ada, ben) = tokio::join!(
        stage.choose(ADA, DECISIONS, &ada, "Go on with…", "conflict/1"),
        stage.choose(BEN, DECISIONS, &ben, "Go on with…", "conflict/1"),
    );
    let told = [ada.text(), ben.text()];
    let begun = told.iter().filter(|told| told.contains("It has begun")).count();
    let refused = told.iter().filter(|told| told.contains("has taken this up already")).count();
    assert_eq!((begun, refused), (1, 1), "{told:?}");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 2);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_gone_on_with_is_said() {
    let (stage, bot, thread) = done().await;
    let shown = offered(&stage, ADA, thread).await;
    for forged in ["conflict/9", "solution/200", "whole/chat", "x"] {
        // Only what stands in the select can be chosen on Discord; what was offered may be gone meanwhile.
        let custom_id = shown["components"][0]["components"][0]["custom_id"].as_str().unwrap();
        let forged_at = stage.forged_buttons(DECISIONS, &[custom_id]).await;
        let pressed = stage.discord.client().click(ADA, DECISIONS, forged_at, custom_id);
        let told = stage.discord.client().wait_reply(pressed.unwrap()).await.text();
        has(&told, &["not among what this session left open"]);
        let _ = forged;
    }
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1, "nothing was started");
    bot.kill().await;
}

/// A mediation that is done, and the select that somebody looks at.
struct Before {
    moment: Moment,
    thread: Id,
    custom_id: String,
    message: Id,
}

impl Before {
    async fn new() -> Self {
        let (stage, bot, thread) = done().await;
        let shown = offered(&stage, BEN, thread).await;
        let custom_id = shown["components"][0]["components"][0]["custom_id"].as_str().unwrap().to_owned();
        let message = id(&shown["id"]);
        bot.rests().await;
        bot.kill().await;
        Self { moment: stage.moment(), thread, custom_id, message }
    }
}

/// Killed after so many commits of going on, it is gone on with once; the same press is delivered again, as Discord does.
async fn killed_after(before: &Before, commits: u64) {
    let stage = Stage::start().await.back_to(&before.moment).await;
    stage.model.on(says);
    let bot = stage.bot_that_halts(Some(commits)).await;
    stage.connected().await;
    let client = stage.discord.client();
    let chosen = client.select(BEN, DECISIONS, before.message, &before.custom_id, &["conflict/1"]).unwrap();
    bot.commits_or_rests(commits).await;
    bot.kill().await;

    let bot = stage.bot().await;
    stage.discord.client().redeliver(chosen).unwrap();
    let client = stage.discord.client();
    let is_new = |found: &Value| id(&found["id"]) != before.thread;
    let new = client.wait_thread(DECISIONS, Duration::from_secs(30), is_new).await;
    let new = id(&new.expect("a new thread")["id"]);
    stage.wait_for(new, "[Start]").await;
    stage.wait_for(before.thread, &format!("It is in <#{new}>.")).await;
    stage.wait_card(new, &format!("Goes on from <#{}>", before.thread)).await;
    let told = stage.public(before.thread);
    assert_eq!(
        told.iter().filter(|post| read(post).contains("Goes on as a /debate")).count(),
        1,
        "after {commits}"
    );
    assert_eq!(stage.discord.threads(DECISIONS).len(), 2, "after {commits}");
    let rows = stage.rows().await;
    let (sessions, sequels): (i64, i64) =
        sqlx::query_as("SELECT (SELECT count(*) FROM session), (SELECT count(*) FROM sequel)")
            .fetch_one(&rows)
            .await
            .unwrap();
    assert_eq!((sessions, sequels), (2, 1), "after {commits}");
    has_not(&text_of(&stage, before.thread), &["moment"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_it_is_gone_on_with_once() {
    let before = Before::new().await;
    for commits in thirds::of_this_run(1..=10) {
        killed_after(&before, commits).await;
    }
}
