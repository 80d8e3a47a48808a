//! What one member may do before others have their turn: sessions that are open, and what is brought to one.

use std::time::Duration;

use crate::support::{
    Stage,
    model::{Answer, Fault},
    nothing_comes,
    play::{PATIENCE, PROBLEM, id, read},
    program::program_with,
    until,
};
use playground::{
    Id, Upload,
    ids::{ADA, BEN, BOT, DECISIONS, RIVERSIDE},
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_members_waiting_sessions_close_the_server_to_nobody() {
    let mut stage = Stage::start().await;
    stage.settings.most_open.of_server = 2;
    stage.settings.most_open.of_member = 3;
    let bot = stage.bot().await;
    // Three that wait for Go: more than the server runs at once, and all that a member may have.
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let thread = stage.started(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await;
        stage.wait_for(thread, "What now").await;
        waiting.push(format!("<#{thread}>"));
    }
    let refused = stage.told(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await;
    assert!(
        refused.contains("sessions that you started here have not ended yet as one member may have (3)"),
        "{refused}"
    );
    let [one, two, three] = &waiting[..] else { panic!("{waiting:?}") };
    let which = format!("{one}, {two} and {three} wait for somebody to press their buttons. Let one of them");
    assert!(refused.contains(&which), "{refused}");
    // Before a document is fetched: what is wrong with it is not even found out.
    let file = Upload { filename: "program.exe".into(), content_type: None, bytes: b"MZ\x90\0"[..].into() };
    let seen = stage.with_document(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM}), file).await;
    assert!(seen.text().contains("have not ended yet"), "{}", seen.text());
    // Those that wait keep nobody else out.
    let started = stage.told(BEN, DECISIONS, "mediate", json!({"problem": PROBLEM})).await;
    assert!(started.contains("It has begun"), "{started}");
    stage.nothing_amiss();
    bot.kill().await;
}

/// Who runs the bot names the servers it serves; everybody else gets a sentence, and no model is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_named_gets_a_sentence_and_costs_nothing() {
    let mut stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    crate::support::wait_for_end(&stage, thread).await;
    stage.model.hold(|_| true);
    let open = stage.mediate(json!({})).await;
    stage.wait_card(open, "[Pause]").await;
    bot.kill().await;
    stage.model.let_go();
    let missed = format!("<@{BOT}> And what did you say against it?");
    stage.discord.client().say(BEN, thread, &missed).unwrap();
    let calls = stage.model.calls().len();
    stage.settings.servers = Some(vec![domain::GuildId(1)]);
    let bot = stage.bot().await;
    let none = "whoever runs me has named the servers that I serve";
    for command in ["mediate", "history", "privacy"] {
        let options = if command == "mediate" { json!({"problem": PROBLEM}) } else { json!({}) };
        let said = stage.told(BEN, DECISIONS, command, options).await;
        assert!(said.contains(none), "{command}: {said}");
    }
    let pressed = stage.press_card(BEN, thread, "Export").await;
    assert!(pressed.text().contains(none), "{}", pressed.text());
    let ask = format!("<@{BOT}> What did you decide?");
    stage.discord.client().say(BEN, thread, &ask).unwrap();
    nothing_comes(Duration::from_millis(500)).await;
    assert_eq!(stage.number("SELECT count(*) FROM brought WHERE kind = 'question'").await, 0);
    assert_eq!((stage.number("SELECT count(*) FROM session").await, stage.model.calls().len()), (2, calls));
    // What ran there stands still, and says why.
    stage.wait_for(open, "this one is not among them any more").await;
    assert_eq!(stage.number("SELECT count(*) FROM session WHERE state = 'paused'").await, 1);
    bot.kill().await;
}

/// Whoever runs the bot reads of each new server in its log, whether it is served or not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_server_stands_in_the_log() {
    let served = RIVERSIDE.to_string();
    for (settings, says) in [
        (vec![], "what it spends is yours to pay"),
        (
            vec![("QUORUM_SERVERS", served.as_str())],
            "it is not in QUORUM_SERVERS and gets nothing but a sentence",
        ),
    ] {
        let (stage, folder) = (Stage::start().await, tempfile::tempdir().unwrap());
        let mut program = program_with(&stage, folder.path(), &settings);
        let log = || std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(stage.discord.client().wait_bot(PATIENCE).await, "{}", log());
        assert!(!log().contains("a new server"), "those that it had are none: {}", log());
        stage.discord.faults().invite_bot(1_100_000_000_000_090_000, "Strangers & Sons");
        let told = |line: &str| line.contains(says) && line.contains("Strangers & Sons");
        until(|| log().lines().any(told), log).await;
        program.kill().unwrap();
        program.wait().unwrap();
    }
}

/// A stage on whose server one session runs at once.
async fn for_one() -> Stage {
    let mut stage = Stage::start().await;
    stage.settings.most_open.of_server = 1;
    stage.model.latency(Duration::from_mins(1));
    stage
}

/// Fills the server with a session of Ben's.
async fn fill(stage: &Stage) -> Id {
    let thread = stage.mediate_as(BEN, DECISIONS, json!({})).await;
    stage.wait_card(thread, "[Pause]").await;
    thread
}

