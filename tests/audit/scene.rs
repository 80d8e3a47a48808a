//! What the tests of audits share.

use playground::Id;
use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{Answer, Call},
    pages::{HOSTS, PageServer},
    play::{Part, read},
};

/// A stage whose modules each cite the first page that they are shown, and a server for those pages.
pub async fn scene() -> (Stage, PageServer) {
    let pages = PageServer::start().await;
    let mut stage = Stage::searching().await;
    stage.reach = pages.reach(&HOSTS);
    stage.model.on(|call| match call.part() {
        Part::Queries => Some(Answer::Json(json!({ "queries": [format!("{} figures", call.module())] }))),
        Part::First | Part::Revision => {
            let analysis =
                if call.user.contains("[1] ") { "So says this page [1]." } else { "Nobody knows." };
            Some(call.reply(|reply| reply["analysis"] = json!(analysis)))
        }
        Part::Synthesis => {
            let told = json!([{"answer": "All in all, so says this page [1].", "text": "That is all."}]);
            Some(call.reply(|reply| reply["anew"] = told))
        }
        Part::Grounding => Some(verdicts(call, "supported", "So says this page")),
        _ => None,
    });
    (stage, pages)
}

/// One verdict for every sentence of a request.
pub fn verdicts(call: &Call, verdict: &str, quotation: &str) -> Answer {
    let sentences = call.user.matches("\nSentence ").count();
    let all: Vec<Value> = (1..=sentences)
        .map(|claim| json!({"claim": claim, "quotation": quotation, "verdict": verdict}))
        .collect();
    Answer::Json(json!({ "verdicts": all }))
}

/// The audit's card.
pub async fn card(stage: &Stage, thread: Id) -> String {
    read(&stage.wait_for(thread, "🔬 Audit:").await)
}

pub fn cards(stage: &Stage, thread: Id) -> usize {
    stage.public(thread).iter().filter(|message| read(message).contains("🔬 Audit:")).count()
}

/// One word for every figure or name of a request.
pub fn judged(call: &Call, word: &str) -> Answer {
    let new = call.user.matches("\nNumber ").count();
    let all: Vec<Value> =
        (1..=new).map(|number| json!({"number": number, "basis": "nothing", "is": word})).collect();
    Answer::Json(json!({ "judged": all }))
}

/// A sentence with a figure that stands nowhere else.
pub const NEW: &str = "Rents rose by 73.4 % last year.";
