//! What is kept, in how little room, and for how long.

use std::collections::HashMap;

use crate::support::{
    Stage,
    play::{id, is_private, read},
    until, wait_for_end,
};
use domain::Money;
use playground::{
    Upload,
    ids::{ADA, BEN, DECISIONS},
};
use serde_json::json;
use sqlx::{Row, SqlitePool};

/// Two hundred KiB of words without a pattern that a packer could use.
fn document() -> String {
    let mut state = 7_u64;
    let mut words = String::from("# Minutes\n");
    while words.len() < 200 << 10 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let end = if state >> 60 == 0 { "\n" } else { " " };
        words.extend([&format!("{:x}", state >> 33), end]);
    }
    words
}

async fn number(rows: &SqlitePool, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(rows).await.unwrap()
}

/// What is in the file, without a page for each table and index, which it has before anything is in it.
const USED: &str = "SELECT page_size * (page_count - freelist_count - (SELECT count(*) FROM sqlite_schema WHERE rootpage > 0))
                    FROM pragma_page_count, pragma_page_size, pragma_freelist_count";
const PAGES: &str = "SELECT page_count FROM pragma_page_count";

/// Fourteen of eighteen calls read a document, for who scores has read what was said of it, and then a third of a year passes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_is_stored_once_and_raw_outputs_are_deleted_in_time() {
    let mut stage = Stage::start().await;
    // A model that takes in all of it at once.
    stage.panel(&["openai/gpt-4.1-mini"]);
    let plenty = 100_000_000;
    stage.settings.budgets.session.money = Money(plenty);
    stage.settings.budgets.member_day.money = Money(plenty);
    stage.settings.budgets.server_day.money = Money(plenty);
    stage.settings.budgets.session.tokens = plenty;
    stage.settings.budgets.member_day.tokens = plenty;
    stage.settings.budgets.server_day.tokens = plenty;
    let bot = stage.bot().await;
    let member = stage.discord.client();
    let options = json!({"problem": "Do we open on Sundays?", "modules": "market, cost, risk, tech"});
    let files = HashMap::from([("document".to_owned(), Upload::new("minutes.md", document()))]);
    let started = member.run_command_with(ADA, DECISIONS, "mediate", options, files).unwrap();
    let said = member.wait_reply(started).await.text();
    assert!(said.contains("It has begun"), "{said}");
    let thread = id(&stage.discord.threads(DECISIONS)[0]["id"]);
    wait_for_end(&stage, thread).await;
    let sent: usize = stage.model.calls().iter().map(|call| call.text().len()).sum();
    assert!(stage.model.calls().len() == 22 && sent > 18 * (200 << 10), "{sent} bytes in all calls");
    let rows = stage.rows().await;
    let (used, parts) =
        (number(&rows, USED).await, number(&rows, "SELECT sum(length(bytes)) FROM part").await);
    // The session's plan has it as it is; all requests and replies together have it once, packed. The prompts of all protocols,
    // which every set holds once, are left out: they grow with each protocol and say nothing of documents.
    let prompts = number(&rows, "SELECT sum(length(CAST(files AS BLOB))) FROM prompt_set").await;
    let used = used - prompts;
    assert!(used < 620 << 10 && parts < 230 << 10, "{used} bytes in the file, {parts} of them for calls");
    println!(
        "18 calls sent {sent} bytes; the database has {used}, of which {parts} for requests and replies"
    );

    let card = stage.message(thread, "Cost · round 1");
    let raw = stage.press(BEN, thread, &card, "Raw · Cost").await;
    assert!(
        is_private(&raw, BEN) && raw.text().contains("Attached: the request and the reply"),
        "{}",
        raw.text()
    );
    bot.kill().await;

    // What stands in the file now.
    let packed: Vec<Vec<u8>> = sqlx::query("SELECT bytes FROM part")
        .fetch_all(&rows)
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    let longest = packed.iter().max_by_key(|part| part.len()).unwrap();
    let canary = &longest[..longest.len().min(64)];
    let day = 24 * 60 * 60 * 1_000_i64;
    for (query, days) in [
        ("UPDATE session SET ended_ms = ended_ms - ?1", 89),
        ("UPDATE attempt SET started_ms = started_ms - ?1, finished_ms = finished_ms - ?1", 89),
    ] {
        sqlx::query(query).bind(days * day).execute(&rows).await.unwrap();
    }
    let bot = stage.bot().await;
    let raw = stage.press(BEN, thread, &stage.message(thread, "Risk · round 1"), "Raw · Risk").await;
    assert!(raw.text().contains("Attached: the request"), "after 89 days it is there: {}", raw.text());
    bot.kill().await;
    assert!(in_files(&stage, canary), "and stands in the files");
    let before = number(&rows, PAGES).await;
    for query in
        ["UPDATE session SET ended_ms = ended_ms - ?1", "UPDATE attempt SET started_ms = started_ms - ?1"]
    {
        sqlx::query(query).bind(2 * day).execute(&rows).await.unwrap();
    }

    // The test's own reader would keep the log from being emptied.
    rows.close().await;
    let bot = stage.bot().await;
    until(|| !in_files(&stage, canary), || "it is deleted in the database and in its log").await;
    for part in &packed {
        let piece = &part[..part.len().min(64)];
        assert!(part.len() < 64 || !in_files(&stage, piece), "a part stands there still");
    }
    let rows = stage.rows().await;
    let after = number(&rows, PAGES).await;
    assert!(before - after > (100 << 10) / 4096, "space was given back: {before} pages, then {after}");
    let raw = stage.press(BEN, thread, &stage.message(thread, "Risk · round 1"), "Raw · Risk").await;
    assert!(raw.text().contains("The request and the reply were deleted"), "{}", raw.text());
    let names: Vec<String> = raw
        .messages
        .iter()
        .flat_map(|message| message["attachments"].as_array().unwrap().clone())
        .map(|file| file["filename"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["round-1-risk-read.json"], "{:?}", raw.messages.iter().map(read).collect::<Vec<_>>());
    let whole = stage.press(BEN, thread, &stage.message(thread, "Cost · round 1"), "Cost").await;
    assert!(whole.text().chars().count() > 80, "the session itself is kept");
    bot.kill().await;
}

/// Whether the database or its log has these bytes.
fn in_files(stage: &Stage, bytes: &[u8]) -> bool {
    ["", "-wal"].iter().any(|ending| {
        let path = format!("{}{ending}", stage.database().display());
        let file = std::fs::read(path).unwrap_or_default();
        file.windows(bytes.len()).any(|window| window == bytes)
    })
}
