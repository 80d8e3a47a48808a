//! /investigate over the wire: scouts, what they differ on, what is checked and by what, the loop and its limits, and what
//! may stand in the answer.

use serde_json::{Value, json};

use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call, tools::only},
    play::{id, is_private},
    search::SearchServer,
    wait_for_end,
};
use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};

const QUESTION: &str = "What does our office cost in a year, at 7,000 a month?";

fn kind(call: &Call) -> &str {
    if call.tools.is_empty() { call.schema_name.as_deref().unwrap_or_default() } else { "turn" }
}

fn kinds(stage: &Stage) -> Vec<String> {
    stage.model.calls().iter().map(|call| kind(call).to_owned()).collect()
}

fn count(stage: &Stage, wanted: &str) -> usize {
    kinds(stage).iter().filter(|kind| *kind == wanted).count()
}

fn scout(answer: &str, claims: &[&str]) -> Answer {
    Answer::Json(json!({
        "understood": "What the office costs in a year.", "reasoning": "Worked out from the rent.",
        "answer": answer, "key_claims": claims, "confidence": "high",
    }))
}

fn group(text: &str, scouts: &[&str]) -> Value {
    json!({"text": text, "scouts": scouts})
}

fn answer(title: &str, said: &str, rivals: &[&str]) -> Value {
    let rivals: Vec<Value> =
        rivals.iter().map(|title| json!({"title": title, "description": "Somebody says so."})).collect();
    json!({
        "text": "## Read this first\nThe lease, by what was found.", "title": title, "answer": said,
        "sure": [{"of": "the rent", "chance": 95}, {"of": "the heating", "chance": 60}],
        "alternative": "The other figure, which leaves months out.", "would_change": "Another lease.",
        "evidence": [
            {"text": "It was worked out.", "tag": "observed", "calls": [1]},
            {"text": "Nobody looked.", "tag": "observed", "calls": [40]},
        ],
        "unresolved": [], "rivals": rivals, "mended": [{"fault": 1, "taken": true, "told": "It counted eleven rents."}],
    })
}

/// A comparison of three scouts: two answers with a disagreement of this kind.
fn differ(kind: &str, lone: &[Value]) -> Value {
    json!({
        "readings": [group("What it costs", &["scout-1", "scout-2", "scout-3"])],
        "answers": [group("84,000", &["scout-1", "scout-2"]), group("48,000", &["scout-3"])],
        "consensus": [{"text": "The rent is paid monthly", "claims": ["scout-1.1", "scout-3.1"]}, {"text": "Both are right", "claims": ["scout-1.7", "scout-2.7"]}],
        "splits": [{"topic": "What twelve rents come to", "kind": kind,
                    "sides": [group("84,000", &["scout-1", "scout-2"]), group("48,000", &["scout-3"])]}],
        "lone": lone,
    })
}

/// The usual answers: two scouts say 84,000 and one 48,000; a calculation settles it.
fn usual(call: &Call) -> Option<Answer> {
    Some(match kind(call) {
        "scout_answer" if call.n == 3 => scout("48,000", &["Twelve rents are 48,000"]),
        "scout_answer" => scout("84,000", &["Twelve rents are 84,000"]),
        "comparison" => Answer::Json(differ("verifiable", &[])),
        "check" => {
            Answer::Json(json!({"code": "console.log(12 * 7000)", "query": "", "why": "", "holds": ""}))
        }
        "checked" => {
            // Whoever reads the result goes by what was printed.
            let holds = if call.user.contains("84000") { "position-1" } else { "unsettled" };
            Answer::Json(json!({"why": "Twelve times 7,000.", "holds": holds}))
        }
        "opening" => Answer::Json(json!({"restated": "What the office costs in a year.", "clarity": "high",
            "kind": "open", "critics": [], "first": "Work it out."})),
        "answer" => Answer::Json(answer("84,000 a year", "It costs 84,000 a year.", &["48,000 a year"])),
        "draft_check" => Answer::Json(json!({"sums": [], "wrong": [], "missing": ""})),
        "turn" => turn(call),
        _ => return None,
    })
}

