//! What of a debate waits, and what goes on beside it, while the bot is dead: deadlines that pass are kept once, and what
//! was cut off is done once.

use std::{sync::Arc, time::Duration};

use playground::ids::{ADA, BEN, CHLOE};

use crate::{
    resume::{
        debate::{Outcome, debate, stage_for},
        doing::{Doing, Then},
        people::{People, Script},
        scene::{Journal, card, wait_over},
        table::{Held, texts, wait_until},
    },
    support::{Stage, model::Call, nothing_comes, until},
};

/// Opinions alone: given before the debate and after it, and nothing closes the second asking but its deadline.
const OPINIONS: &[Doing] = &[
    Doing::press(BEN, "opinion_before:against").then(Then::Once).promises(
        "Your vote: **Against**",
        "SELECT count(*) FROM ballot WHERE key = 'proposition' AND json_extract(choice, '$') = 'against'",
    ),
    Doing::press(ADA, "prop_start")
        .then(Then::Once)
        .promises("Started", "SELECT count(*) FROM wait WHERE kind = 'proposition' AND value = 'answered'"),
    Doing::press(BEN, "opinion_after:for").then(Then::Once).promises(
        "Your vote: **For**",
        "SELECT count(*) FROM ballot WHERE key = 'opinion' AND voter_name = 'Ben'",
    ),
    Doing::press(ADA, "opinion_after:for").then(Then::Once).promises(
        "Your vote: **For**",
        "SELECT count(*) FROM ballot WHERE key = 'opinion' AND voter_name = 'Ada'",
    ),
];

/// What is asked once a debate is over, and what is brought on one of its hinges.
const AFTERWARDS: &[Doing] = &[
    Doing::press(BEN, "question:con")
        .then(Then::SendOnce(&["What would you do instead?"]))
        .promises("Asked Con", "SELECT count(*) FROM brought WHERE kind = 'question'"),
    Doing { choose: &["3"], ..Doing::press(CHLOE, "hinge") }
        .then(Then::SendOnce(&["Riders were asked: one in three would stay.", ""]))
        .promises(
            "Noted as E1 on open question 3",
            "SELECT count(*) FROM brought WHERE kind = 'evidence' AND hinge = 3",
        ),
];

/// Lets people do what is in the script, until all of it is done.
async fn all_done(stage: &Stage, script: &Arc<Script>) {
    let people = People::follow(stage, script);
    until(|| script.is_done_with(), || format!("all of it is done: {}", card(stage))).await;
    drop(people);
}

/// A quick debate that is over but for its second asking, without a bot.
async fn debated() -> Stage {
    let script = Script::in_turn(OPINIONS);
    let stage = stage_for(&script, false).await;
    let bot = stage.bot().await;
    debate(&stage, "quick");
    all_done(&stage, &script).await;
    wait_over(&stage, "Done").await;
    bot.kill().await;
    script.check_promises(&stage).await;
    stage
}

fn count(stage: &Stage, phrase: &str) -> usize {
    texts(stage).iter().filter(|text| text.contains(phrase)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_asking_whose_deadline_passes_while_the_bot_is_dead_is_counted_once() {
    let stage = debated().await;
    let (before, paid) = (Outcome::read(&stage).await, stage.model.calls().len());
    assert_eq!(before.askings, ["proposition counted start", "opinion open -"]);
    let passed = "UPDATE vote SET opened_ms = 1, deadline_ms = 2, remind_ms = NULL WHERE key = 'opinion'";
    assert_eq!(stage.alter(passed).await, 1);
    let counted = |outcome: &Outcome| outcome.left == 0 && outcome.askings[1] == "opinion counted deadline";
    // Killed on the way to the count, as far as it gets, and then started more than once.
    for commits in [1, 2, 3] {
        stage.bot_killed_after(commits, || count(&stage, "opinions moved") > 0).await;
    }
    for _ in 0..2 {
        let bot = stage.bot_that_halts(None).await;
        let outcome = wait_until(&stage, counted).await;
        bot.kill().await;
        assert_eq!(outcome.said, before.said, "exactly those in time count");
        assert_eq!(count(&stage, "🔄 How the team's opinions moved"), 1);
    }
    assert_eq!(stage.model.calls().len(), paid, "counting takes no model");
    stage.nothing_amiss();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposition_whose_day_passes_while_the_bot_is_dead_ends_once() {
    let script = Script::in_turn(&OPINIONS[..1]);
    let stage = stage_for(&script, false).await;
    let bot = stage.bot().await;
    debate(&stage, "quick");
    all_done(&stage, &script).await;
    bot.kill().await;
    script.check_promises(&stage).await;
    let paid = stage.model.calls().len();
    assert_eq!(paid, 1, "the proposition alone is paid for");
    assert_eq!(stage.alter("UPDATE wait SET deadline_ms = 1 WHERE kind = 'proposition'").await, 1);
    for commits in [1, 2] {
        stage.bot_killed_after(commits, || card(&stage).contains("Cancelled")).await;
    }
    for _ in 0..2 {
        let bot = stage.bot_that_halts(None).await;
        wait_over(&stage, "Cancelled").await;
        let outcome = wait_until(&stage, |outcome: &Outcome| outcome.left == 0).await;
        bot.kill().await;
        assert_eq!(outcome.sessions, ["cancelled"]);
        let said = texts(&stage);
        assert_eq!(said.len(), 2, "the proposition and the notice: {said:#?}");
        assert!(said[0].contains("Nobody pressed Start within a day"), "{}", said[0]);
    }
    assert_eq!(stage.model.calls().len(), paid);
    stage.nothing_amiss();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_and_a_hinge_cut_off_in_the_middle_are_seen_to_once() {
    let stage = debated().await;
    stage.model.forget();
    let asks = |call: &Call| ["debate_answer", "hinge"].contains(&call.kind());
    stage.model.hold(asks);
    let bot = stage.bot().await;
    let script = Script::in_turn(AFTERWARDS);
    all_done(&stage, &script).await;
    let asked = || stage.model.calls().iter().filter(|call| asks(call)).count() >= 2;
    let told =
        || format!("both are asked; told {:?} in\n{}", script.told(&stage), texts(&stage).join("\n---\n"));
    until(asked, told).await;
    bot.kill().await;
    script.check_promises(&stage).await;
    let before = Journal::read(&stage).await;
    assert_eq!(before.open.len(), 2, "both are under way: {before:#?}");
    assert_eq!((count(&stage, "What would you do instead?"), count(&stage, "looked at again")), (0, 0));

    stage.model.let_go();
    for _ in 0..2 {
        let bot = stage.bot().await;
        wait_until(&stage, |outcome: &Outcome| outcome.left == 0).await;
        // A second answer would come now.
        nothing_comes(Duration::from_millis(300)).await;
        bot.kill().await;
        assert_eq!((count(&stage, "What would you do instead?"), count(&stage, "looked at again")), (1, 1));
        assert_eq!(
            stage.model.calls().len(),
            5,
            "the two under way at the kill, one more each, and the judge"
        );
    }
    let after = Journal::read(&stage).await;
    assert_eq!((after.in_state("lost"), after.in_state("sent")), (2, 0));
    assert!(after.finished.contains_key("hinge/3/1"), "{:?}", after.finished.keys());
    stage.nothing_amiss();
}
