//! What members may say of findings, and when: whose word counts, that it is taken once, and what is behind the cards.

use std::time::Duration;

use playground::{
    Id, Seen,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    critique::scene::{PLAN, behind, depth, finding, has, has_not, review_raw},
    support::{
        Stage,
        play::{buttons, id, is_private, read},
        wait_for_end,
    },
};

/// A critique of depth 1 that is done.
async fn done(stage: &Stage, mut options: Value) -> Id {
    options["depth"] = 1.into();
    let thread = stage.critique("plan.md", PLAN, options).await;
    wait_for_end(stage, thread).await;
    stage.wait_card(thread, "Done").await;
    thread
}

/// A member presses a button of this meaning, whether a card has it or not.
async fn press(stage: &Stage, member: Id, thread: Id, verb: &str) -> Seen {
    let custom_id = format!("v1:{}:{verb}", stage.session(thread));
    let message = stage.forged_buttons(thread, &[&custom_id]).await;
    let client = stage.discord.client();
    let pressed = client.click(member, thread, message, &custom_id).unwrap();
    let seen = client.wait_reply(pressed).await;
    assert!(is_private(&seen, member), "{:?}", seen.messages);
    seen
}

async fn says(stage: &Stage, member: Id, thread: Id, verb: &str) -> String {
    press(stage, member, thread, verb).await.text()
}

