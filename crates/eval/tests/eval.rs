//! The benchmark over the wire: what is asked, what is kept, what is told; and the files that are shipped.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // tests, and what serves them

#[path = "../../../tests/support/loopback.rs"]
mod loopback;
#[path = "../../../tests/support/model.rs"]
mod model;

use std::{collections::BTreeMap, fs, path::Path};

use documents::sandbox::Sandbox;
use serde_json::{Value, json};
use tokio::process::Command;

use self::model::{Answer, Call, ModelServer, default_answer};

/// Runs `eval`; gives its exit code, its answer and what it says of the work.
async fn eval(
    folder: &Path,
    arguments: &[&str],
    model: Option<&ModelServer>,
) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_eval"));
    program.args(arguments).current_dir(folder).env_clear();
    if let Some(model) = model {
        program
            .env("OPENAI_API_KEY", "sk-test")
            .env("OPENAI_BASE_URL", model.openai_base().as_str())
            .env("QUORUM_MODELS", "openai/alpha,openai/beta,openai/gamma")
            .env("QUORUM_MODEL_CHEAP", "openai/cheap");
    } else {
        // Nothing answers there, and so none is looked for on the machine that runs the tests.
        program.env("OLLAMA_HOST", "127.0.0.1:9");
    }
    let output = program.kill_on_drop(true).output().await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A shipped file.
fn shipped(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn replied(answer: &str) -> Answer {
    Answer::Json(json!({ "working": "So.", "answer": answer, "confidence": 70 }))
}

/// What the models say: alpha falls for what is tempting, the two others do not.
fn says(call: &Call) -> Option<Answer> {
    if call.schema_name.as_deref() != Some("answer") {
        return None;
    }
    Some(match (call.user.contains("pen cost"), call.model.as_str()) {
        (true, "alpha") => replied("30"),
        (true, _) => replied("15 cents"),
        (false, "alpha") => replied("Harbour"),
        (false, _) => replied("b"),
    })
}

const QUESTIONS: &str = r#"{"id":"pen","question":"A notebook and a pen cost 2.30; the notebook costs 2 more than the pen cost. How many cents?","answer":["15"]}
{"id":"site","question":"Which site?","answer":"Mill","options":["Harbour","Mill"],"facts":["FACT-ONE","FACT-TWO"]}
"#;

#[tokio::test]
async fn questions_are_answered_once_and_what_that_comes_to_is_told() {
    let model = ModelServer::start().await;
    model.on(says);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q.jsonl"), QUESTIONS).unwrap();
    let arguments = ["q.jsonl", "--methods", "single,majority"];
    let (code, told, noted) = eval(folder.path(), &arguments, Some(&model)).await;
    assert_eq!(code, Some(0), "{told}{noted}");
    assert!(told.contains("Answered now: 4; before: 0."), "{told}");
    let row = |name: &str| told.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("single").contains("0/2 0 %"), "{told}");
    let majority = row("majority");
    assert!(majority.contains("2/2 100 % [34, 100]"), "{told}");
    let columns: Vec<&str> = majority.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(columns[2..6], ["0", "2", "0", "10"], "{told}");
    let calls = model.calls();
    assert_eq!(calls.len(), 12);
    // A single model is told all, of those who answer apart each knows one thing.
    let known = |call: &Call| (call.user.contains("FACT-ONE"), call.user.contains("FACT-TWO"));
    let sites: Vec<_> = calls.iter().filter(|call| call.user.contains("Which site?")).map(known).collect();
    assert_eq!(sites.iter().filter(|known| **known == (true, true)).count(), 1);
    assert_eq!(sites.iter().filter(|known| **known == (true, false)).count(), 3);
    assert_eq!(sites.iter().filter(|known| **known == (false, true)).count(), 2);

    // As if it had been ended while it wrote the last answer.
    let kept = folder.path().join("q.answers.jsonl");
    let text = fs::read_to_string(&kept).unwrap();
    assert_eq!(text.lines().count(), 4);
    fs::write(&kept, &text[..text.len() - 20]).unwrap();
    let (_, again, _) = eval(folder.path(), &arguments, Some(&model)).await;
    assert!(again.contains("Answered now: 1; before: 3."), "{again}");
    assert_eq!(model.calls().len(), 17);
    // Another question under the same name is asked anew.
    fs::write(folder.path().join("q.jsonl"), QUESTIONS.replace("Which site?", "Which place?")).unwrap();
    let (_, changed, _) = eval(folder.path(), &arguments, Some(&model)).await;
    assert!(changed.contains("Answered now: 2; before: 2."), "{changed}");
}

