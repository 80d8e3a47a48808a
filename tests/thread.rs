//! What members do in and around a session's thread: buttons, follow-ups, commands.

use std::time::Duration;

use crate::support::{
    Stage,
    model::Answer,
    nothing_comes,
    play::{MEDIATION_CALLS, PROBLEM, Part, buttons, id, is_private, read},
    until, wait_for_end,
};
use playground::ids::{ADA, BEN, CHLOE, DECISIONS, DMITRI, GENERAL, SECOND_DECISIONS};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_card_shows_its_whole_text_and_its_raw_output_to_whoever_asks() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.part() == Part::First && call.module() == "cost")
            .then(|| call.reply(|reply| reply["analysis"] = "The WHOLE analysis, to its end.".into()))
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = stage.message(thread, "Cost · round 1");
    assert!(!read(&card).contains("The WHOLE analysis"), "short first");
    let whole = stage.press(CHLOE, thread, &card, "Cost").await;
    assert!(is_private(&whole, CHLOE));
    assert!(whole.text().contains("The WHOLE analysis, to its end."), "{}", whole.text());
    let others = stage.press(CHLOE, thread, &card, "Risk").await;
    assert!(!others.text().contains("The WHOLE analysis"), "each button opens its own seat's");
    let raw = stage.press(BEN, thread, &card, "Raw · Cost").await;
    assert!(is_private(&raw, BEN));
    let files: usize = raw.messages.iter().map(|m| m["attachments"].as_array().unwrap().len()).sum();
    assert!(
        files >= 2 && raw.text().contains("round-1/cost") && raw.text().contains("alpha"),
        "{}",
        raw.text()
    );
    for (title, label) in [("[Whole memo]", "Whole memo"), ("📊 The experts' points", "All points")] {
        let card = stage.message(thread, title);
        for label in [label, "Raw output"] {
            let seen = stage.press(BEN, thread, &card, label).await;
            let text: String = seen.messages.iter().map(read).collect();
            assert!(is_private(&seen, BEN) && !text.contains("nothing stored"), "{label} of {title}: {text}");
            assert!(text.chars().count() > 80, "{label} of {title} shows something: {text}");
        }
    }
    let checked = stage.message(thread, "🔍 The draft was checked");
    let raw = stage.press(BEN, thread, &checked, "Raw output").await;
    let text: String = raw.messages.iter().map(read).collect();
    assert!(is_private(&raw, BEN) && !text.contains("nothing stored"), "{text}");
    let card = stage.message(thread, "📊 The experts' points");
    let points = stage.press(BEN, thread, &card, "All points").await.text();
    assert!(points.contains("Market") && points.contains("S1 "), "who gave what to which: {points}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pause_keeps_what_is_under_way_and_resume_goes_on_from_there() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_secs(3));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_calls(3).await;
    let denied = stage.press_card(CHLOE, thread, "Pause").await.text();
    assert!(denied.contains("Only Ada") && denied.contains("moderator"), "{denied}");
    let paused = stage.press_card(ADA, thread, "Pause").await.text();
    assert!(paused.contains("Calls under way are finished and kept"), "{paused}");
    let card = stage.wait_card(thread, "Paused").await;
    assert!(card.contains("[Resume]") && !card.contains("[Pause]"), "{card}");
    stage.wait_for(thread, "Risk · round 1").await;
    nothing_comes(Duration::from_millis(400)).await;
    assert_eq!(stage.model.calls().len(), 3, "nothing new starts");

    stage.model.latency(Duration::ZERO);
    // Whoever may read may let it go on.
    let resumed = stage.press_card(CHLOE, thread, "Resume").await.text();
    assert!(resumed.contains("goes on from where it stopped"), "{resumed}");
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS, "no call was made twice");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_after_pause_and_resume_in_one_round_still_aborts_the_calls_under_way() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_mins(1));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_calls(3).await;
    stage.press_card(ADA, thread, "Pause").await;
    stage.wait_card(thread, "Paused").await;
    stage.press_card(ADA, thread, "Resume").await;
    let card = stage.wait_card(thread, "▶️ Running").await;
    assert!(card.contains("Round 1"), "the card goes on showing the round: {card}");
    let sure = stage.press_card(ADA, thread, "Cancel").await;
    stage.press(ADA, DECISIONS, &sure.messages[0], "Yes, end it").await;
    let began = std::time::Instant::now();
    stage.wait_card(thread, "Cancelled").await;
    bot.rests().await;
    let aborted = || stage.model.calls().iter().all(|call| call.end != crate::support::model::End::Running);
    until(aborted, || "the calls are aborted").await;
    assert!(began.elapsed() < Duration::from_secs(10), "the calls of the paused round were aborted");
    let open = bot.store.unfinished_sessions().await.unwrap();
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(stage.model.calls().len(), 3, "one run at a time: nothing was asked twice");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_asks_once_more_and_then_spends_nothing() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::Revision).then(|| Answer::Stall(2)));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Risk · round 1").await;
    stage.model.wait_calls(9, |_| true).await;
    let asked = stage.press_card(ADA, thread, "Cancel").await;
    assert!(is_private(&asked, ADA) && asked.text().contains("End this session?"), "{}", asked.text());
    assert!(read(&stage.card(thread)).contains("▶️ Running"), "not ended by the first press");
    let done = stage.press(ADA, DECISIONS, &asked.messages[0], "Yes, end it").await;
    assert!(done.text().contains("nothing more is spent"), "{}", done.text());
    stage.wait_for(thread, "Ada ended the session").await;
    let card = stage.wait_card(thread, "Cancelled").await;
    assert!(!card.contains("[Pause]") && !card.contains("[Cancel]"), "{card}");
    nothing_comes(Duration::from_millis(500)).await;
    assert_eq!(stage.model.calls().len(), 11, "round 2 was under way and nothing came after it");
    assert!(!stage.read(thread).contains("round 2"), "nothing is posted after the end");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_are_answered_by_mention_reply_and_command_from_the_material_alone() {
    let stage = Stage::start().await;
    stage.model.on(|call| {
        (call.part() == Part::FollowUp).then(|| {
            // Earlier questions stand in the prompt too, so the newest decides.
            let asked = if call.user.contains("command?") {
                "COMMAND"
            } else if call.user.contains("reply?") {
                "REPLY"
            } else {
                "MENTION"
            };
            call.reply(|reply| {
                reply["answer"] = format!("ANSWER-{asked}").into();
                reply["not_in_material"] = json!(null);
            })
        })
    });
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let member = stage.discord.client();
    let me = playground::ids::BOT;

    let question = member.say(BEN, thread, &format!("<@{me}> what of the mention?")).unwrap();
    let answer = stage.wait_for(thread, "ANSWER-MENTION").await;
    assert_eq!(id(&answer["message_reference"]["message_id"]), question, "it hangs under the question");
    assert!(read(&answer).contains("Ben asked"), "{}", read(&answer));
    let card = id(&stage.message(thread, "Cost · round 1")["id"]);
    member.reply(CHLOE, thread, card, "what of the reply?", true).unwrap();
    stage.wait_for(thread, "ANSWER-REPLY").await;
    let said = stage.told(ADA, thread, "ask", json!({"question": "what of the command?"})).await;
    assert!(said.contains("The answer appears in the thread"), "{said}");
    stage.wait_for(thread, "ANSWER-COMMAND").await;

    // Not seen: no mention, a reply without ping, other channels.
    let before = stage.model.calls().len();
    member.say(BEN, thread, "Nice weather.").unwrap();
    member.reply(BEN, thread, card, "and what of this?", false).unwrap();
    member.say(BEN, GENERAL, &format!("<@{me}> hello?")).unwrap();
    nothing_comes(Duration::from_millis(600)).await;
    assert_eq!(stage.model.calls().len(), before);

    let calls = stage.model.calls();
    let prompt = calls.iter().find(|call| call.part() == Part::FollowUp).unwrap().text();
    for phrase in [
        PROBLEM,
        "market, round 1",
        "risk, round 2",
        "memo:\n<memo-",
        "Each scorer gave 10 points",
        "from its material, and from nothing else",
        "marked \"(from memory)\"",
    ] {
        assert!(
            prompt.contains(phrase) || prompt.contains(&phrase.replace(", round", " (round")),
            "{phrase} is missing from\n{prompt}"
        );
    }
    // A mention without a question is answered with a sentence.
    member.say(BEN, thread, &format!("<@{me}>")).unwrap();
    stage.wait_for(thread, "Ask me something about this session").await;
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_while_rounds_run_is_answered_from_what_is_there_so_far() {
    let stage = Stage::start().await;
    stage.model.on(|call| (call.part() == Part::Revision).then(|| Answer::Stall(1)));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Risk · round 1").await;
    stage.told(BEN, thread, "ask", json!({"question": "So far?"})).await;
    stage.wait_for(thread, "Ben asked").await;
    let calls = stage.model.calls();
    let prompt = &calls.iter().find(|call| call.part() == Part::FollowUp).unwrap().user;
    assert!(prompt.contains("The session is still running"), "{prompt}");
    assert!(!prompt.contains("memo:\n"));
    let card = stage.wait_card(thread, "Round 2").await;
    assert!(!card.contains("Answering"), "the panel's card is its own: {card}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_are_shown_and_listed_only_where_they_are() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "Done").await;
    let name = stage.session(thread);
    let elsewhere =
        stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({"problem": "The second server's secret"})).await;
    wait_for_end(&stage, elsewhere).await;
    let other = stage.session(elsewhere);

    let here = stage.told(BEN, thread, "session show", json!({})).await;
    assert!(here.contains("Done") && here.contains("18 of 120 calls") && !here.contains("[Pause]"), "{here}");
    let by_name = stage.told(BEN, DECISIONS, "session show", json!({"session": name})).await;
    assert!(by_name.contains(PROBLEM), "{by_name}");
    let elsewhere = stage.told(BEN, GENERAL, "session show", json!({"session": name})).await;
    assert!(elsewhere.contains("of another channel") && !elsewhere.contains(PROBLEM), "{elsewhere}");
    for (command, session) in
        [("session show", &other), ("session cancel", &other), ("session retry", &other)]
    {
        let foreign = stage.told(ADA, DECISIONS, command, json!({"session": session})).await;
        assert!(
            foreign.contains("no such session on this server") && !foreign.contains("secret"),
            "{foreign}"
        );
    }
    let history = stage.told(BEN, DECISIONS, "history", json!({})).await;
    assert!(history.contains(PROBLEM) && history.contains(&name) && !history.contains("secret"), "{history}");
    let in_thread = stage.told(BEN, thread, "history", json!({})).await;
    assert!(in_thread.contains(&name), "{in_thread}");
    let none = stage.told(BEN, GENERAL, "history", json!({})).await;
    assert!(none.contains("none yet"), "{none}");
    let second = stage.told(DMITRI, SECOND_DECISIONS, "history", json!({})).await;
    assert!(second.contains("secret") && !second.contains(PROBLEM), "{second}");
    let over = stage.told(ADA, thread, "session cancel", json!({})).await;
    assert!(over.contains("over (done)"), "{over}");

    let modules = stage.told(BEN, GENERAL, "modules", json!({})).await;
    for module in ["market", "legal", "environmental", "strategy", "seated by default"] {
        assert!(modules.contains(module), "{module}");
    }
    let help = stage.told(BEN, GENERAL, "help", json!({})).await;
    assert!(help.contains("/mediate") && help.contains("/ask") && help.contains("/history"), "{help}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_modules_and_models_complete_while_they_are_typed() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "anthropic/beta"]);
    let bot = stage.bot().await;
    let member = stage.discord.client();
    let offered = async |option: &str, typed: &str| {
        let choices =
            member.autocomplete(BEN, DECISIONS, "mediate", json!({(option): typed}), option).await.unwrap();
        choices.iter().map(|choice| choice["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(offered("modules", "").await.len(), 12);
    assert_eq!(offered("modules", "market, le").await, ["market, legal"]);
    assert_eq!(
        offered("modules", "MARKET, S").await,
        ["MARKET, scalability", "MARKET, social", "MARKET, strategy"]
    );
    assert!(!offered("modules", "market ").await.contains(&"market, market".to_owned()));
    assert_eq!(
        offered("model", "").await,
        ["openai/alpha", "anthropic/beta"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
    );
    assert_eq!(offered("model", "bet").await, ["anthropic/beta"]);
    assert!(offered("model", "none such").await.is_empty());
    assert_eq!(buttons(&json!({})), []);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_moderator_paused_only_a_moderator_resumes() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_millis(400));
    let bot = stage.bot().await;
    let thread = stage.mediate_as(BEN, DECISIONS, json!({})).await;
    assert!(stage.press_card(ADA, thread, "Pause").await.text().contains("Paused"));
    stage.wait_card(thread, "⏸️ Paused").await;
    for member in [BEN, CHLOE] {
        let refused = stage.press_card(member, thread, "Resume").await.text();
        assert!(refused.contains("only a moderator can let it go on"), "{refused}");
    }
    assert!(stage.press_card(ADA, thread, "Resume").await.text().contains("Resumed"));
    // What whoever started it paused, anybody resumes.
    stage.wait_card(thread, "▶️ Running").await;
    assert!(stage.press_card(BEN, thread, "Pause").await.text().contains("Paused"));
    stage.wait_card(thread, "⏸️ Paused").await;
    assert!(stage.press_card(CHLOE, thread, "Resume").await.text().contains("Resumed"));
    wait_for_end(&stage, thread).await;
    bot.kill().await;
}
