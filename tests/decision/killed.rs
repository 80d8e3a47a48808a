//! Killed while asking for a review: it is asked for once. From a form to its pin: `resume::whole`.

use playground::ids::ADA;

use crate::{
    decision::scene::{cards, form, send, set, wait_pinned, wait_said},
    support::thirds,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_asks_for_a_review_it_asks_once() {
    let (stage, bot, thread) = set().await;
    bot.kill().await;
    for (n, commits) in (1..).zip(thirds::of_this_run(1..=4)) {
        let bot = stage.bot().await;
        send(&stage, ADA, thread, &form(&[("review", "in 1 day")])).await;
        wait_pinned(&stage, thread, &format!("Decision {n}:")).await;
        bot.kill().await;
        stage.alter("UPDATE decision SET review_ms = 1000").await;
        let asked = format!("Decision {n}: how did it turn out?");
        stage.bot_killed_after(commits, || !cards(&stage, thread, &asked).is_empty()).await;
        let bot = stage.bot().await;
        wait_said(&stage, thread, &[&asked]).await;
        stage.wait_number("SELECT count(*) FROM outbox WHERE state = 'pending'", 0).await;
        bot.kill().await;
        assert_eq!(cards(&stage, thread, &asked).len(), 1, "after {commits} commits");
    }
}