#[tokio::test]
async fn a_budget_bounds_how_many_are_asked() {
    let model = ModelServer::start().await;
    model.on(says);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q.jsonl"), QUESTIONS).unwrap();
    let arguments = ["q.jsonl", "--methods", "majority", "--tokens", "100"];
    let (code, told, _) = eval(folder.path(), &arguments, Some(&model)).await;
    assert_eq!((code, model.calls().len()), (Some(0), 0));
    assert!(told.contains("which the budget does not hold") && told.contains("0/2 0 %"), "{told}");
}

#[tokio::test]
async fn a_roundtable_is_held_without_anybody_at_the_keyboard() {
    let model = ModelServer::start().await;
    model.on(|call| match call.schema_name.as_deref() {
        Some("outcome") => Some(Answer::Json(json!({ "answer": "Mill" }))),
        _ => says(call),
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q.jsonl"), QUESTIONS.lines().last().unwrap()).unwrap();
    let arguments = ["q.jsonl", "--methods", "single,roundtable", "--tokens", "2000000"];
    let (code, told, noted) = eval(folder.path(), &arguments, Some(&model)).await;
    assert_eq!(code, Some(0), "{told}{noted}");
    let row = told.lines().find(|line| line.starts_with("roundtable")).unwrap();
    assert!(row.contains("1/1 100 %"), "{told}{noted}");
    let outcome: Vec<Call> =
        model.calls().into_iter().filter(|call| call.schema_name.as_deref() == Some("outcome")).collect();
    assert_eq!((outcome.len(), outcome[0].model.as_str()), (1, "cheap"));
    assert!(outcome[0].user.contains("<outcome-"), "{}", outcome[0].user);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// What is said in an investigation in which scouts differ.
fn investigator(call: &Call) -> Answer {
    let group = |text: &str, scouts: &[&str]| json!({"text": text, "scouts": scouts});
    let answers = || json!([group("84,000", &["scout-1", "scout-2"]), group("48,000", &["scout-3"])]);
    let answer = if call.model == "gamma" { "48,000" } else { "84,000" };
    Answer::Json(match call.schema_name.as_deref() {
        _ if !call.tools.is_empty() => turn(call),
        Some("scout_answer") => {
            json!({"understood": "The sum.", "reasoning": "Worked out.", "confidence": "high",
            "answer": answer, "key_claims": [format!("Twelve rents are {answer}")]})
        }
        Some("comparison") => json!({
            "readings": [group("The sum", &["scout-1", "scout-2", "scout-3"])], "answers": answers(),
            "consensus": [], "splits": [{"topic": "The sum", "kind": "verifiable", "sides": answers()}], "lone": []}),
        Some("check") => json!({"code": "12 * 7000", "query": "", "why": "", "holds": ""}),
        Some("checked") => json!({"why": "So it says [1].", "holds": "A"}),
        Some("opening") => {
            json!({"restated": "The sum.", "clarity": "high", "kind": "open", "critics": [], "first": "Work it out."})
        }
        Some("said") => json!({"answer": "Nothing does."}),
        Some("answer") => {
            json!({"reasoning": "By what was found.", "title": "84,000", "answer": "It is 84,000.",
            "confidence": "high", "alternative": "48,000.", "would_change": "Another rent.", "evidence": [],
            "unresolved": [], "rivals": [{"title": "48,000", "description": "One says so."}]})
        }
        _ => return default_answer(call),
    })
}

/// Calculates, asks what speaks against it, is done.
fn turn(call: &Call) -> Value {
    let tried = |tool: &str| call.user.contains(&format!("{tool} on sum"));
    let more = if !tried("run_code") {
        json!({"tool": "run_code", "text": "12 * 7000", "disproves": false, "why_go_on": ""})
    } else if !tried("query_model") {
        json!({"tool": "query_model", "model": 2, "text": "What speaks against it?", "disproves": true, "why_go_on": ""})
    } else {
        json!({"tool": "done", "text": "By the sum.", "hypothesis": "84,000", "alternative": "48,000.", "would_change": "Another rent.",
            "stop": "alternatives_ruled_out", "why_stop": "48,000 is no sum of twelve rents."})
    };
    let mut action = json!({"purpose": "To see", "path": "sum", "last_was_new": true});
    action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    action
}

/// In both ways in which an investigation is compared.
#[tokio::test]
async fn investigations_are_held_without_anybody_at_the_keyboard() {
    let model = ModelServer::start().await;
    model.on(|call| match call.schema_name.as_deref() {
        Some("outcome") => Some(Answer::Json(json!({ "answer": "84,000" }))),
        _ => Some(investigator(call)),
    });
    let folder = tempfile::tempdir().unwrap();
    let question = json!({"id": "rents", "question": "What do twelve rents of 7,000 come to?", "answer": ["84,000", "84000"]});
    fs::write(folder.path().join("q.jsonl"), question.to_string()).unwrap();
    let arguments = ["q.jsonl", "--methods", "structured,adaptive", "--tokens", "2000000"];
    let (code, told, noted) = eval(folder.path(), &arguments, Some(&model)).await;
    assert_eq!(code, Some(0), "{told}{noted}");
    for method in ["structured", "adaptive"] {
        let row = told.lines().find(|line| line.starts_with(method)).unwrap();
        assert!(row.contains("1/1 100 %"), "{told}{noted}");
    }
    let turns = model.calls().iter().filter(|call| !call.tools.is_empty()).count();
    assert_eq!(turns, 3, "a calculation, what speaks against it, and the end");
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_told_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| fs::write(folder.path().join("q.jsonl"), text).unwrap();
    for (text, arguments, wanted) in [
        (
            "{\"id\":\"a\"}\n",
            &["q.jsonl"][..],
            "q.jsonl cannot be used: line 1 cannot be read: missing field `question`",
        ),
        ("\n\n", &["q.jsonl"], "there is no question"),
        (
            "{\"id\":\"a\"}\n",
            &["q.jsonl", "--neutrality"],
            "line 1 cannot be read: missing field `proposition`",
        ),
        ("x\n", &["q.jsonl", "--citations"], "line 1 cannot be read: expected value (column 1)"),
        ("", &["nowhere.jsonl"], "nowhere.jsonl cannot be used: No such file"),
        ("", &["q.jsonl", "--methods", "oracle"], "a method is one of single, majority"),
    ] {
        file(text);
        let (code, _, noted) = eval(folder.path(), arguments, None).await;
        assert_eq!(code, Some(2), "{noted}");
        assert!(noted.contains(wanted), "{noted}");
    }
}

#[tokio::test]
async fn checks_are_told_by_their_false_alarms_and_misses() {
    let model = ModelServer::start().await;
    // One that sees a side taken wherever Con stands, and calls all that is cited supported by its page's first words.
    model.on(|call| {
        let inside = |name: &str| -> Option<String> {
            let begin = call.user.find(&format!("<{name}-"))?;
            let text = call.user[begin..].split_once(">\n")?.1;
            Some(text.split_once("\n</")?.0.to_owned())
        };
        Some(Answer::Json(match call.schema_name.as_deref()? {
            "neutrality_check" => {
                let takes = inside("passage")?.contains("Con");
                let words = if takes { "Con" } else { "" };
                json!({ "passages": [{ "passage": 1, "words": words, "takes_a_side": takes }] })
            }
            "grounding_check" => {
                let words: Vec<String> =
                    inside("page")?.split_whitespace().take(12).map(str::to_owned).collect();
                json!({ "verdicts": [{ "claim": 1, "quotation": words.join(" "), "verdict": "supported" }] })
            }
            _ => return None,
        }))
    });
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    let (code, told, _) = eval(folder.path(), &[&at("neutrality.jsonl"), "--neutrality"], Some(&model)).await;
    assert_eq!(code, Some(1), "{told}");
    assert_eq!(model.calls().len(), shipped("neutrality.jsonl").len());
    let row = |told: &str, name: &str| told.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    // The phrases withhold nothing that is neutral.
    assert!(row(&told, "phrases").contains("0/12 0 %"), "{told}");
    assert!(row(&told, "judge openai/cheap").contains("/12"), "{told}");
    let (code, told, _) = eval(folder.path(), &[&at("citations.jsonl"), "--citations"], Some(&model)).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("20 cited sentences") && row(&told, "not wholly supported").contains('/'),
        "{told}"
    );

    let (code, told, noted) = eval(folder.path(), &[&at("neutrality.jsonl"), "--neutrality"], None).await;
    assert!(
        code == Some(1) && noted.contains("No model is configured") && !told.contains("judge"),
        "{told}{noted}"
    );
}

/// How each of the shipped numbers is computed.
const COMPUTED: [(&str, &str); 12] = [
    ("notebook", "(230 - 200) / 2"),
    ("bakers", "7"),
    ("lilies", "let n = 4, d = 0;\nwhile (n < 2 ** 52) {\n  n *= 2;\n  d += 1;\n}\nd"),
    ("speed", "(2 / (1 / 60 + 1 / 40)).toFixed(6) * 1"),
    ("up-and-down", "100 - 100 * 1.25 * 0.75"),
    ("test", "Math.round(100 * (1 / 500) / (1 / 500 + 499 / 500 * 0.02))"),
    ("posts", "Array.from({ length: 121 }, (_, m) => m).filter(m => m % 5 === 0).length"),
    ("snail", "let h = 3, d = 1;\nwhile (h < 12) {\n  h = h - 2 + 3;\n  d += 1;\n}\nd"),
    ("cucumbers", "(200 * 0.01 / 0.02).toFixed(6) * 1"),
    ("clock", "15 / 5 * 11"),
    ("days", "(new Date('2025-05-17') - new Date('2025-03-03')) / 86400000 + 1"),
    ("discounts", "(100 - 100 * 0.7 * 0.8).toFixed(6) * 1"),
];

#[tokio::test]
async fn the_shipped_answers_are_right() {
    let questions: BTreeMap<String, Value> = shipped("questions.jsonl")
        .into_iter()
        .map(|question| (question["id"].as_str().unwrap().to_owned(), question))
        .collect();
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_eval").into());
    for (id, code) in COMPUTED {
        let value: f64 = sandbox.run(code).await.unwrap().value.unwrap().parse().unwrap();
        let answer: f64 = questions[id]["answer"][0].as_str().unwrap().parse().unwrap();
        assert!((value - answer).abs() < 1e-9, "{id}: {value}, not {answer}");
    }
    assert_eq!(questions.len(), 24);
    for question in questions.values().filter(|question| !question["facts"].is_null()) {
        let options = question["options"].as_array().unwrap();
        assert!(options.contains(&question["answer"][0]), "{question}");
        assert!(question["facts"].as_array().unwrap().len() >= 2, "{question}");
    }
}
