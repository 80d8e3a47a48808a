//! What one member may do before others have their turn: sessions that are open, and what is brought to one.

use std::time::Duration;

use crate::support::{
    Stage,
    play::{PROBLEM, read},
};
use quorum::playground::{
    Upload,
    ids::{ADA, BEN, BOT, DECISIONS},
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_members_waiting_sessions_close_the_server_to_nobody() {
    let mut stage = Stage::start().await;
    stage.settings.most_open.of_server = 2;
    stage.settings.most_open.of_member = 3;
    let bot = stage.bot().await;
    // Three that wait for Go: more than the server runs at once, and all that a member may have.
    for _ in 0..3 {
        let thread = stage.started(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await;
        stage.wait_for(thread, "What now").await;
    }
    let refused = stage.told(ADA, DECISIONS, "roundtable", json!({"problem": PROBLEM})).await;
    assert!(refused.contains("3 sessions that you started here have not ended yet"), "{refused}");
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
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(told().await, 20);
    assert_eq!(stage.number("SELECT count(*) FROM question").await, 21);
    stage.nothing_amiss();
    bot.kill().await;
}
