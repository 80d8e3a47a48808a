//! What the tests of critiques share: a document, and what was asked of whom about it.

use playground::{Id, ids::BEN};
use serde_json::{Value, json};

use crate::support::{
    Stage,
    model::{
        Answer, Call,
        critique::{claim, claims},
    },
};
pub use crate::support::{
    has, has_not,
    play::{asked_kind as asked, behind, closing, declined, is_private, read},
};

/// A short plan of three chapters, each of two paragraphs that are long enough to be looked into.
pub const PLAN: &str = "\
# Delivery in the town

## Demand

The survey of May reached four hundred households in the centre of the town. Every second one of them said that it \
would order a meal once a week or more often. The town has eighteen thousand households, so nine thousand of them \
will order every week from the first year on, which is the number that all later chapters of this plan rest upon.

Students make up a fifth of all who live here and leave the town in the summer months of each year. The plan takes \
the orders of a week in May for the orders of any week, because the restaurants have said that they are busy in \
summer too. No order was counted in any other month, and no other town of this size has been looked at so far.

## Costs

A rider completes three orders an hour and is paid fourteen euros for that hour, waiting included. The fee for each \
order is four euros, so each hour of a rider brings in twelve euros and the service pays for itself. The support \
desk is left out of this sum, because the restaurants will answer the telephone themselves on all days of the week.

The app costs eighty thousand euros once and nothing after that, since its makers have promised to keep it running. \
Servers are paid for by the fibre network of the town, which has room enough for all the traffic of such a service. \
Insurance for the riders is not needed, as all of them work on their own account and answer for themselves.

## Launch

The service starts in all districts on the same day, so that nobody feels left out of what the town has paid for. \
Two hundred riders are hired in the month before the start, which is possible because the pay is better than \
elsewhere. Should the orders stay below the plan, the council decides at some later time what is to be done then.

Complaints are answered within a day by whoever is free, and the number of complaints will show that all is well. \
The project counts as a success if those who use it are content with it, and everybody who is not content stops \
using it. The council will hear a report of this success at the end of the first year and then close the project.
";

/// Sentences that stand in the plan, one from each chapter.
pub const SURVEY: &str = "The survey of May reached four hundred households in the centre of the town.";
pub const FEE: &str = "The fee for each order is four euros, so each hour of a rider brings in twelve euros and the service pays for itself.";
pub const SUCCESS: &str = "The project counts as a success if those who use it are content with it, and everybody who is not content stops using it.";

/// Claims with no further look.
pub fn plain(sentence: &str) -> Value {
    let mut claim = claim(sentence);
    (claim["closer"], claim["closer_at"]) = ("".into(), json!([]));
    claim
}

/// A claim with other words than usual.
pub fn saying(sentence: &str, says: &str) -> Value {
    let mut claim = plain(sentence);
    claim["claim"] = says.into();
    claim
}

/// What is opened from a list of a card.
pub async fn opened(stage: &Stage, thread: Id, placeholder: &str, value: &str) -> String {
    let cards = stage.public(thread).into_iter();
    let card = cards.rev().find(|card| card.to_string().contains(placeholder));
    let card = card.unwrap_or_else(|| panic!("no list {placeholder:?} in\n{}", stage.read(thread)));
    let seen = stage.choose(BEN, thread, &card, placeholder, value).await;
    assert!(is_private(&seen, BEN), "{value}: {:?}", seen.messages);
    seen.messages.iter().map(read).collect()
}

/// A member's tree, whole.
pub async fn tree(stage: &Stage, thread: Id, member: &str) -> String {
    opened(stage, thread, "Open a tree, or how it came about…", &format!("whole critique/{member}")).await
}

/// A member's self-critique, whole.
pub async fn self_critique(stage: &Stage, thread: Id, member: &str) -> String {
    let list = "Open a self-critique, or how it came about…";
    opened(stage, thread, list, &format!("whole self-critique/{member}")).await
}

/// A finding, whole, with its buttons.
pub async fn finding(stage: &Stage, thread: Id, number: u8) -> Value {
    let panel = stage.message(thread, "🗂️ Triage");
    let all = panel["components"].as_array().unwrap().iter();
    let selects = all.flat_map(|row| row["components"].as_array().unwrap().clone());
    let value = format!("finding/{number}");
    let holds = |select: &Value| select["options"].to_string().contains(&format!("\"{value}\""));
    let select = selects.into_iter().find(holds).unwrap_or_else(|| panic!("no {value} on {panel}"));
    let seen = stage.choose(BEN, thread, &panel, select["placeholder"].as_str().unwrap(), &value).await;
    assert!(is_private(&seen, BEN), "{:?}", seen.messages);
    seen.messages.last().unwrap().clone()
}

/// The whole review, with each finding.
pub async fn whole_review(stage: &Stage, thread: Id) -> String {
    behind(stage, thread, "Review ·", "Whole review").await
}

/// How the review came about: what was compared and what was written.
pub async fn review_raw(stage: &Stage, thread: Id, messages: usize) -> String {
    stage.press_for((BEN, thread), &stage.message(thread, "Whole review"), "Raw output", messages).await
}

/// A member's embed on the message of a round.
pub fn embed(stage: &Stage, thread: Id, title: &str) -> String {
    let card = stage.message(thread, title);
    let of = card["embeds"].as_array().unwrap().iter().find(|embed| read(embed).contains(title));
    read(&json!({"embeds": [of.unwrap()]}))
}

/// The usual reply of this call but with these claims.
pub fn with(call: &Call, said: Vec<Value>) -> Answer {
    Answer::Json(claims(call, said))
}

/// The calls that grow trees.
pub fn growing(stage: &Stage) -> Vec<Call> {
    stage.model.calls().into_iter().filter(Call::is_growing).collect()
}

/// This deep.
pub fn depth(levels: u8) -> Value {
    // At deep effort two claims of each call are looked into.
    if levels == 3 { json!({"depth": levels, "effort": "deep"}) } else { json!({"depth": levels}) }
}
