//! An investigation in each of its modes, killed after every third commit: the same thread comes out, nothing twice, and
//! what was finished was asked once.

use std::{sync::Arc, time::Duration};

use playground::{
    Id,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::{
    resume::{
        doing::Doing,
        people::Script,
        scene::{self, thread, wait_over},
        sweep::{self, Play},
    },
    support::{
        Stage,
        model::{Answer, Call, letters_of_drafts, marks},
        search::SearchServer,
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

/// Five drafts, one made of them, three scouts who read it and find a fault, and the answer.
const WRITTEN: usize = 5 + 1 + 3 + 1;
/// Three scouts, a comparison, two checks of a claim and a disagreement with what a program printed and pages, an answer,
/// three times points.
const STRUCTURED: Case = Case { mode: "structured", calls: 3 + 1 + 2 + 2 + WRITTEN + 3, tools: 2 };
/// An opening and four turns, in which a model is asked and a claim is checked, in place of the checks.
const ADAPTIVE: Case = Case { mode: "adaptive", calls: 3 + 1 + 1 + 4 + 1 + 2 + WRITTEN + 3, tools: 2 };
/// The same without an opening.
const UNSTRUCTURED: Case = Case { mode: "unstructured", calls: 3 + 1 + 4 + 1 + 2 + WRITTEN + 3, tools: 2 };

/// A question to the team, which somebody answers with *Go on*, in place of what a model is asked and of the claim.
const TEAM: Case = Case { mode: "unstructured", calls: 3 + 1 + 3 + WRITTEN + 3, tools: 1 };

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
        "check" => json!({"code": "console.log(12 * 7000)", "query": "", "why": "", "holds": ""}),
        "checked" => json!({"why": "So it says [1].", "holds": "position-1"}),
        "opening" => {
            json!({"restated": "The sum.", "clarity": "high", "kind": "open", "critics": [], "first": "Work it out."})
        }
        "said" => json!({"answer": "Nothing does."}),
        "drafts_check" => {
            let letters = letters_of_drafts(call);
            let read: Vec<Value> = letters
                .iter()
                .map(|draft| {
                    json!({"draft": draft, "act": "Pay it.", "wrong": "It was 48,000, and is 84,000.", "keep": ""})
                })
                .collect();
            json!({"read": read, "marks": marks(&letters, "B"), "missing": ""})
        }
        "answer" => json!({"title": "84,000", "edits": [],
            "anew": [{"answer": "It is 84,000.", "text": "By what was found."}],
            "resolutions": ([1, 2, 3].map(|number| json!({"objection": number, "taken": true, "because": "It is 84,000."}))),
            "sure": [{"of": "the sum", "chance": 90}], "alternative": "48,000.", "would_change": "Another rent.", "evidence": [],
            "unresolved": [], "rivals": [{"title": "48,000", "description": "One says so."}]}),
        _ => return scene::usual(call),
    })
}

/// Calculates, asks what speaks against it, has a claim checked, is done.
fn turn(call: &Call) -> Value {
    let mut action = json!({"purpose": "To see", "path": "sum", "last_was_new": true});
    let more = if !call.user.contains("run_code on sum") {
        json!({"tool": "run_code", "text": "console.log(12 * 7000)", "disproves": false, "why_go_on": ""})
    } else if call.text().contains(question(TEAM)) && !call.user.contains("ask_team on sum") {
        json!({"tool": "ask_team", "text": "Is the garage in it?"})
    } else if call.text().contains(question(TEAM)) {
        json!({"tool": "done", "text": "By the sum.", "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another rent.",
            "stop": "alternatives_ruled_out", "why_stop": "Nothing else is left."})
    } else if !call.user.contains("query_model on sum") {
        json!({"tool": "query_model", "model": 2, "text": "What speaks against it?", "disproves": true, "why_go_on": ""})
    } else if !call.user.contains("verify_claim on sum") {
        json!({"tool": "verify_claim", "text": "Landlords give a month", "disproves": false, "why_go_on": ""})
    } else {
        json!({"tool": "done", "text": "By the sum.", "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another rent.",
            "stop": "alternatives_ruled_out", "why_stop": "Nothing else is left."})
    };
    action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    action
}

/// The team is asked, and somebody lets it go on.
const GOES_ON: &[Doing] = &[Doing::press(ADA, "team_go").promises(
    "The investigation goes on",
    "SELECT count(*) FROM wait WHERE kind = 'team' AND value IS NOT NULL AND by_name = 'Ada'",
)];

/// Every other pair is killed again while it goes on.
const LIVES: &[&[u64]] = &[&[], &[1], &[], &[3, 1], &[], &[5]];

impl Play for Case {
    type Outcome = ();

    fn script(self) -> Arc<Script> {
        Script::new(if self == TEAM { GOES_ON } else { &[] })
    }

    async fn stage(self, _: &Arc<Script>) -> Stage {
        stage().await
    }

    fn starts(self, stage: &Stage) {
        investigate(stage, self);
    }

    fn calls(self) -> usize {
        self.calls
    }

    fn is_decided(self) -> bool {
        false
    }

    fn searches(self) -> usize {
        self.tools
    }

    async fn wait_settled(self, stage: &Stage) {
        wait_over(stage, "Done").await;
    }

    /// Without what a kill changes: what each took.
    fn texts(self, stage: &Stage) -> Vec<String> {
        let counted = |line: &&str| !line.starts_with("Models ") && !line.contains(" calls · ");
        let plain = |text: String| text.lines().filter(counted).collect::<Vec<_>>().join("\n");
        thread(stage)
            .map(|thread| scene::texts(stage, thread))
            .unwrap_or_default()
            .into_iter()
            .map(plain)
            .collect()
    }

    fn check(self, _: &Stage, (): &()) {}
}

async fn killed_after_every_third_commit(case: Case) {
    let (wanted, moments) = sweep::recorded(case).await;
    assert!(moments.len() > 20, "{} commits", moments.len());
    // What is common to all modes is tried commit by commit elsewhere.
    let some = (0..).zip(moments).filter(|(nth, _)| nth % 3 == 0);
    sweep::killed_after(case, some, LIVES, &wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_structured_investigation_goes_on_in_the_same_thread() {
    killed_after_every_third_commit(STRUCTURED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_adaptive_investigation_goes_on_in_the_same_thread() {
    killed_after_every_third_commit(ADAPTIVE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unstructured_investigation_goes_on_in_the_same_thread() {
    killed_after_every_third_commit(UNSTRUCTURED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_investigation_that_asks_the_team_goes_on_in_the_same_thread() {
    killed_after_every_third_commit(TEAM).await;
}
