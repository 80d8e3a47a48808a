//! A session whose own budget is used up is not dead: whoever decides lets it use more, and it goes on from the same step.

use std::time::Duration;

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS, RIVERSIDE},
};
use serde_json::{Value, json};

use crate::support::{
    Actor, Stage,
    files::said,
    has, has_not, nothing_comes,
    play::{MEDIATION_CALLS, buttons, id, read},
    wait_for_end,
};

/// A role of nobody here.
const ADMINS: Id = RIVERSIDE + 8;
/// Model calls of a mediation that nothing disturbs.
const ALL: usize = MEDIATION_CALLS;

/// A mediation that has stopped for want of calls, of which it may make so many.
async fn stopped(calls: i64, set: impl FnOnce(&mut Stage)) -> (Stage, Actor, Id) {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = calls;
    set(&mut stage);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    let notice = read(&stage.wait_for(thread, "**Paused.**").await);
    has(&notice, &["This session's budget of calls is used up", "**Add budget**", "[Add budget]"]);
    has_not(&stage.wait_card(thread, "[Add budget]").await, &["[Resume]"]);
    assert_eq!(stage.model.calls().len(), usize::try_from(calls).unwrap());
    (stage, bot, thread)
}

/// Opens the form on the live card; gives the press, which can be sent, and what its boxes hold.
async fn form(stage: &Stage, member: Id, thread: Id) -> (Id, Vec<String>) {
    stage.wait_card(thread, "[Add budget]").await;
    let card = stage.card(thread);
    let (_, custom_id) = buttons(&card).into_iter().find(|(label, _)| label == "Add budget").unwrap();
    let parent = id(&stage.discord.channel(thread).unwrap()["parent_id"]);
    let client = stage.discord.client();
    let pressed = client.click(member, parent, thread, &custom_id).unwrap();
    let modal = client.wait_reply(pressed).await.modal.expect("a form");
    let rows = modal["components"].as_array().unwrap().iter();
    let text = |row: &Value| row["component"]["value"].as_str().unwrap_or_default().to_owned();
    (pressed, rows.map(text).collect())
}

/// Sends it; gives the form that was sent and what is said.
async fn send(stage: &Stage, member: Id, pressed: Id, more: [&str; 3]) -> (Id, String) {
    let [calls, tokens, dollars] = more;
    let boxes = [("calls", calls), ("tokens", tokens), ("dollars", dollars)];
    let client = stage.discord.client();
    let sent = client.submit_modal(member, pressed, &boxes).unwrap();
    (sent, said(&client.wait_reply(sent).await, member))
}

async fn add(stage: &Stage, thread: Id, more: [&str; 3]) -> String {
    let (pressed, _) = form(stage, ADA, thread).await;
    send(stage, ADA, pressed, more).await.1
}

