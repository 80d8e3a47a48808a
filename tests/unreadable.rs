//! A row that cannot be read stops nothing but itself: its session is parked with a notice, and all others go on.

use playground::ids::{ADA, BEN, DECISIONS, GENERAL};
use serde_json::json;

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
