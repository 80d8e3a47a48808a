//! The paper that people vote by: drafted beside the closings by models that hear nobody, made one, read by both sides and by one
//! without a side, mended by the moderator.

use serde_json::json;

use crate::{
    debate::scene::{asked, has, quick},
    support::{Stage, has_not, model::Answer, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_paper_is_drafted_beside_the_closings_made_one_and_mended_by_what_its_readers_object() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.kind() {
        "first_answer" if call.user.contains("Draft A:") => Some(call.reply(|reply| {
            reply["text"] = format!("MERGED-1 begins. {}", reply["text"].as_str().unwrap()).into();
        })),
        "first_answer" => {
            Some(call.reply(|reply| {
                reply["text"] = format!("PAPER-{} begins. {}", call.n, reply["text"].as_str().unwrap()).into();
            }))
        }
        "drafts_check" => Some(call.reply(|reply| {
            let side =
                ["Pro", "Con"].into_iter().find(|side| call.user.contains(&format!("you were {side}")));
            let side = side.unwrap_or("Neither");
            for read in reply["read"].as_array_mut().unwrap() {
                read["wrong"] = format!("WRONG-SAYS-{side}.").into();
            }
        })),
        "debate_synthesis" => Some(call.reply(|reply| {
            let paper = &call.user[call.user.find("MERGED-").unwrap()..][.."MERGED-1".len()];
            reply["edits"] = json!([{"objection": 1, "stands": format!("{paper} begins."), "becomes": "MENDED it begins."}]);
        })),
        _ => None,
    });
    stage.model.hold(|call| call.kind() == "first_answer");
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    stage.wait_for(thread, "🔶 Con · closing").await;
    assert_eq!((asked(&stage, "first_answer").len(), asked(&stage, "drafts_check").len()), (5, 0));
    stage.model.let_go();
    has(&wait_for_end(&stage, thread).await, &["Nothing was degraded"]);
    let papers = asked(&stage, "first_answer");
    for paper in &papers {
        has_not(&paper.text(), &["The complete debate"]);
    }
    let [.., merged] = &papers[..] else { panic!("five papers, and one made of them") };
    has(&merged.user, &["PAPER-1", "PAPER-2", "PAPER-3", "PAPER-4", "PAPER-5"]);
    let read = asked(&stage, "drafts_check");
    assert_eq!(read.len(), 3, "both sides, and one without a side");
    for check in &read {
        has(&check.text(), &["The complete debate", "MERGED-1"]);
        has_not(&check.text(), &["PAPER-"]);
    }
    let [synthesis] = &asked(&stage, "debate_synthesis")[..] else { panic!("one synthesis") };
    has(
        &synthesis.user,
        &[
            "MERGED-1",
            "Objection 1, from Pro:",
            "WRONG-SAYS-Pro",
            "Objection 2, from Con:",
            "WRONG-SAYS-Con",
            "Objection 3, from Neutral reader:",
            "WRONG-SAYS-Neither",
        ],
    );
    has_not(&stage.read(thread), &["PAPER-", "MERGED-", "WRONG-SAYS"]);
    has(&stage.read(thread), &["MENDED it begins."]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// Five papers are better than none: where nobody makes them one, the readers have them all, and it is said.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_makes_the_papers_one_the_best_of_them_goes_on() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let merges = call.kind() == "first_answer" && call.user.contains("Draft A:");
        merges.then(|| Answer::Text("I would rather not.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    has(&wait_for_end(&stage, thread).await, &["Nobody made one of the drafts of the synthesis"]);
    let read = asked(&stage, "drafts_check");
    assert!(read.iter().all(|check| check.text().contains("\nE:\n")), "each reads all five");
    stage.nothing_amiss();
    bot.kill().await;
}
