//! What the tests of debates share.

use quorum::playground::{Id, ids::BEN};
use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{Answer, Call},
    play::{is_private, read},
};
pub use crate::support::{has, play::asked_kind as asked};

/// A sentence that no other text has in it, and that takes a side.
pub const BIASED: &str = "Pro clearly has the stronger argument about violet zeppelins.";

/// The advocates' turns of a full debate, as they are asked for: kind of request and side.
pub fn turns(stage: &Stage) -> Vec<(String, &'static str)> {
    let calls = stage.model.calls().into_iter().filter(|call| call.kind().starts_with("turn_"));
    calls.map(|call| (call.kind().to_owned(), call.side().unwrap())).collect()
}

/// The calls that asked this of a side.
pub fn asked_of(stage: &Stage, kind: &str, side: &str) -> Vec<Call> {
    stage.model.calls().into_iter().filter(|call| call.is_turn(kind, side)).collect()
}

/// Whether these stand in the text in this order.
pub fn in_order(text: &str, phrases: &[&str]) {
    let mut rest = text;
    for phrase in phrases {
        let Some((_, after)) = rest.split_once(phrase) else {
            panic!("{phrase:?} does not follow in\n{text}");
        };
        rest = after;
    }
}

pub fn declined() -> Answer {
    Answer::Refusal("I would rather not.".to_owned())
}

/// What BEN is shown when he presses a button of the card with this title.
pub async fn behind(stage: &Stage, thread: Id, card: &str, button: &str) -> String {
    let seen = stage.press(BEN, thread, &stage.message(thread, card), button).await;
    assert!(is_private(&seen, BEN), "{card}, {button}: {:?}", seen.messages);
    let mut shown: String = seen.messages.iter().map(read).collect();
    for message in &seen.messages {
        for file in message["attachments"].as_array().unwrap() {
            let file = reqwest::get(file["url"].as_str().unwrap()).await.unwrap();
            shown.push_str(&String::from_utf8_lossy(&file.bytes().await.unwrap()));
        }
    }
    shown
}

/// The last line.
pub fn closing(stage: &Stage, thread: Id) -> String {
    read(&stage.message(thread, "egraded"))
}

/// The usual synthesis with this sentence in its summary.
pub fn with_summary(call: &Call, sentence: &str) -> Answer {
    call.reply(|reply| {
        let summary = format!("{} {sentence}", reply["executive_summary"].as_str().unwrap());
        reply["executive_summary"] = summary.into();
    })
}

/// A quick debate.
pub fn quick() -> Value {
    json!({"preset": "quick"})
}
