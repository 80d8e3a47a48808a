//! What goes wrong on Discord's side: limits, errors, threads that vanish, interactions that come twice or late,
//! a gateway that drops. Nothing is doubled or lost, and what cannot go on ends visibly and spends nothing more.

use std::time::Duration;

use crate::support::{
    Actor, Stage, has,
    model::Answer,
    nothing_comes,
    play::{MEDIATION_CALLS, PROBLEM, Part, buttons, id, is_private, read},
    until, wait_for_end, wait_rounds_shown,
};
use domain::{Pace, SessionState};
use futures::{StreamExt, stream};
use playground::{
    Fault, Id, Limited, bits,
    ids::{ADA, BEN, DECISIONS, DMITRI, RIVERSIDE, SECOND_DECISIONS},
};
use serde_json::json;

/// Stages that are played on side by side.
const AT_ONCE: usize = 3;

/// Every card of a finished session is there exactly once, and no rule was broken.
fn once_each(stage: &Stage, thread: Id, what: &str) {
    let shown = stage.read(thread);
    for module in ["Market", "Cost", "Risk"] {
        for round in ["1", "2"] {
            let title = format!("{module} · round {round}");
            assert_eq!(shown.matches(&title).count(), 1, "{what}: {title} in\n{shown}");
        }
    }
    for title in ["🔍 The draft was checked", "🧩 Do this", "📊 The experts' points", "Nothing was degraded"]
    {
        assert_eq!(shown.matches(title).count(), 1, "{what}: {title} in\n{shown}");
    }
    let cards = stage.public(DECISIONS).iter().filter(|message| read(message).contains("· session ")).count();
    assert_eq!((cards, stage.discord.threads(DECISIONS).len()), (1, 1), "{what}");
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS, "{what}: no call was paid twice");
    assert_eq!(stage.discord.violations(), Vec::<String>::new(), "{what}");
}

/// The one session's state and notice.
async fn state(bot: &Actor) -> (SessionState, String) {
    let row = bot.sessions_in(RIVERSIDE, DECISIONS).await.remove(0);
    (row.state, row.notice.unwrap_or_default())
}

