//! /investigate over the wire: scouts, what they differ on, what is checked and by what, the loop and its limits, and what
//! may stand in the answer.

mod enquiry;
mod scene;

use serde_json::json;

use self::scene::{answer, count, differ, ground, group, investigate, kind, kinds, scout, scripted, stage};
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call},
    play::is_private,
    search::SearchServer,
    wait_for_end,
};
use playground::ids::{ADA, BEN};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_of_figures_is_settled_by_a_calculation_and_the_ledger_says_so() {
    let stage = stage().await;
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    has(
        &shown,
        &[
            "Scout 1",
            "Scout 3",
            "Where they agree and differ",
            "✅ **What twelve rents come to:** 84,000",
            "The answer",
        ],
    );
    has(
        &shown,
        &["How sure:** the rent 95 of 100; the heating 60", "The lease, by what was found.", "Checks 1"],
    );
    has(&shown, &["The other figure, which leaves months out.", "Another lease."]);
    has_not(&shown, &["Both are right", "Objections to its draft"]);
    has(&ground(&stage, thread).await, &["VERIFIED", "by a calculation", "CONSENSUS 2 of 3"]);
    assert_eq!((count(&stage, "answer"), count(&stage, "draft_check")), (1, 3), "nobody found a fault");
    has(&shown, &["📊 The experts' points", "48,000 a year"]);
    assert_eq!(count(&stage, "check"), 1);
    assert_eq!(count(&stage, "points"), 3, "{:?}", kinds(&stage));
    let seen = stage.press(BEN, thread, &stage.message(thread, "🎯 The answer"), "What it stands on").await;
    assert!(is_private(&seen, BEN));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_before_the_answer_waits_for_what_it_begins_with() {
    let stage = stage().await;
    stage.model.hold(|call| kind(call) == "first_answer");
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    stage.wait_for(thread, "✅ **What twelve rents come to:** 84,000").await;
    assert_eq!((count(&stage, "drafts_check"), count(&stage, "answer")), (0, 0));
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    assert_eq!((count(&stage, "drafts_check"), count(&stage, "answer")), (3, 1));
    stage.nothing_amiss();
    bot.kill().await;
}

/// Whoever answers first: the scouts stand on one message in their order, and what was checked on one; the whole of each is
/// behind its list, and in the report.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scouts_and_checks_stand_on_a_card_each() {
    let stage = stage().await;
    let lone = json!({"claim": "A grant of 31,500 pays for it", "scout": "scout-3", "matters": true});
    scripted(&stage, move |call| match kind(call) {
        "comparison" => Some(Answer::Json(differ("verifiable", std::slice::from_ref(&lone)))),
        "check" if call.user.contains("31,500") => Some(Answer::Json(
            json!({"code": "", "query": "", "why": "I know of none, so position-2 is likelier.", "holds": "unsettled"}),
        )),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let scouts = stage.wait_for(thread, "🔭 Scout 3").await;
    let titles: Vec<&str> =
        scouts["embeds"].as_array().unwrap().iter().filter_map(|embed| embed["title"].as_str()).collect();
    assert_eq!(titles, ["🔭 Scout 1", "🔭 Scout 2", "🔭 Scout 3"]);
    let checks = stage.wait_for(thread, "A grant of 31,500 pays for it. I know").await;
    let told = crate::support::play::read(&checks);
    has(&told, &["What twelve rents come to:** 84,000", "not settled:**", "“That is not so”"]);
    has_not(&told, &["position-"]);
    for (card, list, option, wanted) in [
        (
            &scouts,
            "Open an answer, or how it came about…",
            "whole scouts/scout-2",
            "Worked out from the rent.",
        ),
        (&checks, "Open a check, or how it came about…", "whole checks/1-1", "console.log(12 * 7000)"),
        (&checks, "Open a check, or how it came about…", "raw checks/1-2", "🧾 checks/1-2"),
    ] {
        let seen = stage.choose(BEN, thread, card, list, option).await;
        assert!(is_private(&seen, BEN));
        has(&seen.text(), &[wanted]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_all_agree_nothing_is_spent_on_checks() {
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "scout_answer" => Some(scout("84,000", &["Twelve rents are 84,000"])),
        "comparison" => Some(Answer::Json(json!({
            "readings": [group("What it costs", &["scout-1", "scout-2", "scout-3"])],
            "answers": [group("84,000", &["scout-1", "scout-2", "scout-3"])],
            "consensus": [], "splits": [], "lone": [],
        }))),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["nothing more is spent on checks", "84,000 a year"]);
    assert_eq!((count(&stage, "check"), count(&stage, "turn"), count(&stage, "opening")), (0, 0, 0));
    stage.nothing_amiss();
    bot.kill().await;
}

/// A sum that all agree on and that is wrong is worked out by a program, though nothing divides the scouts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sum_that_all_agree_on_is_worked_out() {
    let stage = stage().await;
    scripted(&stage, |call| {
        let wrong = "Twelve times 7,000 is 77,000, over ten years 770,000.";
        Some(Answer::Json(match kind(call) {
            "scout_answer" => return Some(scout("77,000", &["Twelve rents are 77,000"])),
            "comparison" => json!({
                "readings": [group("What it costs", &["scout-1", "scout-2", "scout-3"])],
                "answers": [group("77,000", &["scout-1", "scout-2", "scout-3"])],
                "consensus": [], "splits": [], "lone": [],
            }),
            "check" if call.user.contains("The calculation in this answer") => {
                json!({"code": "console.log(12 * 7000)", "query": "", "why": "", "holds": ""})
            }
            "checked" => json!({"why": "Twelve times 7,000 is 84,000.", "holds": "position-2"}),
            "answer" if !call.text().contains("is 84,000") => answer("77,000 a year", wrong, &[]),
            "answer" => answer("84,000 a year", "It costs 84,000 a year.", &[]),
            _ => return None,
        }))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = crate::support::play::read(&stage.message(thread, "🎯 The answer"));
    has(&card, &["It costs 84,000 a year.", "Objections to its draft: 1 corrected. Read them with"]);
    has_not(&card, &["770,000", "The calculation in this answer"]);
    let whole = ground(&stage, thread).await;
    has(&whole, &["Found wrong in the draft, and corrected", "The calculation in this answer"]);
    assert_eq!((count(&stage, "check"), count(&stage, "opening"), count(&stage, "answer")), (1, 0, 2));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_split_of_judgement_is_shown_with_both_sides_and_not_resolved() {
    let stage = stage().await;
    scripted(&stage, |call| (kind(call) == "comparison").then(|| Answer::Json(differ("judgement", &[]))));
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    has(&ground(&stage, thread).await, &["JUDGMENT 2 to 1", "84,000 (2) / 48,000 (1)"]);
    assert_eq!(count(&stage, "check"), 0);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_scout_makes_up_does_not_reach_the_answer() {
    let stage = stage().await;
    let lone = json!({"claim": "A grant of 31,500 pays for it", "scout": "scout-3", "matters": true});
    scripted(&stage, move |call| match kind(call) {
        "comparison" => Some(Answer::Json(differ("verifiable", std::slice::from_ref(&lone)))),
        "check" if call.user.contains("31,500") => Some(Answer::Json(
            json!({"code": "", "query": "", "why": "I know of no such grant.", "holds": "unsettled"}),
        )),
        // It insists, also when it is told.
        "answer" => Some(Answer::Json(answer(
            "84,000 a year",
            "It costs 84,000 a year. A grant of 31,500 pays a part.",
            &["48,000 a year"],
        ))),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let card = crate::support::play::read(&stage.message(thread, "🎯 The answer"));
    has(&card, &["It costs 84,000 a year.", "1 sentence left out"]);
    has_not(&card, &["pays a part"]);
    has(&ground(&stage, thread).await, &["ONE SCOUT ALONE", "Scout 3; looked at by", "and not settled"]);
    let answers: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "answer").collect();
    assert_eq!(answers.len(), 2, "it is told once");
    has(&answers[1].user, &["The record", "“A grant of 31,500 pays a part.”", "Your draft of the answer"]);
    has(&stage.read(thread), &["1 sentence was left out of the answer"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// What a scout finds wrong in the draft is mended in a second writing, which has the first and loses nothing of it; and the card
/// says what was corrected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_found_wrong_in_the_draft_is_mended_and_told() {
    let stage = stage().await;
    scripted(&stage, |call| {
        let fault = "A year has twelve months and not eleven.";
        Some(Answer::Json(match kind(call) {
            "draft_check" if call.model == "gamma" => json!({"sums": [], "missing": "",
                "wrong": [{"what": "It counts eleven rents.", "right": fault}]}),
            "answer" if !call.text().contains(fault) => {
                answer("77,000 a year", "Eleven rents are 77,000 a year.", &["48,000 a year"])
            }
            // It loses the rival, is told so once, and then keeps it.
            "answer" => {
                let rivals: &[&str] =
                    if call.text().contains("no longer stands there") { &["48,000 a year"] } else { &[] };
                answer("84,000 a year", "Twelve rents are 84,000 a year.", rivals)
            }
            _ => return None,
        }))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    has(&shown, &["Twelve rents are 84,000 a year.", "Objections to its draft: 1 corrected."]);
    let whole = ground(&stage, thread).await;
    has(&whole, &["Found wrong in the draft, and corrected", "It counted eleven rents."]);
    has(&shown, &["Scout 3", "48,000 a year"]);
    has_not(&shown, &["Eleven rents are 77,000", "It is wrong"]);
    let answers: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "answer").collect();
    has(&answers[0].user, &["What one answered who was asked alone", "Worked out from the rent.", "Scout 2"]);
    has_not(&answers[1].user, &["What one answered who was asked alone"]);
    has(&answers[1].user, &["Eleven rents are 77,000 a year.", "1, Scout 3:"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scouts_of_one_model_are_labelled_and_asked_at_different_temperatures() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha"]);
    scripted(&stage, |_| None);
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["at temperature 0.2", "at temperature 1", "no other is configured"]);
    let card = stage.wait_card(thread, "Done").await;
    has(&card, &["All scouts are one model"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scouts_that_answer_different_questions_have_the_team_say_which_was_meant() {
    let stage = stage().await;
    scripted(&stage, |call| {
        (kind(call) == "comparison").then(|| {
            let mut reply = differ("verifiable", &[]);
            reply["readings"] = json!([
                group("What it costs", &["scout-1", "scout-2"]),
                group("What it is worth", &["scout-3"])
            ]);
            Answer::Json(reply)
        })
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    let asked = stage.wait_for(thread, "A question to the team").await;
    has(&crate::support::play::read(&asked), &["Which one is meant?", "What it is worth"]);
    assert_eq!(count(&stage, "check"), 0, "nothing is spent until it is known");
    stage.press(ADA, thread, &asked, "Go on").await;
    wait_for_end(&stage, thread).await;
    stage.nothing_amiss();
    bot.kill().await;
}

/// What the team says stands in every later request, and whoever had answered another question answers again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_team_says_is_meant_is_answered() {
    const MEANT: &str = "The team was asked which is meant, and says";
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "comparison" if !call.text().contains(MEANT) => {
            let mut reply = differ("verifiable", &[]);
            reply["readings"] = json!([
                group("What it costs", &["scout-1", "scout-2"]),
                group("What it is worth", &["scout-3"])
            ]);
            Some(Answer::Json(reply))
        }
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    let asked = stage.wait_for(thread, "A question to the team").await;
    let opener = stage.pressed(ADA, thread, &asked, "Answer");
    stage.discord.client().wait_reply(opener).await.modal.expect("a form");
    let sent = stage.discord.client().submit_modal(ADA, opener, &[("answer", "What it costs")]).unwrap();
    stage.discord.client().wait_reply(sent).await;
    let answered = stage.wait_for(thread, "The team's answer, by").await;
    stage.press(ADA, thread, &answered, "Go on").await;
    wait_for_end(&stage, thread).await;
    assert_eq!((count(&stage, "scout_answer"), count(&stage, "comparison")), (4, 2), "one answers again");
    let calls = stage.model.calls();
    let later = calls.iter().skip_while(|call| !call.text().contains(MEANT));
    let later: Vec<&Call> = later.filter(|call| kind(call) != "question").collect();
    assert!(later.len() > 8 && later.iter().all(|call| call.text().contains(MEANT)), "{:?}", kinds(&stage));
    assert!(later[0].model == "gamma", "who had answered another question: {}", later[0].model);
    let writing = calls.iter().find(|call| kind(call) == "answer").unwrap();
    assert_eq!((count(&stage, "first_answer"), count(&stage, "drafts_check")), (3, 3));
    has_not(&writing.user, &["What one answered who was asked alone"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_that_does_harm_is_a_result() {
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "check" => Some(Answer::Json(
            json!({"code": "const os = require('os');\nconsole.log(os.homedir())", "query": "", "why": "", "holds": ""}),
        )),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["Looked at, and not settled"]);
    has(&ground(&stage, thread).await, &["NOT SETTLED"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_on_the_web_cites_the_pages_that_it_goes_by() {
    let mut stage = stage().await;
    stage.web = Some(SearchServer::start().await);
    scripted(&stage, |call| match kind(call) {
        "check" => Some(Answer::Json(json!({"code": "", "query": "office rents", "why": "", "holds": ""}))),
        "checked" => Some(Answer::Json(
            json!({"why": "A page says it [1], another does not [77].", "holds": "position-1"}),
        )),
        "answer" => {
            let said = "It costs 84,000 a year [1]. Nobody says else [9].";
            Some(Answer::Json(answer("84,000 a year", said, &["48,000 a year"])))
        }
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let card = crate::support::play::read(&stage.message(thread, "🔍 What was checked"));
    has(&card, &["A page says it \\[1]", "🔎 Sources", "https://", "Checked on the web."]);
    has_not(&card, &["[77]"]);
    has(&stage.read(thread), &["1 citation was taken out"]);
    let card = crate::support::play::read(&stage.message(thread, "🎯 The answer"));
    has(&card, &["It costs 84,000 a year \\[1]", "🔎 Sources", "https://"]);
    has_not(&card, &["[9]"]);
    let written = stage.model.calls().into_iter().find(|call| kind(call) == "answer").unwrap();
    has(&written.user, &["Pages that were found, by number", "[1]", "https://"]);
    stage.nothing_amiss();
    bot.kill().await;
}
