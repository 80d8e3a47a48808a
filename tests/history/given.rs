//! Whoever wrote a message that somebody else's session was given, as `message:` or by the message's menu: what they wrote and
//! what they are called is found when they want it deleted, though they did nothing in any of these sessions.

use playground::{
    Id, Upload,
    ids::{BEN, BOT, CHLOE, DECISIONS, GENERAL, RIVERSIDE},
};
use serde_json::{Value, json};

use super::{
    privacy::delete,
    scene::{answer, wait_gone},
};
use crate::{
    beginning::scene::{ENTRY, only_box},
    support::{Stage, files::thread_of, has, play::read, wait_for_end},
};

const CRITIQUE: &str = "Critique this message";

/// Ben writes something in #decisions, with a file.
fn writes(stage: &Stage, text: &str, file: &'static str) -> Id {
    stage.attach(BEN, DECISIONS, text, vec![Upload::new("plan.md", file)])
}

/// The kinds of what stands under Ben's number in the newest session.
async fn traces(stage: &Stage) -> Vec<String> {
    let kinds = "SELECT DISTINCT what FROM trace WHERE user_id = ?1 AND session_id = (
                     SELECT id FROM session ORDER BY started_ms DESC, rowid DESC LIMIT 1) ORDER BY what";
    sqlx::query_scalar(kinds).bind(BEN.cast_signed()).fetch_all(&stage.rows().await).await.unwrap()
}

/// A command that is used on a message.
async fn used(stage: &Stage, command: &str, options: Value) -> Id {
    let client = stage.discord.client();
    let ran = client.run_command(CHLOE, DECISIONS, command, options).unwrap();
    thread_of(&client.wait_reply(ran).await, CHLOE)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_wrote_a_message_that_was_given_in_is_found_by_their_deletion() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let link = |message: Id| format!("https://discord.com/channels/{RIVERSIDE}/{DECISIONS}/{message}");
    let all = ["document", "name", "words"];

    // By its link, beside a question of one's own and as what is examined.
    let message = writes(
        &stage,
        &format!("<@{BOT}> The pusillanimous ferry is for sale."),
        "A lachrymose captain owns it.",
    );
    let options = json!({"problem": "Do we run a ferry?", "message": link(message)});
    wait_for_end(&stage, used(&stage, "mediate", options).await).await;
    assert_eq!(traces(&stage).await, all, "/mediate");
    let message = writes(
        &stage,
        &format!(
            "<@{BOT}> A sesquipedalian pier, then: whoever lands there pays for the crane, and the crane pays for the pier within four years."
        ),
        "With a crepuscular lamp.",
    );
    wait_for_end(&stage, used(&stage, "critique", json!({"depth": 1, "message": link(message)})).await).await;
    assert_eq!(traces(&stage).await, all, "/critique");

    // By its menu: as the question, as what is read beside a question that is asked for, and as what is examined.
    let question = "Should we move the obstreperous depot to the harbour before the winter?";
    let offer = stage.offered(writes(&stage, question, "The tintinnabulary harbour.")).await;
    let thread = thread_of(&client.wait_reply(stage.chosen(&offer, "mediate")).await, CHLOE);
    wait_for_end(&stage, thread).await;
    assert_eq!(traces(&stage).await, all, "{ENTRY}, a question");
    let minutes =
        format!("The quizzacious minutes. {}", "We spoke of the depot and of the harbour. ".repeat(30));
    let offer = stage.offered(writes(&stage, &minutes, "Its rumbustious annex.")).await;
    let chosen = stage.chosen(&offer, "debate");
    only_box(&client.wait_reply(chosen).await);
    let thread = thread_of(&stage.send(CHLOE, chosen, "The depot should move to the harbour").await, CHLOE);
    stage.press(CHLOE, thread, &stage.wait_for(thread, "[Start]").await, "Start").await;
    wait_for_end(&stage, thread).await;
    assert_eq!(traces(&stage).await, all, "{ENTRY}, no question");
    let message = writes(
        &stage,
        "An effervescent plan: the quay is paid for by those who land there, and no boat is turned away for want of a berth.",
        "Of a discombobulated quay.",
    );
    wait_for_end(&stage, thread_of(&stage.apps(CHLOE, DECISIONS, message, CRITIQUE).await, CHLOE)).await;
    assert_eq!(traces(&stage).await, all, "{CRITIQUE}");
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 5);

    // What a session says is let be as long as people vote on it.
    stage
        .alter(
            "UPDATE vote SET state = 'counted', closed_ms = 2, closed_why = 'deadline', remind_ms = NULL
             WHERE state = 'open'",
        )
        .await;

    has(&delete(&stage, BEN, "Delete my data").await, &["Your data here is being deleted"]);
    stage.wait_number("SELECT count(*) FROM erasure", 0).await;
    has(&read(&answer(&stage, BEN, GENERAL, "privacy", json!({})).await), &["Nothing."]);
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 5, "they are Chloé's");
    let tables =
        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'";
    let rows = stage.rows().await;
    let fields: Vec<(String, String)> = sqlx::query_as(tables).fetch_all(&rows).await.unwrap();
    rows.close().await;
    let mut left = Vec::new();
    for (table, field) in &fields {
        let of = format!("instr(\"{field}\", '{BEN}') > 0 OR instr(\"{field}\", 'by Ben') > 0");
        if stage.number(&format!("SELECT count(*) FROM {table} WHERE {of}")).await > 0 {
            left.push(format!("{table}.{field}"));
        }
    }
    assert_eq!(left, Vec::<String>::new());
    stage.alter("PRAGMA wal_checkpoint(TRUNCATE)").await;
    for word in [
        "pusillanimous",
        "lachrymose",
        "sesquipedalian",
        "crepuscular",
        "obstreperous",
        "tintinnabulary",
        "quizzacious",
        "rumbustious",
        "effervescent",
        "discombobulated",
    ] {
        wait_gone(&stage, word).await;
    }
    stage.nothing_amiss();
    bot.kill().await;
}
