//! What the team does with a critique: asks about it, adds to it, and says what becomes of each finding.

use playground::ids::{ADA, BEN};
use serde_json::json;

use crate::{
    critique::scene::{PLAN, asked, behind, depth, growing, has, has_not},
    support::{Stage, play::read, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_answered_from_what_the_session_holds() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let finding = stage.message(thread, "F1 · Medium");
    stage.press(ADA, thread, &finding, "Reject").await;
    stage.wait_for(thread, "Rejected** by Ada").await;
    stage.model.forget();
    stage.model.on(|call| {
        call.user.contains("You answer a member's question").then(|| {
            call.reply(|reply| {
                reply["answer"] = "ANSWERED from what it holds.".into();
                reply["not_in_material"] = serde_json::Value::Null;
            })
        })
    });
    stage.told(BEN, thread, "ask", json!({"question": "Who says that the survey is thin?"})).await;
    stage.wait_for(thread, "ANSWERED from what it holds.").await;
    let call = stage.model.calls().remove(0);
    has(
        &call.text(),
        &[
            "Who says that the survey is thin?",
            "No ground is named",
            "Popper",
            "ASSESSED: several statements",
            "ejected",
        ],
    );
    assert_eq!(stage.model.calls().len(), 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_about_a_long_text_is_answered_beside_its_map() {
    let mut stage = Stage::start().await;
    stage.settings.document_chars = 1_000;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    stage.model.forget();
    stage.told(BEN, thread, "ask", json!({"question": "Who says that the survey is thin?"})).await;
    stage.model.wait_calls(1, |_| true).await;
    let call = stage.model.calls().remove(0);
    assert_eq!(call.fenced("document"), None, "it would be longer than the model reads at once");
    has(&call.fenced("map").expect("the map"), &["§1 Delivery in the town", "§2 Costs", "§3 Launch"]);
    has(&call.text(), &["No ground is named", "ASSESSED: several statements"]);
    stage.wait_for(thread, "Who says that the survey is thin?").await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn context_goes_into_the_next_phase() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(crate::support::model::Call::is_growing);
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    stage.model.wait_calls(6, crate::support::model::Call::is_growing).await;
    stage.add_context(BEN, thread, "The survey was made by a student.").await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    for call in growing(&stage) {
        has_not(&call.text(), &["made by a student"]);
    }
    for call in asked(&stage, "self_critique").iter().chain(&asked(&stage, "assessment")) {
        has(&call.text(), &["The survey was made by a student."]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_team_says_what_becomes_of_each_finding_and_takes_the_list_along() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let (first, second) = (stage.message(thread, "F1 · Medium"), stage.message(thread, "F2 · Medium"));
    stage.press(ADA, thread, &first, "Accept").await;
    stage.press(BEN, thread, &second, "Reject").await;
    stage.wait_for(thread, "Accepted** by Ada").await;
    stage.wait_for(thread, "Rejected** by Ben").await;
    has(&read(&stage.wait_for(thread, "Triage · 2 of").await), &["1 accepted", "1 rejected"]);
    // The last word stands.
    stage.press(BEN, thread, &stage.message(thread, "F1 · Medium"), "Fixed").await;
    // The triage says so too, and may say it first: it is the finding's own card that is looked at.
    let fixed = async || loop {
        let card = read(&stage.message(thread, "F1 · Medium"));
        if card.contains("Fixed** by Ben") {
            break card;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let fixed =
        tokio::time::timeout(crate::support::play::PATIENCE, fixed()).await.expect("the card says so");
    has(&fixed, &["F1 ·", "[Reopen]"]);
    stage.press(ADA, thread, &stage.message(thread, "F2 · Medium"), "Reopen").await;
    stage.wait_for(thread, "Triage · 1 of").await;
    let list = behind(&stage, thread, "Triage ·", "Export list").await;
    has(&list, &["F1", "F2", "ixed", "Ben"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_critique_paused_between_phases_goes_on_where_it_was() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "self_critique");
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    stage.model.wait_calls(6, |call| call.kind() == "self_critique").await;
    stage.press_card(ADA, thread, "Pause").await;
    stage.wait_card(thread, "Paused").await;
    stage.model.let_go();
    bot.kill().await;
    let bot = stage.bot().await;
    let (grown, looked) = (growing(&stage).len(), asked(&stage, "self_critique").len());
    has_not(&stage.read(thread), &["Assessment ·"]);
    stage.press_card(ADA, thread, "Resume").await;
    wait_for_end(&stage, thread).await;
    assert_eq!(growing(&stage).len(), grown, "nothing is asked twice");
    assert!(asked(&stage, "self_critique").len() <= looked + 6);
    for name in ["Kant · critique", "The council · self-critique"] {
        assert_eq!(
            stage.public(thread).iter().map(read).filter(|text| text.contains(name)).count(),
            1,
            "{name}"
        );
    }
    stage.nothing_amiss();
    bot.kill().await;
}
