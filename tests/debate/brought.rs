//! What the team brings in: evidence that both sides have to take in, what is made clear at the next break, and
//! evidence on a hinge.

use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    debate::scene::{BIASED, asked, asked_of, behind, closing, has, quick},
    search::{every_citation_is_right, listed},
    support::{
        Stage, has_not,
        model::{Answer, Call},
        play::{buttons, id, read},
        search::Found,
        wait_for_end,
    },
};

const CLAIM: &str = "The neighbouring town closed its app after two years.";

/// The numbers of the evidence that a request demands a word on.
fn demanded(call: &Call) -> Vec<String> {
    let schema = call.schema.as_ref().unwrap();
    let numbers = &schema["properties"]["acknowledged"]["items"]["properties"]["evidence"]["enum"];
    numbers.as_array().into_iter().flatten().map(|number| number.as_str().unwrap().to_owned()).collect()
}

/// A model may speak of evidence that it made up; what is brought later under that number is not lost by it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_that_nobody_has_brought_is_not_acknowledged() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        call.is_turn("turn_case", "Pro").then(|| {
            call.reply(|reply| {
                reply["acknowledged"] =
                    json!([{"evidence": "E1", "how": "It was made up.", "bearing": "used"}]);
            })
        })
    });
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_rebuttal");
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_rebuttal").await;
    // Its card may still be on its way.
    assert!(!read(&stage.wait_for(thread, "Pro · case").await).contains("made up"));
    stage.fill_in(BEN, thread, "Add evidence", &[("claim", CLAIM), ("source", "Gazette")]).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    for side in ["Pro", "Con"] {
        assert_eq!(demanded(&asked_of(&stage, "turn_closing", side)[0]), ["E1"], "{side}");
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_is_acknowledged_by_both_and_demanded_again_if_passed_over() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        call.is_turn("turn_case", "Con")
            .then(|| call.reply(|reply| drop(reply.as_object_mut().unwrap().remove("acknowledged"))))
    });
    let bot = stage.bot().await;
    let thread = stage.started(ADA, DECISIONS, "debate", quick()).await;
    stage.wait_for(thread, "[Start]").await;
    let said = stage.fill_in(BEN, thread, "Add evidence", &[("claim", CLAIM), ("source", "Gazette")]).await;
    has(&said, &["E1"]);
    stage.start_debate(thread).await;
    wait_for_end(&stage, thread).await;
    for call in asked(&stage, "turn_case") {
        has(&call.user, &[CLAIM, "Gazette", "Ben"]);
        assert_eq!(demanded(&call), ["E1"]);
    }
    // Pro took it in at once; Con passed it over twice, and is asked again in its next turn, and then no more.
    assert_eq!(demanded(&asked_of(&stage, "turn_rebuttal", "Pro")[0]), Vec::<String>::new());
    assert_eq!(demanded(&asked_of(&stage, "turn_rebuttal", "Con")[0]), ["E1"]);
    assert_eq!(demanded(&asked_of(&stage, "turn_closing", "Con")[0]), Vec::<String>::new());
    let case = asked_of(&stage, "turn_case", "Con");
    assert_eq!(case.len(), 2);
    has(&case[1].user, &["It says nothing of the team's evidence E1"]);
    has(&read(&stage.message(thread, "Con · case")), &["says nothing of the team's evidence E1"]);
    has(&read(&stage.message(thread, "Pro · case")), &["On the team's evidence", "E1"]);
    has(&read(&stage.message(thread, "Con · rebuttal")), &["On the team's evidence", "E1"]);
    has(&asked(&stage, "debate_synthesis")[0].text(), &[CLAIM]);
    let end = closing(&stage, thread);
    assert!(!end.contains("never acknowledged"), "{end}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_that_a_side_never_takes_in_and_evidence_that_comes_late_are_named() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind().starts_with("turn_") && call.side() == Some("Con"))
            .then(|| call.reply(|reply| drop(reply.as_object_mut().unwrap().remove("acknowledged"))))
    });
    let bot = stage.bot().await;
    let thread = stage.started(ADA, DECISIONS, "debate", quick()).await;
    stage.wait_for(thread, "[Start]").await;
    stage.fill_in(BEN, thread, "Add evidence", &[("claim", CLAIM), ("source", "")]).await;
    stage.model.hold(|call| call.is_turn("turn_closing", "Pro"));
    stage.start_debate(thread).await;
    stage.model.wait_calls(1, |call| call.is_turn("turn_closing", "Pro")).await;
    stage.fill_in(BEN, thread, "Add evidence", &[("claim", "It rains."), ("source", "")]).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    has(
        &closing(&stage, thread),
        &[
            "The evidence E2 came after Pro's last turn.",
            "Con never acknowledged the evidence E1.",
            "The evidence E2 came after Con's last turn.",
        ],
    );
    has(&asked(&stage, "debate_synthesis")[0].text(), &["It rains."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clarification_is_answered_at_the_next_break_and_stands_in_later_requests() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "clarification").then(|| call.reply(|reply| reply["answer"] = "CLEAR-ANSWER".into()))
    });
    let bot = stage.bot().await;
    stage.model.hold(|call| call.is_turn("turn_case", "Con"));
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(1, |call| call.is_turn("turn_case", "Con")).await;
    stage.fill_in(BEN, thread, "Clarify", &[("text", "What counts as delivery?")]).await;
    assert_eq!(asked(&stage, "clarification").len(), 0, "not before the break");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "CLEAR-ANSWER")), &["What counts as delivery?"]);
    assert_eq!(asked(&stage, "clarification").len(), 1);
    for kind in ["turn_rebuttal", "turn_closing", "debate_synthesis"] {
        for call in asked(&stage, kind) {
            has(&call.text(), &["What counts as delivery?", "CLEAR-ANSWER"]);
        }
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clarification_that_comes_last_is_answered_and_a_biased_one_withheld() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "clarification").then(|| call.reply(|reply| reply["answer"] = BIASED.into()))
    });
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "debate_synthesis");
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(1, |call| call.kind() == "debate_synthesis").await;
    stage.fill_in(BEN, thread, "Clarify", &[("text", "What counts as an app?")]).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "clarification").len(), 3);
    let shown = stage.read(thread);
    has(&shown, &["What counts as an app?", "could not answer without taking a side"]);
    assert!(!shown.contains("violet zeppelins"));
    has(
        &closing(&stage, thread),
        &["1 clarification was withheld, because the moderator's answer took a side."],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

/// Ben brings the claim on a hinge of this panel.
async fn bring_on(stage: &Stage, thread: Id, panel: &Value, hinge: &str) {
    let select = panel["components"].as_array().unwrap().iter();
    let mut select =
        select.flat_map(|row| row["components"].as_array().unwrap()).filter(|part| part["type"] == 3);
    let custom_id = select.next().unwrap()["custom_id"].as_str().unwrap().to_owned();
    let client = stage.discord.client();
    let opened = client.select(BEN, thread, id(&panel["id"]), &custom_id, &[hinge]).unwrap();
    assert!(client.wait_reply(opened).await.modal.is_some(), "{:?}", buttons(panel));
    let sent = client.submit_modal(BEN, opened, &[("claim", CLAIM), ("source", "Gazette")]).unwrap();
    client.wait_reply(sent).await;
}

/// A hinge whose words take no side can still tip the balance of all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hinge_that_tips_the_balance_is_withheld_behind_its_card_too() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.kind() {
        "debate_synthesis" => Some(call.reply(|reply| {
            let hinges = reply["decision_hinges"].as_array_mut().unwrap();
            let more: Vec<_> = ["pro", "neutral", "neutral"]
                .into_iter()
                .zip(hinges.clone())
                .map(|(favors, mut hinge)| {
                    hinge["then_favors"] = favors.into();
                    hinge
                })
                .collect();
            hinges.extend(more);
        })),
        "hinge" => Some(call.reply(|reply| {
            reply["if_true"] = "Violet marmots return.".into();
            reply["then_favors"] = "pro".into();
        })),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let panel = stage.wait_for(thread, "🔎 Open questions").await;
    bring_on(&stage, thread, &panel, "3").await;
    stage.wait_for(thread, "answer withheld").await;
    assert_eq!(asked(&stage, "hinge").len(), 3);
    let shown = behind(&stage, thread, "answer withheld", "Raw output").await;
    assert!(!shown.contains("marmots"), "{shown}");
    assert!(!stage.read(thread).contains("marmots"));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_on_a_hinge_has_that_hinge_alone_looked_at_again() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "hinge").then(|| call.reply(|reply| reply["if_true"] = "NEW-HINGE holds.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let before = stage.model.calls().len();
    let panel = stage.wait_for(thread, "🔎 Open questions").await;
    bring_on(&stage, thread, &panel, "2").await;
    let card = read(&stage.wait_for(thread, "NEW-HINGE").await);
    has(&card, &["E1"]);
    let calls = stage.model.calls();
    assert_eq!(calls.len(), before + 2, "it, and its neutrality");
    has(&calls[before].user, &[CLAIM, "Gazette"]);
    // The panel shows it as it is now.
    for _ in 0..600 {
        let shown =
            read(&stage.discord.messages(thread).into_iter().find(|m| m["id"] == panel["id"]).unwrap());
        if shown.contains("NEW-HINGE") {
            stage.nothing_amiss();
            bot.kill().await;
            // What is asked later is answered from the hinge as it stands.
            let bot = stage.bot().await;
            stage.told(BEN, thread, "ask", json!({"question": "What does it hang on?"})).await;
            stage.wait_for(thread, "What does it hang on?").await;
            has(&asked(&stage, "debate_answer")[0].user, &["NEW-HINGE"]);
            bot.kill().await;
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the panel still shows the old hinge\n{}", stage.read(thread));
}

/// Where the server searches, what bears on a hinge is looked up, and what is cited of it can be opened.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_bears_on_a_hinge_is_looked_up_and_cited() {
    let stage = Stage::searching().await;
    stage.model.on(|call| match call.kind() {
        "search_queries" => {
            Some(Answer::Json(json!({ "queries": ["apps that closed", "apps that stayed"] })))
        }
        "hinge" => Some(call.reply(|reply| {
            let pages = listed(&call.user);
            let cited =
                pages.iter().next().map(|(number, page)| format!(" It stands in «{page}»[{number}]."));
            reply["if_true"] = "NEW-HINGE holds [1].".into();
            reply["current_evidence"] = json!(format!("E1 says so [88].{}", cited.unwrap_or_default()));
        })),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    // Of the advocates, whose queries are tried elsewhere.
    let (before, searched) = (asked(&stage, "search_queries").len(), stage.web().asked().len());
    let panel = stage.wait_for(thread, "🔎 Open questions").await;
    bring_on(&stage, thread, &panel, "2").await;
    let card = read(&stage.wait_for(thread, "Open question 2, looked at again").await);
    has(&card, &["NEW-HINGE holds.", "🔎 Sources", "2 searches found 5 pages"]);
    has_not(&card, &["[88]"]);
    assert_eq!(every_citation_is_right(&card, &card), 1, "{card}");
    assert_eq!(
        (asked(&stage, "search_queries").len(), stage.web().asked().len()),
        (before + 1, searched + 2)
    );
    has(&asked(&stage, "search_queries")[before].user, &[CLAIM]);
    let shown =
        || read(&stage.discord.messages(thread).into_iter().find(|m| m["id"] == panel["id"]).unwrap());
    stage.wait_until(thread, "the panel shows it", async || shown().contains("NEW-HINGE")).await;
    has_not(&shown(), &["[1]"]);
    // What was looked up stands behind the card, and hides nothing of what the moderator wrote.
    let raw = behind(&stage, thread, "Open question 2, looked at again", "Raw output").await;
    has(&raw, &["NEW-HINGE"]);
    has_not(&raw, &["did not pass the neutrality check"]);

    stage.web().on(|_| Some(Found::Status(503, String::new())));
    bring_on(&stage, thread, &panel, "1").await;
    let card = read(&stage.wait_for(thread, "Open question 1, looked at again").await);
    has(&card, &["No search: it did not answer"]);
    has_not(&card, &["Sources"]);

    stage.told(ADA, DECISIONS, "settings answers", json!({ "search": false })).await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let panel = stage.wait_for(thread, "🔎 Open questions").await;
    bring_on(&stage, thread, &panel, "2").await;
    let card = read(&stage.wait_for(thread, "Open question 2, looked at again").await);
    has_not(&card, &["earch", "Sources"]);
    assert_eq!(asked(&stage, "search_queries").len(), before + 2, "of the first debate");
    stage.nothing_amiss();
    bot.kill().await;
}
