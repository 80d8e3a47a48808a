//! The wording of the review: impersonal, or not at all.

use crate::{
    critique::scene::{
        PLAN, asked, closing, declined, depth, finding, has, has_not, review_raw, whole_review,
    },
    support::{
        Stage,
        model::{
            Answer,
            critique::{groups, reviewed},
        },
        play::read,
        wait_for_end,
    },
};

const PRAISE: &str = "I am impressed by how well this plan is written.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reviewer_that_praises_is_asked_again_and_then_marked() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "critique_review").then(|| {
            let mut reply = reviewed(call);
            let said =
                format!("The survey is the only ground of the number. {PRAISE} The fee covers no desk.");
            reply["verdict"] = said.into();
            // Also where it speaks of a single finding, and in Portuguese.
            reply["findings"][1]["line"] = "Na minha opinião, falta o preço.".into();
            Answer::Json(reply)
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "critique_review");
    assert_eq!(tries.len(), 2, "asked again once");
    assert!(tries[1].is_repair());
    has(&tries[1].user, &[PRAISE, "Na minha opinião"]);
    let card = read(&stage.message(thread, "Review ·"));
    has(&card, &["The survey is the only ground of the number.", "The fee covers no desk.", PRAISE]);
    has(&stage.read(thread), &["2 sentences in it: personal"]);
    has(
        &closing(&stage, thread),
        &["2 sentences of the review were personal, praise or advice, and stand all the same."],
    );
    has(&review_raw(&stage, thread, 8).await, &["impressed"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reviewer_that_mends_its_words_is_not_degraded() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "critique_review" && !call.is_repair())
            .then(|| call.reply(|reply| reply["verdict"] = PRAISE.into()))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Review ·")), &["REVIEWED: several statements"]);
    has_not(&stage.read(thread), &["impressed", "taken out"]);
    has(&closing(&stage, thread), &["Nothing was degraded"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_reviewer_the_findings_stand_in_the_members_words() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "critique_review").then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Review ·")), &["Degraded", "in the critics' own words"]);
    has(&read(&finding(&stage, thread, 1).await), &["F1 · Medium", "No ground is named for this"]);
    has(&stage.read(thread), &["Triage ·", "What matters most in plan.md?"]);
    has(&closing(&stage, thread), &["No model could write the review"]);
    assert_eq!(asked(&stage, "points").len(), 6);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_the_reviewer_leaves_out_is_asked_for_and_stands_and_one_it_makes_up_goes() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "critique_review").then(|| {
            let mut reply = reviewed(call);
            let findings = reply["findings"].as_array_mut().unwrap();
            assert!(findings.len() > 1, "there is more than one finding");
            let mut made_up = findings.remove(0);
            (made_up["group"], made_up["line"]) =
                ("G99".into(), "The moon is not mentioned anywhere.".into());
            findings.push(made_up);
            Answer::Json(reply)
        })
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "critique_review");
    assert_eq!(tries.len(), 2);
    has(&tries[1].user, &["`findings` leaves out G1"]);
    // The one left out stands in its own words.
    let whole = whole_review(&stage, thread).await;
    let groups = groups(&tries[1]).len();
    assert_eq!(whole.matches("**Held by**").count(), groups, "{whole}");
    has_not(&stage.read(thread), &["The moon"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_that_quotes_what_the_text_does_not_say_is_asked_again_and_then_counted() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "critique_review")
            .then(|| call.reply(|reply| reply["verdict"] = "It says “nobody will ever pay for this”.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let tries = asked(&stage, "critique_review");
    assert_eq!(tries.len(), 2, "asked again once");
    has(&tries[1].user, &["does not stand in the text: “nobody will ever pay for this”"]);
    has(&stage.read(thread), &["1 quotation in it not found in the text."]);
    has(&closing(&stage, thread), &["1 quotation of the review was not found in the text."]);
    stage.nothing_amiss();
    bot.kill().await;
}
