//! The wording of the assessment: impersonal, or not at all.

use serde_json::json;

use crate::{
    critique::scene::{PLAN, asked, behind, closing, declined, depth, has, has_not},
    support::{Stage, play::read, wait_for_end},
};

const PRAISE: &str = "I am impressed by how well this plan is written.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_assessor_that_praises_is_asked_again_and_then_marked() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "assessment").then(|| {
            call.reply(|reply| {
                let said =
                    format!("The survey is the only ground of the number. {PRAISE} The fee covers no desk.");
                reply["final_assessment"] = said.into();
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "assessment");
    assert_eq!(tries.len(), 2, "asked again once");
    assert!(tries[1].is_repair());
    has(&tries[1].user, &[PRAISE]);
    let card = read(&stage.message(thread, "Assessment ·"));
    has(
        &card,
        &[
            "The survey is the only ground of the number.",
            "The fee covers no desk.",
            PRAISE,
            "1 sentence in it: personal",
        ],
    );
    has(
        &closing(&stage, thread),
        &["1 sentence of the assessment was personal, praise or advice, and stands all the same."],
    );
    has(&behind(&stage, thread, "Assessment ·", "Raw output").await, &["impressed"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_assessor_that_mends_its_words_is_not_degraded() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "assessment" && !call.is_repair())
            .then(|| call.reply(|reply| reply["final_assessment"] = PRAISE.into()))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Assessment ·")), &["ASSESSED: several statements"]);
    has_not(&stage.read(thread), &["impressed", "taken out"]);
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_assessor_the_findings_stand_in_the_members_words() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "assessment").then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Assessment ·")), &["Degraded", "in the critics' own words"]);
    has(&read(&stage.message(thread, "F1 · Medium")), &["No ground is named for this"]);
    has(&stage.read(thread), &["Triage ·", "What matters most in plan.md?"]);
    has(&closing(&stage, thread), &["No model could word the assessment"]);
    assert_eq!(asked(&stage, "points").len(), 6);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finding_that_the_assessor_leaves_out_stays_and_one_it_makes_up_goes() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "assessment").then(|| {
            call.reply(|reply| {
                let points = reply["points"].as_array_mut().unwrap();
                assert!(points.len() > 1, "there is more than one finding");
                points.remove(0);
                points.push(json!({
                    "finding": "F99", "area": "Moon", "critique": "The moon is not mentioned anywhere.",
                }));
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "F1 · Medium")), &["No ground is named for this"]);
    has(&read(&stage.message(thread, "F2 · Medium")), &["WORDED: "]);
    has_not(&stage.read(thread), &["Moon", "The moon"]);
    stage.nothing_amiss();
    bot.kill().await;
}
