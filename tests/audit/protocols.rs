//! Sessions of other protocols than /mediate: what is new in them that nobody had before, and what they cite.

use playground::{Id, ids::BEN};
use serde_json::json;

use super::scene::{NEW, card, judged};
use crate::{
    critique::scene::PLAN,
    support::{
        Stage, has, has_not,
        model::{Answer, Call, default_reply},
        wait_for_end,
    },
};

/// A stage on which a reply of this kind says something that stands nowhere else, in a field of it; a model judges all
/// that is new by this word.
async fn stage(kind: &'static str, field: &'static str, word: &'static str) -> Stage {
    let stage = Stage::start().await;
    stage.model.on(move |call| {
        if call.kind() == "facts_check" {
            return Some(judged(call, word));
        }
        (call.kind() == kind).then(|| {
            let mut reply = default_reply(call);
            let text = reply.pointer_mut(field).unwrap_or_else(|| panic!("no {field} in {kind}"));
            *text = json!(format!("{} {NEW}", text.as_str().unwrap()));
            Answer::Json(reply)
        })
    });
    stage
}

/// Audits a session that has ended; gives the card.
async fn audited(stage: &Stage, thread: Id) -> String {
    wait_for_end(stage, thread).await;
    stage.wait_card(thread, "[Audit]").await;
    stage.press_card(BEN, thread, "Audit").await;
    card(stage, thread).await
}

fn facts(stage: &Stage) -> Vec<Call> {
    stage.model.calls().into_iter().filter(|call| call.kind() == "facts_check").collect()
}

async fn started(stage: &Stage, protocol: &str) -> Id {
    match protocol {
        "roundtable" => stage.roundtable(json!({"experts": 2})).await,
        "debate" => stage.debate(json!({"preset": "quick"})).await,
        _ => stage.critique("plan.md", PLAN, json!({"depth": 1})).await,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_had_before_is_found_in_a_roundtable_a_debate_and_a_critique() {
    for (protocol, kind, field, by) in [
        ("roundtable", "module_revision", "/analysis", "round 2"),
        ("debate", "turn_rebuttal", "/points/0/even_if", "Con · rebuttal, round 2"),
        ("critique", "critique_self", "/reflection", "Kant, round 2"),
    ] {
        let stage = stage(kind, field, "new").await;
        let bot = stage.bot().await;
        let thread = started(&stage, protocol).await;
        let audit = audited(&stage, thread).await;
        has(&audit, &["A fact appears that nobody had before", "73.4 %", by]);
        has_not(&audit, &["2. Citations:** nothing to look at", "cited though", "leads to no source"]);
        assert!(facts(&stage).iter().any(|call| call.user.contains("73.4 %")), "{protocol}");
        stage.nothing_amiss();
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_at_first_or_follows_is_no_fault_in_any_protocol() {
    for (protocol, kind, field, word) in [
        // Of the first turns everything is new.
        ("roundtable", "module_analysis", "/analysis", "follows"),
        ("debate", "turn_case", "/position", "follows"),
        ("critique", "critique_self", "/reflection", "follows"),
    ] {
        let stage = stage(kind, field, word).await;
        let bot = stage.bot().await;
        let thread = started(&stage, protocol).await;
        let audit = audited(&stage, thread).await;
        has(&audit, &["100 of 100", "Nothing was found"]);
        let looked_at = facts(&stage);
        let new = |call: &Call| call.user.rsplit_once("Later this was said.").unwrap().1.contains("73.4 %");
        assert_eq!(looked_at.iter().any(new), protocol == "critique", "{protocol}");
        bot.kill().await;
    }
}