/// An investigator that calculates, looks for the contrary, and is done.
fn turn(call: &Call) -> Answer {
    let said = |tool: &str, more: Value| {
        let mut action = json!({"tool": tool, "purpose": format!("To see by {tool}"), "path": "rent", "last_was_new": true, "text": "x"});
        action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        action
    };
    let of = |tool: &str, more: Value| Answer::Json(only(call, &said(tool, more)));
    if !call.user.contains("run_code on rent") {
        of("run_code", json!({"text": "console.log(12 * 7000)"}))
    } else if !call.user.contains("query_model on rent") {
        of("query_model", json!({"text": "What speaks against call 1?", "model": 1, "disproves": true}))
    } else {
        of(
            "done",
            json!({"text": "By the calculation.", "hypothesis": "84,000", "alternative": "48,000 leaves months out.", "would_change": "Another lease.", "confidence": 90, "stop": "alternatives_ruled_out", "why_stop": "48,000 is no sum of twelve rents."}),
        )
    }
}

fn but(
    script: impl Fn(&Call) -> Option<Answer> + Send + Sync,
) -> impl Fn(&Call) -> Option<Answer> + Send + Sync {
    move |call| script(call).or_else(|| usual(call))
}

async fn investigate(stage: &Stage, options: Value) -> Id {
    let mut all = json!({"question": QUESTION});
    all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let seen = stage.discord.client().run_command(ADA, DECISIONS, "investigate", all).unwrap();
    let _ = seen;
    let opened =
        stage.discord.client().wait_thread(DECISIONS, crate::support::play::PATIENCE, |_| true).await;
    id(&opened.expect("a thread")["id"])
}

/// A stage whose three scouts are three models.
async fn stage() -> Stage {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "anthropic/beta", "openai/gamma"]);
    stage.model.on(but(|call| {
        // Who is the odd one hangs on the model, whoever comes first.
        (kind(call) == "scout_answer").then(|| match call.model.as_str() {
            "gamma" => scout("48,000", &["Twelve rents are 48,000"]),
            _ => scout("84,000", &["Twelve rents are 84,000"]),
        })
    }));
    stage
}

/// The same with other answers before those.
fn scripted(stage: &Stage, script: impl Fn(&Call) -> Option<Answer> + Send + Sync + 'static) {
    stage.model.on(move |call| {
        script(call).or_else(|| match (kind(call), call.model.as_str()) {
            ("scout_answer", "gamma") => Some(scout("48,000", &["Twelve rents are 48,000"])),
            ("scout_answer", _) => Some(scout("84,000", &["Twelve rents are 84,000"])),
            _ => usual(call),
        })
    });
}

