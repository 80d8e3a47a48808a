//! What the team thinks before the debate.

use domain::Opinion;
use playground::ids::{ADA, BEN, CHLOE, DECISIONS};
use serde_json::json;

use crate::{
    proposition::scene::{AFTER, BEFORE, Debating, plain},
    support::Stage,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opinion_is_secret_changeable_and_counts_once() {
    let debate = Debating::proposed(plain()).await;
    let client = debate.stage.discord.client();
    let told = debate.before(BEN, Opinion::For).await;
    assert!(told.contains("**For**") && told.contains("change it until the debate starts"), "{told}");
    let shown = debate.shows("1 has voted", true).await;
    assert!(!shown.contains("Ben") && shown.contains("secret"), "{shown}");
    let changed = debate.click_on(BEN, debate.card, &debate.before_button(Opinion::Undecided));
    let first = debate.told(BEN, changed).await;
    client.redeliver(changed).unwrap();
    assert_eq!(debate.told(BEN, changed).await, first, "delivered twice, the same is said again");
    debate.before(CHLOE, Opinion::Against).await;
    debate.shows("2 have voted", true).await;
    let said = debate.said(BEFORE).await;
    assert_eq!(said.len(), 2);
    assert!(said.contains(&(BEN, Opinion::Undecided)) && said.contains(&(CHLOE, Opinion::Against)));
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_asks_again_and_a_press_on_the_old_words_is_told_so() {
    let debate = Debating::proposed(plain()).await;
    debate.before(BEN, Opinion::For).await;
    let old_words = debate.before_button(Opinion::For);
    debate.edit(ADA, &[("question", "Should the town sell its bridge?")]).await;
    let shown = debate.shows("please vote again", true).await;
    assert!(shown.contains("Nobody has voted yet") && shown.contains("sell its bridge?"), "{shown}");
    assert_eq!(debate.said(BEFORE).await, []);

    let told =
        debate.told(BEN, debate.click_on(BEN, debate.card, &debate.before_button(Opinion::Against))).await;
    assert!(told.contains("**Against**"), "{told}");
    let old = debate.stage.forged_buttons(debate.thread, &[&old_words]).await;
    let told = debate.told(CHLOE, debate.click_on(CHLOE, old, &old_words)).await;
    assert!(told.contains("was edited since you read it"), "{told}");
    assert_eq!(debate.said(BEFORE).await, [(BEN, Opinion::Against)]);

    // Its bounds alone do not make it another question.
    debate.edit(ADA, &[("where", "Brno")]).await;
    debate.shows("Brno", true).await;
    assert_eq!(debate.said(BEFORE).await, [(BEN, Opinion::Against)]);
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_is_asked_may_say_so_and_nobody_before_it_is_asked() {
    let debate = Debating::proposed(json!({"voters": format!("<@{BEN}>")})).await;
    let told = debate.before(CHLOE, Opinion::For).await;
    assert!(told.contains("for others"), "{told}");
    debate.before(BEN, Opinion::For).await;
    assert_eq!(debate.said(BEFORE).await, [(BEN, Opinion::For)]);
    let session = &debate.session;
    let ids = [
        format!("v1:{session}:opinion_after:for"),
        format!("v1:{session}:opinion_close:"),
        format!("v1:{session}:opinion_before:for"),
        format!("v1:{session}:opinion_before:perhaps/0"),
    ];
    let forged = debate.stage.forged_buttons(debate.thread, &[&ids[0], &ids[1], &ids[2], &ids[3]]).await;
    let mut told = Vec::new();
    for custom_id in &ids {
        told.push(debate.told(ADA, debate.click_on(ADA, forged, custom_id)).await);
    }
    assert!(told[0].contains("This vote is not open yet"), "{told:?}");
    assert!(told[1].contains("This vote is not open yet"), "{told:?}");
    assert!(told[2].contains("another version") && told[3].contains("another version"), "{told:?}");
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_on_a_proposition_that_nobody_will_start_says_so() {
    let debate = Debating::proposed(plain()).await;
    let for_it = debate.before_button(Opinion::For);
    let asked = debate.press(ADA, "prop_cancel").await;
    debate.stage.press(ADA, debate.thread, &asked.messages[0], "Yes, end it").await;
    debate.stage.wait_card(debate.thread, "Cancelled").await;
    let old = debate.stage.forged_buttons(debate.thread, &[&for_it]).await;
    let told = debate.told(ADA, debate.click_on(ADA, old, &for_it)).await;
    assert!(told.contains("has ended") && told.contains("Start the command again"), "{told}");
    let told = debate.stage.told(ADA, DECISIONS, "history", json!({})).await;
    assert!(told.contains("debate"), "{told}");
    debate.stage.nothing_amiss_but_repeats();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_debate_goes_on_no_vote_is_open_and_both_say_when_one_is() {
    let stage = Stage::start().await;
    stage.model.hold(|call| call.is_turn("turn_rebuttal", "Con"));
    let debate = Debating::on(stage, plain()).await;
    let before = debate.before_button(Opinion::For);
    debate.press(ADA, "prop_start").await;
    debate.stage.model.wait_calls(1, |call| call.is_turn("turn_rebuttal", "Con")).await;
    let after = format!("v1:{}:opinion_after:for", debate.session);
    let old = debate.stage.forged_buttons(debate.thread, &[&before, &after]).await;
    for (custom_id, said) in [
        (
            &before,
            "The debate has started, so the first vote is closed. You can vote again after the synthesis.",
        ),
        (
            &after,
            "This vote is not open yet. The team votes before the debate starts, and again after the synthesis.",
        ),
    ] {
        let told = debate.told(BEN, debate.click_on(BEN, old, custom_id)).await;
        assert!(told.contains(said), "{told}");
    }
    assert_eq!(debate.said(BEFORE).await, []);
    debate.stage.model.let_go();
    debate.ended().await;
    assert_eq!(debate.said(AFTER).await, []);
    debate.stage.nothing_amiss_but_repeats();
}
