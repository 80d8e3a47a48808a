//! A critique from the command to the closing line: who is asked when, what is shown, and that what was planned is
//! never exceeded.

use std::collections::BTreeSet;

use playground::ids::ADA;
use serde_json::json;

use crate::{
    critique::scene::{
        PLAN, SURVEY, asked, closing, depth, finding, growing, has, has_not, opened, plain, review_raw,
        self_critique, tree, whole_review, with,
    },
    support::{
        Stage,
        model::{
            Call, End,
            critique::{COUNCIL, groups},
        },
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
        for round in ["critique", "self-critique"] {
            assert_eq!(shown.matches(&format!("{name} · {round}")).count(), 1, "{name}\n{shown}");
        }
    }
    let order = [
        "What it takes · plan.md",
        "Popper · critique",
        "Popper · self-critique",
        "Review · plan.md",
        "REVIEWED: several statements",
        "WRITTEN: ",
        "Triage · 0 of",
        "📊 The experts' points",
        "What matters most in plan.md?",
        "Nothing was degraded",
    ];
    let mut rest = &shown[..];
    for phrase in order {
        rest = rest.split_once(phrase).unwrap_or_else(|| panic!("{phrase:?} does not follow in\n{shown}")).1;
    }
    // All six on one message in each round, and no card for a finding.
    let rounds = ["Aristotle · critique", "Aristotle · self-critique"];
    for (round, last) in rounds.into_iter().zip(["Russell · critique", "Russell · self-critique"]) {
        has(&read(&stage.message(thread, round)), &[last]);
    }
    let review = whole_review(&stage, thread).await;
    let found = asked(&stage, "critique_review").iter().flat_map(groups).count();
    for number in (1..).take(found) {
        has(&read(&finding(&stage, thread, number).await), &[&format!("F{number} ·"), "Held by"]);
    }
    let weigh_less = format!("{found} findings weigh less");
    has(&read(&stage.message(thread, "Review · plan.md")), &[&weigh_less]);

    // Six members, one claim of each that is looked into, six looks back, one comparison, three reviews alone and three who read
    // them, one of all, six times ten points.
    assert_eq!(growing(&stage).iter().filter(|call| !call.is_deeper()).count(), 6);
    assert_eq!(growing(&stage).iter().filter(|call| call.is_deeper()).count(), 6);
    for (kind, calls) in [
        ("first_answer", 3),
        ("drafts_check", 3),
        ("critique_self", 6),
        ("critique_same", 1),
        ("critique_review", 1),
        ("points", 6),
    ] {
        assert_eq!(asked(&stage, kind).len(), calls, "{kind}");
    }
    let made = stage.model.calls().len();
    assert_eq!(made, 32, "at most so many at the usual depth");
    // The text is short enough for every call that needs it, and all of those begin with it to the byte.
    let reading = stage.model.calls().into_iter().filter(|call| call.kind() != "critique_same");
    let systems: BTreeSet<String> = reading.map(|call| call.system).collect();
    assert_eq!(systems.len(), 1, "one beginning, which is cached");
    has(systems.first().unwrap(), &[SURVEY]);
    assert!(made <= planned(&read(&stage.message(thread, "What it takes"))), "no more than was said");
    let card = stage.wait_card(thread, "Done").await;
    has(&stage.press_card(ADA, thread, "Whole review").await.text(), &["REVIEWED: several statements"]);
    has(&card, &[&format!("{made} of 120 calls"), "critique"]);

    has(
        &tree(&stage, thread, "popper").await,
        &["Popper 1", "Popper 1.1", "No ground is named", "more speaks for it"],
    );
    let raw = opened(&stage, thread, "Open a tree, or how it came about…", "raw critique/popper").await;
    has(&raw, &["critique/popper/1"]);
    has(&self_critique(&stage, thread, "russell").await, &["The quotation carries less", "The method looks"]);
    has(&review, &["F1", "plan.md", "Held by", "A closer look"]);
    has(
        &read(&finding(&stage, thread, 1).await),
        &["F1 ·", "Held by", "A closer look", "[Accept]", "line 5"],
    );
    has(&review_raw(&stage, thread, 8).await, &["reviewed/compared", "reviewed/written"]);
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
    has_not(&tree(&stage, thread, "kant").await, &["Kant 1.1", "looked into"]);
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
    stage.model.wait_calls(5, Call::is_deeper).await;
    let first = growing(&stage);
    let popper = first.iter().find(|call| call.member() == Some("Popper")).unwrap();
    assert_eq!(popper.end, End::Running, "nobody waits for Popper");
    has(&stage.wait_card(thread, "Kant (deeper)").await, &["Critique: the six critics read", "Popper"]);
    has_not(&stage.read(thread), &["Kant · critique"]);
    stage.model.hold(|call| call.member() == Some("Popper"));
    stage.wait_for(thread, "Kant · critique").await;
    has_not(&stage.read(thread), &["Popper · critique", "self-critique"]);
    assert_eq!(asked(&stage, "critique_self").len(), 0, "the next phase waits for all trees");
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_before_the_review_waits_for_what_it_begins_with() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "first_answer");
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    stage.model.wait_calls(1, |call| call.kind() == "critique_same").await;
    assert_eq!((asked(&stage, "drafts_check").len(), asked(&stage, "critique_review").len()), (0, 0));
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    assert_eq!((asked(&stage, "drafts_check").len(), asked(&stage, "critique_review").len()), (3, 1));
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
    let card = read(&stage.message(thread, "Review ·"));
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
            claim["confidence"] = json!(20);
            with(call, vec![claim])
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    has(
        &read(&stage.message(thread, "Review ·")),
        &["No significant findings.", "6 claims, 6 of them taken back or less than 30 % sure"],
    );
    assert_eq!(asked(&stage, "critique_review").len(), 0);
    has_not(&stage.read(thread), &["Triage", "What matters most"]);
    stage.nothing_amiss();
    bot.kill().await;
}
