//! What a critique will take: told where it is little, asked about where it is much, and never exceeded.

use playground::ids::ADA;
use serde_json::json;

use crate::{
    critique::{
        course::planned,
        scene::{PLAN, closing, depth, growing, has, has_not},
    },
    support::{Stage, play::read, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_levels_wait_for_a_go_and_nothing_is_called_before_it() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(3)).await;
    let estimate = stage.wait_for(thread, "Before it starts · plan.md").await;
    let shown = read(&estimate);
    has(&shown, &["3 levels", "at most", "[Go]", "[Cancel]", "more than 40 calls"]);
    has(&stage.wait_card(thread, "Waiting for an answer").await, &["Go** under the estimate"]);
    assert_eq!(stage.model.calls().len(), 0, "nothing is spent before somebody says Go");
    stage.press(ADA, thread, &estimate, "Go").await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.wait_for(thread, "Confirmed by Ada").await), &["Before it starts"]);
    let most = planned(&shown);
    let made = stage.model.calls().len();
    assert!((41..=most).contains(&made), "{made} calls, and at most {most} were said");
    let levels = growing(&stage).iter().filter(|call| call.is_deeper()).count();
    assert!(levels > 12, "children have children: {levels}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_fewer_calls_it_goes_less_deep_asks_first_and_says_so() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 33;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    let estimate = stage.wait_for(thread, "[Go]").await;
    has(&read(&estimate), &["Less deep than asked", "less deep than was asked"]);
    stage.press(ADA, thread, &estimate, "Go").await;
    wait_for_end(&stage, thread).await;
    assert!(growing(&stage).iter().all(|call| !call.is_deeper()));
    assert!(stage.model.calls().len() <= 33);
    has(&closing(&stage, thread), &["depth 1 and not to 2"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_much_is_claimed_no_more_is_called_than_was_said() {
    let stage = Stage::start().await;
    // Every member claims as much as it may, and wants to look into all of it.
    stage.model.on(|call| {
        call.is_growing().then(|| {
            let all = crate::support::model::critique::sentences(&call.segment());
            let most = if call.is_deeper() { 2 } else { 3 };
            let said = all.iter().take(most).map(|sentence| crate::support::model::critique::claim(sentence));
            crate::critique::scene::with(call, said.collect())
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    let most = planned(&read(&stage.message(thread, "What it takes")));
    let made = stage.model.calls().len();
    assert!(made <= most, "{made} calls, and at most {most} were said");
    has_not(&stage.read(thread), &["[Go]"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_that_do_not_suffice_make_it_go_less_deep_and_not_stop_halfway() {
    let mut stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    let told = read(&stage.message(thread, "What it takes"));
    let thousands: i64 = {
        let rest = told.split_once("about ").unwrap_or_else(|| panic!("no tokens in\n{told}")).1;
        rest.split_once("k tokens").unwrap_or_else(|| panic!("no tokens in\n{told}")).0.parse().unwrap()
    };
    assert!(growing(&stage).iter().any(crate::support::model::Call::is_deeper));
    bot.kill().await;

    stage.model.forget();
    stage.settings.budgets.session.tokens = (thousands - 2) * 1_000;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    let estimate = stage.wait_for(thread, "[Go]").await;
    stage.press(ADA, thread, &estimate, "Go").await;
    wait_for_end(&stage, thread).await;
    let most = planned(&read(&stage.message(thread, "Before it starts")));
    assert!(most < planned(&told), "{most} calls, and {} with tokens enough", planned(&told));
    has_not(&stage.read(thread), &["Paused"]);
    bot.kill().await;

    // Where not even the least fits, counted at its most, that is what is asked about.
    stage.settings.budgets.session.tokens = 30_000;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    let estimate = read(&stage.wait_for(thread, "[Go]").await);
    has(&estimate, &["Less deep than asked"]);
    assert_eq!(planned(&estimate), 6 + 6 + 1 + 7 + 6);
    bot.kill().await;
}
