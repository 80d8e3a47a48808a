//! An audit is paid from the session's budget, and what that does not reach for is said to be unjudged.

use playground::ids::{ADA, BEN};
use serde_json::json;

use super::scene::{NEW, card, cards, judged, scene, verdicts};
use crate::support::{
    files::said,
    has, has_not,
    model::Answer,
    play::{Part, asked, read},
    until, wait_for_end,
};

/// Calls of a mediation of three who search: queries, a search and words in each of two rounds, three drafts, their
/// checks, the memo, points.
const MEDIATION: i64 = 3 * 3 * 2 + 5 + 3 + 1 + 3;
/// Calls that are left for the audit.
const LEFT: i64 = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_that_runs_out_in_the_middle_leaves_what_was_judged_and_says_what_was_not() {
    let (mut stage, _pages) = scene().await;
    stage.settings.budgets.session.calls = MEDIATION + LEFT;
    stage.model.on(|call| match call.part() {
        Part::Queries => Some(Answer::Json(json!({ "queries": [format!("{} figures", call.module())] }))),
        // Each speech cites another page, and says something that is new in round 2.
        Part::First => Some(call.reply(|reply| reply["analysis"] = json!("So says this page [1]."))),
        Part::Revision => {
            Some(call.reply(|reply| reply["analysis"] = json!(format!("So says this page [1]. {NEW}"))))
        }
        Part::Grounding => Some(verdicts(call, "supported", "So says this page")),
        Part::Facts => Some(judged(call, "new")),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    wait_for_end(&stage, thread).await;
    let used = "SELECT calls_used FROM account WHERE scope = 'session'";
    assert_eq!(stage.number(used).await, MEDIATION, "the rest is for the audit");
    stage.wait_card(thread, "[Audit]").await;
    has(&said(&stage.press_card(BEN, thread, "Audit").await, BEN), &["The audit is under way"]);
    let audit = card(&stage, thread).await;
    let judged = asked(&stage, Part::Grounding).len() + asked(&stage, Part::Facts).len();
    assert_eq!(i64::try_from(judged).unwrap(), LEFT, "as many as are paid");
    has(&audit, &["100 of 100", "SUPPORTED", "unchecked", "not judged: the session's budget is used up"]);
    has_not(&audit, &["UNSUPPORTED", "A figure appears", "A fact appears"]);
    assert_eq!(stage.number(used).await, MEDIATION + LEFT);
    // The session has ended as it had, and its card says so.
    has(&read(&stage.card(thread)), &["Done"]);
    has_not(&read(&stage.card(thread)), &["Paused"]);

    // With nothing left the pages are looked at all the same.
    has(&stage.told(ADA, thread, "audit", json!({"again": true})).await, &["The audit is under way"]);
    until(|| cards(&stage, thread) == 2, || stage.read(thread)).await;
    let audits = stage.public(thread);
    let last = audits.iter().rev().map(read).find(|text| text.contains("🔬 Audit:")).unwrap();
    has(&last, &["3. Pages reachable", "the session's budget is used up", "no model compared anything"]);
    has_not(&last, &["🟢"]);
    assert_eq!(asked(&stage, Part::Grounding).len() + asked(&stage, Part::Facts).len(), judged);
    stage.nothing_amiss();
    bot.kill().await;
}
