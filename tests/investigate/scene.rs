//! An office whose rent is asked for: the scouts, the investigator and the checks as scripts, and how a session is begun.

use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{Answer, Call, tools::only},
    play::{id, is_private},
};
use playground::{
    Id,
    ids::{ADA, BEN, DECISIONS},
};

pub(super) const QUESTION: &str = "What does our office cost in a year, at 7,000 a month?";

pub(super) fn kind(call: &Call) -> &str {
    if call.tools.is_empty() { call.schema_name.as_deref().unwrap_or_default() } else { "turn" }
}

pub(super) fn kinds(stage: &Stage) -> Vec<String> {
    stage.model.calls().iter().map(|call| kind(call).to_owned()).collect()
}

pub(super) fn count(stage: &Stage, wanted: &str) -> usize {
    kinds(stage).iter().filter(|kind| *kind == wanted).count()
}

pub(super) fn scout(answer: &str, claims: &[&str]) -> Answer {
    Answer::Json(json!({
        "understood": "What the office costs in a year.", "reasoning": "Worked out from the rent.",
        "answer": answer, "key_claims": claims, "confidence": "high",
    }))
}

pub(super) fn group(text: &str, scouts: &[&str]) -> Value {
    json!({"text": text, "scouts": scouts})
}

pub(super) fn answer(title: &str, said: &str, rivals: &[&str]) -> Value {
    let rivals: Vec<Value> =
        rivals.iter().map(|title| json!({"title": title, "description": "Somebody says so."})).collect();
    let text = "## Read this first\nThe lease, by what was found.";
    json!({
        "text": text, "title": title, "answer": said, "edits": [], "anew": [{"answer": said, "text": text}],
        "sure": [{"of": "the rent", "chance": 95}, {"of": "the heating", "chance": 60}],
        "alternative": "The other figure, which leaves months out.", "would_change": "Another lease.",
        "evidence": [
            {"text": "It was worked out.", "tag": "observed", "calls": [1]},
            {"text": "Nobody looked.", "tag": "observed", "calls": [40]},
        ],
        "unresolved": [], "rivals": rivals, "resolutions": (1..=9).map(|number| json!({"objection": number, "taken": true, "because": "Twelve rents."})).collect::<Vec<Value>>(),
    })
}

/// A comparison of three scouts: two answers with a disagreement of this kind.
pub(super) fn differ(kind: &str, lone: &[Value]) -> Value {
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
pub(super) fn usual(call: &Call) -> Option<Answer> {
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
        "turn" => turn(call),
        _ => return None,
    })
}

/// An investigator that calculates, looks for the contrary, and is done.
pub(super) fn turn(call: &Call) -> Answer {
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

pub(super) fn but(
    script: impl Fn(&Call) -> Option<Answer> + Send + Sync,
) -> impl Fn(&Call) -> Option<Answer> + Send + Sync {
    move |call| script(call).or_else(|| usual(call))
}

pub(super) async fn investigate(stage: &Stage, options: Value) -> Id {
    let mut all = json!({"question": QUESTION});
    all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let seen = stage.discord.client().run_command(ADA, DECISIONS, "investigate", all).unwrap();
    let _ = seen;
    let opened =
        stage.discord.client().wait_thread(DECISIONS, crate::support::play::PATIENCE, |_| true).await;
    id(&opened.expect("a thread")["id"])
}

/// A stage whose three scouts are three models.
pub(super) async fn stage() -> Stage {
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
pub(super) fn scripted(stage: &Stage, script: impl Fn(&Call) -> Option<Answer> + Send + Sync + 'static) {
    stage.model.on(move |call| {
        script(call).or_else(|| match (kind(call), call.model.as_str()) {
            ("scout_answer", "gamma") => Some(scout("48,000", &["Twelve rents are 48,000"])),
            ("scout_answer", _) => Some(scout("84,000", &["Twelve rents are 84,000"])),
            _ => usual(call),
        })
    });
}

/// What the answer stands on, as its button shows it.
pub(super) async fn ground(stage: &Stage, thread: Id) -> String {
    let seen = stage.press(BEN, thread, &stage.message(thread, "🎯 The answer"), "What it stands on").await;
    assert!(is_private(&seen, BEN));
    seen.messages.iter().map(crate::support::play::read).collect()
}
