//! A session whose own budget is used up is not dead: whoever decides lets it use as much again, and it goes on from the
//! same step.

use quorum::playground::ids::{ADA, BEN};
use serde_json::{Value, json};

use crate::support::{Actor, Stage, files::said, has, has_not, play::read, wait_for_end};

/// A mediation that has stopped for want of calls, after `calls` of its eleven.
async fn stopped(calls: i64) -> (Stage, Actor, u64) {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = calls;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    let notice = read(&stage.wait_for(thread, "**Paused.**").await);
    has(&notice, &["This session's budget of calls is used up", "**Add budget**", "[Add budget]"]);
    (stage, bot, thread)
}

/// Presses *Add budget* under the newest notice; gives the question that is asked back.
async fn asked(stage: &Stage, member: u64, thread: u64) -> Value {
    let posts = stage.public(thread);
    let notice = posts.iter().rfind(|post| read(post).contains("[Add budget]")).expect("a notice");
    let seen = stage.press(member, thread, notice, "Add budget").await;
    has(&said(&seen, member), &["use as much again?"]);
    seen.messages.last().expect("a question").clone()
}

/// Presses the button of that question.
async fn sure(stage: &Stage, member: u64, thread: u64, question: &Value) -> String {
    said(&stage.press(member, thread, question, "Yes, add it").await, member)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_has_used_its_budget_up_goes_on_with_as_much_again() {
    let (stage, bot, thread) = stopped(6).await;
    assert_eq!(stage.model.calls().len(), 6);
    let first = asked(&stage, ADA, thread).await;
    has(&read(&first), &["has made 6 calls", "You add 6 calls"]);
    // Asked twice and pressed twice, it is added once.
    let second = asked(&stage, ADA, thread).await;
    has(&sure(&stage, ADA, thread, &first).await, &["It may use as much again", "goes on"]);
    has(&sure(&stage, ADA, thread, &second).await, &["Somebody has added to this budget since"]);
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.model.calls().len(), 10, "nothing is asked twice");
    has(&stage.read(thread), &["Ada let this session use as much again"]);
    has(&stage.wait_card(thread, "Done").await, &["10 of 12 calls"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_added_outlives_the_process_and_can_be_added_again() {
    let (stage, bot, thread) = stopped(4).await;
    let question = asked(&stage, ADA, thread).await;
    sure(&stage, ADA, thread, &question).await;
    bot.kill().await;
    let bot = stage.bot().await;
    // Eight calls do not suffice either.
    for _ in 0..200 {
        if stage.read(thread).matches("[Add budget]").count() == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(stage.model.calls().len(), 8);
    let question = asked(&stage, ADA, thread).await;
    sure(&stage, ADA, thread, &question).await;
    wait_for_end(&stage, thread).await;
    assert!(stage.model.calls().len() <= 11, "at most the call that was under way is made again");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_whoever_decides_adds_and_the_day_still_holds() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 6;
    stage.settings.budgets.member_day.calls = 8;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    let notice = stage.wait_for(thread, "**Paused.**").await;
    let refused = said(&stage.press(BEN, thread, &notice, "Add budget").await, BEN);
    has(&refused, &["may add to this session's budget"]);
    has_not(&refused, &["as much again?"]);
    let question = asked(&stage, ADA, thread).await;
    sure(&stage, ADA, thread, &question).await;
    let second = read(&stage.wait_for(thread, "Today's personal budget").await);
    has(&second, &["budget of calls is used up", "Resume"]);
    has_not(&second, &["[Add budget]"]);
    assert_eq!(stage.model.calls().len(), 8);
    // A question to it is not answered either, and says why.
    stage.nothing_amiss();
    bot.kill().await;
}
