//! /roundtable over the wire: what is its own beside the table that it shares with /mediate, from the command to the
//! closing line, and what becomes of it when a model fails at any place.

use std::collections::BTreeSet;

use crate::mediate::{memo, seat};
use crate::search::whole;
use crate::support::{
    Stage, has, has_not,
    model::{Answer, Call},
    play::{PROBLEM, Part, asked, behind, closing, declined, read},
    wait_for_end,
};
use playground::ids::{ADA, BEN, DECISIONS};
use serde_json::json;

/// Roles no other text has in it.
const ROLES: [&str; 5] = ["Beekeeper", "Locksmith", "Cartographer", "Violinist", "Glazier"];

/// What the experts at these places say, and a gatekeeper that proposes them.
fn table(call: &Call) -> Option<Answer> {
    let place = |call: &Call| ROLES.iter().position(|role| *role == call.role()).unwrap();
    let plan = |call: &Call| {
        let plans =
            ["hives on every roof", "new locks for the depot", "maps for each rider", "music", "windows"];
        format!("Buy {}", plans[place(call)])
    };
    let position =
        |call: &Call| json!({"option": plan(call), "success": 60, "crux": "The only bridge closes."});
    Some(match call.part() {
        Part::Gatekeeper => call.reply(|reply| {
            reply["restated_problem"] = "RESTATED: app or no app, by June?".into();
            reply["open_points"] = json!(["Who pays for the riders?"]);
            for (role, name) in reply["roles"].as_array_mut().unwrap().iter_mut().zip(ROLES) {
                role["role_name"] = name.into();
                role["role_mission"] =
                    format!("Look for what a master of {} crafts would.", name.len()).into();
            }
        }),
        Part::First => call.reply(|reply| {
            reply["analysis"] = format!("Say two sums. WHOLE-TEXT-{}", place(call)).into();
            reply["position"] = position(call);
            reply["summary"] = format!("{} at once.", plan(call)).into();
        }),
        Part::Revision => call.reply(|reply| {
            reply["analysis"] = format!("Analysis A holds. LAST-TEXT-{}", place(call)).into();
            reply["responses"] = json!([{
                "of": "A", "finding": "Analysis A counts the riders.", "verdict": "holds",
                "because": "So it is.", "effect": "nothing",
            }]);
            reply["position"] = position(call);
            reply["summary"] = format!("{} all the same.", plan(call)).into();
            reply["revised"] = "Analysis A persuaded me.".into();
        }),
        _ => return None,
    })
}

