//! An investigation in each of its modes, killed after every commit: the same thread comes out, nothing twice, and what was
//! finished was asked once.

use std::{sync::Arc, time::Duration};

use quorum::playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    resume::{
        killed,
        scene::{self, Journal, thread, wait_over},
    },
    support::{
        Stage,
        model::{Answer, Call},
        play::{buttons, id},
        search::SearchServer,
        thirds,
    },
};

/// How it is investigated, and how many model calls and searches that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Case {
    mode: &'static str,
    calls: usize,
    /// Searches, and programs that are run.
    tools: usize,
}

/// Three scouts, a comparison, two checks of a claim and a disagreement with what a program printed and pages, an answer,
/// three times points.
const STRUCTURED: Case = Case { mode: "structured", calls: 3 + 1 + 2 + 2 + 1 + 3, tools: 2 };
/// An opening and four turns, in which a model is asked and a claim is checked, in place of the checks.
const ADAPTIVE: Case = Case { mode: "adaptive", calls: 3 + 1 + 1 + 4 + 1 + 2 + 1 + 3, tools: 2 };
/// The same without an opening.
const UNSTRUCTURED: Case = Case { mode: "unstructured", calls: 3 + 1 + 4 + 1 + 2 + 1 + 3, tools: 2 };

/// A question to the team, which somebody answers with *Go on*, in place of what a model is asked and of the claim.
const TEAM: Case = Case { mode: "unstructured", calls: 3 + 1 + 3 + 1 + 3, tools: 1 };

/// The question; of [`TEAM`] another, by which the models know that the team is to be asked.
fn question(case: Case) -> &'static str {
    if case == TEAM {
        "What does our own rent come to in a year?"
    } else {
        "What do twelve rents of 7,000 come to?"
    }
}

fn investigate(stage: &Stage, case: Case) -> Id {
    let options = json!({"question": question(case), "mode": case.mode});
    stage.discord.client().run_command(ADA, DECISIONS, "investigate", options).unwrap()
}

/// Three models that say the same in every run, whoever comes first.
async fn stage() -> Stage {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta", "openai/gamma"]);
    stage.web = Some(SearchServer::start().await);
    stage.model.latency(Duration::from_millis(20));
    stage.model.on(|call| Some(said(call)));
    stage
}

/// What is said in an investigation in which scouts differ.
pub fn said(call: &Call) -> Answer {
    let group = |text: &str, scouts: &[&str]| json!({"text": text, "scouts": scouts});
    let odd = call.model == "gamma";
    let schema = call.schema_name.as_deref().unwrap_or_default();
    Answer::Json(match schema {
        _ if !call.tools.is_empty() => turn(call),
        "scout_answer" => json!({"understood": "The sum.", "reasoning": "Worked out.", "confidence": "high",
            "answer": if odd { "48,000" } else { "84,000" },
            "key_claims": [if odd { "Twelve rents are 48,000" } else { "Twelve rents are 84,000" }]}),
        "comparison" => json!({
            "readings": [group("The sum", &["scout-1", "scout-2", "scout-3"])],
            "answers": [group("84,000", &["scout-1", "scout-2"]), group("48,000", &["scout-3"])],
            "consensus": [],
            "splits": [{"topic": "The sum", "kind": "verifiable",
                        "sides": [group("84,000", &["scout-1", "scout-2"]), group("48,000", &["scout-3"])]}],
            "lone": [{"claim": "Landlords give a month", "scout": "scout-3", "matters": true}]}),
        "check" if call.user.contains("Landlords") => {
            json!({"code": "", "query": "landlords", "why": "", "holds": ""})
        }
        "check" => json!({"code": "print(12 * 7000)", "query": "", "why": "", "holds": ""}),
        "checked" => json!({"why": "So it says [1].", "holds": "A"}),
        "opening" => {
            json!({"restated": "The sum.", "clarity": "high", "kind": "open", "critics": [], "first": "Work it out."})
        }
        "said" => json!({"answer": "Nothing does."}),
        "answer" => json!({"reasoning": "By what was found.", "title": "84,000", "answer": "It is 84,000.",
            "confidence": "high", "alternative": "48,000.", "would_change": "Another rent.", "evidence": [],
            "unresolved": [], "rivals": [{"title": "48,000", "description": "One says so."}]}),
        _ => return scene::usual(call),
    })
}

