//! What code makes of the trees: adjustments are applied, what says the same is merged, contradictions are named.

use serde_json::json;

use crate::{
    critique::scene::{FEE, PLAN, SUCCESS, SURVEY, asked, behind, depth, has, has_not, plain, saying, with},
    support::{
        Stage,
        model::{Answer, Call, critique::COUNCIL},
        play::{is_private, read},
        wait_for_end,
    },
};
use playground::ids::BEN;

/// The labels that this reader sees: its own, and those of claims that say this.
fn label(call: &Call, says: &str) -> String {
    let line = call.user.lines().find(|line| line.contains(says));
    let line = line.unwrap_or_else(|| panic!("{says:?} is not told in\n{}", call.user));
    line.trim().split_once(". ").unwrap().0.to_owned()
}

fn looked(adjustments: &serde_json::Value, contradictions: &serde_json::Value) -> Answer {
    Answer::Json(json!({
        "reflection": "The method looks for what it always finds.",
        "contradictions": contradictions, "adjustments": adjustments,
    }))
}

const RIDERS: &str = "The pay of riders is stated without the hours that it is paid for.";
const COUNTED: &str = "The survey names no way in which its households were chosen.";

/// Popper alone speaks of riders, all others of the survey.
fn two_claims(call: &Call) -> Option<Answer> {
    call.is_growing().then(|| {
        let popper = call.member() == Some("Popper");
        let said = if popper { saying(FEE, RIDERS, "Pay") } else { saying(SURVEY, COUNTED, "Survey") };
        with(call, vec![said])
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_member_takes_back_falls_away_by_code() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if call.kind() == "self_critique" && call.member() == Some("Popper") {
            let own = label(call, RIDERS);
            let less = json!([
                {"claim": own, "reasoning": "The hours are named in the sentence before.", "confidence_delta": -0.3},
                {"claim": own, "reasoning": "It carries nothing else either.", "confidence_delta": -0.2},
            ]);
            return Some(looked(&less, &json!([])));
        }
        two_claims(call)
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Assessment ·")), &["6 claims made", "1 was dropped"]);
    has(&read(&stage.message(thread, "F1 · Medium")), &[COUNTED, "(5 of 6)"]);
    has_not(&stage.read(thread), &["F2 ·"]);
    let wording = asked(&stage, "assessment").remove(0);
    has(&wording.text(), &[COUNTED]);
    has_not(&wording.text(), &[RIDERS]);
    // The tree keeps what was said, and the self-critique what was changed.
    has(&behind(&stage, thread, "Popper · critique", "Tree").await, &[RIDERS, "70 %"]);
    has(
        &behind(&stage, thread, "The council · self-critique", "Whole self-critique").await,
        &["named in the sentence before", "less sure by 30 of 100"],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

/// The same fault, in German and on an overlapping passage.
const CHOSEN: &str = "Wie die Haushalte der Umfrage gewählt wurden, wird nicht gesagt.";
const NO_FAILURE: &str = "Success is defined so that nothing can fail it.";

/// Kant and Popper find one fault, Russell another.
fn three_claims(call: &Call) -> Option<Answer> {
    call.is_growing().then(|| {
        let said = match call.member() {
            Some("Kant") => saying(SURVEY, COUNTED, "Survey"),
            Some("Popper") => {
                saying("survey of May reached four hundred households in the centre", CHOSEN, "Umfrage")
            }
            Some("Russell") => saying(SUCCESS, NO_FAILURE, "Success"),
            _ => return with(call, vec![]),
        };
        with(call, vec![said])
    })
}

/// What somebody says who calls two claims the same.
fn calls_same(call: &Call, own: &str, other: &str) -> Answer {
    Answer::Json(json!({
        "reflection": "Nothing changes.", "contradictions": [], "adjustments": [],
        "same_as": [{"own": label(call, own), "other": label(call, other)}],
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_two_call_the_same_is_one_finding_that_names_them() {
    let stage = Stage::start().await;
    stage.model.on(|call| match (call.kind(), call.member()) {
        ("self_critique", Some("Kant")) => Some(calls_same(call, COUNTED, CHOSEN)),
        ("self_critique", Some("Popper")) => Some(calls_same(call, CHOSEN, COUNTED)),
        // Nobody agrees with her.
        ("self_critique", Some("Russell")) => Some(calls_same(call, NO_FAILURE, COUNTED)),
        _ => three_claims(call),
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let shared = read(&stage.message(thread, "Held by** Kant and Popper"));
    has(&shared, &["Held by** Kant and Popper (2 of 6)", "Merged from Kant 1 and Popper 1."]);
    has(&read(&stage.message(thread, "Held by** Russell")), &["Held by** Russell"]);
    has(
        &read(&stage.message(thread, "Assessment ·")),
        &["3 claims made: 1 was merged with one that says the same"],
    );
    has_not(&stage.read(thread), &["F3 ·"]);
    // Whoever says nothing has still read, and scores.
    assert_eq!(asked(&stage, "points").len(), 6);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_one_calls_the_same_stays_apart_and_what_is_missing_is_found() {
    let stage = Stage::start().await;
    stage.model.on(|call| match (call.kind(), call.member()) {
        ("self_critique", Some("Kant")) => Some(calls_same(call, COUNTED, CHOSEN)),
        ("self_critique", Some("Leibniz")) => Some(Answer::Json(json!({
            "reflection": "Something is missing.", "contradictions": [], "adjustments": [], "same_as": [],
            "missed": [{
                "beside": "", "claim": "Who pays for a loss is said nowhere.", "area": "Losses",
                "severity": "critical", "confidence": 0.9,
            }],
        }))),
        _ => three_claims(call),
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["F4 ·"]);
    has_not(&stage.read(thread), &["Merged from", "F5 ·"]);
    has(&read(&stage.message(thread, "F1 · Critical")), &["Who pays for a loss", "Held by** Leibniz"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_findings_ten_are_voted_on_and_all_are_triaged() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        call.is_growing().then(|| {
            let of = |part: &str| {
                let who = call.member().unwrap();
                saying(SURVEY, &format!("The survey leaves out the {part} that {who} asks for."), part)
            };
            with(call, vec![of("sample"), of("source")])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Assessment ·"));
    has(&card, &["the 10 weightiest of 12 findings are put to the vote"]);
    let panel = stage.message(thread, "🗂️ Triage · 0 of 12 triaged");
    has(&stage.read(thread), &["F10 ·"]);
    let seen = stage.choose(BEN, thread, &panel, "Open one of F11 to F12…", "finding/12").await;
    assert!(is_private(&seen, BEN));
    let opened = seen.messages.last().unwrap().clone();
    has(&read(&opened), &["F12 ·", "Held by**"]);
    let said = stage.press(BEN, thread, &opened, "Accept").await;
    let said: String = said.messages.iter().map(read).collect();
    has(&said, &["Noted: F12 is accepted"]);
    let panel = stage.wait_for(thread, "🗂️ Triage · 1 of 12 triaged").await;
    has(&read(&panel), &["**Accepted** by Ben"]);
    let list = behind(&stage, thread, "🗂️ Triage", "Export list").await;
    has(&list, &["F12", "accepted"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contradiction_is_named_with_both_claims() {
    const TOO_FEW: &str = "Two hundred riders are too few for the orders that are planned.";
    const TOO_MANY: &str = "Two hundred riders are too many for the orders that are planned.";
    let quote = "Two hundred riders are hired in the month before the start";
    let stage = Stage::start().await;
    stage.model.on(move |call| {
        if call.is_growing() {
            let said = match call.member() {
                Some("Kant") => saying(quote, TOO_FEW, "Number of riders"),
                Some("Leibniz") => saying(FEE, TOO_MANY, "Riders and fee"),
                _ => plain(SURVEY),
            };
            return Some(with(call, vec![said]));
        }
        (call.kind() == "self_critique" && call.member() == Some("Kant")).then(|| {
            let against = json!([{
                "own": label(call, TOO_FEW), "other": label(call, TOO_MANY),
                "why": "The same number cannot be too few and too many.",
            }]);
            looked(&json!([]), &against)
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Assessment ·"));
    has(
        &card,
        &["Contradictions", "Kant 1** against **Leibniz 1", "too few", "too many", "cannot be too few"],
    );
    has(&asked(&stage, "assessment")[0].text(), &["cannot both hold", "The same number cannot be"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peers_stand_under_letters_in_an_order_of_each_readers_own() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let name = call.member()?;
        call.is_growing().then(|| {
            with(call, vec![saying(SURVEY, &format!("The statement {} is open.", name.len() * 1_000), name)])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let looks = asked(&stage, "self_critique");
    assert_eq!(looks.len(), 6);
    for call in &looks {
        let me = call.member().unwrap();
        has(&call.user, &["Reader A:", "Reader E:"]);
        has_not(&call.user, &["Reader F:"]);
        for name in COUNCIL.iter().filter(|name| **name != me) {
            assert!(!call.user.contains(&format!("{name}. ")), "{me} is told that something is {name}'s");
        }
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_claims_there_are_not_are_left_out_and_counted() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        if call.kind() == "self_critique" && call.member() == Some("Kant") {
            let own = label(call, COUNTED);
            let more = json!([
                {"claim": "Y99", "reasoning": "There is none.", "confidence_delta": -1.0},
                {"claim": own, "reasoning": "It holds all the more.", "confidence_delta": 0.1},
            ]);
            return Some(looked(&more, &json!([])));
        }
        two_claims(call)
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "The council · self-critique")), &["1 remark left out"]);
    has(&crate::critique::scene::closing(&stage, thread), &["1 remark of the self-critiques was left out"]);
    has(&read(&stage.message(thread, "F1 · Medium")), &["80 %"]);
    stage.nothing_amiss();
    bot.kill().await;
}
