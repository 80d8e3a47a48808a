//! A critique from the command to the closing line: who is asked when, what is shown, and that what was planned is
//! never exceeded.

use std::collections::BTreeSet;

use serde_json::json;

use crate::{
    critique::scene::{PLAN, SURVEY, asked, behind, closing, depth, growing, has, has_not, plain, with},
    support::{
        Stage,
        model::{Call, End, critique::COUNCIL},
        play::read,
        wait_for_end,
    },
};

/// The number in `At most 37 calls`, or in `Calls: at most 37`.
pub fn planned(card: &str) -> usize {
    let found = card.split_once("At most ").or_else(|| card.split_once("Calls:** at most "));
    let rest = found.unwrap_or_else(|| panic!("no number of calls in\n{card}")).1;
    rest.split_once([' ', ',']).unwrap().0.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_runs_from_the_document_to_the_vote() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    for name in COUNCIL {
        assert_eq!(shown.matches(&format!("{name} · critique")).count(), 1, "{name}\n{shown}");
    }
    let order = [
        "What it takes · plan.md",
        "The council · self-critique",
        "Assessment · plan.md",
        "F1 ·",
        "Triage · 0 of",
        "📊 The experts' points",
        "What matters most in plan.md?",
        "Nothing was degraded",
    ];
    let mut rest = &shown[..];
    for phrase in order {
        rest = rest.split_once(phrase).unwrap_or_else(|| panic!("{phrase:?} does not follow in\n{shown}")).1;
    }
    has(&shown, &["ASSESSED: several statements", "Held by", "WORDED: "]);

    // Six members, two claims each that are both looked into, six looks back, one wording, six times ten points.
    assert_eq!(growing(&stage).iter().filter(|call| !call.is_deeper()).count(), 6);
    assert_eq!(growing(&stage).iter().filter(|call| call.is_deeper()).count(), 12);
    assert_eq!(asked(&stage, "self_critique").len(), 6);
    assert_eq!(asked(&stage, "assessment").len(), 1);
    assert_eq!(asked(&stage, "points").len(), 6);
    let made = stage.model.calls().len();
    assert_eq!(made, 6 + 12 + 6 + 1 + 6);
    // The text is short enough for every call, and all of them begin with it to the byte.
    let systems: BTreeSet<String> = stage.model.calls().into_iter().map(|call| call.system).collect();
    assert_eq!(systems.len(), 1, "one beginning, which is cached");
    has(systems.first().unwrap(), &[SURVEY]);
    assert!(made <= planned(&read(&stage.message(thread, "What it takes"))), "no more than was said");
    let card = stage.wait_card(thread, "Done").await;
    has(&card, &[&format!("{made} of 120 calls"), "critique"]);

    has(
        &behind(&stage, thread, "Popper · critique", "Tree").await,
        &["Popper 1", "Popper 1.1", "No ground is named"],
    );
    has(
        &behind(&stage, thread, "Popper · critique", "Raw output").await,
        &["critique/popper/1", "deeper_topic"],
    );
    has(
        &behind(&stage, thread, "The council · self-critique", "Whole self-critique").await,
        &["Aristotle", "Russell", "The quotation carries less"],
    );
    has(
        &behind(&stage, thread, "Assessment ·", "Whole assessment").await,
        &["Findings", "F1", "plan.md", "Held by"],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_depth_1_nothing_is_looked_into() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(growing(&stage).len(), 6);
    assert!(growing(&stage).iter().all(|call| !call.is_deeper()));
    has(&behind(&stage, thread, "Kant · critique", "Tree").await, &["the depth that was chosen is reached"]);
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_six_start_together_and_a_branch_waits_for_its_own_claim_alone() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    // Popper's first look takes long: the others go on to theirs, down to the last leaf.
    stage.model.hold(|call| call.member() == Some("Popper") || call.is_deeper());
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    stage.model.wait_calls(6, |call| call.is_growing() && !call.is_deeper()).await;
    stage.model.wait_calls(10, Call::is_deeper).await;
    let first = growing(&stage);
    let popper = first.iter().find(|call| call.member() == Some("Popper")).unwrap();
    assert_eq!(popper.end, End::Running, "nobody waits for Popper");
    has(&stage.wait_card(thread, "Kant (deeper) ×2").await, &["Critique: the six critics read", "Popper"]);
    has_not(&stage.read(thread), &["Kant · critique"]);
    stage.model.hold(|call| call.member() == Some("Popper"));
    stage.wait_for(thread, "Kant · critique").await;
    has_not(&stage.read(thread), &["Popper · critique", "The council · self-critique"]);
    assert_eq!(asked(&stage, "self_critique").len(), 0, "the next phase waits for all trees");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_is_wrong_it_says_so_and_there_is_no_vote() {
    let stage = Stage::start().await;
    stage.model.on(|call| call.is_growing().then(|| with(call, vec![])));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = read(&stage.message(thread, "Assessment ·"));
    has(&card, &["No significant findings.", "plan.md", "No claims were made"]);
    has_not(&stage.read(thread), &["Triage", "What matters most", "points", "F1"]);
    assert_eq!(stage.model.calls().len(), 6, "nothing else is asked");
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    has(&stage.wait_card(thread, "Done").await, &["6 of 120 calls"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claims_that_nobody_is_sure_of_are_no_findings() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        call.is_growing().then(|| {
            let mut claim = plain(SURVEY);
            claim["confidence"] = json!(0.2);
            with(call, vec![claim])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    has(
        &read(&stage.message(thread, "Assessment ·")),
        &["No significant findings.", "6 claims made", "6 were dropped"],
    );
    assert_eq!(asked(&stage, "assessment").len(), 0);
    has_not(&stage.read(thread), &["Triage", "What matters most"]);
    stage.nothing_amiss();
    bot.kill().await;
}