/// The forged messages are no cards of a critique, so only what has fields or a title is read.
fn shown(stage: &Stage, thread: Id) -> String {
    stage.read(thread)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_vote_may_triage_and_moderators_too() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = done(&stage, json!({"voters": format!("<@{BEN}>")})).await;
    let told = says(&stage, CHLOE, thread, "triage_accept:finding/1").await;
    has(&told, &["Those who may vote", "whom the vote's panel names, and moderators", "/ask"]);
    has_not(&shown(&stage, thread), &["by Chlo"]);
    has(&says(&stage, BEN, thread, "triage_accept:finding/1").await, &["Noted: F1 is accepted"]);
    stage.wait_for(thread, "Accepted** by Ben").await;
    has(&says(&stage, ADA, thread, "triage_reject:finding/1").await, &["Noted: F1 is rejected"]);
    stage.wait_for(thread, "Rejected** by Ada").await;
    // The list is for everybody to read.
    has(&says(&stage, CHLOE, thread, "triage_list:").await, &["1 of"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_findings_there_are_can_be_triaged_and_what_was_said_is_taken_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = done(&stage, json!({})).await;
    for (verb, phrase) in [
        ("triage_accept:finding/99", "no finding F99 in this critique; they are numbered F1 to F"),
        ("triage_undo:finding/1", "F1 is open"),
        ("triage_accept:finding/0", "another version of me"),
        ("triage_accept:finding/01", "another version of me"),
        ("triage_accept:finding/1/1", "another version of me"),
        ("triage_accept:finding/256", "another version of me"),
        ("triage_accept:reviewed", "another version of me"),
        ("triage_accept:", "another version of me"),
        ("triage_praise:finding/1", "another version of me"),
        ("estimate_praise:", "another version of me"),
    ] {
        has(&says(&stage, BEN, thread, verb).await, &[phrase]);
    }
    says(&stage, BEN, thread, "triage_fixed:finding/1").await;
    has(&says(&stage, CHLOE, thread, "triage_undo:finding/1").await, &["F1 is open"]);
    has(&says(&stage, CHLOE, thread, "triage_undo:finding/1").await, &["F1 is open"]);
    has(&read(&stage.wait_for(thread, "Triage · 0 of").await), &["⬜ 5 open"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_review_and_in_other_sessions_there_is_nothing_to_triage() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(crate::support::model::Call::is_growing);
    let thread = stage.critique("plan.md", PLAN, depth(1)).await;
    stage.model.wait_calls(6, crate::support::model::Call::is_growing).await;
    for verb in ["triage_accept:finding/1", "triage_list:"] {
        has(&says(&stage, BEN, thread, verb).await, &["There is no review yet"]);
    }
    has(&says(&stage, ADA, thread, "estimate_go:0").await, &["no estimate that waits"]);
    stage.press_card(ADA, thread, "Cancel").await;
    let session = stage.session(thread);
    let said = stage.told(ADA, thread, "session cancel", json!({})).await;
    has(&said, &["End this session?"]);
    let sure = says(&stage, ADA, thread, "cancel_sure:").await;
    has(&sure, &["Cancelled"]);
    stage.model.let_go();
    has(&says(&stage, BEN, thread, "triage_accept:finding/1").await, &["ended before its review"]);

    let other = stage.mediate(json!({})).await;
    wait_for_end(&stage, other).await;
    assert_ne!(session, stage.session(other));
    for verb in ["triage_accept:finding/1", "triage_list:"] {
        has(&says(&stage, BEN, other, verb).await, &["Only a critique has findings"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_counts_once_and_what_was_said_outlives_the_process() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = done(&stage, json!({})).await;
    let custom_id = format!("v1:{}:triage_accept:finding/1", stage.session(thread));
    let first = finding(&stage, thread, 1).await;
    assert!(buttons(&first).iter().any(|(_, id)| *id == custom_id));
    let client = stage.discord.client();
    let pressed = client.click(BEN, thread, id(&first["id"]), &custom_id).unwrap();
    client.redeliver(pressed).unwrap();
    has(&client.wait_reply(pressed).await.text(), &["Noted: F1 is accepted"]);
    stage.wait_for(thread, "Accepted** by Ben").await;
    has(&says(&stage, ADA, thread, "triage_fixed:finding/1").await, &["Noted: F1 is fixed"]);
    stage.wait_for(thread, "Fixed** by Ada").await;
    bot.kill().await;

    let bot = stage.bot().await;
    // The first press comes once more, to another process, after a newer one.
    client.redeliver(pressed).unwrap();
    has(&says(&stage, BEN, thread, "triage_list:").await, &["1 of"]);
    let listed = behind(&stage, thread, "Triage ·", "Export list").await;
    has(&listed, &["ixed", "Ada"]);
    has_not(&shown(&stage, thread), &["Accepted** by Ben"]);
    let minded = stage.discord.violations();
    assert!(minded.iter().all(|line| line.contains("already been acknowledged")), "{minded:?}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_a_crash_kept_from_the_card_comes_after_it() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = done(&stage, json!({})).await;
    stage.discord.faults().on("PATCH", "/channels/**", 1_000, playground::Fault::Status(503));
    has(&says(&stage, BEN, thread, "triage_accept:finding/2").await, &["Noted: F2 is accepted"]);
    bot.kill().await;
    stage.discord.faults().clear();
    has_not(&shown(&stage, thread), &["Accepted** by Ben"]);
    let bot = stage.bot().await;
    stage.wait_for(thread, "Accepted** by Ben").await;
    stage.wait_for(thread, "Triage · 1 of").await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_calls_behind_a_card_the_first_are_shown_and_the_rest_listed() {
    let mut stage = Stage::start().await;
    // A model that reads little at once makes many sections, and so many calls of each member.
    stage.settings.document_chars = 700;
    stage.settings.budgets.session.calls = 400;
    let bot = stage.bot().await;
    let thread = stage.critique("plan.md", PLAN, json!({"effort": "deep"})).await;
    let go = stage.wait_for(thread, "[Go]").await;
    stage.press(ADA, thread, &go, "Go").await;
    wait_for_end(&stage, thread).await;
    // The answers after the first come one by one.
    let card = stage.message(thread, "Kant · critique");
    let selects = card["components"][0]["components"].as_array().unwrap();
    let client = stage.discord.client();
    let list = selects[0]["custom_id"].as_str().unwrap();
    let pressed = client.select(BEN, thread, id(&card["id"]), list, &["raw critique/kant"]).unwrap();
    let mut answers = Vec::new();
    for _ in 0..600 {
        let seen = client.look(pressed);
        answers = seen.messages.iter().map(read).collect();
        if answers.iter().any(|answer| answer.contains("further call")) {
            assert!(is_private(&seen, BEN));
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(answers.len(), 9, "{answers:?}");
    has(&answers[0], &["critique/kant/1\n"]);
    has(&answers[8], &["further call", "Their requests are left out"]);
    let all = answers.join("\n");
    has(&all, &["critique/kant/2\n"]);
    has_not(&all, &["critique/popper", "critique/kant/10"]);
    let whole = review_raw(&stage, thread, 2).await;
    has(&whole, &["reviewed/written", "reviewed/compared"]);
    has_not(&whole, &["critique/kant"]);
    stage.nothing_amiss();
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    bot.kill().await;
}