/// The table, but for what `script` answers otherwise.
fn but(
    script: impl Fn(&Call) -> Option<Answer> + Send + Sync,
) -> impl Fn(&Call) -> Option<Answer> + Send + Sync {
    move |call| script(call).or_else(|| table(call))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_roundtable_runs_from_the_command_to_the_closing_line() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "anthropic/beta"]);
    stage.model.on(table);
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({"experts": 3})).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    has(&shown, &["Who pays for the riders?", "No objection: Beekeeper; Locksmith; Cartographer."]);
    has(&shown, &["Nothing was degraded"]);
    has_not(&shown, &["WHOLE-TEXT", "LAST-TEXT", "All seats are one model"]);
    for role in &ROLES[..3] {
        for round in ["1", "2"] {
            assert_eq!(shown.matches(&format!("{role} · round {round}")).count(), 1, "{role} {round}");
        }
    }
    let places = [
        "Only you can say",
        "Cartographer · round 1",
        "Beekeeper · round 2",
        "🔍 The draft was checked",
        "🧩 Do this",
        "📊 The experts' points",
        "[Spread 10 points]",
    ];
    assert!(places.map(|place| shown.find(place).unwrap()).is_sorted(), "{shown}");

    let parts = [
        (Part::Gatekeeper, 1),
        (Part::Question, 1),
        (Part::First, 3),
        (Part::Revision, 3),
        (Part::FirstAnswer, 5),
        (Part::Check, 3),
        (Part::Synthesis, 1),
        (Part::Scoring, 3),
    ];
    for (part, calls) in parts {
        assert_eq!(asked(&stage, part).len(), calls, "{part:?}");
    }
    let calls = stage.model.calls();
    assert_eq!(calls.len(), 20);
    for call in &calls {
        let (text, part) = (call.text(), call.part());
        // Of what was confirmed the sentence above the vote is made.
        assert_eq!(text.contains(PROBLEM), part != Part::Question, "{part:?}");
        assert_eq!(text.contains("RESTATED"), part != Part::Gatekeeper, "{part:?}");
    }
    let models: BTreeSet<_> = asked(&stage, Part::First).iter().map(|call| call.model.clone()).collect();
    assert_eq!(models.len(), 2, "the panel mixes models");
    has(&stage.wait_card(thread, "Done").await, &["20 of 120 calls"]);
    let picture = stage.message(thread, "📊 The experts' points")["attachments"][0]["filename"].clone();
    assert_eq!(picture, "points.png");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_see_no_names_each_in_an_order_of_its_own_and_people_see_names() {
    let stage = Stage::start().await;
    stage.model.on(table);
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({"experts": 5})).await;
    wait_for_end(&stage, thread).await;
    let second = asked(&stage, Part::Revision);
    assert_eq!(second.len(), 5);
    let mut orders = BTreeSet::new();
    for call in &second {
        let own = ROLES.iter().position(|role| *role == call.role()).unwrap();
        let (_, peers) = call.user.split_once("What the others at the table wrote in round 1").unwrap();
        let (peers, _) = peers.split_once("Task: round 2.").unwrap();
        has(peers, &["Analysis A:\n<peer-", "Analysis D:\n<peer-"]);
        has_not(peers, &ROLES);
        let at = |place: usize| peers.find(&format!("WHOLE-TEXT-{place}"));
        assert_eq!(at(own), None, "nobody answers itself");
        let mut order: Vec<usize> = (0..5).filter(|place| *place != own).collect();
        order.sort_by_key(|place| at(*place).unwrap());
        // Whose the letter was stands on its card.
        let card = seat(&stage, thread, &format!("{} · round 2", ROLES[own]));
        has(&card, &[&format!("Changed: {} persuaded me.", ROLES[order[0]])]);
        // As places among the others, for each leaves out another one.
        orders.insert(order.iter().map(|place| place - usize::from(*place > own)).collect::<Vec<_>>());
    }
    assert!(orders.len() > 1, "the orders differ");
    // Whoever weighs all of it is told whose it is; whoever checks and scores has of the others the memo alone.
    let draft = &asked(&stage, Part::Synthesis)[0].user;
    has(draft, &["Glazier, round 1, alone:", "Beekeeper, round 2, after reading the others:"]);
    for call in [asked(&stage, Part::Check), asked(&stage, Part::Scoring)].concat() {
        for (place, role) in ROLES.iter().enumerate() {
            let found = call.user.contains(&format!("LAST-TEXT-{place}"));
            assert_eq!(found, call.role() == *role, "{role} in {:?} of {}", call.part(), call.role());
        }
    }
    // Behind a card names too; in the raw reply the letters, as they came.
    let card = "Beekeeper · round 2";
    let text = whole(&stage, thread, card, "Beekeeper").await;
    has(&text, &[card, "LAST-TEXT-0", " counts the riders."]);
    has_not(&text, &["Analysis A"]);
    has(&whole(&stage, thread, "Glazier · round 1", "Glazier").await, &["WHOLE-TEXT-4"]);
    let raw = behind(&stage, thread, card, "Raw · Beekeeper").await;
    has(&raw, &["round-2/made-1", "Analysis A counts the riders."]);
    for title in ["The draft was checked", "[Whole memo]", "📊 The experts' points"] {
        has_not(&behind(&stage, thread, title, "Raw output").await, &["nothing stored"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_gatekeeper_stock_roles_take_the_table() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::Gatekeeper).then(declined));
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({})).await;
    wait_for_end(&stage, thread).await;
    has(&stage.read(thread), &["Pragmatic operator · round 1", "Critical sceptic · round 2"]);
    has(&closing(&stage, thread), &["The gatekeeper could not answer, so stock roles"]);
    for call in asked(&stage, Part::First) {
        assert_eq!(call.system.matches(PROBLEM).count(), 1, "nobody restated it: {}", call.system);
        has_not(&call.system, &["The problem in other words"]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roles_that_are_none_are_asked_for_again_and_then_filled_in() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.part() == Part::Gatekeeper).then(|| {
            call.reply(|reply| {
                reply["roles"][0] = json!({"role_name": "Baker", "role_mission": "Bread."});
                reply["roles"][1] = json!({"role_name": " baker ", "role_mission": "Rolls."});
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({})).await;
    wait_for_end(&stage, thread).await;
    let gatekeeper = asked(&stage, Part::Gatekeeper);
    assert_eq!(gatekeeper.len(), 2, "one repair turn");
    has(&gatekeeper[1].user, &["`roles` needs 2 experts, each with a name of its own"]);
    has(&stage.read(thread), &["Baker · round 1", "Pragmatic operator · round 1"]);
    has(&closing(&stage, thread), &["The gatekeeper proposed too few roles"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expert_that_fails_is_stood_in_for_or_spoken_for_or_named_missing_and_the_others_go_on() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    // Beta plays the beekeeper, whom alpha cannot; nobody plays the other two, and nobody speaks for the cartographer.
    stage.model.on(but(|call| {
        let silent = match call.part() {
            Part::First if call.model == "alpha" => 0..3,
            Part::First | Part::Simpler => 1..3,
            Part::Addendum => 2..3,
            _ => return None,
        };
        ROLES[silent].contains(&call.role().as_str()).then(declined)
    }));
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({"experts": 4})).await;
    wait_for_end(&stage, thread).await;
    let of = |part| asked(&stage, part).iter().filter(|call| call.role() == "Cartographer").count();
    assert_eq!([Part::First, Part::Simpler, Part::Addendum].map(of), [2, 1, 1], "every way was tried");
    let card = |title: &str| seat(&stage, thread, title);
    has(&card("Beekeeper · round 1"), &["Answered by beta", "⚠️ Degraded"]);
    has(&card("Locksmith · round 1"), &["Locksmith · round 1 · spoken for by Beekeeper", "⚠️ Degraded"]);
    has(&card("Cartographer · round 1"), &["❌ **No answer.**", "the model declined to answer"]);
    for role in &ROLES[..4] {
        has(&card(&format!("{role} · round 2")), &["**Would:** Buy "]);
    }
    has(
        &asked(&stage, Part::Synthesis)[0].user,
        &[
            "Beekeeper, round 1: another model than the one chosen answered",
            "Locksmith, round 1: could not answer; Beekeeper spoke for its concerns.",
            "Cartographer, round 1: could not answer, and nobody spoke for its concerns.",
        ],
    );
    has(&memo(&stage, thread), &["Thin or missing views"]);
    has(
        &closing(&stage, thread),
        &[
            "Beekeeper was answered by openai/beta in round 1",
            "Locksmith's side was taken over by Beekeeper in round 1",
            "Cartographer is missing from round 1",
        ],
    );
    let raw = behind(&stage, thread, "Beekeeper · round 1", "Raw · Beekeeper").await;
    has(&raw, &["round-1/made-1", "beta"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_notary_what_each_would_do_stands_plainly_and_is_voted_on() {
    let stage = Stage::start().await;
    stage.model.on(but(|call| (call.part() == Part::Synthesis).then(declined)));
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({})).await;
    wait_for_end(&stage, thread).await;
    let plain = stage.read(thread);
    has(
        &plain,
        &[
            "⚠️ No memo",
            "Nobody could write a memo",
            "The text below is the draft",
            "raised by Beekeeper",
            "raised by Locksmith",
        ],
    );
    let options = ["S1 · Buy hives on every roof", "S2 · Buy new locks for the depot"];
    has(&plain, &options);
    has(&read(&stage.message(thread, "[Spread 10 points]")), &options);
    has(&read(&stage.message(thread, "The draft was checked")), &["No objection"]);
    assert_eq!(asked(&stage, Part::Scoring).len(), 2);
    let degraded = closing(&stage, thread);
    has(&degraded, &["There is no memo", "each option is what one of them would do."]);
    let text = whole(&stage, thread, "[Whole memo]", "Whole memo").await;
    has(&text, &["Nobody could write a memo", "Buy new locks for the depot all the same."]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_when_every_expert_fails_the_session_does_and_can_be_tried_again() {
    let stage = Stage::start().await;
    stage.model.on(but(|call| matches!(call.part(), Part::First | Part::Simpler).then(declined)));
    let bot = stage.bot().await;
    let thread = stage.roundtable(json!({})).await;
    stage.wait_for(thread, "No expert could answer, so there is nothing to go on with").await;
    stage.wait_card(thread, "Failed").await;
    stage.model.on(table);
    let said = stage.told(ADA, thread, "session retry", json!({})).await;
    has(&said, &["Every step that had succeeded is kept"]);
    wait_for_end(&stage, thread).await;
    for part in [Part::Gatekeeper, Part::Question] {
        assert_eq!(asked(&stage, part).len(), 1, "nothing is paid twice: {part:?}");
    }
    has(&stage.read(thread), &["Beekeeper · round 2"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_is_read_from_the_first_round_on_and_questions_are_answered_from_what_was_said() {
    let stage = Stage::start().await;
    stage.model.on(but(|call| {
        (call.part() == Part::FollowUp).then(|| {
            call.reply(|reply| {
                reply["draws_on"] = json!(["Locksmith, round 2", "memo"]);
                reply["answer"] = "ANSWER-ONE".into();
            })
        })
    }));
    let bot = stage.bot().await;
    let thread = stage.started(ADA, DECISIONS, "roundtable", json!({})).await;
    let proposal = stage.wait_for(thread, "What now").await;
    let pressed = stage.pressed(BEN, thread, &proposal, "Answer");
    let form = stage.discord.client().wait_reply(pressed).await.modal.expect("a form opens");
    has(&format!("{form:?}"), &["Who pays for the riders?"]);
    let blank = stage.discord.client().submit_modal(BEN, pressed, &[("point-1", "\u{200b} ")]).unwrap();
    let refused = stage.discord.client().wait_reply(blank).await;
    has(&refused.text(), &["You have not answered anything yet"]);
    let pressed = stage.pressed(BEN, thread, &proposal, "Answer");
    stage.discord.client().wait_reply(pressed).await;
    let sent = stage.discord.client().submit_modal(BEN, pressed, &[("point-1", "The town does.")]).unwrap();
    has(&stage.discord.client().wait_reply(sent).await.text(), &["Noted."]);
    stage.wait_for(thread, "✅ Who pays for the riders? *(answered by Ben)*").await;
    stage.add_context(BEN, thread, "The mayor is against riders.").await;
    stage.press(ADA, thread, &proposal, "Go").await;
    wait_for_end(&stage, thread).await;
    has_not(&asked(&stage, Part::Gatekeeper)[0].text(), &["mayor"]);
    for part in [Part::First, Part::Revision, Part::Check, Part::Synthesis, Part::Scoring] {
        for call in asked(&stage, part) {
            let answered = "Ben wrote:\nAsked “Who pays for the riders?”: The town does.";
            has(&call.user, &[answered, "Ben wrote:\nThe mayor is against riders."]);
        }
    }
    stage.told(BEN, thread, "ask", json!({"question": "Why hives?"})).await;
    let answer = read(&stage.wait_for(thread, "ANSWER-ONE").await);
    has(&answer, &["Locksmith, round 2", "memo", "Ben asked"]);
    has(
        &asked(&stage, Part::FollowUp)[0].text(),
        &[
            "RESTATED",
            "Locksmith: Look for what a master of 9 crafts would.",
            "WHOLE-TEXT-0",
            "LAST-TEXT-1",
            "memo:\n<memo-",
            "Each scorer gave 10 points",
            "The mayor is against riders",
        ],
    );
    stage.nothing_amiss();
    bot.kill().await;
}