/// Presses what would let a session go on while the server is full; it stands as it stood.
async fn refused(stage: &Stage, said: &str) {
    assert!(said.contains("sessions are running on this server as may at once (1)"), "{said}");
    assert!(said.contains("this one stands still as before. Nothing is lost"), "{said}");
    assert_eq!(stage.number("SELECT count(*) FROM session WHERE state = 'running'").await, 1);
}

async fn end(stage: &Stage, member: Id, thread: Id) {
    let sure = stage.press_card(member, thread, "Cancel").await;
    let channel = id(&stage.discord.channel(thread).unwrap()["parent_id"]);
    stage.press(member, channel, &sure.messages[0], "Yes, end it").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_session_keeps_nobody_out_and_goes_on_when_there_is_room() {
    let stage = for_one().await;
    let bot = stage.bot().await;
    let paused = stage.mediate(json!({})).await;
    assert!(
        stage
            .told(BEN, DECISIONS, "mediate", json!({"problem": PROBLEM}))
            .await
            .contains("as may at once (1)")
    );
    stage.press_card(ADA, paused, "Pause").await;
    stage.wait_card(paused, "[Resume]").await;
    let others = fill(&stage).await;
    refused(&stage, &stage.press_card(ADA, paused, "Resume").await.text()).await;
    // Nor do the others' restarts change that.
    bot.kill().await;
    let bot = stage.bot().await;
    refused(&stage, &stage.press_card(ADA, paused, "Resume").await.text()).await;
    end(&stage, BEN, others).await;
    let said = stage.press_card(ADA, paused, "Resume").await.text();
    assert!(said.contains("Resumed"), "{said}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_go_while_the_server_is_full_is_told_so_and_what_waits_goes_on_waiting() {
    let stage = for_one().await;
    stage.model.latency(Duration::ZERO);
    let bot = stage.bot().await;
    let waits = stage.started(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await;
    let proposal = stage.wait_for(waits, "What now").await;
    stage.model.latency(Duration::from_mins(1));
    let others = fill(&stage).await;
    refused(&stage, &stage.press(ADA, waits, &proposal, "Go").await.text()).await;
    assert!(read(&stage.message(waits, "What now")).contains("[Go]"));
    assert!(read(&stage.card(waits)).contains("Waiting for an answer"), "{}", read(&stage.card(waits)));
    bot.kill().await;
    let bot = stage.bot().await;
    refused(&stage, &stage.press(ADA, waits, &proposal, "Go").await.text()).await;
    end(&stage, BEN, others).await;
    let said = stage.press(ADA, waits, &proposal, "Go").await.text();
    assert!(said.contains("The experts begin"), "{said}");
    stage.wait_card(waits, "[Pause]").await;
    assert_eq!(stage.number("SELECT count(*) FROM wait WHERE value = 'answered'").await, 1);
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_failed_is_not_tried_again_while_the_server_is_full() {
    let stage = for_one().await;
    stage.model.latency(Duration::ZERO);
    stage.model.on(|_| Some(Answer::Fault(Fault::NotFound)));
    let bot = stage.bot().await;
    let failed = stage.mediate(json!({})).await;
    stage.wait_card(failed, "Failed").await;
    stage.model.latency(Duration::from_mins(1));
    stage.model.on(|_| None);
    let others = fill(&stage).await;
    refused(&stage, &stage.told(ADA, failed, "session retry", json!({})).await).await;
    end(&stage, BEN, others).await;
    let said = stage.told(ADA, failed, "session retry", json!({})).await;
    assert!(said.contains("Trying again"), "{said}");
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_member_brings_so_much_and_a_colleague_still_can() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_mins(1));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    for number in 1..=20 {
        let said = stage.add_context(BEN, thread, &format!("Note {number}.")).await;
        assert!(said.contains("Noted"), "{number}: {said}");
    }
    let refused = stage.add_context(BEN, thread, "One more.").await;
    assert!(refused.contains("20 notes") && refused.contains("a colleague still can"), "{refused}");
    assert!(stage.add_context(ADA, thread, "Mine.").await.contains("Noted"));
    for number in 1..=20 {
        let said = stage.told(BEN, thread, "ask", json!({"question": format!("Question {number}?")})).await;
        assert!(said.contains("Asked"), "{number}: {said}");
    }
    let refused = stage.told(BEN, thread, "ask", json!({"question": "One more?"})).await;
    assert!(refused.contains("20 questions within an hour"), "{refused}");
    assert!(stage.told(ADA, thread, "ask", json!({"question": "Mine?"})).await.contains("Asked"));
    // By mention, the thread is told why, but not without end.
    for number in 1..=25 {
        stage.discord.client().say(BEN, thread, &format!("<@{BOT}> and number {number}?")).unwrap();
    }
    let told = async || {
        let posts = stage.public(thread);
        posts.iter().filter(|post| read(post).contains("within an hour")).count()
    };
    for _ in 0..200 {
        if told().await >= 20 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    nothing_comes(Duration::from_millis(500)).await;
    assert_eq!(told().await, 20);
    assert_eq!(stage.number("SELECT count(*) FROM brought WHERE kind = 'question'").await, 21);
    stage.nothing_amiss();
    bot.kill().await;
}
