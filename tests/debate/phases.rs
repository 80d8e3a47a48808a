//! A debate from the command to the closing line: who speaks when, and what each request carries.

use serde_json::json;

use crate::{
    debate::scene::{asked, asked_of, behind, full, has, in_order, quick, turns},
    support::{
        Stage,
        model::{
            Call, End,
            debate::{CON_SAID, PRO_SAID, QUESTION},
        },
        play::read,
        wait_for_end,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_debate_runs_through_its_six_phases() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta"]);
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    in_order(
        &shown,
        &[
            "opening",
            "opening",
            "economic and technical",
            "economic and technical",
            "ethical and social",
            "ethical and social",
            "practical implications",
            "practical implications",
            "🔵 Pro · questions to Con",
            "🔶 Con · answers to Pro",
            "🔵 Pro · follow-up question to Con",
            "🔶 Con · answer to the follow-up",
            "🔶 Con · questions to Pro",
            "🔵 Pro · answers to Con",
            "🔶 Con · follow-up question to Pro",
            "🔵 Pro · answer to the follow-up",
            "🔶 Con · rebuttal",
            "🔵 Pro · rebuttal",
            "🔶 Con · closing",
            "🔵 Pro · closing",
            "⚖️ Moderator · synthesis",
            "Nothing was degraded",
        ],
    );
    let spoken = turns(&stage);
    assert_eq!(spoken.len(), 20, "{spoken:?}");
    assert!(spoken.iter().all(|(kind, _)| !kind.is_empty()));
    let checks = asked(&stage, "conduct_check");
    assert_eq!(
        checks.len(),
        16,
        "one for both sides of a round, and one for each turn that another waits for"
    );
    assert_eq!(checks.iter().map(|call| call.user.matches("\nTurn ").count()).sum::<usize>(), 20);
    assert_eq!(asked(&stage, "debate_synthesis").len(), 1);
    for call in stage.model.calls() {
        match (call.side(), call.kind()) {
            (Some(side), _) => assert_eq!(call.model, if side == "Pro" { "alpha" } else { "beta" }),
            // Each model drafts the paper, and both sides read the drafts.
            (None, "first_answer" | "drafts_check") => {}
            (None, _) => assert_eq!(call.model, "alpha", "the seats beside the panel"),
        }
    }
    // All of it stands in the thread, and no button leads to what is there already.
    let rebuttal = read(&stage.message(thread, "🔶 Con · rebuttal"));
    has(&rebuttal, &[PRO_SAID, "At its strongest", "Against it"]);
    assert!(!rebuttal.contains("Whole turn") && !rebuttal.contains('…'), "{rebuttal}");
    has(
        &behind(&stage, thread, "🔶 Con · rebuttal", "Raw output").await,
        &["🧾 Con · rebuttal", "turn/rebuttal/con", "steel_man"],
    );
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quick_debate_has_four_phases_and_no_cross_examination() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.debate(quick()).await;
    wait_for_end(&stage, thread).await;
    let spoken: Vec<String> = turns(&stage)
        .iter()
        .map(|(kind, side)| format!("{} {side}", kind.trim_start_matches("turn_")))
        .collect();
    let rounds: Vec<Vec<String>> = spoken
        .chunks(2)
        .map(|round| {
            let mut round = round.to_vec();
            round.sort();
            round
        })
        .collect();
    let both = |act: &str| vec![format!("{act} Con"), format!("{act} Pro")];
    assert_eq!(rounds, ["case", "rebuttal", "closing"].map(both));
    in_order(
        &stage.read(thread),
        &[
            "🔵 Pro · case",
            "🔶 Con · case",
            "🔵 Pro · rebuttal",
            "🔶 Con · rebuttal",
            "🔵 Pro · closing",
            "🔶 Con · closing",
            "⚖️ Moderator · synthesis",
            "Nothing was degraded",
        ],
    );
    // Each has read the other, and nobody has read what is said at the same time.
    for side in ["Pro", "Con"] {
        let other = if side == "Pro" { "Con" } else { "Pro" };
        let (rebuttal, closing) =
            (&asked_of(&stage, "turn_rebuttal", side)[0], &asked_of(&stage, "turn_closing", side)[0]);
        has(&rebuttal.user, &[&format!("{other} · case:")]);
        has(&closing.user, &[&format!("{other} · rebuttal:")]);
        for (call, act) in [(rebuttal, "rebuttal"), (closing, "closing")] {
            assert!(!call.user.contains(&format!("{other} · {act}:")), "{}", call.user);
            assert!(!call.user.contains("missing."), "{}", call.user);
        }
    }
    has(&stage.wait_card(thread, "Done").await, &["debate"]);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_need_not_wait_does_not_and_what_answers_does() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let slow = |call: &Call| call.is_turn("turn_case", "Con") || call.is_turn("turn_rebuttal", "Pro");
    stage.model.hold(slow);
    let thread = stage.debate(quick()).await;
    // Both are asked at once, and one check looks at both.
    stage.model.wait_calls(2, |call| call.kind() == "turn_case").await;
    let con = asked_of(&stage, "turn_case", "Con").remove(0);
    assert_eq!(con.end, End::Running);
    assert_eq!(asked(&stage, "conduct_check").len(), 0);
    assert_eq!(asked(&stage, "turn_rebuttal").len(), 0, "the next round waits for both");
    stage.model.hold(|call| call.is_turn("turn_rebuttal", "Pro"));
    stage.model.wait_calls(2, |call| call.kind() == "turn_rebuttal").await;
    assert_eq!(asked(&stage, "conduct_check").len(), 1);
    // The next round does not wait for the posts.
    stage.wait_for(thread, "Con · case").await;
    in_order(&stage.read(thread), &["Pro · case", "Con · case"]);
    // Con is ready first, and its card stands below Pro's all the same.
    assert_eq!(asked_of(&stage, "turn_rebuttal", "Pro")[0].end, End::Running);
    assert!(!stage.read(thread).contains("Con · rebuttal"));
    assert_eq!(asked(&stage, "turn_closing").len(), 0);
    has(&stage.wait_card(thread, "Rebuttal: both sides at once").await, &["Pro"]);
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    in_order(&stage.read(thread), &["Pro · rebuttal", "Con · rebuttal"]);
    stage.nothing_amiss();
    bot.kill().await;
}

/// What Pro or Con says at a place, as far as no other text has it.
fn word(call: &Call) -> String {
    let side = call.side().unwrap().to_uppercase();
    let theme = ["economic and technical", "ethical and social", "practical implications"];
    let theme = theme.iter().rposition(|theme| call.user.contains(&format!("{theme}:")));
    match call.kind() {
        "turn_arguments" => format!("{side}-ARGUMENT-{}", theme.map_or(9, |place| place + 1)),
        "turn_questions" if call.is_follow_up() => format!("{side}-MORE"),
        "turn_answers" if call.user.contains("Task: answer the follow-up") => format!("{side}-MOREANSWER"),
        kind => format!("{side}-{}", kind.trim_start_matches("turn_").to_uppercase()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_carries_the_proposition_and_what_it_answers_to() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        let said = call.kind().starts_with("turn_").then(|| word(call))?;
        let place = match call.kind() {
            "turn_opening" => "/position",
            "turn_arguments" => "/arguments/0/reasoning",
            "turn_questions" => "/questions/0/question",
            "turn_answers" => "/answers/0/answer",
            "turn_rebuttal" => "/points/0/answer",
            _ => "/why_we_disagree",
        };
        Some(call.reply(|reply| {
            let text = reply.pointer_mut(place).unwrap();
            *text = format!("{said} {}", text.as_str().unwrap()).into();
        }))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    for call in stage.model.calls().iter().filter(|call| call.kind() != "proposition") {
        has(&call.text(), &[QUESTION]);
    }
    let all = stage.model.calls();
    let call = |said: &str| {
        let mut found = all.iter().filter(|call| call.kind().starts_with("turn_") && word(call) == said);
        found.next().unwrap_or_else(|| panic!("nobody was asked for {said}")).clone()
    };
    let reads = |said: &str, these: &[&str], others: &[&str]| {
        let text = call(said).user;
        has(&text, these);
        for other in others {
            assert!(!text.contains(other), "{said} is not to read {other}\n{text}");
        }
    };
    for (own, other) in [("PRO", "CON"), ("CON", "PRO")] {
        let of = |side: &str, what: &str| format!("{side}-{what}");
        let theirs = of(other, "");
        reads(&of(own, "OPENING"), &[], &[&theirs]);
        reads(&of(own, "ARGUMENT-1"), &[&of(own, "OPENING")], &[&theirs]);
        reads(&of(own, "ARGUMENT-3"), &[&of(own, "OPENING"), &of(own, "ARGUMENT-2")], &[&theirs]);
        reads(
            &of(own, "QUESTIONS"),
            &[&of(other, "OPENING"), &of(other, "ARGUMENT-1"), &of(other, "ARGUMENT-3")],
            &[],
        );
        reads(&of(own, "ANSWERS"), &[&of(other, "QUESTIONS"), &of(own, "ARGUMENT-2")], &[]);
        reads(&of(own, "MORE"), &[&of(own, "QUESTIONS"), &of(other, "ANSWERS")], &[]);
        reads(&of(own, "MOREANSWER"), &[&of(other, "MORE"), &of(own, "ANSWERS")], &[]);
        reads(
            &of(own, "REBUTTAL"),
            &[
                &of(other, "OPENING"),
                &of(other, "ARGUMENT-2"),
                &of(other, "ANSWERS"),
                &of(other, "MOREANSWER"),
            ],
            &[],
        );
        reads(&of(own, "CLOSING"), &[&of(own, "REBUTTAL"), &of(other, "REBUTTAL")], &[]);
    }
    reads("PRO-REBUTTAL", &["CON-REBUTTAL"], &[]);
    reads("CON-REBUTTAL", &[PRO_SAID], &["PRO-REBUTTAL"]);
    let synthesis = asked(&stage, "debate_synthesis").remove(0).text();
    for said in ["PRO-OPENING", "CON-ARGUMENT-2", "PRO-MOREANSWER", "CON-REBUTTAL", "PRO-CLOSING", CON_SAID] {
        has(&synthesis, &[said]);
    }
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_follow_up_there_is_no_card_and_no_answer() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.is_follow_up() && call.side() == Some("Pro"))
            .then(|| call.reply(|reply| reply["questions"] = json!([])))
    });
    let bot = stage.bot().await;
    let thread = stage.debate(full()).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    assert!(!shown.contains("Pro · follow-up question") && !shown.contains("Con · answer to the follow-up"));
    has(&shown, &["Con · follow-up question", "Pro · answer to the follow-up", "Nothing was degraded"]);
    assert_eq!(asked_of(&stage, "turn_answers", "Con").len(), 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_paused_between_turns_goes_on_where_it_was() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.kind() == "turn_rebuttal");
    let thread = stage.debate(quick()).await;
    stage.model.wait_calls(2, |call| call.kind() == "turn_rebuttal").await;
    stage.press_card(playground::ids::ADA, thread, "Pause").await;
    stage.wait_card(thread, "Paused").await;
    stage.model.let_go();
    let bot = {
        bot.kill().await;
        stage.bot().await
    };
    assert!(!stage.read(thread).contains("· closing"));
    stage.press_card(playground::ids::ADA, thread, "Resume").await;
    wait_for_end(&stage, thread).await;
    assert_eq!(asked(&stage, "turn_case").len(), 2, "nothing is asked twice");
    let cards = stage.public(thread).iter().map(read).filter(|text| text.contains("Con · rebuttal")).count();
    assert_eq!(cards, 1);
    stage.nothing_amiss();
    bot.kill().await;
}
