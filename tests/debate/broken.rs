//! Turns that break a rule, leave the topic, are declined or never come.

use serde_json::json;

use crate::{
    debate::scene::{asked, asked_of, closing, declined, full, has, judged, quick},
    support::{
        Stage,
        model::{
            Answer,
            debate::{CON_SAID, in_few_words},
        },
        play::read,
        wait_for_end,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_breaks_a_rule_is_asked_for_once_more_and_then_marked() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let short = call.is_turn("turn_case", "Con");
        let quotes = call.is_turn("turn_rebuttal", "Pro") && !call.user.contains("never said");
        if short {
            return Some(call.reply(|reply| in_few_words(reply, CON_SAID)));
        }
        quotes.then(|| {
            call.reply(|reply| reply["points"][0]["quotation"] = "Zeppelins are violet and loud.".into())
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let case = asked_of(&stage, "turn_case", "Con");
    assert_eq!(case.len(), 2, "one regeneration");
    has(&case[1].user, &["Your first try at this turn", "write at least 180, by saying more of substance"]);
    has(&read(&stage.message(thread, "Con · case")), &["Marked", "shorter than its phase asks for"]);
    // What the second try mends is not marked.
    let rebuttal = asked_of(&stage, "turn_rebuttal", "Pro");
    assert_eq!(rebuttal.len(), 2);
    has(&rebuttal[1].user, &["The other side never said “Zeppelins are violet and loud.”"]);
    let card = read(&stage.message(thread, "Pro · rebuttal"));
    assert!(!card.contains("Marked") && !card.contains("Zeppelins"), "{card}");
    has(&closing(&stage, thread), &["1 turn is marked with what it breaks."]);
    assert_eq!(asked(&stage, "conduct_check").len(), 5, "each round is judged, and each second try");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_leaves_the_topic_is_asked_for_once_more_and_then_marked() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if call.is_turn("turn_case", "Pro") {
            return Some(call.reply(|reply| {
                reply["position"] = format!("WANDERS {}", reply["position"].as_str().unwrap()).into();
            }));
        }
        judged(call, "WANDERS", |turn| {
            turn["on_topic"] = false.into();
            turn["what_it_is_about"] = "the moon".into();
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let case = asked_of(&stage, "turn_case", "Pro");
    assert_eq!(case.len(), 2);
    has(&case[1].user, &["It left the proposition and is about something else: the moon"]);
    has(&read(&stage.message(thread, "Pro · case")), &["Marked", "has left the proposition"]);
    assert_eq!(asked(&stage, "conduct_check").len(), 4, "the second try is checked again");
    has(&closing(&stage, thread), &["1 turn is marked"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_try_that_has_to_do_keeps_its_marks() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if call.is_turn("turn_case", "Con") {
            let again = call.user.contains("Your first try");
            return Some(if again { declined() } else { call.reply(|reply| in_few_words(reply, "WANDERS")) });
        }
        judged(call, "WANDERS", |turn| {
            turn["on_topic"] = false.into();
            turn["what_it_is_about"] = "the moon".into();
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Con · case"));
    has(&card, &["WANDERS", "shorter than its phase asks for", "has left the proposition"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_try_that_breaks_more_than_the_first_is_not_kept() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if call.is_turn("turn_case", "Con") {
            let again = call.user.contains("Your first try");
            let sentence = if again { "WANDERS" } else { "STAYS" };
            return Some(call.reply(|reply| in_few_words(reply, sentence)));
        }
        judged(call, "WANDERS", |turn| {
            turn["on_topic"] = false.into();
            turn["what_it_is_about"] = "the moon".into();
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked_of(&stage, "turn_case", "Con");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["Your first try at this turn", "STAYS"]);
    let card = read(&stage.message(thread, "Con · case"));
    has(&card, &["STAYS", "shorter than its phase asks for"]);
    assert!(!card.contains("has left the proposition"), "{card}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_judge_sees_in_a_turn_is_told_once_and_then_marked() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        judged(call, "(Con · opening)", |turn| turn["answers_other_side"] = true.into())
            .or_else(|| judged(call, "(Pro · questions)", |turn| turn["arguing_questions"] = json!([2])))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    let opening = asked_of(&stage, "turn_opening", "Con");
    assert_eq!(opening.len(), 2);
    has(&opening[1].user, &["here only your own case is made"]);
    has(&read(&stage.message(thread, "Con · opening")), &["answers the other side before the rebuttal"]);
    let questions = read(&stage.message(thread, "Pro · questions to Con"));
    has(&questions, &["question 2 argues instead of asking"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_checker_the_debate_goes_on_and_says_so() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "conduct_check").then(declined));
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    has(
        &closing(&stage, thread),
        &["6 turns were not judged by a second model; only what code is sure of was checked."],
    );
    assert_eq!(asked(&stage, "turn_case").len(), 2, "nothing is asked again for it");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_refuses_a_side_is_said_in_place_and_the_debate_goes_on() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.side() == Some("Con") && call.kind().starts_with("turn_")).then(declined));
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Con · opening"));
    has(
        &card,
        &[
            "Con · opening: missing",
            "model declined to answer",
            "The debate goes on without it",
            "[Raw output]",
        ],
    );
    let shown = stage.read(thread);
    has(&shown, &["Pro · opening", "Pro · closing", "⚖️ Moderator · synthesis"]);
    // Nobody is asked about what was never said.
    assert_eq!(asked_of(&stage, "turn_questions", "Pro").len(), 0);
    assert_eq!(asked_of(&stage, "turn_rebuttal", "Pro").len(), 0);
    has(&closing(&stage, thread), &["Con's opening is missing: the model declined to answer."]);
    has(&asked(&stage, "debate_synthesis")[0].text(), &["Con · opening"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_refuses_is_told_once_and_then_not_taken_for_a_turn() {
    let stage = Stage::start().await;
    let refuses =
        "I cannot argue against this proposition. As an AI, I will not argue for a position I do not hold.";
    stage.model.on(move |call| {
        if let Some(declined) = judged(call, refuses, |turn| turn["declines"] = true.into()) {
            return Some(declined);
        }
        call.is_turn("turn_case", "Con").then(|| {
            call.reply(|reply| {
                in_few_words(reply, refuses);
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let case = asked_of(&stage, "turn_case", "Con");
    assert_eq!(case.len(), 2);
    has(&case[1].user, &["you need not hold it yourself"]);
    has(&read(&stage.message(thread, "Con · case")), &["The model declined to argue this side"]);
    has(&stage.read(thread), &["Con · rebuttal", "⚖️ Moderator · synthesis"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_refuses_in_words_is_stood_in_for_like_one_that_refuses() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    let refuses =
        "I cannot argue against this proposition. As an AI, I will not argue for a position I do not hold.";
    stage.model.on(move |call| {
        if let Some(declined) = judged(call, refuses, |turn| turn["declines"] = true.into()) {
            return Some(declined);
        }
        (call.model == "beta" && call.is_turn("turn_case", "Con")).then(|| {
            call.reply(|reply| {
                in_few_words(reply, refuses);
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let models: Vec<_> = asked_of(&stage, "turn_case", "Con").into_iter().map(|call| call.model).collect();
    assert_eq!(models, ["beta", "beta", "alpha"]);
    let card = read(&stage.message(thread, "Con · case"));
    has(&card, &["openai/alpha answered instead", CON_SAID]);
    has(&closing(&stage, thread), &["Con's case was written by openai/alpha"]);
    assert!(!stage.read(thread).contains("I cannot argue"));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_is_stood_in_for_and_named() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.model.on(|call| {
        (call.model == "beta" && call.is_turn("turn_rebuttal", "Con")).then(|| Answer::Text("No.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Con · rebuttal"));
    has(&card, &["openai/alpha answered instead", "Answered by alpha"]);
    has(
        &closing(&stage, thread),
        &["Con's rebuttal was written by openai/alpha, because its own model failed."],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_without_any_case_it_fails_and_can_be_tried_again() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "turn_case").then(declined));
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    stage.wait_for(thread, "Neither side could open, so there is nothing to debate").await;
    stage.wait_card(thread, "Failed").await;
    assert_eq!(asked(&stage, "turn_rebuttal").len(), 0);
    stage.model.on(|_| None);
    stage.told(playground::ids::ADA, thread, "session retry", json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["Con · rebuttal", "Nothing was degraded"]);
    assert_eq!(asked(&stage, "proposition").len(), 1, "nothing is paid twice");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_moderator_there_is_no_synthesis_and_the_team_is_asked_all_the_same() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "debate_synthesis").then(declined));
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Moderator · no synthesis")), &["The model declined to answer"]);
    has(&closing(&stage, thread), &["There is no synthesis: the model declined to answer."]);
    assert!(!stage.read(thread).contains("Open questions"));
    stage.wait_for(thread, "[Undecided]").await;
    stage.nothing_amiss();
    bot.kill().await;
}
