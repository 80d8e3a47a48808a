//! The question over the wire: where the problem is longer than a line, a cheap call says in a sentence what has to be
//! decided; it stands on the live card, its author may change it until the others are read, and it titles the vote.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call, Fault},
    play::{Part, buttons, read},
    wait_for_end,
};
use playground::ids::{ADA, BEN};
use serde_json::json;

const LONG: &str = "We run a bakery with four people in a town of 9,000. On Sundays the town is full of hikers, and the shop is shut. Two of us would work then.\nWhat should we do about Sundays?";
const SAID: &str = "Should the bakery open on Sundays?";

fn asks(call: &Call) -> bool {
    call.part() == Part::Question
}

fn says(call: &Call) -> Option<Answer> {
    asks(call).then(|| Answer::Json(json!({ "question": SAID })))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_problem_gets_a_question_that_titles_the_vote() {
    let stage = Stage::start().await;
    stage.model.on(says);
    let bot = stage.bot().await;
    for command in ["mediate", "roundtable"] {
        stage.model.forget();
        let options = json!({ "problem": LONG });
        let thread = match command {
            "mediate" => stage.mediate(options).await,
            _ => stage.roundtable(options).await,
        };
        wait_for_end(&stage, thread).await;
        let asked: Vec<Call> = stage.model.calls().into_iter().filter(asks).collect();
        assert_eq!(asked.len(), 1, "{command}: one call");
        // Of a roundtable the question is put by what the gatekeeper made of the problem.
        assert_eq!(asked[0].text().contains("full of hikers"), command == "mediate");
        has(&read(&stage.message(thread, "[Spread 10 points]")), &[SAID]);
        let card = stage.wait_card(thread, "Done").await;
        has(&card, &["❓ To decide", SAID, "We run a bakery", "As a model put it"]);
        has_not(&card, &["[Change the question]"]);
        for call in stage.model.calls().iter().filter(|call| call.part() == Part::First) {
            assert!(call.text().contains("full of hikers"), "the problem goes with every prompt");
        }
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_author_changes_it_until_the_others_are_read() {
    let stage = Stage::start().await;
    stage.model.on(says);
    stage.model.hold(|call| call.part() == Part::First);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    stage.wait_card(thread, SAID).await;
    let refused = stage.press_card(BEN, thread, "Change the question").await;
    assert!(refused.modal.is_none(), "{:?}", refused.messages);
    let empty = stage.fill_in(ADA, thread, "Change the question", &[("question", " ")]).await;
    has(&empty, &["The question is empty"]);
    let own = "Sundays: open, shut, or only in summer?";
    let said = stage.fill_in(ADA, thread, "Change the question", &[("question", own)]).await;
    has(&said, &["Changed."]);
    has(&stage.wait_card(thread, own).await, &["As Ada put it", "[Change the question]"]);
    // Whatever was done stands after the process is gone.
    let button = buttons(&stage.card(thread)).into_iter().find(|(label, _)| label == "Change the question");
    let (_, button) = button.unwrap();
    bot.kill().await;
    let bot = stage.bot().await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    has(&read(&stage.message(thread, "[Spread 10 points]")), &[own]);
    has_not(&stage.wait_card(thread, "Done").await, &["[Change the question]"]);
    // A button that was there when it was pressed leads nowhere any more.
    let old = stage.forged_buttons(thread, &[&button]).await;
    let client = stage.discord.client();
    let late = client.wait_reply(client.click(ADA, thread, old, &button).unwrap()).await;
    has(&late.text(), &["This session is over"]);
    assert_eq!(stage.model.calls().iter().filter(|call| asks(call)).count(), 1, "it is asked once");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_says_it_the_problems_own_question_titles_the_vote_and_that_is_said() {
    let stage = Stage::start().await;
    stage.model.on(|call| asks(call).then(|| Answer::Fault(Fault::BadRequest("no".to_owned()))));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "problem": LONG })).await;
    let end = wait_for_end(&stage, thread).await;
    has(&end, &["No model put the question in a sentence"]);
    has(&read(&stage.message(thread, "[Spread 10 points]")), &["What should we do about Sundays?"]);
    has_not(&stage.wait_card(thread, "Done").await, &["❓ To decide", "As a model put it"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_problem_of_a_line_is_its_own_question() {
    let stage = Stage::start().await;
    let asked = std::sync::Arc::new(AtomicBool::new(false));
    let seen = asked.clone();
    stage.model.on(move |call| {
        seen.fetch_or(asks(call), SeqCst);
        None
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({ "problem": "Should we open on Sundays?" })).await;
    wait_for_end(&stage, thread).await;
    assert!(!asked.load(SeqCst));
    has(&read(&stage.message(thread, "[Spread 10 points]")), &["Should we open on Sundays?"]);
    has_not(&stage.wait_card(thread, "Done").await, &["❓ To decide", "[Change the question]"]);
    stage.nothing_amiss();
    bot.kill().await;
}
