//! What takes a side is not posted, and does not disappear in silence.

use serde_json::json;

use playground::ids::BEN;

use crate::{
    debate::scene::{BIASED, asked, behind, closing, declined, has, quick, with_summary},
    support::{
        Stage,
        model::{Answer, Call, debate::prose},
        play::read,
        wait_for_end,
    },
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
    has(&stage.read(thread), &["↔️ Where they disagree", "🔎 Open questions", "1. If true:"]);
    has(&closing(&stage, thread), &["Of the synthesis “Summary” was withheld, because it took a side."]);
    for button in ["Where they disagree", "Raw output"] {
        let shown = behind(&stage, thread, "⚖️ Moderator · synthesis", button).await;
        assert!(!shown.contains("violet zeppelins"), "{button}\n{shown}");
    }
    assert!(!stage.read(thread).contains("violet zeppelins"));
    stage.nothing_amiss();
    bot.kill().await;
}

/// Leans without a word that always does.
const LEANING: &str =
    "Pro convincingly shows that violet zeppelins pay, while Con merely claims that they do not.";

/// The judge's words on the summary, wherever that sentence stands in it.
fn judged(call: &Call, words: &str) -> Option<Answer> {
    (call.kind() == "neutrality_check" && call.user.contains("violet zeppelins")).then(|| {
        call.reply(|reply| {
            reply["passages"][0]["words"] = words.into();
            reply["passages"][0]["takes_a_side"] = true.into();
        })
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_judge_quotes_is_written_again() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let first = call.kind() == "debate_synthesis" && !call.user.contains("violet zeppelins pay");
        first.then(|| with_summary(call, LEANING)).or_else(|| judged(call, "convincingly shows"))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "debate_synthesis");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["says “convincingly shows”, which takes a side for a careful reader"]);
    assert!(!stage.read(thread).contains("violet zeppelins"));
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_the_judge_objects_to_is_shown_with_its_mark() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let written = call.kind() == "debate_synthesis";
        written.then(|| with_summary(call, LEANING)).or_else(|| judged(call, "merely claims"))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "debate_synthesis").len(), 3, "twice again at most");
    let card = read(&stage.message(thread, "⚖️ Moderator · synthesis"));
    has(&card, &["violet zeppelins", "May take a side", "Summary: “merely claims”"]);
    assert!(!card.contains("Withheld"), "{card}");
    let words = "A second model thinks that words in “Summary” of the synthesis may take a side.";
    has(&closing(&stage, thread), &[words]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_that_contradicts_itself_or_misquotes_changes_nothing() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let all = call.kind() == "neutrality_check";
        all.then(|| {
            call.reply(|reply| {
                reply["passages"][0]["takes_a_side"] = true.into();
                reply["passages"][1]["words"] = "words that nobody wrote".into();
                reply["passages"][1]["takes_a_side"] = true.into();
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "debate_synthesis").len(), 1);
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_judge_the_card_says_that_only_phrases_were_checked() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "neutrality_check").then(declined));
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "debate_synthesis").len(), 1);
    let card = read(&stage.message(thread, "⚖️ Moderator · synthesis"));
    has(&card, &["only a list of phrases was checked"]);
    has(&closing(&stage, thread), &["The neutrality of 1 text was not judged by a second model"]);
    stage.told(BEN, thread, "ask", json!({"question": "What do they share?", "to": 2})).await;
    stage.wait_for(thread, "What do they share?").await;
    has(&read(&stage.message(thread, "The moderator answers")), &["only a list of phrases was checked"]);
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
            .then(|| call.reply(|reply| reply["executive_summary"] = prose(3, 1_000).into()))
    });
    let bot = stage.bot().await;
    // At brief effort nobody writes drafts, so that the moderator writes all of it.
    let thread = stage.debate(json!({"preset": "quick", "effort": "brief"})).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "debate_synthesis");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["write at most 350"]);
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderator_and_judge_may_be_other_models_than_the_sides_and_where_they_are_not_it_is_said() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.settings.appointed.moderator = "openai/gamma".parse().unwrap();
    stage.settings.appointed.cheap = "openai/delta".parse().unwrap();
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let models =
        |kind: &str| -> Vec<String> { asked(&stage, kind).into_iter().map(|call| call.model).collect() };
    assert_eq!(models("debate_synthesis"), ["gamma"]);
    assert_eq!(models("neutrality_check"), ["delta"]);
    assert_eq!(models("conduct_check"), ["delta"; 3]);
    let card = read(&stage.message(thread, "⚖️ Moderator · synthesis"));
    has(&card, &["Answered by gamma"]);
    assert!(!card.contains("same model as"), "{card}");
    bot.kill().await;

    for (moderator, judge, said) in [
        ("openai/alpha", "openai/alpha", "The moderator and its judge are the same model as Pro."),
        ("openai/gamma", "openai/beta", "The moderator's judge is the same model as Con."),
    ] {
        stage.settings.appointed.moderator = moderator.parse().unwrap();
        stage.settings.appointed.cheap = judge.parse().unwrap();
        let bot = stage.bot().await;
        let thread = stage.debate(quick()).await;
        wait_for_end(&stage, thread).await;
        has(&read(&stage.message(thread, "⚖️ Moderator · synthesis")), &[said]);
        bot.kill().await;
    }
}
