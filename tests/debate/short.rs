//! Models that cannot take in the whole debate: told it in short, and that is said.

use playground::ids::BEN;
use serde_json::json;

use crate::{
    debate::scene::{asked, asked_of, closing, has, quick},
    support::{
        Stage,
        model::{Answer, Call, Fault},
        play::read,
        wait_for_end,
    },
};

/// Whether a request holds whole turns: what a case takes for granted is not in its short form.
fn is_whole(call: &Call) -> bool {
    // Once it stands in what a rebuttal is told of quoting.
    call.text().matches("Takes for granted").count() > 1
}

fn too_large() -> Answer {
    Answer::Fault(Fault::TooLarge)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synthesis_that_is_too_much_for_its_model_is_written_from_the_debate_in_short() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (["debate_synthesis", "debate_answer"].contains(&call.kind()) && is_whole(call)).then(too_large)
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "debate_synthesis");
    assert_eq!(tries.len(), 2, "a request that is too long is not repeated");
    assert!(is_whole(&tries[0]) && tries[1].text().len() < tries[0].text().len());
    has(&tries[1].text(), &["Pro · case", "Con · rebuttal", "In short: "]);
    has(&read(&stage.message(thread, "⚖️ Moderator · synthesis")), &["written from the turns in short"]);
    has(&stage.read(thread), &["🔎 Open questions"]);
    has(&closing(&stage, thread), &["The synthesis is written from the turns in short"]);
    // A question is answered in the same way.
    stage.told(BEN, thread, "ask", json!({"question": "Who pays for it?", "to": 2})).await;
    has(&read(&stage.wait_for(thread, "Who pays for it?").await), &["read it in short"]);
    assert_eq!(asked(&stage, "debate_answer").len(), 2);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn that_it_was_too_much_is_not_forgotten_when_a_stand_in_fails_otherwise() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.settings.appointed.moderator = "openai/alpha".parse().unwrap();
    stage.model.on(|call| match (call.kind(), call.model.as_str()) {
        ("debate_synthesis", "alpha") => is_whole(call).then(too_large),
        ("debate_synthesis", _) => Some(Answer::Refusal("I would rather not.".to_owned())),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    assert!(asked(&stage, "debate_synthesis").iter().any(|call| call.model == "beta"), "somebody stands in");
    has(&closing(&stage, thread), &["The synthesis is written from the turns in short"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_is_too_much_for_its_model_is_taken_with_the_debate_in_short() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let late = call.is_turn("turn_rebuttal", "Pro") || call.is_turn("turn_rebuttal", "Con");
        let never = call.is_turn("turn_rebuttal", "Con");
        (late && (never || is_whole(call))).then(too_large)
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked_of(&stage, "turn_rebuttal", "Pro");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["What Con has said", "In short: "]);
    has(&read(&stage.message(thread, "Pro · rebuttal")), &["written from the turns in short"]);
    assert_eq!(asked_of(&stage, "turn_rebuttal", "Con").len(), 2, "whole and in short, and then no more");
    has(&read(&stage.message(thread, "Con · rebuttal")), &["missing", "longer than the model can take in"]);
    let end = closing(&stage, thread);
    has(
        &end,
        &["1 turn was written from the debate in short", "Con's rebuttal is missing: the request is longer"],
    );
    assert!(!end.contains("marked with what it breaks"), "{end}");
    stage.nothing_amiss();
    bot.kill().await;
}
