//! How much a person has to read before the vote: every post of the thread, with nothing pressed but what has to be, and
//! replies as long as they are asked for.

use std::ops::RangeInclusive;

use playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    cost::{self, reply},
    support::{
        Stage,
        model::{Answer, debate},
        play::{PROBLEM, read, thread_of},
    },
};

/// Words before the vote at standard: most of them, and how many there are at least where models write what they may.
const MOST: usize = 1_400;
const LEAST: usize = 900;
/// The same before the second vote of a quick debate, whose models write all that they may.
const OF_A_DEBATE: RangeInclusive<usize> = 1_900..=2_200;

/// A post in a line for whoever has to find where there are too many: its words and how it begins.
fn told((words, message): &(usize, Value)) -> String {
    let begins: String = read(message).chars().filter(|c| *c != '\n').take(60).collect();
    format!("{words:>5}  {begins}")
}

/// Every post before the one with the vote on it, with its words: what has a letter or a digit, buttons left aside.
fn posts(stage: &Stage, thread: Id, vote: &str) -> Vec<(usize, Value)> {
    let before = stage.public(thread).into_iter();
    let before = before.take_while(|message| !read(message).contains(vote));
    let words = |message: &Value| {
        let shown = read(message);
        let lines = shown.lines().filter(|line| !line.starts_with('['));
        lines.flat_map(str::split_whitespace).filter(|word| word.contains(char::is_alphanumeric)).count()
    };
    before.map(|message| (words(&message), message)).collect()
}

async fn holds(command: &str, options: Value) {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "anthropic/beta"]);
    stage.model.on(|call| Some(Answer::Json(reply(call))));
    let bot = stage.bot().await;
    let thread = match command {
        "mediate" => stage.mediate(options).await,
        "critique" => stage.critique("plan.md", &cost::one_page(), options).await,
        "investigate" => {
            let started = stage.discord.client().run_command(ADA, DECISIONS, command, options).unwrap();
            thread_of(&stage.discord.client().wait_reply(started).await, ADA)
        }
        _ => stage.roundtable(options).await,
    };
    are_within(LEAST..=MOST, &stage, thread, "[Spread 10 points]").await;
    bot.kill().await;
}

/// Waits for the vote and counts the words before it.
async fn are_within(words: RangeInclusive<usize>, stage: &Stage, thread: Id, vote: &str) {
    stage.wait_for(thread, vote).await;
    let posts = posts(stage, thread, vote);
    let all: usize = posts.iter().map(|(words, _)| words).sum();
    let each: Vec<String> = posts.iter().map(told).collect();
    assert!(words.contains(&all), "{all} words\n{}\n{}", each.join("\n"), stage.read(thread));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_vote_of_a_mediation_there_are_at_most_so_many_words() {
    holds("mediate", json!({ "effort": "standard", "modules": "market cost risk" })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_vote_of_a_roundtable_there_are_at_most_so_many_words() {
    holds("roundtable", json!({ "effort": "standard" })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_vote_of_a_critique_there_are_at_most_so_many_words() {
    holds("critique", json!({ "effort": "standard" })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_vote_of_an_investigation_there_are_at_most_so_many_words() {
    holds("investigate", json!({ "effort": "standard", "question": PROBLEM })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_second_vote_of_a_quick_debate_there_are_at_most_so_many_words() {
    let stage = Stage::start().await;
    stage.model.on(|call| debate::longest(call).map(Answer::Json));
    let bot = stage.bot().await;
    let thread = stage.debate(json!({ "effort": "standard", "preset": "quick" })).await;
    are_within(OF_A_DEBATE, &stage, thread, "What do you think now?").await;
    let said = stage.read(thread);
    assert!(!said.contains("Marked"), "every turn has the words that it may have: {said}");
    bot.kill().await;
}
