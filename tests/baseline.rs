//! Was it worth it? A plain call beside a mediation, which nobody in it sees, and what the deliberation made of it.

use std::time::Duration;

use playground::ids::BEN;
use serde_json::{Value, json};

use crate::support::{
    Stage, has, has_not,
    model::{Answer, Fault},
    play::{Part, asked, read},
    wait_for_end,
};

/// A plain answer whose words nobody else uses.
fn plain() -> Value {
    json!({
        "answer": "Buy the ZEPPELIN at once.",
        "recommendations": [
            { "title": "Buy the ZEPPELIN", "why": "It flies." },
            { "title": "Sell the bakery", "why": "It pays." },
        ],
    })
}

fn fate(plain: usize, nearest: usize, how: &str, becomes: &str) -> Value {
    json!({ "plain": plain, "nearest": nearest, "how": how, "becomes": becomes })
}

/// A stage whose plain call says that, and whose comparison says what is given.
async fn stage(fates: Value) -> Stage {
    let stage = Stage::start().await;
    stage.model.on(move |call| match call.part() {
        Part::Plain => Some(Answer::Json(plain())),
        Part::Worth => Some(Answer::Json(json!({ "fates": fates }))),
        _ => None,
    });
    stage
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_card_says_what_the_deliberation_changed_and_cost() {
    let fates = json!([fate(1, 1, "It is rented instead of bought.", "changed"), fate(2, 0, "", "dropped")]);
    let stage = stage(fates).await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"baseline": true})).await;
    wait_for_end(&stage, thread).await;
    let card = stage.message(thread, "Was it worth it?");
    let text = read(&card);
    has(
        &text,
        &[
            "alpha",
            "added, 1 changed and 1 dropped",
            "Only the deliberation has",
            "It is rented instead of bought",
        ],
    );
    has(&text, &["**Plainly:** 1 call", "**The deliberation:** 18 calls"]);
    let cards = stage.read(thread);
    let places = ["[Spread 10 points]", "Was it worth it?", "Nothing was degraded"];
    let places = places.map(|title| cards.find(title).unwrap_or_else(|| panic!("no {title} in {cards}")));
    assert!(places.is_sorted(), "behind the vote, before the end: {places:?}");
    // Nobody who deliberates has read it, and what is asked plainly knows of no panel.
    for call in stage.model.calls() {
        match call.part() {
            Part::Plain => has_not(&call.text(), &["mediat", "At the table", "module"]),
            Part::Worth => has(&call.text(), &["ZEPPELIN"]),
            _ => has_not(&call.text(), &["ZEPPELIN"]),
        }
    }
    assert_eq!(stage.model.calls().len(), 20);
    let whole = stage.press(BEN, thread, &card, "Plain answer").await;
    has(&whole.text(), &["Buy the ZEPPELIN at once."]);
    let raw = stage.press_for((BEN, thread), &card, "Raw output", 2).await;
    has(&raw, &["baseline/check-worth"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_asks_plainly_unless_it_is_wanted() {
    let stage = stage(json!([])).await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has_not(&wait_for_end(&stage, thread).await, &["Was it worth it?"]);
    assert_eq!(asked(&stage, Part::Plain).len(), 0);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verdict_that_goes_against_itself_counts_for_nothing() {
    let fates = json!([
        fate(1, 0, "no option does it", "kept"),
        fate(2, 1, "nothing", "reversed"),
        fate(9, 1, "nobody recommended that", "changed"),
    ]);
    let stage = stage(fates).await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"baseline": true})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let card = read(&stage.message(thread, "Was it worth it?"));
    has(&card, &["Nothing could be compared", "2 recommendations of the plain answer"]);
    has_not(&card, &["Only the deliberation has", "Reversed", "In both"]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_call_or_a_comparison_that_fails_stops_nothing_and_is_said() {
    let refused = || Answer::Fault(Fault::BadRequest("no".to_owned()));
    for (part, said) in [
        (Part::Plain, "so there is nothing to compare the deliberation with"),
        (Part::Worth, "No model could compare the plain answer with the deliberation"),
    ] {
        let stage = Stage::start().await;
        stage.model.on(move |call| (call.part() == part).then(refused));
        let bot = stage.bot().await;
        let thread = stage.mediate(json!({"baseline": true})).await;
        has(&wait_for_end(&stage, thread).await, &[said]);
        let shown = stage.read(thread);
        assert_eq!(shown.contains("Was it worth it?"), part == Part::Worth);
        if part == Part::Worth {
            has(&shown, &["The plain answer recommended"]);
        }
        bot.kill().await;
    }
}

/// The rounds do not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_plain_call_holds_no_round_up() {
    let stage = Stage::start().await;
    stage.model.hold(|call| call.part() == Part::Plain);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"baseline": true})).await;
    stage.wait_for(thread, "[Spread 10 points]").await;
    has_not(&stage.read(thread), &["Was it worth it?"]);
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    has(&stage.read(thread), &["Was it worth it?"]);
    stage.nothing_amiss();
    bot.kill().await;
}
