//! What models write, over the wire: a reader's private letters and what a module says of its own changes never reach
//! people as they are.

use crate::support::{
    Stage, has, has_not,
    play::{Part, read},
    wait_for_end,
};
use playground::ids::{ADA, BEN, BOT, DECISIONS};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_readers_letters_become_names() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        Part::Revision => Some(call.reply(|reply| {
            reply["analysis"] = "Analysis A holds. Analyses A and B agree on rent.".into();
            reply["key_points"] = json!(["Analysis B overlooks the rent.", "The bridge is narrow."]);
            reply["revised"] = "Analysis A persuaded me.".into();
        })),
        Part::Synthesis => Some(call.reply(|reply| {
            reply["summary"] = "As analysis B says, rent decides.".into();
        })),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    has_not(&stage.read(thread), &["nalysis A", "nalysis B", "nalyses A"]);
    let card = read(&stage.message(thread, "Risk · round 2"));
    let named =
        ["Market", "Cost"].iter().filter(|name| card.contains(&format!("{name} persuaded me."))).count();
    assert_eq!(named, 1, "{card}");
    // Whoever stood behind the letters, the first is not the second.
    let second = if card.contains("Market persuaded me.") { "Cost" } else { "Market" };
    has(&card, &[&format!("{second} overlooks the rent.")]);
    has(&read(&stage.message(thread, "Synthesis")), &["As another analysis says"]);
    for call in stage.model.calls().iter().filter(|call| call.part() == Part::Synthesis) {
        has_not(&call.user, &["Analysis A", "Analysis B"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_is_compared_beside_what_the_module_says() {
    let stage = Stage::start().await;
    stage.model.on(|call| match (call.part(), call.module().as_str()) {
        (Part::First, _) => Some(call.reply(|reply| {
            reply["key_points"] = json!(["The bridge is too narrow.", "Rent rises in May."]);
        })),
        (Part::Revision, module) => {
            let module = module.to_owned();
            Some(call.reply(|reply| {
                reply["key_points"] = match module.as_str() {
                    "risk" => json!(["Rent rises in May.", "The bridge is too narrow."]),
                    _ => json!(["Rent rises in May.", "Two riders are ill.", "Nobody asked the baker."]),
                };
                reply["revised"] = if module == "cost" { "Riders.".into() } else { json!(null) };
            }))
        }
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = |title: &str| read(&stage.message(thread, title));
    has(&card("Risk · round 2"), &["**Stands by round 1:** its points are the same."]);
    has_not(&card("Risk · round 2"), &["New:"]);
    let compared = "2 of its 3 points are new.\nDropped: ~~The bridge is too narrow.~~";
    has(
        &card("Market · round 2"),
        &["**Stands by round 1**, as it says itself, but:", compared, "🆕 **New:** Two riders are ill."],
    );
    has(&card("Cost · round 2"), &["**Revised:** Riders.", compared]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_servers_language_wins_in_every_call_and_no_prompt_takes_it_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.told(ADA, DECISIONS, "settings answers", json!({ "language": "German" })).await;
    for command in ["mediate", "roundtable"] {
        let thread = match command {
            "mediate" => stage.mediate(json!({})).await,
            _ => stage.roundtable(json!({})).await,
        };
        wait_for_end(&stage, thread).await;
        stage.discord.client().say(BEN, thread, &format!("<@{BOT}> what does it cost?")).unwrap();
        stage.wait_for(thread, "what does it cost?").await;
    }
    stage.model.wait_calls(2, |call| call.part() == Part::FollowUp).await;
    for call in stage.model.calls() {
        // A check writes no text that anybody reads.
        if matches!(call.part(), Part::Duplicates | Part::Said) {
            continue;
        }
        has(&call.text(), &["Language of every reply: German", "in the language that the material names"]);
        has_not(&call.text(), &["in its own language", "that of the question", "or statistic"]);
        has(&call.system, &["from memory, unverified"]);
    }
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sources_go_in_any_language_and_prose_stays() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.part() == Part::First).then(|| {
            call.reply(|reply| {
                reply["analysis"] = "Der Markt ist klein [Quelle 1].\n\nReference: the lease of 2019 sets the rent.\n\n                    Germany has 84 million people (from memory, unverified).\nQuellen: Statistisches Amt 2021"
                    .into();
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    has(&end, &["because nothing was searched"]);
    for call in stage.model.calls().iter().filter(|call| call.part() == Part::Revision) {
        has(&call.user, &["Reference: the lease of 2019", "84 million people (from memory, unverified)."]);
        has_not(&call.user, &["Quellen:", "[Quelle 1]"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}
