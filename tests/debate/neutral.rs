//! What takes a side is not posted, and does not disappear in silence.

use serde_json::json;

use quorum::playground::ids::BEN;

use crate::{
    debate::scene::{BIASED, asked, behind, closing, has, quick, with_summary},
    support::{Stage, model::debate::prose, play::read, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_biased_synthesis_is_written_again_twice_and_then_withheld_in_part() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "debate_synthesis").then(|| with_summary(call, BIASED)));
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "debate_synthesis");
    assert_eq!(tries.len(), 3);
    assert!(tries[1].user.contains(BIASED), "it is told what it wrote");
    let card = read(&stage.message(thread, "⚖️ Moderator · synthesis"));
    has(&card, &["Withheld", "**Summary**", "The summary is withheld"]);
    has(&stage.read(thread), &["Where they disagree", "🔎 Open questions"]);
    has(&closing(&stage, thread), &["Of the synthesis “Summary” was withheld, because it took a side."]);
    for button in ["Whole synthesis", "Raw output"] {
        let shown = behind(&stage, thread, "⚖️ Moderator · synthesis", button).await;
        assert!(!shown.contains("violet zeppelins"), "{button}\n{shown}");
    }
    assert!(!stage.read(thread).contains("violet zeppelins"));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synthesis_that_mends_its_bias_stands_whole() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let first = call.kind() == "debate_synthesis" && !call.user.contains("violet zeppelins");
        first.then(|| with_summary(call, BIASED))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "debate_synthesis").len(), 2);
    assert!(!stage.read(thread).contains("Withheld"));
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    assert!(
        !behind(&stage, thread, "⚖️ Moderator · synthesis", "Raw output").await.contains("violet zeppelins")
    );
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synthesis_of_the_wrong_length_is_asked_for_once_more_only() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "debate_synthesis")
            .then(|| call.reply(|reply| reply["executive_summary"] = prose(3, 400).into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "debate_synthesis");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["write at most 600"]);
    has(&closing(&stage, thread), &["The synthesis is longer than its phase allows"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_biased_answer_of_the_moderator_is_withheld_and_never_quoted_later() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let biased =
            call.kind() == "debate_answer" && call.side().is_none() && !call.user.contains("EVEN-HANDED");
        biased.then(|| call.reply(|reply| reply["answer"] = format!("{BIASED} {}", prose(0, 60)).into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    stage.told(BEN, thread, "ask", json!({"question": "Who is right?", "to": 2})).await;
    stage.wait_for(thread, "Who is right?").await;
    assert_eq!(asked(&stage, "debate_answer").len(), 3);
    let raw = behind(&stage, thread, "Who is right?", "Raw output").await;
    assert!(!raw.contains("violet zeppelins"), "{raw}");
    stage.told(BEN, thread, "ask", json!({"question": "EVEN-HANDED please", "to": 2})).await;
    stage.wait_for(thread, "EVEN-HANDED please").await;
    let later = asked(&stage, "debate_answer");
    assert_eq!(later.len(), 4);
    assert!(!later[3].user.contains("violet zeppelins"), "it is not part of the record");
    assert!(!stage.read(thread).contains("violet zeppelins"));
    stage.nothing_amiss();
    bot.kill().await;
}
