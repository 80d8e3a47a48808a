//! What the tests of debates share.

use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{Answer, Call, debate::say_in_paper},
};
pub use crate::support::{
    has,
    play::{asked_kind as asked, behind, closing, declined},
};

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

/// The usual synthesis with this sentence in its summary.
pub fn with_summary(call: &Call, sentence: &str) -> Answer {
    call.reply(|reply| say_in_paper(call, reply, sentence))
}

/// What a check says of the turn in which these words stand, changed; nothing of a request that is no such check.
pub fn judged(call: &Call, words: &str, change: impl FnOnce(&mut Value)) -> Option<Answer> {
    let turn = call.user.split("\nTurn ").skip(1).position(|turn| turn.contains(words))?;
    (call.kind() == "conduct_check").then(|| call.reply(|reply| change(&mut reply["turns"][turn])))
}

/// A quick debate.
pub fn quick() -> Value {
    json!({"preset": "quick"})
}

/// A debate through all its phases.
pub fn full() -> Value {
    json!({"preset": "full"})
}
