//! Questions to Pro, Con and the moderator, while the debate goes on and after it.

use playground::ids::BEN;
use serde_json::json;

use crate::{
    debate::scene::{asked, has, quick},
    support::{Stage, model::debate::prose, play::read, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_answers_in_its_role_while_the_debate_goes_on() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.settings.appointed.moderator = "openai/gamma".parse().unwrap();
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_rebuttal");
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_rebuttal").await;
    for (choice, to, model, side) in
        [(0, "Pro", "alpha", Some("Pro")), (1, "Con", "beta", Some("Con")), (2, "Moderator", "gamma", None)]
    {
        let question = format!("What would change your mind, {to}?");
        stage.told(BEN, thread, "ask", json!({"question": question, "to": choice})).await;
        let card = read(&stage.wait_for(thread, &question).await);
        has(&card, &["Ben"]);
        let call = asked(&stage, "debate_answer").pop().unwrap();
        assert_eq!((call.model.as_str(), call.side()), (model, side), "{to}");
        has(&call.user, &["Pro · case", "Con · case", "still going on"]);
    }
    assert!(!stage.read(thread).contains("Pro · rebuttal"), "the debate was not touched");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    stage.told(BEN, thread, "ask", json!({"question": "And now?"})).await;
    stage.wait_for(thread, "And now?").await;
    let call = asked(&stage, "debate_answer").pop().unwrap();
    assert_eq!(call.side(), None, "to nobody in particular is to the moderator");
    has(&call.user, &["What would change your mind, Moderator?", "Pro · rebuttal", "synthesis"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_the_wrong_length_is_asked_for_once_more() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "debate_answer").then(|| call.reply(|reply| reply["answer"] = prose(0, 200).into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    stage.told(BEN, thread, "ask", json!({"question": "In a word?", "to": 1})).await;
    stage.wait_for(thread, "In a word?").await;
    let calls = asked(&stage, "debate_answer");
    assert_eq!(calls.len(), 2);
    has(&calls[1].user, &["write at most 150"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_members_asked_and_were_answered_is_on_the_record_of_the_synthesis() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "debate_answer")
            .then(|| call.reply(|reply| reply["answer"] = format!("RIDERS-ROW {}", prose(0, 70)).into()))
    });
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_closing");
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_closing").await;
    stage.told(BEN, thread, "ask", json!({"question": "Who rows in winter?", "to": 1})).await;
    stage.wait_for(thread, "RIDERS-ROW").await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    let synthesis = asked(&stage, "debate_synthesis").remove(0).text();
    has(&synthesis, &["A member asked Con:", "Who rows in winter?", "Con answered:", "RIDERS-ROW"]);
    has(&synthesis, &["Where an answer to a member's question says what no turn says"]);
    stage.nothing_amiss();
    bot.kill().await;
}