async fn wait_state(bot: &Actor, wanted: SessionState) -> String {
    for _ in 0..400 {
        let (now, notice) = state(bot).await;
        if now == wanted {
            return notice;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the session is {:?}", state(bot).await)
}

/// Discord takes few new threads in a while, and answers the next with a wait of minutes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_discord_does_not_let_be_opened_yet_is_spoken_of_and_comes() {
    let stage = Stage::start().await;
    let limited = Fault::Limited(Limited { retry_after: 12.0, scope: "shared", ..Limited::default() });
    stage.discord.faults().on("POST", "/channels/*/messages/*/threads", 1, limited);
    let bot = stage.bot().await;
    let told = stage.told(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).await;
    has(&told, &["It has begun", "Discord lets me open no more threads here for now", "opens <t:"]);
    let card = || {
        let cards = stage.public(DECISIONS).into_iter().map(|message| read(&message));
        cards.filter(|card| card.contains("· session ")).collect::<String>()
    };
    for said in [true, false] {
        until(|| card().contains("no more threads here") == said, card).await;
        assert_eq!(stage.discord.threads(DECISIONS).is_empty(), said);
    }
    let thread = id(&stage.discord.threads(DECISIONS)[0]["id"]);
    wait_for_end(&stage, thread).await;
    once_each(&stage, thread, "a thread that came late");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_errors_and_lost_replies_double_and_lose_nothing() {
    let limited = |limited| Fault::Limited(Limited { retry_after: 0.2, ..limited });
    let faults = [
        limited(Limited::default()),
        limited(Limited { scope: "global", ..Limited::default() }),
        limited(Limited { scope: "shared", ..Limited::default() }),
        limited(Limited { without_headers: true, ..Limited::default() }),
        Fault::Limited(Limited { junk: true, ..Limited::default() }),
        // Pages of whatever stands before Discord: not its word on a message, a channel or the token.
        Fault::Status(400),
        Fault::Status(401),
        Fault::Status(403),
        Fault::Status(404),
        Fault::Status(500),
        Fault::Status(502),
        Fault::Status(503),
        Fault::LoseReply,
        Fault::Refuse,
        Fault::SlowReply(Duration::from_millis(500)),
    ];
    // Each has a stage of its own, and most of the time waits for what it was told to.
    stream::iter(faults).for_each_concurrent(AT_ONCE, lived_through).await;
}

/// A rate-limit proxy that is broken can call a success what was none, or lose the answer of what was one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_success_that_are_not_discords_double_and_lose_nothing() {
    let faults = [
        Fault::Status(200),
        Fault::Refused(200, 0, "JSON, but not what was asked for"),
        Fault::Instead("<html><body>It works!</body></html>"),
        Fault::Instead("{\"status\": \"ok\"}"),
        Fault::Instead(""),
    ];
    stream::iter(faults).for_each_concurrent(AT_ONCE, lived_through).await;
}

/// A session that meets a fault at its posts, its thread, its card and its first answer.
async fn lived_through(fault: Fault) {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.discord.faults().on("POST", "/channels/*/messages", 2, fault.clone());
    stage.discord.faults().on("POST", "/channels/*/messages/*/threads", 1, fault.clone());
    stage.discord.faults().on("PATCH", "/channels/*/messages/*", 1, fault.clone());
    stage.discord.faults().after("POST", "/channels/*/messages", 4, 2, fault.clone());
    if fault == Fault::Status(200) {
        stage.discord.faults().on("POST", "/interactions/**", 1, fault.clone());
        stage.discord.faults().on("PATCH", "/webhooks/**", 1, fault.clone());
    }
    let member = stage.discord.client();
    let started = member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    assert!(member.wait_reply(started).await.text().contains("has begun"), "{fault:?}");
    let thread = member.wait_thread(DECISIONS, Duration::from_secs(20), |_| true).await.unwrap();
    let thread = id(&thread["id"]);
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "✅ Done").await;
    once_each(&stage, thread, &format!("{fault:?}"));
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_refused_for_ever_is_given_up_said_so_and_tried_again_by_retry() {
    for fault in [Fault::Status(403), Fault::Refused(400, 50_035, "Invalid Form Body")] {
        let mut stage = Stage::start().await;
        stage.pace = Pace::faster(250);
        let bot = stage.bot().await;
        stage.discord.faults().saying("POST", "/channels/*/messages", "· round 1", fault.clone());
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        stage.wait_card(thread, "✅ Done").await;
        let card = stage.wait_card(thread, "1 post").await;
        assert!(card.contains("✅ Done") && card.contains("Try again"), "{fault:?}: {card}");
        assert!(!stage.read(thread).contains("· round 1"), "{fault:?}");
        stage.discord.faults().clear();
        let said = stage.press_card(ADA, thread, "Try again").await.text();
        assert!(said.contains("posted now"), "{fault:?}: {said}");
        stage.wait_for(thread, "Cost · round 1").await;
        until(|| !read(&stage.card(thread)).contains("1 post"), || read(&stage.card(thread))).await;
        wait_rounds_shown(&stage).await;
        once_each(&stage, thread, &format!("{fault:?}"));
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_request_is_given_up_and_repeated() {
    // Not done, or done at once and answered too late.
    let faults = [Fault::Stall(Duration::from_mins(2)), Fault::SlowReply(Duration::from_mins(2))];
    let stalled = async |fault: Fault| {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        stage.discord.faults().after("POST", "/channels/*/messages", 3, 1, fault.clone());
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        once_each(&stage, thread, &format!("{fault:?}"));
        bot.kill().await;
    };
    stream::iter(faults).for_each_concurrent(AT_ONCE, stalled).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_longer_than_any_patience_is_waited_for() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let long = Fault::Limited(Limited { retry_after: 90.0, ..Limited::default() });
    stage.discord.faults().after("POST", "/channels/*/messages", 2, 1, long);
    let thread = stage.mediate(json!({})).await;
    nothing_comes(Duration::from_secs(4)).await;
    let (now, notice) = state(&bot).await;
    assert!(now == SessionState::Done || now == SessionState::Running, "{now:?} {notice}");
    assert!(!read(&stage.card(thread)).contains("Failed"));
    assert!(stage.discord.limited() <= 2, "and not asked for again and again");
    bot.kill().await;
}

/// Starts a session, lets `harm` happen after round 1, and gives what the card says when the session has ended.
async fn harmed(stage: &Stage, bot: &Actor, harm: impl FnOnce(Id)) -> (Id, String) {
    stage.model.on(|call| {
        let Answer::Json(reply) = call.reply(|_| ()) else { return None };
        let pause = Duration::from_millis(if call.module() == "market" { 60 } else { 400 });
        (call.part() == Part::Revision).then(|| Answer::Slow(reply.to_string(), pause))
    });
    let thread = stage.mediate(json!({})).await;
    for title in ["Market · round 1", "Cost · round 1", "Risk · round 1"] {
        stage.wait_for(thread, title).await;
    }
    harm(thread);
    let notice = wait_state(bot, SessionState::Failed).await;
    nothing_comes(Duration::from_millis(700)).await;
    assert_eq!(stage.model.calls().len(), 11, "spending stops");
    assert_eq!(
        stage.model.calls().iter().filter(|call| call.end == crate::support::model::End::Running).count(),
        0
    );
    (thread, notice)
}

fn card_in_channel(stage: &Stage, thread: Id) -> String {
    read(stage.public(DECISIONS).iter().find(|message| id(&message["id"]) == thread).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_or_locked_thread_ends_the_session_visibly() {
    for harm in ["deleted", "locked"] {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        let (thread, notice) = harmed(&stage, &bot, |thread| match harm {
            "deleted" => stage.discord.faults().delete_channel(thread),
            _ => stage.discord.faults().set_thread(thread, true, true),
        })
        .await;
        assert!(notice.contains("Discord refused"), "{harm}: {notice}");
        let card = card_in_channel(&stage, thread);
        assert!(card.contains("❌ Failed") && card.contains("Discord refused"), "{harm}: {card}");
        let cost = stage.told(ADA, DECISIONS, "history", json!({})).await;
        assert!(cost.contains("Failed"), "{harm}: {cost}");
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archived_thread_is_woken_and_a_deleted_card_does_no_harm() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.latency(Duration::from_millis(300));
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Risk · round 1").await;
    stage.discord.faults().set_thread(thread, true, false);
    wait_for_end(&stage, thread).await;
    once_each(&stage, thread, "archived");

    let second = stage.mediate(json!({})).await;
    stage.discord.faults().delete_message(DECISIONS, second);
    wait_for_end(&stage, second).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kicked_bot_spends_nothing_more() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (_, notice) = harmed(&stage, &bot, |_| stage.discord.faults().remove_bot(RIVERSIDE)).await;
    assert!(notice.contains("Discord refused"), "{notice}");
    // The other server is served as before.
    let thread = stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({})).await;
    wait_for_end(&stage, thread).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permission_taken_away_is_named_and_once_given_back_retry_posts_what_was_held_back() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let deny = |deny| stage.discord.faults().deny(DECISIONS, bits::SEND_MESSAGES_IN_THREADS, deny);
    let (thread, notice) = harmed(&stage, &bot, |_| deny(true)).await;
    assert!(notice.contains("Send Messages in Threads"), "{notice}");
    let card = card_in_channel(&stage, thread);
    assert!(card.contains("❌ Failed") && card.contains("Try again"), "what to do: {card}");
    deny(false);
    stage.model.on(|_| None);
    stage.told(ADA, thread, "session retry", json!({})).await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    for title in ["Market · round 2", "Cost · round 2", "Risk · round 2"] {
        assert_eq!(shown.matches(title).count(), 1, "{title} in\n{shown}");
    }
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interaction_delivered_twice_or_answered_too_late_is_applied_once() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_millis(800));
    let bot = stage.bot().await;
    let member = stage.discord.client();
    let started = member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
    member.redeliver(started).unwrap();
    member.wait_reply(started).await;
    member.redeliver(started).unwrap();
    let thread = member.wait_thread(DECISIONS, Duration::from_secs(10), |_| true).await.unwrap();
    let thread = id(&thread["id"]);

    let card = stage.card(thread);
    let (_, pause) = buttons(&card).into_iter().find(|(label, _)| label == "Pause").unwrap();
    let clicks = [1, 2, 3].map(|_| member.click(ADA, DECISIONS, thread, &pause).unwrap());
    member.redeliver(clicks[0]).unwrap();
    let mut said = Vec::new();
    for click in clicks {
        let seen = member.wait_reply(click).await;
        assert!(is_private(&seen, ADA) && seen.failed.is_none());
        said.push(seen.text());
    }
    assert_eq!(said.iter().filter(|text| text.contains("Paused. Calls under way")).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(|text| text.contains("paused already")).count(), 2, "{said:?}");
    stage.wait_card(thread, "⏸️ Paused").await;
    // The acknowledgement fails, and so does telling: what was asked for is done all the same.
    stage.discord.faults().on("POST", "/interactions/**", 2, Fault::Status(500));
    let resume = stage.press_card(BEN, thread, "Resume");
    let _ = tokio::time::timeout(Duration::from_secs(4), resume).await;
    wait_for_end(&stage, thread).await;
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);

    // The token dies between the acknowledgement and the answer: the thread is there all the same.
    stage.discord.faults().on("PATCH", "/webhooks/**", 1, Fault::Status(404));
    member.run_command(BEN, DECISIONS, "mediate", json!({"problem": "A second one"})).unwrap();
    let second =
        member.wait_thread(DECISIONS, Duration::from_secs(10), |t| t["name"] == "A second one").await;
    wait_for_end(&stage, id(&second.unwrap()["id"])).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buttons_of_finished_foreign_unknown_and_nonsense_sessions_say_so() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({"problem": "The first server's secret"})).await;
    wait_for_end(&stage, thread).await;
    stage.wait_card(thread, "✅ Done").await;
    let name = stage.session(thread);
    let calls = stage.model.calls().len();
    let press = async |who: Id, channel: Id, custom_id: &str| -> String {
        let message = stage.forged_buttons(channel, &[custom_id]).await;
        let client = stage.discord.client();
        let seen = client.wait_reply(client.click(who, channel, message, custom_id).unwrap()).await;
        assert!(is_private(&seen, who), "{custom_id}: {seen:?}");
        assert!(seen.failed.is_none() && seen.modal.is_none(), "{custom_id}");
        seen.text()
    };
    for verb in ["pause", "resume", "cancel", "cancel_sure", "context"] {
        let said = press(ADA, DECISIONS, &format!("v1:{name}:{verb}:")).await;
        assert!(said.contains("is over"), "{verb}: {said}");
    }
    for verb in [
        "pause:",
        "resume:",
        "cancel_sure:",
        "context:",
        "whole:round-1/cost",
        "raw:round-1/cost",
        "raw:points",
    ] {
        let said = press(DMITRI, SECOND_DECISIONS, &format!("v1:{name}:{verb}")).await;
        assert!(
            said.contains("no such session on this server") && !said.contains("secret"),
            "{verb}: {said}"
        );
    }
    let unknown = press(ADA, DECISIONS, "v1:aaaaaaaaaa:pause:").await;
    assert!(unknown.contains("no such session"), "{unknown}");
    for garbage in ["x", "v1", "v2:aaaaaaaaaa:pause:", "v1:'; DROP TABLE session; --:pause:", "🙂:🙂"] {
        let said = press(ADA, DECISIONS, garbage).await;
        assert!(said.contains("older version"), "{garbage}: {said}");
    }
    for odd in ["v1:{}:explode:", "v1:{}:whole:round-9/none", "v1:{}:raw:../../etc/passwd"] {
        let said = press(ADA, DECISIONS, &odd.replace("{}", &name)).await;
        assert!(said.contains("another version") || said.contains("nothing stored"), "{odd}: {said}");
    }
    assert_eq!(stage.model.calls().len(), calls);
    assert_eq!(state(&bot).await.0, SessionState::Done);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_refuses_for_good_is_not_asked_again_and_again() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.discord.faults().close_gateway(4004);
    nothing_comes(Duration::from_secs(3)).await;
    assert!(!stage.discord.bot_online(), "the token is wrong, and it stays away");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_drops_and_repeats_itself_has_no_effect_twice() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_millis(150));
    let bot = stage.bot().await;
    let member = stage.discord.client();
    let thread = stage.mediate(json!({})).await;
    let faults = stage.discord.faults();
    let harms: [(&str, &dyn Fn()); 7] = [
        ("4000", &|| faults.close_gateway(4000)),
        ("4009", &|| faults.close_gateway(4009)),
        ("1001", &|| faults.close_gateway(1001)),
        ("op 7", &|| faults.ask_to_reconnect()),
        ("op 9 resumable", &|| faults.invalidate_session(true)),
        ("op 9", &|| faults.invalidate_session(false)),
        ("replay", &|| faults.repeat_events(50)),
    ];
    for (place, (what, harm)) in harms.iter().enumerate() {
        let question =
            member.say(BEN, thread, &format!("<@{}> question {place}?", playground::ids::BOT)).unwrap();
        let asked = question.to_string();
        harm();
        faults.repeat_events(50);
        // That it is away is noticed first.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(member.wait_bot(Duration::from_secs(20)).await, "{what}: it comes back");
        let answered = member
            .wait_message(thread, Duration::from_secs(20), |message| {
                message["message_reference"]["message_id"] == asked.as_str()
            })
            .await;
        assert!(answered.is_some(), "{what}: the question is answered, whether it was replayed or read back");
        faults.repeat_events(50);
    }
    wait_for_end(&stage, thread).await;
    nothing_comes(Duration::from_millis(500)).await;
    let followups = stage.model.calls().iter().filter(|call| call.part() == Part::FollowUp).count();
    assert_eq!(followups, harms.len(), "each question is paid once");
    let shown = stage.read(thread);
    assert_eq!(shown.matches("💬 Answer").count(), harms.len(), "{shown}");
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    bot.kill().await;
}

/// A post with an address that Discord holds for harmful is sent again without, and says so; the session goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_discord_refuses_for_a_harmful_link_is_sent_without_addresses() {
    let stage = Stage::start().await;
    let blocked = Fault::Refused(400, 240_000, "Message blocked by harmful links filter");
    let (path, address) = ("/channels/*/messages", "evil.example");
    stage.discord.faults().saying("POST", path, address, blocked);
    let bot = stage.bot().await;
    let problem = "Do we buy from https://evil.example/shop?a=b, as a colleague proposes?";
    let thread = stage.mediate(json!({"problem": problem})).await;
    wait_for_end(&stage, thread).await;
    let marked = |channel| {
        let posts = stage.public(channel).into_iter();
        posts.filter(|post| read(post).contains("holds one of them for harmful")).count()
    };
    assert!(marked(DECISIONS) + marked(thread) > 0, "{}\n{}", stage.read(DECISIONS), stage.read(thread));
    stage.wait_number("SELECT count(*) FROM outbox WHERE state = 'pending'", 0).await;
    assert_eq!(stage.number("SELECT count(*) FROM outbox WHERE state <> 'sent'").await, 0);
    assert_eq!(stage.model.calls().len(), MEDIATION_CALLS);
    bot.kill().await;
}
