//! Threads that the bot opened are named after their question, once it stands in a sentence.

use std::time::Duration;

use playground::{
    Fault, Id, Limited,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::json;

use crate::support::{
    Moment, Stage,
    model::{Answer, Call},
    nothing_comes,
    play::Part,
    thirds, wait_for_end,
};

const LONG: &str = "We run a bakery with four people in a town of 9,000. On Sundays the town is full of hikers, and the shop is shut. Two of us would work then.\nWhat should we do about Sundays?";
const SAID: &str = "Should the bakery open on Sundays?";
const OWN: &str = "Sundays: open, shut, or only in summer?";

fn says(call: &Call) -> Option<Answer> {
    (call.part() == Part::Question).then(|| Answer::Json(json!({ "question": SAID })))
}

fn name(stage: &Stage, thread: Id) -> String {
    stage.discord.channel(thread).unwrap()["name"].as_str().unwrap().to_owned()
}

/// The names that a thread was given, as its notices say.
fn notices(stage: &Stage, thread: Id) -> Vec<String> {
    let notices = stage.public(thread).into_iter().filter(|message| message["type"] == 4);
    notices.map(|notice| notice["content"].as_str().unwrap().to_owned()).collect()
}

/// Waits until a thread is named so, and nothing is left to do.
async fn wait_named(stage: &Stage, thread: Id, wanted: &str) {
    stage
        .wait_until(thread, &format!("{wanted:?} is its name"), async || {
            name(stage, thread) == wanted
                && stage.number("SELECT count(*) FROM session WHERE rename_due = 1").await == 0
        })
        .await;
    stage.nothing_amiss();
}

/// Waits until every session has been seen to.
async fn wait_seen_to(stage: &Stage, thread: Id) {
    let wanted = "SELECT count(*) FROM session WHERE thread_wanted IS NOT NULL AND rename_due = 0";
    stage.wait_until(thread, "it was seen to", async || stage.number(wanted).await == 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_named_after_the_question_and_after_what_its_author_makes_of_it() {
    let stage = Stage::start().await;
    stage.model.on(says);
    stage.model.hold(|call| call.part() == Part::First);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    assert!(name(&stage, thread).starts_with("We run a bakery"), "{}", name(&stage, thread));
    wait_named(&stage, thread, SAID).await;
    assert_eq!(notices(&stage, thread), [SAID]);

    let long = format!("{OWN} {}", "And who stands in the shop then, with whom, and for what? ".repeat(2));
    stage.fill_in(ADA, thread, "Change the question", &[("question", &long)]).await;
    let cut = format!("{OWN} And who stands in the shop then, with whom, and for what?…");
    wait_named(&stage, thread, &cut).await;
    assert!(cut.chars().count() <= 100);
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    bot.kill().await;

    // Seen to: the next process asks Discord nothing about it.
    stage.discord.clear_record();
    let bot = stage.bot().await;
    nothing_comes(Duration::from_secs(1)).await;
    let path = format!("/channels/{thread}");
    assert!(stage.discord.requests().iter().all(|asked| asked.path != path));
    assert_eq!(notices(&stage, thread), [SAID, &cut]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debates_is_named_after_its_proposition_once_it_is_started() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let options = json!({"proposition": "We should open on Sundays, I think.", "preset": "quick"});
    let thread = stage.started(ADA, DECISIONS, "debate", options).await;
    let proposition = stage.wait_for(thread, "[Start]").await;
    nothing_comes(Duration::from_secs(1)).await;
    assert_eq!(name(&stage, thread), "We should open on Sundays, I think.");
    stage.press(ADA, thread, &proposition, "Start").await;
    wait_seen_to(&stage, thread).await;
    let draft = "SELECT count(*) FROM wait JOIN session ON id = session_id
                 WHERE kind = 'proposition' AND json_extract(draft, '$.question') = thread_wanted";
    assert_eq!(stage.number(draft).await, 1);
    assert_eq!(notices(&stage, thread), [name(&stage, thread)]);
    assert_ne!(name(&stage, thread), "We should open on Sundays, I think.");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_named_keeps_its_name_and_so_does_a_thread_of_somebody_elses() {
    let stage = Stage::start().await;
    stage.model.on(says);
    stage.model.hold(|call| call.part() == Part::Question);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    stage.discord.faults().rename_thread(thread, BEN, "Hikers");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    wait_seen_to(&stage, thread).await;
    assert_eq!(
        (name(&stage, thread), notices(&stage, thread)),
        ("Hikers".to_owned(), vec!["Hikers".to_owned()])
    );

    stage.alter("DELETE FROM session").await;
    let theirs = stage.discord.client().open_thread(BEN, DECISIONS, "Sundays", false);
    stage.started(ADA, theirs, "mediate", json!({ "problem": LONG })).await;
    wait_for_end(&stage, theirs).await;
    wait_seen_to(&stage, theirs).await;
    assert_eq!((name(&stage, theirs), notices(&stage, theirs).len()), ("Sundays".to_owned(), 0));

    // A line is its own question.
    let line = stage.mediate(json!({"problem": "Should we open on Sundays?"})).await;
    wait_for_end(&stage, line).await;
    nothing_comes(Duration::from_secs(1)).await;
    assert_eq!(name(&stage, line), "Should we open on Sundays?");
    assert!(notices(&stage, line).is_empty());
    let renames = stage.discord.requests().into_iter().filter(|asked| {
        asked.method == "PATCH" && asked.body.as_ref().is_some_and(|body| body["name"].is_string())
    });
    assert_eq!(renames.count(), 0);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_discord_asks_to_wait_nothing_else_does_and_the_last_words_come() {
    let stage = Stage::start().await;
    stage.model.on(says);
    stage.model.hold(|call| call.part() == Part::First);
    let bot = stage.bot().await;
    let limited = Limited { retry_after: 7.0, ..Limited::default() };
    stage.discord.faults().on("PATCH", "/channels/*", 1, Fault::Limited(limited));
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    let asked = || {
        let all = stage.discord.requests().into_iter();
        all.filter(|asked| asked.method == "PATCH" && asked.path == format!("/channels/{thread}")).count()
    };
    stage.wait_until(thread, "it was refused", async || asked() == 1).await;
    stage.fill_in(ADA, thread, "Change the question", &[("question", OWN)]).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    assert_eq!((asked(), notices(&stage, thread).len()), (1, 0), "it waits, and nothing else does");
    wait_named(&stage, thread, OWN).await;
    assert_eq!((asked(), notices(&stage, thread)), (2, vec![OWN.to_owned()]), "once, after what it is now");
    bot.kill().await;
}

/// A session whose question was just put in a sentence, and what its next life finds.
async fn about_to() -> (Moment, Id) {
    let stage = Stage::start().await;
    stage.model.on(says);
    stage.model.hold(|call| call.part() == Part::Revision);
    let bot = stage.bot().await;
    let path = "/channels/*";
    stage.discord.faults().on("PATCH", path, usize::MAX, Fault::Status(503));
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    stage.wait_card(thread, SAID).await;
    bot.kill().await;
    (stage.moment(), thread)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_any_commit_it_is_named_once() {
    let (moment, thread) = about_to().await;
    for commits in thirds::of_this_run(1..=10) {
        let stage = Stage::start().await.back_to(&moment).await;
        stage.model.on(says);
        stage.model.hold(|call| call.part() == Part::Revision);
        stage.bot_killed_after(commits, || name(&stage, thread) == SAID).await;
        let bot = stage.bot().await;
        wait_named(&stage, thread, SAID).await;
        assert_eq!(notices(&stage, thread), [SAID], "after {commits}");
        bot.kill().await;
    }
}
