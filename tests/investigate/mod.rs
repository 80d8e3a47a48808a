//! /investigate over the wire: scouts, what they differ on, what is checked and by what, the loop and its limits, and what
//! may stand in the answer.

mod enquiry;
mod scene;

use serde_json::{Value, json};

use self::scene::{answer, count, differ, ground, group, investigate, kind, kinds, scout, scripted, stage};
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call, letters_of_drafts, marks},
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
    assert_eq!((count(&stage, "answer"), count(&stage, "drafts_check")), (1, 3));
    has(&shown, &["📊 The experts' points", "48,000 a year"]);
    assert_eq!(count(&stage, "check"), 1);
    assert_eq!(count(&stage, "points"), 3, "{:?}", kinds(&stage));
    let seen = stage.press(BEN, thread, &stage.message(thread, "🎯 The answer"), "What it stands on").await;
    assert!(is_private(&seen, BEN));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_before_the_answer_waits_for_its_drafts() {
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
    // Both cards are edited as each of theirs comes, and the last edit may be on its way when the session ends.
    for shown in ["🔭 Scout 1", "🔭 Scout 2", "What twelve rents come to:** 84,000"] {
        stage.wait_for(thread, shown).await;
    }
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
            "first_answer" => json!({"answer": "It costs 77,000.", "text": wrong}),
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
    has(&whole, &["Found wrong or missing in the draft, and corrected", "The calculation in this answer"]);
    assert_eq!((count(&stage, "check"), count(&stage, "opening"), count(&stage, "answer")), (1, 0, 1));
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
    has(&answers[1].text(), &["one scout alone says and nobody confirmed: “A grant of 31,500 pays a part.”"]);
    has(&stage.read(thread), &["1 sentence was left out of the answer"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// Drafts that can be told apart by the first letter of the model that wrote each.
fn drafted(call: &Call) -> Answer {
    let by = &call.model[..1];
    call.reply(|reply| reply["text"] = format!("DRAFT-{by} {}", reply["text"].as_str().unwrap()).into())
}

/// Which draft stands in a prompt behind a mark.
fn draft_behind<'a>(prompt: &'a str, mark: &str) -> &'a str {
    let behind = prompt.split_once(mark).expect("the mark").1;
    &behind[behind.find("DRAFT-").expect("a draft")..][..7]
}

/// What a scout says of the drafts: the team should get this one, in which this is wrong.
fn chooses(call: &Call, wanted: &str, wrong: &str) -> Answer {
    let letters = letters_of_drafts(call);
    let is_wanted = |letter: &&String| draft_behind(&call.user, &format!("\n{letter}:\n")) == wanted;
    let chosen = letters.iter().find(is_wanted).expect("the draft");
    let read: Vec<Value> = letters
        .iter()
        .map(|letter| {
            let wrong = if letter == chosen { wrong } else { "" };
            json!({"draft": letter, "act": "Pay it.", "wrong": wrong, "keep": ""})
        })
        .collect();
    Answer::Json(json!({"read": read, "marks": marks(&letters, chosen), "missing": ""}))
}

/// The answer is written from the draft that most scouts choose, by what they find wrong in it; and its card says how much that was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_draft_is_made_of_all_and_the_scouts_read_that_one() {
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "first_answer" if merges(call) => {
            Some(Answer::Json(json!({"answer": "MERGED costs 84,000.", "text": "Twelve rents."})))
        }
        "first_answer" => Some(drafted(call)),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let calls = stage.model.calls();
    let merging = calls.iter().find(|call| merges(call)).unwrap();
    has(&merging.user, &["DRAFT-a", "DRAFT-b", "DRAFT-g"]);
    for call in calls.iter().filter(|call| ["drafts_check", "answer"].contains(&kind(call))) {
        has(&call.user, &["MERGED costs 84,000."]);
        has_not(&call.user, &["DRAFT-"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

/// Whether one draft is to be made of several.
fn merges(call: &Call) -> bool {
    kind(call) == "first_answer" && call.user.contains("\nDraft A:\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_makes_one_draft_that_which_most_scouts_chose_goes_on_and_what_they_found_is_told() {
    let stage = stage().await;
    scripted(&stage, |call| match kind(call) {
        "first_answer" if merges(call) => Some(Answer::Text("I would rather not.".into())),
        "first_answer" => Some(drafted(call)),
        "drafts_check" if call.model == "gamma" => Some(chooses(call, "DRAFT-a", "NOT-THIS")),
        "drafts_check" => Some(chooses(call, "DRAFT-b", &format!("{} counts eleven rents.", call.model))),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    wait_for_end(&stage, thread).await;
    let calls = stage.model.calls();
    let reading: Vec<&Call> = calls.iter().filter(|call| kind(call) == "drafts_check").collect();
    for read in &reading {
        has(&read.user, &["What you answered alone", "VERIFIED", "written by one who was asked alone"]);
        let own = format!("DRAFT-{}", &read.model[..1]);
        assert_ne!(draft_behind(&read.user, "\nA:\n"), own, "its own is not the first");
    }
    let [writing] = calls.iter().filter(|call| kind(call) == "answer").collect::<Vec<_>>()[..] else {
        panic!("one writing")
    };
    assert_eq!(
        draft_behind(&writing.user, "The draft, written without any of this:"),
        "DRAFT-b",
        "two of three chose it"
    );
    has(
        &writing.user,
        &["Objection 1, from Scout 1:", "alpha counts eleven rents.", "Objection 2, from Scout 2:"],
    );
    has_not(&writing.user, &["NOT-THIS", "DRAFT-a", "DRAFT-g"]);
    has(
        &stage.read(thread),
        &["Objections to its draft: 2 corrected.", "Nobody made one of the drafts of the answer"],
    );
    let whole = ground(&stage, thread).await;
    has(
        &whole,
        &[
            "Found wrong or missing in the draft, and corrected",
            "Scout 2: Wrong: beta counts eleven rents. → Twelve rents.",
        ],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

/// A scout that cannot read the drafts is named, also where the process dies once the choice among them is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_could_not_read_the_drafts_is_told_also_after_a_kill() {
    let stage = stage().await;
    scripted(&stage, |call| {
        (kind(call) == "drafts_check" && call.user.contains("48,000\n\nWorked out"))
            .then(|| Answer::Refusal("No.".to_owned()))
    });
    // The answer is kept by then, too.
    stage.model.hold(|call| kind(call) == "points");
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"mode": "structured"})).await;
    stage.model.wait_calls(1, |call| kind(call) == "points").await;
    bot.kill().await;
    // As it is where the process died between the choice and its notes, or where a retry took them back.
    let gone = stage.alter("DELETE FROM degraded WHERE key = 'answer/draft'").await;
    assert_eq!(gone, 1);
    stage.model.let_go();
    let bot = stage.bot().await;
    let end = wait_for_end(&stage, thread).await;
    has(&end, &["Scout 3 could not check the draft of the answer."]);
    assert_eq!(count(&stage, "drafts_check"), 2 + 3, "two read them, and three models in turn did not");
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
    has(&stage.press_card(ADA, thread, "Whole answer").await.text(), &["What each claim stands on"]);
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
    assert_eq!(
        (count(&stage, "first_answer"), count(&stage, "drafts_check")),
        (6 + 6, 3),
        "drafted again as meant"
    );
    has(&writing.user, &["The draft, written without any of this"]);
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