/// What the answer stands on, as its button shows it.
async fn ground(stage: &Stage, thread: Id) -> String {
    let seen = stage.press(BEN, thread, &stage.message(thread, "🎯 The answer"), "What it stands on").await;
    assert!(is_private(&seen, BEN));
    seen.messages.iter().map(crate::support::play::read).collect()
}

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
    has_not(&shown, &["Both are right", "Found wrong"]);
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
    has(
        &card,
        &[
            "It costs 84,000 a year.",
            "Found wrong in the draft, and corrected",
            "The calculation in this answer",
        ],
    );
    has_not(&card, &["770,000"]);
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
    has(
        &answers[1].user,
        &["The record", "“A grant of 31,500 pays a part.”", "The answer as you wrote it first"],
    );
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
    has(
        &shown,
        &[
            "Twelve rents are 84,000 a year.",
            "Found wrong in the draft, and corrected",
            "It counted eleven rents.",
        ],
    );
    has(&shown, &["Scout 3", "48,000 a year"]);
    has_not(&shown, &["Eleven rents are 77,000", "It is wrong"]);
    let answers: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "answer").collect();
    has(&answers[0].user, &["Worked out from the rent.", "Scout 2"]);
    has(&answers[1].user, &["Eleven rents are 77,000 a year.", "1, Scout 3:"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_investigator_calls_tools_through_each_provider_and_ends() {
    for mediator in ["openai/alpha", "anthropic/beta", "local/delta"] {
        let mut stage = stage().await;
        stage.panel(&[mediator, "openai/gamma", "anthropic/beta"]);
        scripted(&stage, |_| None);
        let bot = stage.bot().await;
        let thread = investigate(&stage, json!({})).await;
        wait_for_end(&stage, thread).await;
        let shown = stage.read(thread);
        has(&shown, &["What the investigator did", "calculates", "asks a model", "has its answer"]);
        has(&shown, &["the investigator had its answer", "3 of 15 calls"]);
        has_not(&shown, &["sent back", "The investigator ended without", "and code", "code, "]);
        let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
        assert_eq!(turns.len(), 3, "{mediator}");
        assert!(turns.iter().all(|turn| turn.native != mediator.starts_with("local")), "{mediator}");
        has(&turns[0].user, &["Left: 15 calls"]);
        has(&turns[1].user, &["Left: 14 calls", "84000", "Worked out from the rent."]);
        let written = stage.model.calls().into_iter().find(|call| kind(call) == "answer").unwrap();
        has(&written.user, &["What the investigator came to", "48,000 leaves months out.", "Another lease."]);
        has(&written.user, &["(sure: 90 of 100)", "the main alternatives are ruled out"]);
        has(&shown, &["had its answer: the main alternatives are ruled out. 48,000 is no sum"]);
        let asked = stage.model.calls().into_iter().find(|call| kind(call) == "said").unwrap();
        has(
            &asked.user,
            &["They differ on What twelve rents", "console.log(12 * 7000)", "What speaks against call 1?"],
        );
        stage.nothing_amiss();
        bot.kill().await;
    }
}

/// Who ends by a rule that no call bears out is sent back once, which is no call; then it stands, and the card says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_no_call_bears_out_is_sent_back_once_and_named() {
    let stage = stage().await;
    scripted(&stage, |call| {
        let done = json!({"tool": "done", "purpose": "To end", "path": "rent", "last_was_new": true, "text": "I know it.",
            "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another lease.", "confidence": 90,
            "stop": "fix_found", "why_stop": "I know it."});
        (kind(call) == "turn").then(|| Answer::Json(only(call, &done)))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({"budget": 1})).await;
    wait_for_end(&stage, thread).await;
    let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
    assert_eq!(turns.len(), 2, "{:?}", kinds(&stage));
    has(&turns[1].user, &["Left: 1 calls", "fix_found by a call that gave something back"]);
    has(&stage.read(thread), &["a reason to stop that its calls bear out", "1 of 1 calls"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// What the investigator has checked by a side of a disagreement is settled in the ledger, and not open beside it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_side_that_the_investigator_has_checked_settles_the_disagreement() {
    let stage = stage().await;
    scripted(&stage, |call| {
        if kind(call) != "turn" || call.user.contains("verify_claim on sides") {
            return None;
        }
        let action = json!({"tool": "verify_claim", "text": "48,000", "purpose": "To see who is right", "path": "sides", "last_was_new": true});
        Some(Answer::Json(only(call, &action)))
    });
    let bot = stage.bot().await;
    let thread = investigate(&stage, json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = ground(&stage, thread).await;
    has(&card, &["VERIFIED", "What twelve rents come to: 84,000. Scout 3 said 48,000.", "by a calculation"]);
    has_not(&card, &["NOT SETTLED", "NOT CHECKED"]);
    let turns: Vec<Call> = stage.model.calls().into_iter().filter(|call| kind(call) == "turn").collect();
    has(&turns[1].user, &["This holds: 84,000."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_never_done_is_stopped_by_code() {
    for (mode, why) in [("unstructured", "its calls were used up"), ("adaptive", "it asked for the same")] {
        let stage = stage().await;
        scripted(&stage, move |call| {
            (kind(call) == "turn").then(|| {
                let number = call.user.matches("run_code on").count();
                let text = if mode == "adaptive" { "console.log(1)".to_owned() } else { format!("console.log({number} ** {number})") };
                let path = format!("path {number}");
                let action = json!({"tool": "run_code", "purpose": "On and on", "path": path, "last_was_new": true, "text": text});
                Answer::Json(only(call, &action))
            })
        });
        let bot = stage.bot().await;
        let thread = investigate(&stage, json!({"mode": mode, "budget": 6})).await;
        wait_for_end(&stage, thread).await;
        has(&stage.read(thread), &[why, "The investigator was stopped", "84,000 a year"]);
        assert!(count(&stage, "turn") <= 6, "{}", count(&stage, "turn"));
        stage.nothing_amiss();
        bot.kill().await;
    }
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
