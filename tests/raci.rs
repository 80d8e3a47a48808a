//! /mediate by a RACI matrix: who answers for what is laid down by rule, shown, and carries what modules cannot agree on.

use serde_json::json;

use crate::mediate::memo;
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Fault},
    play::{Part, asked},
    wait_for_end,
};

/// A stage whose mediator sees one conflict between Market and Cost, about that side; `silent` can answer in no way.
async fn stage((area, carries): (&'static str, &'static str), silent: &'static str) -> Stage {
    let stage = Stage::start().await;
    stage.model.on(move |call| match call.part() {
        Part::Synthesis => Some(call.reply(|reply| {
            reply["conflicts"] = json!([{
                "modules": ["market", "cost"], "topic": "The fee", "description": "Three or five.",
                "settles": "A trial.", "severity": "high", "area": area, "carries": carries,
            }]);
        })),
        Part::First | Part::Revision | Part::Simpler if call.module() == silent => {
            Some(Answer::Fault(Fault::BadRequest("no".to_owned())))
        }
        _ => None,
    });
    stage
}

const FIVE: (&str, &str) = ("cost", "Below five each order loses money.");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_answers_for_what_is_told_shown_and_kept_and_carries_a_conflict() {
    let stage = stage(FIVE, "").await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"raci": true, "modules": "market cost risk legal"})).await;
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    has(
        &asked(&stage, Part::Synthesis)[0].user,
        &["funding): cost is accountable; responsible: market; consulted: risk; informed: legal"],
    );
    has(
        &memo(&stage, thread),
        &[
            "Open between the specialists · 1",
            "Who answers for what (RACI)",
            "Cost: **A** Cost · **R** Market · **C** Risk · **I** the others",
            "**Cost** answers for this, so its position carries: Below five each order loses money.",
        ],
    );
    // Whoever scores knows whose position carries.
    for call in asked(&stage, Part::Scoring) {
        has(&call.text(), &["  - Belongs to: cost\n  - Carries: Below five each order loses money."]);
    }
    let kept = "SELECT count(*) FROM step WHERE key = 'raci' AND state = 'done'";
    assert_eq!(stage.number(kept).await, 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_it_is_there_unless_it_is_wanted() {
    let stage = stage(FIVE, "").await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    has_not(&asked(&stage, Part::Synthesis)[0].text(), &["accountable"]);
    for call in asked(&stage, Part::Scoring) {
        has_not(&call.text(), &["Belongs to:", "Carries:"]);
    }
    has_not(&stage.read(thread), &["RACI", "answers for this"]);
    assert_eq!(stage.number("SELECT count(*) FROM step WHERE key = 'raci'").await, 0);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_module_is_silent_its_relative_answers_and_where_nobody_holds_anything_it_stays_open() {
    let stage = stage(("risk", "nothing"), "risk").await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"raci": true})).await;
    wait_for_end(&stage, thread).await;
    has(
        &memo(&stage, thread),
        &["Risk (silent): **A** Cost", "**Cost** answers for this and holds nothing on it; it stays open."],
    );
    bot.kill().await;
}
