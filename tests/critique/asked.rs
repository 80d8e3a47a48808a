//! What the team does with a critique: asks about it, adds to it, and says what becomes of each finding.

use playground::ids::{ADA, BEN};
use serde_json::json;

use crate::{
    critique::scene::{PLAN, asked, behind, depth, finding, growing, has, has_not},
    support::{Stage, play::read, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_answered_from_what_the_session_holds() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    wait_for_end(&stage, thread).await;
    let first = finding(&stage, thread, 1).await;
    stage.press(BEN, thread, &first, "Reject").await;
    stage.wait_for(thread, "Rejected** by Ben").await;
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
            "REVIEWED: several statements",
            "ejected",
            "Six readers examined a text",
            "what to mend first",
        ],
    );
    has_not(&call.text(), &["panel of specialists", "figures, sources or advice"]);
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
    has(&call.text(), &["No ground is named", "REVIEWED: several statements"]);
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
    for call in asked(&stage, "critique_self").iter().chain(&asked(&stage, "critique_review")) {
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
    let (first, second) = (finding(&stage, thread, 1).await, finding(&stage, thread, 2).await);
    stage.press(BEN, thread, &first, "Accept").await;
    stage.press(BEN, thread, &second, "Reject").await;
    let both = stage.wait_for(thread, "Triage · 2 of").await;
    has(&read(&both), &["1 accepted", "1 rejected", "Accepted** by Ben", "Rejected** by Ben"]);
    // The last word stands; whoever opens a finding again sees how it stands now.
    stage.press(BEN, thread, &finding(&stage, thread, 1).await, "Fixed").await;
    stage.wait_for(thread, "Fixed** by Ben").await;
    has(&read(&finding(&stage, thread, 1).await), &["F1 ·", "Fixed** by Ben", "[Reopen]"]);
    stage.press(BEN, thread, &finding(&stage, thread, 2).await, "Reopen").await;
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
    stage.model.hold(|call| call.kind() == "critique_self");
    let thread = stage.critique("plan.md", PLAN, json!({})).await;
    stage.model.wait_calls(6, |call| call.kind() == "critique_self").await;
    stage.press_card(ADA, thread, "Pause").await;
    stage.wait_card(thread, "Paused").await;
    stage.model.let_go();
    bot.kill().await;
    let bot = stage.bot().await;
    let (grown, looked) = (growing(&stage).len(), asked(&stage, "critique_self").len());
    has_not(&stage.read(thread), &["Review ·"]);
    stage.press_card(ADA, thread, "Resume").await;
    wait_for_end(&stage, thread).await;
    assert_eq!(growing(&stage).len(), grown, "nothing is asked twice");
    assert!(asked(&stage, "critique_self").len() <= looked + 6);
    for name in ["Kant · critique", "Kant · self-critique"] {
        assert_eq!(
            stage.public(thread).iter().map(read).filter(|text| text.contains(name)).count(),
            1,
            "{name}"
        );
    }
    stage.nothing_amiss();
    bot.kill().await;
}
