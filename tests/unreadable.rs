//! A row that cannot be read stops nothing but itself: its session is parked with a notice, and all others go on.

use playground::ids::{ADA, BEN, DECISIONS, GENERAL};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::{Stage, has, program::command, wait_for_end};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_with_a_bad_row_is_parked_and_the_other_ends() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.user.contains("You are the mediator."));
    let bad = stage.mediate_as(ADA, DECISIONS, json!({"problem": "A question with a bad row"})).await;
    let good = stage.mediate_as(BEN, GENERAL, json!({"problem": "Another question"})).await;
    for thread in [bad, good] {
        stage.wait_for(thread, "Market · round 2").await;
    }
    bot.kill().await;
    let id = stage.session(bad);
    assert_eq!(stage.alter(&format!("UPDATE session SET tag = 'x' WHERE id = '{id}'")).await, 1);
    let doctor = async || {
        let folder = tempfile::tempdir().unwrap();
        let mut doctor = command(&stage, folder.path(), "doctor");
        let output = tokio::task::spawn_blocking(move || doctor.output().unwrap()).await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    has(&doctor().await, &["WRONG  rows: 1 cannot be read", &format!("session {id}")]);

    stage.model.let_go();
    for _ in 0..2 {
        let bot = stage.bot().await;
        stage.wait_for(bad, "Parked.").await;
        wait_for_end(&stage, good).await;
        stage.wait_card(bad, "Parked").await;
        let shown = stage.read(bad);
        assert_eq!(shown.matches("Parked.").count(), 1, "{shown}");
        bot.kill().await;
    }
    has(&doctor().await, &["  ok     rows: ", &format!("parked: {id}: Something that is stored")]);
    stage.nothing_amiss_but_repeats();
}

/// Whatever of a session's rows it is: the session is parked, and nothing else stands still.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_cannot_be_read_of_a_session_parks_it_and_no_other() {
    const BAD: [&str; 5] = [
        "UPDATE session SET plan = '{}' WHERE id = ?1",
        "UPDATE session SET card_state = 'x' WHERE id = ?1",
        // As if nothing were held for the call that the kill cut off.
        "UPDATE account SET calls_held = 0 WHERE owner = ?1",
        "UPDATE step SET output = '7' WHERE session_id = ?1 AND state = 'done'",
        "INSERT INTO brought (id, session_id, kind, author_id, author_name, text, at_ms, addressee)
         VALUES (1, ?1, 'question', 9, 'Bo', 'Why?', 0, 'x')",
    ];
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.hold(|call| call.user.contains("You are the mediator."));
    let mut bad = Vec::new();
    for statement in BAD {
        bad.push((
            stage.mediate_as(ADA, DECISIONS, json!({"problem": "A question with a bad row"})).await,
            statement,
        ));
    }
    let good = stage.mediate_as(BEN, GENERAL, json!({"problem": "Another question"})).await;
    for thread in bad.iter().map(|(thread, _)| *thread).chain([good]) {
        stage.wait_for(thread, "Market · round 2").await;
    }
    bot.kill().await;
    let rows = stage.rows().await;
    for (thread, statement) in &bad {
        let session = stage.session(*thread);
        let changed = sqlx::query(AssertSqlSafe(*statement)).bind(&session).execute(&rows).await.unwrap();
        assert!(changed.rows_affected() > 0, "{statement}");
    }
    rows.close().await;
    stage.model.let_go();
    let bot = stage.bot().await;
    wait_for_end(&stage, good).await;
    for (thread, statement) in &bad {
        let parked = format!(
            "SELECT count(*) FROM session WHERE state = 'parked' AND id = '{}'",
            stage.session(*thread)
        );
        stage.wait_until(*thread, statement, async || stage.number(&parked).await == 1).await;
        stage.wait_for(*thread, "**Parked").await;
    }
    bot.kill().await;
}
