//! What models write, over the wire: a reader's private letters and what a module says of its own changes never reach
//! people as they are.

use crate::{
    mediate::{memo, seat},
    search::whole,
    support::{
        Stage, has, has_not,
        play::{Part, asked},
        wait_for_end,
    },
};
use playground::ids::{ADA, BEN, BOT, DECISIONS};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_readers_letters_become_names() {
    let stage = Stage::start().await;
    stage.model.on(|call| match call.part() {
        Part::Revision => Some(call.reply(|reply| {
            reply["analysis"] = "Analysis A holds. Analyses A and B agree on rent.".into();
            reply["responses"] = json!([{
                "of": "A", "finding": "Analysis B overlooks the rent.", "verdict": "in_part",
                "because": "The bridge is narrow.", "effect": "nothing",
            }]);
            reply["revised"] = "Analysis A persuaded me.".into();
        })),
        Part::Synthesis => Some(call.reply(|reply| {
            reply["anew"] = json!([{"answer": "As analysis B says, rent decides.", "text": "It is so."}]);
        })),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    has_not(&stage.read(thread), &["nalysis A", "nalysis B", "nalyses A"]);
    let card = seat(&stage, thread, "Risk · round 2");
    let named =
        ["Market", "Cost"].iter().filter(|name| card.contains(&format!("{name} persuaded me."))).count();
    assert_eq!(named, 1, "{card}");
    // Whoever stood behind the letters, the first is not the second.
    let market = card.contains("Market persuaded me.");
    let (first, second) = if market { ("Market", "Cost") } else { ("Cost", "Market") };
    let text = whole(&stage, thread, "Risk · round 2", "Risk").await;
    has(&text, &[&format!("{second} overlooks the rent."), first]);
    has_not(&text, &["nalysis A", "nalysis B", "nalyses A"]);
    has(&memo(&stage, thread), &["As another analysis says"]);
    // Whose finding is answered is a name too, for whoever reads it after the round.
    let answered = format!("- {first}\n  - Finding: {second} overlooks the rent.");
    has(&asked(&stage, Part::Synthesis)[0].user, &[&answered]);
    for part in [Part::Check, Part::Synthesis, Part::Scoring] {
        let calls = asked(&stage, part);
        assert!(!calls.is_empty(), "{part:?}");
        for call in calls {
            has_not(&call.user, &["Analysis A", "Analysis B"]);
        }
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_is_compared_beside_what_the_module_says() {
    let stage = Stage::start().await;
    let position =
        |option: &str, success: u8| json!({"option": option, "success": success, "crux": "The bridge."});
    stage.model.on(move |call| match call.part() {
        Part::First => Some(call.reply(|reply| reply["position"] = position("Open one shop", 40))),
        Part::Revision => Some(call.reply(|reply| {
            let (now, why) = match call.module().as_str() {
                // The same in other letters.
                "risk" => (position("open one shop.", 40), json!(null)),
                "market" => (position("Open two shops", 55), json!(null)),
                "cost" => (position("Open one shop", 30), json!("Riders cost more.")),
                _ => (position("Open no shop", 40), json!("The bridge closes.")),
            };
            reply["position"] = now;
            reply["revised"] = why;
        })),
        _ => None,
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"modules": "market cost risk tech"})).await;
    wait_for_end(&stage, thread).await;
    let card = |title: &str| seat(&stage, thread, title);
    has(&card("Cost · round 1"), &["**Would:** Open one shop · **40 %**", "Would change it: The bridge."]);
    has_not(&card("Cost · round 1"), &["Another choice", "→", "Stands by it"]);
    let stands = card("Risk · round 2");
    has(&stands, &["**Would:** open one shop. · **40 %**", "Stands by it."]);
    has_not(&stands, &["→", "Another choice", "Changed:"]);
    // It says itself that nothing moved it; what moved is compared all the same.
    let silent = card("Market · round 2");
    has(&silent, &["**Would:** Open two shops · **55 %**", "40 → 55 %."]);
    has_not(&silent, &["Stands by it", "Changed:"]);
    let said = card("Cost · round 2");
    has(&said, &["**Would:** Open one shop · **30 %**", "40 → 30 %: Riders cost more."]);
    has_not(&said, &["Another choice", "Stands by it"]);
    let turned = card("Technology · round 2");
    has(&turned, &["**Would:** Open no shop · **40 %**", "Another choice: The bridge closes."]);
    has_not(&turned, &["→", "Stands by it"]);
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
        if call.part() == Part::Duplicates {
            continue;
        }
        let named = match call.part() {
            Part::Gatekeeper => "Language of your reply: German",
            Part::Question => "Language of the sentence: German",
            _ => "Language of every reply: German",
        };
        has(&call.text(), &[named, "in the language that the material names"]);
        has_not(&call.text(), &["in its own language", "that of the question", "or statistic"]);
        has(&call.system, &["(from memory)"]);
        has_not(&call.text(), &["unverified"]);
    }
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sources_go_in_any_language_and_prose_stays() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.part() == Part::First).then(|| {
            call.reply(|reply| {
                reply["analysis"] = "Der Markt ist klein [Quelle 1].\n\nReference: the lease of 2019 sets the rent.\n\n                    Germany has 84 million people (from memory).\nQuellen: Statistisches Amt 2021"
                    .into();
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    let end = wait_for_end(&stage, thread).await;
    has(&end, &["because nothing was searched"]);
    for call in asked(&stage, Part::Revision).iter().chain(&asked(&stage, Part::Synthesis)) {
        has(&call.user, &["Reference: the lease of 2019", "84 million people (from memory)."]);
        has_not(&call.user, &["Quellen:", "[Quelle 1]"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}
