//! The memo of /mediate over the wire: drafted, checked by everybody, written again, and what stands where somebody fails.

use crate::mediate::memo;
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call},
    play::{Part, asked, asked_kind, behind, read},
    wait_for_end,
};
use playground::ids::{ADA, BEN};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_memo_goes_to_another_model_and_that_is_said() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    stage.model.on(|call| {
        let alpha = matches!(call.part(), Part::Draft | Part::Synthesis) && call.model == "alpha";
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
async fn a_session_without_a_draft_fails_visibly_and_retry_keeps_what_succeeded() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::Draft).then(|| Answer::Refusal("No.".to_owned())));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "The session could not go on").await;
    stage.wait_card(thread, "Failed").await;
    let text = stage.read(thread);
    assert!(text.contains("The mediator could not write its memo") && text.contains("Try again"), "{text}");
    for part in [Part::Check, Part::Synthesis, Part::Scoring] {
        assert_eq!(asked(&stage, part).len(), 0, "{part:?}");
    }

    let others = stage.told(BEN, thread, "session retry", json!({})).await;
    assert!(others.contains("Only Ada"), "{others}");
    stage.model.on(|_| None);
    let said = stage.told(ADA, thread, "session retry", json!({})).await;
    assert!(said.contains("Every step that had succeeded is kept"), "{said}");
    wait_for_end(&stage, thread).await;
    assert_eq!(
        asked(&stage, Part::First).len() + asked(&stage, Part::Revision).len(),
        6,
        "nothing is paid twice"
    );
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
    for part in [Part::Draft, Part::Synthesis] {
        let [call] = &asked(&stage, part)[..] else { panic!("one call") };
        has_not(&call.user, &["<first-answer", "first answer is the memo"]);
    }
    has(&memo(&stage, thread), &["Do this"]);
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memo_begins_with_the_answer_that_a_reader_chose_and_with_what_it_found_in_it() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let chosen = (call.part() == Part::FirstChoice).then(|| {
            call.reply(|reply| {
                reply["chosen"] = "B".into();
                reply["wrong"] = json!(["WRONG-HERE: 12 and not 21."]);
                reply["lacks"] = json!(["LACKS-HERE: ask the bank."]);
            })
        });
        chosen.or_else(|| answers_first(call))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let [choice] = &asked(&stage, Part::FirstChoice)[..] else { panic!("one choice") };
    has(&choice.user, &["FIRST-1", "FIRST-2", "FIRST-3"]);
    let [draft] = &asked(&stage, Part::Draft)[..] else { panic!("one draft") };
    assert_eq!(draft.user.matches("FIRST-").count(), 1, "one of them");
    let begins = first_behind(&draft.user, "by one who was asked alone");
    assert_eq!(begins, first_behind(&choice.user, "\nB:\n"), "the chosen one");
    has(&draft.user, &["WRONG-HERE", "LACKS-HERE"]);
    // The draft has it by then.
    let [memo] = &asked(&stage, Part::Synthesis)[..] else { panic!("one memo") };
    has_not(&memo.user, &["FIRST-", "WRONG-HERE"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_choose_the_memo_begins_with_the_first_and_that_is_said() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let refused = (call.part() == Part::FirstChoice).then(|| Answer::Refusal("No.".to_owned()));
        refused.or_else(|| answers_first(call))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    has(
        &wait_for_end(&stage, thread).await,
        &[
            "Nobody could choose among the first answers (the model declined to answer), so the memo begins with the first of them.",
        ],
    );
    let [draft] = &asked(&stage, Part::Draft)[..] else { panic!("one call") };
    let [choice, ..] = &asked(&stage, Part::FirstChoice)[..] else { panic!("a choice") };
    assert_eq!(
        first_behind(&draft.user, "by one who was asked alone"),
        first_behind(&choice.user, "\nA:\n"),
        "the writer's own"
    );
    has_not(&draft.user, &["It was chosen among several"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// Cost objects to what the draft lacks; nobody else objects to anything.
fn objects(call: &Call) -> Option<Answer> {
    match call.part() {
        Part::Check if call.module() == "cost" => {
            Some(call.reply(|reply| reply["missing"] = "Ask the bank first.".into()))
        }
        Part::Draft => Some(call.reply(|reply| reply["answer"] = "AS-DRAFTED it is done.".into())),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_checks_the_draft_is_heard_and_each_objection_is_answered() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        // At first it says nothing of the objection.
        Part::Synthesis => Some(call.reply(|reply| {
            reply["answer"] = "AS-CHECKED it is done.".into();
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
    has(&silent.user, &["AS-DRAFTED", "Objection 1, from cost:", "Missing: Ask the bank first."]);
    has_not(&silent.user, &["Objection 2"]);
    has(&told.user, &["no answer to objection 1"]);
    let shown = memo(&stage, thread);
    has(&shown, &["AS-CHECKED it is done."]);
    has_not(&shown, &["AS-DRAFTED", "Objected to, and not answered"]);
    // Who gives points has the memo as it stands.
    for call in asked(&stage, Part::Scoring) {
        has(&call.user, &["AS-CHECKED"]);
        has_not(&call.user, &["AS-DRAFTED", "Ask the bank first."]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_memo_cannot_be_written_the_draft_stands_and_that_is_said() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        Part::Synthesis => Some(Answer::Refusal("No.".to_owned())),
        Part::Check if call.module() == "risk" => Some(Answer::Refusal("No.".to_owned())),
        _ => objects(call),
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    has(
        &end,
        &[
            "The memo is the draft: nobody could answer what was objected to it",
            "Risk could not check the draft of the memo.",
        ],
    );
    has(
        &memo(&stage, thread),
        &["AS-DRAFTED it is done.", "Objected to, and not answered", "Cost: Missing: Ask the bank first."],
    );
    let checked = read(&stage.message(thread, "The draft was checked"));
    has(&checked, &["**1 objection:** Cost 1.", "No objection: Market."]);
    // It is voted on all the same.
    assert_eq!(asked(&stage, Part::Scoring).len(), 3);
    has(&read(&stage.message(thread, "📊 The experts' points")), &["of 30 points"]);
    stage.wait_card(thread, "Done").await;
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
