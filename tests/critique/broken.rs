//! What becomes of a critique when calls fail: whoever fails is named, and the others go on.

use serde_json::json;

use crate::{
    critique::scene::{
        FEE, PLAN, asked, closing, declined, depth, embed, growing, has, has_not, tree, whole_review, with,
    },
    support::{
        Stage,
        model::{Answer, Fault, critique::claim},
        play::read,
        wait_for_end,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_fails_everywhere_is_named_missing_and_the_rest_goes_on() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.member() == Some("Popper")).then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let card = embed(&stage, thread, "Popper · critique");
    has(&card, &["No answer", "the model declined to answer"]);
    has(&read(&stage.message(thread, "Review ·")), &["No answer", "Popper"]);
    has(&closing(&stage, thread), &["Popper could not read and is missing: the model declined to answer."]);
    assert_eq!(asked(&stage, "critique_self").len(), 5, "whoever has no tree has nothing to look at");
    assert_eq!(asked(&stage, "points").len(), 5);
    has(&asked(&stage, "critique_review")[0].text(), &["1 of the six readers did not answer."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_without_any_tree_it_fails_and_can_be_tried_again() {
    let stage = Stage::start().await;
    stage.model.on(|call| call.is_growing().then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    stage.wait_for(thread, "None of the six critics could read the document").await;
    stage.wait_card(thread, "Failed").await;
    assert_eq!(asked(&stage, "critique_self").len(), 0);
    stage.model.on(|_| None);
    stage.told(playground::ids::ADA, thread, "session retry", json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["Popper · critique", "Review ·", "Nothing was degraded"]);
    assert_eq!(stage.read(thread).matches("What it takes").count(), 1, "the plan stands");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_section_that_is_too_long_for_a_model_is_named_and_the_others_are_read() {
    let mut stage = Stage::start().await;
    stage.settings.document_chars = 1_000;
    stage.model.on(|call| {
        (call.is_growing() && call.segment().contains(FEE) && call.member() != Some("Kant"))
            .then_some(Answer::Fault(Fault::TooLarge))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Popper · critique"), &["Could not read", "Costs"]);
    has_not(&embed(&stage, thread, "Kant · critique"), &["Could not read"]);
    has(&closing(&stage, thread), &["Popper could not read 1 section: §2"]);
    let assessment = read(&stage.message(thread, "Review ·"));
    has(&assessment, &["Not read by everybody", "**Popper** did not read §2"]);
    has_not(&assessment, &["Nobody read", "**Kant** did not read"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_section_that_nobody_can_read_is_said_to_be_unread() {
    let mut stage = Stage::start().await;
    stage.settings.document_chars = 1_000;
    stage.model.on(|call| {
        (call.is_growing() && call.segment().contains(FEE)).then_some(Answer::Fault(Fault::TooLarge))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "Review ·")), &["Not read", "Costs"]);
    has(&closing(&stage, thread), &["could be read by nobody"]);
    has_not(&closing(&stage, thread), &["Popper could not read"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_branch_whose_call_fails_ends_there_and_its_siblings_grow() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let fails = call.is_deeper() && call.segment().contains(FEE) && call.member() == Some("Popper");
        if fails {
            return Some(Answer::Fault(Fault::TooLarge));
        }
        (call.is_growing() && !call.is_deeper())
            .then(|| with(call, vec![claim(FEE), claim(crate::critique::scene::SUCCESS)]))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({"effort": "deep"})).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Popper · critique"), &["Not looked into", "1 claim"]);
    has(&tree(&stage, thread, "popper").await, &["Not looked into: the call failed", "Popper 2.1"]);
    has(&closing(&stage, thread), &["1 branch was not looked into, because its call failed."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_is_stood_in_for_and_named() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    // Descartes, Leibniz and Russell sit on beta.
    stage.model.on(|call| {
        let fails = match call.kind() {
            "critique_look" => call.member() == Some("Leibniz"),
            "critique_self" => call.member() == Some("Russell"),
            _ => false,
        };
        (fails && call.model == "beta").then(|| Answer::Text("No.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Leibniz · critique"), &["openai/alpha stood in", "Answered by alpha"]);
    has(
        &closing(&stage, thread),
        &[
            "openai/alpha stood in for Leibniz's own model, which failed.",
            "Russell's self-critique was written by openai/alpha, because its own model failed.",
        ],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_failed_is_not_asked_again_in_the_branches_below() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.model.on(|call| (call.model == "beta" && call.is_growing()).then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    let beta = growing(&stage).into_iter().filter(|call| call.model == "beta");
    let asked: Vec<bool> = beta.map(|call| call.is_deeper()).collect();
    assert_eq!(asked, [false; 3], "once for each of its three members");
    assert!(growing(&stage).iter().any(|call| call.member() == Some("Russell") && call.is_deeper()));
    let last = closing(&stage, thread);
    assert_eq!(last.matches("openai/alpha stood in for Russell's own model").count(), 1, "{last}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_answers_have_to_be_asked_for_again_branches_end_before_the_review_does() {
    let mut stage = Stage::start().await;
    stage.settings.budgets.session.calls = 40;
    // Every first answer of a tree is no answer, so that each takes two calls.
    stage.model.on(|call| (call.is_growing() && !call.is_repair()).then(|| Answer::Text("No.".into())));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["Review ·", "What matters most in plan.md?"]);
    has(&closing(&stage, thread), &["not looked into, because answers that had to be asked for again"]);
    assert!(stage.model.calls().len() <= 40, "{}", stage.model.calls().len());
    assert_eq!((asked(&stage, "critique_self").len(), asked(&stage, "points").len()), (6, 6));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_cannot_look_at_itself_keeps_its_claims() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.kind() == "critique_self" && call.member() == Some("Kant")
            || call.kind() == "points" && call.member() == Some("Popper"))
        .then(declined)
    });
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&embed(&stage, thread, "Kant · self-critique"), &["No answer"]);
    has(
        &closing(&stage, thread),
        &["Kant gave no self-critique.", "Popper gave no usable points; ten were spread evenly"],
    );
    assert_eq!(growing(&stage).len(), 6);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_compare_the_claims_that_is_said_and_equal_words_are_told_once() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.kind() == "critique_same").then(declined));
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    has(&closing(&stage, thread), &["No model could compare the claims, so some findings may say the same."]);
    let told = whole_review(&stage, thread).await;
    assert_eq!(told.matches("\nNo ground is named for this: The survey of May").count(), 1, "{told}");
    stage.nothing_amiss();
    bot.kill().await;
}
