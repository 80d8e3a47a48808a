//! The memo of /mediate over the wire: its draft is chosen, checked by everybody and mended, and what stands where somebody fails.

use crate::mediate::memo;
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call, letters_of_drafts, marks},
    play::{Part, asked, asked_kind, behind, read},
    wait_for_end,
};
use playground::ids::{ADA, BEN};
use serde_json::json;
use std::collections::HashSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_memo_goes_to_another_model_and_that_is_said() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.model.on(|call| {
        let alpha = matches!(call.part(), Part::Synthesis) && call.model == "alpha";
        alpha.then(|| Answer::Refusal("No.".to_owned()))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    assert!(read(&stage.message(thread, "🧩 Do this")).contains("Answered by beta"));
    let closing = read(&stage.message(thread, "Degraded:**"));
    has(&closing, &["The memo was written by openai/beta, because the model meant for it failed."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_without_a_memo_fails_visibly_and_retry_keeps_what_succeeded() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::Synthesis).then(|| Answer::Refusal("No.".to_owned())));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "The session could not go on").await;
    stage.wait_card(thread, "Failed").await;
    let text = stage.read(thread);
    assert!(text.contains("The mediator could not write its memo") && text.contains("Try again"), "{text}");
    assert_eq!(asked(&stage, Part::Scoring).len(), 0);

    let others = stage.told(BEN, thread, "session retry", json!({})).await;
    assert!(others.contains("Only Ada"), "{others}");
    stage.model.on(|_| None);
    let said = stage.told(ADA, thread, "session retry", json!({})).await;
    assert!(said.contains("Every step that had succeeded is kept"), "{said}");
    wait_for_end(&stage, thread).await;
    for (part, calls) in [(Part::First, 3), (Part::FirstAnswer, 5), (Part::Revision, 3), (Part::Check, 3)] {
        assert_eq!(asked(&stage, part).len(), calls, "nothing is paid twice: {part:?}");
    }
    let again = stage.told(ADA, thread, "session retry", json!({})).await;
    assert!(again.contains("only one that failed can be tried again"), "{again}");
    stage.wait_card(thread, "Done").await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memo_whose_writer_has_no_first_answer_is_written_all_the_same_and_that_is_said() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::FirstAnswer).then(|| Answer::Refusal("No.".to_owned())));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    has(
        &end,
        &[
            "The memo does not begin with a first answer, for nobody could give one: the model declined to answer.",
        ],
    );
    let [call] = &asked(&stage, Part::Synthesis)[..] else { panic!("one call") };
    has_not(&call.user, &["<draft", "The draft is the memo", "object to nothing in it"]);
    assert_eq!(asked(&stage, Part::Check).len(), 0, "there is nothing to check");
    has_not(&stage.read(thread), &["The draft was"]);
    has(&memo(&stage, thread), &["Do this"]);
    stage.wait_card(thread, "Done").await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draft_that_nobody_could_give_is_counted_and_the_choice_is_among_the_others() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        Part::FirstAnswer if call.n == 2 => Some(Answer::Refusal("No.".to_owned())),
        _ => answers_first(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(&wait_for_end(&stage, thread).await, &["could not be had; the choice was among fewer"]);
    for check in asked(&stage, Part::Check) {
        has(&check.user, &["FIRST-1", "FIRST-3", "FIRST-5", "\nD:\n"]);
        has_not(&check.user, &["\nE:\n"]);
    }
    stage.wait_card(thread, "Done").await;
    stage.nothing_amiss();
    bot.kill().await;
}

/// First answers that can be told apart.
fn answers_first(call: &Call) -> Option<Answer> {
    (call.part() == Part::FirstAnswer).then(|| {
        let n = call.n;
        call.reply(|reply| reply["text"] = format!("FIRST-{n} {}", reply["text"].as_str().unwrap()).into())
    })
}

/// Which of them stands in a prompt behind a mark.
fn first_behind<'a>(prompt: &'a str, mark: &str) -> &'a str {
    let behind = prompt.split_once(mark).expect("the mark").1;
    let at = behind.find("FIRST-").expect("a first answer");
    &behind[at..at + "FIRST-1".len()]
}