/// How often something was added, by the journal.
async fn additions(stage: &Stage) -> i64 {
    stage.number("SELECT count(*) FROM step WHERE kind = 'budget'").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_has_used_its_budget_up_is_given_more_and_ends_whole() {
    let (stage, bot, thread) = stopped(10, |_| ()).await;
    let (first, filled) = form(&stage, ADA, thread).await;
    assert_eq!(filled, ["5", "1000000", "1.00"], "half as much again");
    let (second, _) = form(&stage, ADA, thread).await;
    let (sent, told) = send(&stage, ADA, first, ["8", "", ""]).await;
    has(&told, &["Added. It goes on from where it stopped."]);
    // A form that was opened before adds nothing to that, and one delivered twice adds once.
    has(
        &send(&stage, ADA, second, ["4", "", ""]).await.1,
        &["Somebody has added", "You wrote", "[Open the form again]"],
    );
    wait_for_end(&stage, thread).await;
    stage.nothing_amiss();
    stage.discord.client().redeliver(sent).unwrap();
    nothing_comes(Duration::from_millis(300)).await;
    assert_eq!(stage.model.calls().len(), ALL, "nothing is asked twice");
    assert_eq!(additions(&stage).await, 1);
    has(&stage.read(thread), &["Ada added 8 calls to the budget"]);
    has(&stage.wait_card(thread, "Done").await, &["18 of 18 calls", "Ada added 8 calls to the budget"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_around_the_addition_it_goes_on_by_itself_or_stands_as_before() {
    let mut went_on = 0;
    for commits in 1..=5 {
        let (stage, bot, thread) = stopped(10, |_| ()).await;
        let (pressed, _) = form(&stage, ADA, thread).await;
        bot.writes_nothing().await;
        let last = bot.store.commits() + commits;
        bot.store.halt_after(last);
        // Room for a round of calls that the kill cuts off.
        let boxes = [("calls", "10"), ("tokens", ""), ("dollars", "")];
        stage.discord.client().submit_modal(ADA, pressed, &boxes).unwrap();
        bot.commits_or_rests(last).await;
        bot.kill().await;
        let added = additions(&stage).await;
        let running = "SELECT count(*) FROM session WHERE state = 'running'";
        assert_eq!(stage.number(running).await, added, "the addition and the going on are one");
        let bot = stage.bot().await;
        if added == 0 {
            has(&add(&stage, thread, ["10", "", ""]).await, &["It goes on"]);
        } else {
            went_on += 1;
        }
        wait_for_end(&stage, thread).await;
        assert_eq!(additions(&stage).await, 1);
        let cut_off = stage.number("SELECT count(*) FROM attempt WHERE state = 'lost'").await;
        let made = stage.model.calls().len();
        assert!(
            (ALL..=ALL + usize::try_from(cut_off).unwrap()).contains(&made),
            "{made} calls, {cut_off} lost"
        );
        has(&stage.wait_card(thread, "Done").await, &["of 20 calls"]);
        stage.nothing_amiss();
        bot.kill().await;
    }
    assert!(went_on > 0, "no kill was after an addition");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_can_be_added_to_again() {
    let (stage, bot, thread) = stopped(10, |_| ()).await;
    add(&stage, thread, ["4", "", ""]).await;
    stage.wait_card(thread, "14 of 14 calls").await;
    add(&stage, thread, ["5", "1k", "0,50"]).await;
    wait_for_end(&stage, thread).await;
    let card = stage.wait_card(thread, "Done").await;
    has(
        &card,
        &["Ada added 4 calls to the budget", "Ada added 5 calls, 1.0k tokens and $0.50 to the budget"],
    );
    assert_eq!(stage.model.calls().len(), ALL);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_added_changes_nothing_and_says_why() {
    let (stage, bot, thread) = stopped(6, |stage| stage.settings.budgets.member_day.calls = 9).await;
    for (more, why) in [
        (["many", "", ""], &["`many` is not a number of calls"] as &[&str]),
        (["", "-1", ""], &["`-1` is not a number of tokens"]),
        (["", "", "1,000"], &["`1,000` is not an amount of money"]),
        (["", " ", "0"], &["Nothing was added: write in at least one"]),
        (["4", "", ""], &["At most 3 calls can be added", "today's personal budget"]),
        (["", "2000001", ""], &["At most 2000000 tokens can be added", "as much as one session may use"]),
        (["", "", "2.01"], &["At most $2.00 can be added"]),
    ] {
        has(&add(&stage, thread, more).await, why);
    }
    // Whoever may not decide sees no form.
    let notice = stage.message(thread, "[Add budget]");
    let refused = said(&stage.press(BEN, thread, &notice, "Add budget").await, BEN);
    has(&refused, &["may add to this session's budget"]);
    assert_eq!((additions(&stage).await, stage.model.calls().len()), (0, 6));
    // Nor is the form taken of somebody who may no longer.
    stage.told(ADA, DECISIONS, "settings people", json!({"decide": RIVERSIDE.to_string()})).await;
    let (pressed, _) = form(&stage, BEN, thread).await;
    stage.told(ADA, DECISIONS, "settings people", json!({"decide": ADMINS.to_string()})).await;
    has(&send(&stage, BEN, pressed, ["1", "", ""]).await.1, &["may add to this session's budget"]);
    assert_eq!(additions(&stage).await, 0);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_day_still_holds_and_a_full_server_keeps_it_waiting() {
    let (stage, bot, thread) = stopped(6, |stage| {
        stage.settings.budgets.member_day.calls = 8;
        stage.settings.most_open.of_server = 1;
    })
    .await;
    stage.model.latency(Duration::from_mins(1));
    let others = stage.mediate_as(BEN, DECISIONS, json!({"modules": "cost"})).await;
    let waiting = stage.number("SELECT count(*) FROM session WHERE state = 'waiting'").await;
    if waiting > 0 {
        let estimate = stage.wait_for(others, "[Go]").await;
        stage.press(BEN, others, &estimate, "Go").await;
    }
    has(&add(&stage, thread, ["2", "", ""]).await, &["as may at once (1)", "Nothing is lost"]);
    assert_eq!(additions(&stage).await, 0, "it is whole or not at all");
    let asked = stage.press_card(BEN, others, "Cancel").await;
    stage.press(BEN, DECISIONS, &asked.messages[0], "Yes, end it").await;
    stage.model.latency(Duration::ZERO);
    has(&add(&stage, thread, ["2", "", ""]).await, &["It goes on"]);
    stage.wait_card(thread, "8 of 8 calls").await;
    stage.wait_card(thread, "[Add budget]").await;
    let told = said(&stage.press_card(ADA, thread, "Add budget").await, ADA);
    has(&told, &["Nothing can be added now: 0 calls are what today's personal budget", "midnight UTC"]);
    assert_eq!((additions(&stage).await, stage.model.calls().len()), (1, 9), "with the other session's call");
    stage.nothing_amiss();
    bot.kill().await;
}