/// Calculates, asks what speaks against it, has a claim checked, is done.
fn turn(call: &Call) -> Value {
    let mut action = json!({"purpose": "To see", "path": "sum", "last_was_new": true});
    let more = if !call.user.contains("run_code on sum") {
        json!({"tool": "run_code", "text": "print(12 * 7000)", "disproves": false, "why_go_on": ""})
    } else if call.text().contains(question(TEAM)) && !call.user.contains("ask_team on sum") {
        json!({"tool": "ask_team", "text": "Is the garage in it?"})
    } else if call.text().contains(question(TEAM)) {
        json!({"tool": "done", "text": "By the sum.", "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another rent."})
    } else if !call.user.contains("query_model on sum") {
        json!({"tool": "query_model", "model": 2, "text": "What speaks against it?", "disproves": true, "why_go_on": ""})
    } else if !call.user.contains("verify_claim on sum") {
        json!({"tool": "verify_claim", "text": "Landlords give a month", "disproves": false, "why_go_on": ""})
    } else {
        json!({"tool": "done", "text": "By the sum.", "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another rent."})
    };
    action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    action
}

/// The texts of the thread without what a kill changes: what each took.
fn texts(stage: &Stage) -> Vec<String> {
    let thread = thread(stage).expect("a thread");
    let counted = |line: &&str| !line.starts_with("Models ") && !line.contains(" calls · ");
    let plain = |text: String| text.lines().filter(counted).collect::<Vec<_>>().join("\n");
    let mut texts: Vec<String> = scene::texts(stage, thread).into_iter().map(plain).collect();
    texts.sort();
    texts
}

/// Presses *Go on* wherever the team is asked; never ends. It is pressed again until the press is answered, as a member
/// does whose press was lost.
async fn go_on(stage: &Stage) {
    let client = stage.discord.client();
    loop {
        for message in thread(stage).map(|thread| stage.public(thread)).unwrap_or_default() {
            let go = buttons(&message).into_iter().find(|(_, id)| id.contains(":team_go:"));
            if let Some((_, go)) = go
                && let Ok(pressed) = client.click(ADA, thread(stage).unwrap(), id(&message["id"]), &go)
            {
                let _ = tokio::time::timeout(Duration::from_secs(2), client.wait_reply(pressed)).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// What comes out when nothing is disturbed: its commits and its texts.
async fn undisturbed(case: Case) -> (u64, Vec<String>) {
    let stage = stage().await;
    let bot = stage.bot().await;
    investigate(&stage, case);
    tokio::select! {
        _ = wait_over(&stage, "Done") => {}
        () = go_on(&stage) => {}
    }
    let commits = bot.store.commits();
    bot.kill().await;
    let schemas: Vec<_> = stage.model.calls().iter().map(|call| call.schema_name.clone()).collect();
    assert_eq!(stage.model.calls().len(), case.calls, "{case:?}: {schemas:?}");
    (commits, texts(&stage))
}

async fn killed_at(case: Case, k: u64, wanted: &[String]) {
    let stage = stage().await;
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    investigate(&stage, case);
    let over = || thread(&stage).is_some_and(|_| texts(&stage).iter().any(|text| text == "closing"));
    let reached = bot.commits(k, over);
    tokio::select! {
        () = reached => {}
        () = go_on(&stage) => {}
    }
    if k.is_multiple_of(2) {
        // What is under way outside ends, and nobody writes it down.
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    bot.kill().await;
    let before = Journal::read(&stage).await;
    let bot = stage.bot_that_halts(None).await;
    if before.sessions.is_empty() {
        // The command had not been taken yet, as its member is told, and is given again.
        stage.connected().await;
        investigate(&stage, case);
    }
    tokio::select! {
        _ = wait_over(&stage, "Done") => {}
        () = go_on(&stage) => {}
    }
    bot.kill().await;
    assert_eq!(texts(&stage), wanted, "the thread is not what it is without a kill");
    killed::check_calls(&stage, &[before], case.calls, case.tools, wanted.len() + 1).await;
}

async fn every_third_kill(case: Case) {
    let (commits, wanted) = undisturbed(case).await;
    assert!(commits > 20, "{commits} commits");
    let wanted: Arc<[String]> = wanted.into();
    killed::play(thirds::of_this_run((1..=commits + 2).step_by(3)).map(|k| {
        let wanted = Arc::clone(&wanted);
        (format!("{case:?} killed after commit {k}"), async move { killed_at(case, k, &wanted).await })
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_structured_investigation_goes_on_in_the_same_thread() {
    every_third_kill(STRUCTURED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_adaptive_investigation_goes_on_in_the_same_thread() {
    every_third_kill(ADAPTIVE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unstructured_investigation_goes_on_in_the_same_thread() {
    every_third_kill(UNSTRUCTURED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_investigation_that_asks_the_team_goes_on_in_the_same_thread() {
    every_third_kill(TEAM).await;
}