/// What a seat says of the drafts: it would rather have the one that says this, in which this is wrong.
fn chooses(call: &Call, wanted: &str, wrong: &str) -> Answer {
    let behind = |letter: &str| first_behind(&call.user, &format!("\n{letter}:\n")).to_owned();
    let letters = letters_of_drafts(call);
    let chosen = letters.iter().find(|letter| behind(letter) == wanted).expect("the draft");
    call.reply(|reply| {
        reply["marks"] = marks(&letters, chosen);
        let read = letters.iter().map(|letter| {
            let wrong = if letter == chosen { wrong } else { "" };
            let keep = format!("KEEP-{}", behind(letter));
            json!({"draft": letter, "act": "It is done.", "wrong": wrong, "keep": keep})
        });
        reply["read"] = read.collect();
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memo_is_written_from_the_draft_that_most_chose_and_by_what_they_object_to_in_it() {
    let stage = Stage::start().await;
    // Each reads them in an order of its own, so the same draft has another letter for each.
    stage.model.on(|call| match call.part() {
        Part::Check if call.module() == "risk" => Some(chooses(call, "FIRST-1", "NOT-THIS")),
        Part::Check => Some(chooses(call, "FIRST-2", &format!("WRONG-SAYS-{}.", call.module()))),
        _ => answers_first(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let orders: HashSet<String> =
        asked(&stage, Part::Check).iter().map(|call| first_behind(&call.user, "\nA:\n").to_owned()).collect();
    assert_eq!(orders.len(), 3, "each begins with another: {orders:?}");
    let [memo] = &asked(&stage, Part::Synthesis)[..] else { panic!("one memo") };
    assert_eq!(
        first_behind(&memo.user, "The draft, written without any of this:"),
        "FIRST-2",
        "two of three chose it"
    );
    has(&memo.user, &["WRONG-SAYS-market", "WRONG-SAYS-cost", "KEEP-FIRST-1", "Objection 8, from Risk:"]);
    // What is wrong in a draft that nobody gets, or worth keeping in the one that they get, is nothing to mend.
    has_not(&memo.user, &["NOT-THIS", "KEEP-FIRST-2", "Objection 9"]);
    let checked = read(&stage.message(thread, "🔍 The draft was checked"));
    has(&checked, &["2 of 3 put this draft first among 5", "**8 objections:** Market 3; Cost 3; Risk 2."]);
    let draft = behind(&stage, thread, "🔍 The draft was checked", "The draft").await;
    has(&draft, &["FIRST-2", "**Risk:** Another draft has: KEEP-FIRST-1"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_read_the_drafts_the_writers_own_goes_on_and_that_is_said() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let refused = (call.part() == Part::Check).then(|| Answer::Refusal("No.".to_owned()));
        refused.or_else(|| answers_first(call))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(
        &wait_for_end(&stage, thread).await,
        &[
            "Nobody could check the draft of the memo but whoever writes from it (the model declined to answer).",
        ],
    );
    has(
        &read(&stage.message(thread, "⚠️ The draft was not checked")),
        &["Nobody could check it, so the memo is written from a draft that nobody else has read."],
    );
    // Whoever answers once more does so at another temperature.
    let asked_first = asked(&stage, Part::FirstAnswer);
    let own = asked_first.iter().find(|call| call.body["temperature"] != 1.0).expect("the writer's").n;
    let [memo] = &asked(&stage, Part::Synthesis)[..] else { panic!("one memo") };
    assert_eq!(first_behind(&memo.user, "The draft, written without any of this:"), format!("FIRST-{own}"));
    has(&memo.user, &["Nobody has read it but whoever wrote it"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// Cost objects to what the draft lacks; nobody else objects to anything.
fn objects(call: &Call) -> Option<Answer> {
    match call.part() {
        Part::Check if call.module() == "cost" => {
            Some(call.reply(|reply| reply["missing"] = "Ask the bank first.".into()))
        }
        Part::FirstAnswer => Some(call.reply(|reply| {
            reply["answer"] = "OPENED with this.".into();
            reply["text"] = "AS-DRAFTED it is done.\n\nNOT-TOUCHED, too.".into();
        })),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_checks_the_draft_is_heard_and_each_objection_is_answered() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        // At first it says nothing of the objection.
        Part::Synthesis => Some(call.reply(|reply| {
            reply["edits"] =
                json!([{"objection": 1, "stands": "AS-DRAFTED it is", "becomes": "AS-CHECKED it is"}]);
            if !call.is_repair() {
                reply["resolutions"] = json!([]);
            }
        })),
        _ => objects(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let checked = read(&stage.message(thread, "🔍 The draft was checked"));
    has(&checked, &["**1 objection:** Cost 1.", "No objection: Market; Risk."]);
    for call in asked(&stage, Part::Check) {
        has(&call.user, &["AS-DRAFTED it is done."]);
    }
    let [silent, told] = &asked(&stage, Part::Synthesis)[..] else { panic!("two calls for the memo") };
    has(&silent.user, &["AS-DRAFTED", "Objection 1, from Cost:", "Missing: Ask the bank first."]);
    has_not(&silent.user, &["Objection 2"]);
    has(&told.user, &["no answer to objection 1"]);
    let shown = memo(&stage, thread);
    has(&shown, &["OPENED with this.", "AS-CHECKED it is done.", "NOT-TOUCHED, too."]);
    has_not(&shown, &["AS-DRAFTED", "Objected to, and not answered"]);
    let whole = behind(&stage, thread, "[Whole memo]", "Whole memo").await;
    has(&whole, &["What changed in the draft", "~~AS-DRAFTED it is~~ → AS-CHECKED it is"]);
    // Whoever reads the channel alone has all of it one press away.
    stage.wait_card(thread, "Done").await;
    has(&stage.press_card(BEN, thread, "Whole memo").await.text(), &["OPENED with this."]);
    // Who gives points has the memo as it stands.
    for call in asked(&stage, Part::Scoring) {
        has(&call.user, &["AS-CHECKED"]);
        has_not(&call.user, &["AS-DRAFTED", "Ask the bank first."]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_words_that_do_not_stand_there_is_asked_for_once_more_and_then_not_made() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        Part::Synthesis => Some(call.reply(|reply| {
            let edits = [("AS-DRAFTED", "AS-CHECKED"), ("AS-NEVER-SAID", "AS-MADE-UP")];
            let edit = |(stands, becomes)| json!({"objection": 1, "stands": stands, "becomes": becomes});
            reply["edits"] = edits.map(edit).to_vec().into();
        })),
        _ => objects(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let [_, told] = &asked(&stage, Part::Synthesis)[..] else { panic!("two calls for the memo") };
    has(&told.user, &["“AS-NEVER-SAID” does not stand in the draft"]);
    let shown = memo(&stage, thread);
    has(&shown, &["AS-CHECKED it is done.", "0 of 1 objection to the draft taken"]);
    has_not(&shown, &["AS-MADE-UP"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_seats_say_how_likely_each_option_is_and_what_is_no_number_is_asked_for_once_more_and_left_out() {
    let stage = Stage::start().await;
    // A number from two of the three; the third never says one.
    let chance = |call: &Call| match call.module().as_str() {
        "market" => json!(55),
        "cost" => json!(70),
        _ => json!(140),
    };
    stage.model.on(move |call| {
        (call.kind() == "points").then(|| {
            call.reply(|reply| {
                let points = reply["points"].as_object().unwrap().clone();
                reply["points"] = points.keys().map(|label| (label.clone(), json!(0))).collect();
                reply["points"]["S1"] = json!(10);
                reply["success"] = points.keys().map(|label| (label.clone(), json!(null))).collect();
                reply["success"]["S1"] = chance(call);
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let shown = read(&stage.message(thread, "📊 The experts' points")).replace('\u{a0}', " ");
    has(&shown, &["from 3 of 3 · chance 55 to 70 %"]);
    let ballot = read(&stage.message(thread, "[Spread 10 points]")).replace('\u{a0}', " ");
    has(&ballot, &["experts gave 30 of 30 points · chance 55 to 70 %"]);
    let whole = behind(&stage, thread, "📊 The experts' points", "All points").await;
    has(&whole, &["10 (55 %)", "10 (70 %)"]);
    has_not(&whole, &["140"]);
    let again: Vec<Call> = asked_kind(&stage, "points").into_iter().filter(Call::is_repair).collect();
    let [again] = &again[..] else { panic!("{} were asked once more", again.len()) };
    has(&again.user, &["`success` needs a number from 0 to 100 for S1"]);
    stage.nothing_amiss();
    bot.kill().await;
}
