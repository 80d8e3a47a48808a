//! A session whose vote has closed, and what people do with it.

use playground::{
    Id, Seen,
    ids::{ADA, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{
    Actor, Stage,
    play::{PATIENCE, is_private, read},
    wait_for_end,
};

/// The form, filled in.
pub const FORM: [(&str, &str); 5] = [
    ("solution", "S2"),
    ("why", "It is the smallest step that teaches us something."),
    ("member", ""),
    ("review", ""),
    ("dissent", "Chloé would rather wait."),
];

/// The form with other texts in some boxes.
pub fn form<'a>(changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let new = |name: &str| changed.iter().find(|(other, _)| *other == name).map(|(_, text)| *text);
    FORM.iter().map(|(name, text)| (*name, new(name).unwrap_or(text))).collect()
}

/// A number out of the database.
pub async fn count(stage: &Stage, sql: &'static str) -> i64 {
    let pool = stage.rows().await;
    let found = sqlx::query_scalar(sql).fetch_one(&pool).await.unwrap();
    pool.close().await;
    found
}

/// A finished session of Ada's in #decisions with a vote on three solutions, closed: the experts are for the first,
/// two of three members for the second.
pub async fn decided(stage: &Stage) -> Id {
    decided_in(stage, DECISIONS).await
}

/// The same in another channel.
pub async fn decided_in(stage: &Stage, channel: Id) -> Id {
    let thread = stage.mediate_as(ADA, channel, json!({})).await;
    wait_for_end(stage, thread).await;
    open_vote(stage, thread).await;
    close_votes(stage).await;
    thread
}

/// Puts an open vote into the database.
pub async fn open_vote(stage: &Stage, thread: Id) {
    let session = stage.session(thread);
    let pool = stage.rows().await;
    let rules = json!({"electorate": "everyone", "hours": 24, "quorum": 0, "live": false, "remind_hours": 4, "ping": false});
    let experts = json!([
        {"title": "📈 Market", "weight": 1.0, "allocation": [8, 2], "basis": "given"},
        {"title": "💰 Cost", "weight": 2.0, "allocation": [6, 4], "basis": "scaled"},
        {"title": "⚠️ Risk", "weight": 1.0, "allocation": [5, 5], "basis": "even"},
    ]);
    // A session whose protocol opens its own vote has one already.
    sqlx::query("DELETE FROM vote WHERE session_id = ?1").bind(&session).execute(&pool).await.unwrap();
    sqlx::query(
        "INSERT INTO vote (session_id, key, kind, question, rules, experts, state, opened_ms, deadline_ms)
         VALUES (?1, 'vote', 'points', 'We want to build a food delivery app', ?2, ?3, 'open', 1, 9e15)",
    )
    .bind(&session)
    .bind(rules.to_string())
    .bind(experts.to_string())
    .execute(&pool)
    .await
    .unwrap();
    let solutions =
        [("Launch town-wide", None), ("Pilot in one district", None), ("Wait 100 % of a year", Some(7_i64))];
    for (n, (title, proposer)) in (1_i64..).zip(solutions) {
        sqlx::query("INSERT INTO solution (session_id, key, n, title, description, raised_by, proposer_id) VALUES (?1, 'vote', ?2, ?3, '', '[]', ?4)")
            .bind(&session)
            .bind(n)
            .bind(title)
            .bind(proposer)
            .execute(&pool)
            .await
            .unwrap();
    }
    for (voter, points) in [(1_i64, "[0, 10]"), (2, "[3, 7]"), (3, "[2, 0, 8]")] {
        sqlx::query("INSERT INTO ballot (session_id, key, voter_id, voter_name, choice, event_id, at_ms) VALUES (?1, 'vote', ?2, 'M', ?3, ?2, 1)")
            .bind(&session)
            .bind(voter)
            .bind(points)
            .execute(&pool)
            .await
            .unwrap();
    }
    pool.close().await;
}

/// Closes every vote.
pub async fn close_votes(stage: &Stage) {
    stage
        .alter(
            "UPDATE vote SET state = 'counted', closed_ms = 2, closed_why = 'deadline' WHERE state = 'open'",
        )
        .await;
}

/// Presses a button that means a verb, wherever it stands; gives the press and its answer.
pub async fn press(stage: &Stage, member: Id, thread: Id, verb: &str) -> (Id, Seen) {
    let custom_id = format!("v1:{}:{verb}", stage.session(thread));
    let message = stage.forged_buttons(thread, &[&custom_id]).await;
    let client = stage.discord.client();
    let pressed = client.click(member, thread, message, &custom_id).unwrap();
    (pressed, client.wait_reply(pressed).await)
}

/// Opens the form and sends these parts, whatever they are; gives what the member alone is told.
pub async fn record_parts(stage: &Stage, member: Id, thread: Id, parts: &Value) -> Seen {
    let (opener, _) = press(stage, member, thread, "decide:").await;
    let client = stage.discord.client();
    let sent = client.submit_components(member, opener, parts).unwrap();
    let seen = client.wait_reply(sent).await;
    assert!(is_private(&seen, member), "only for {member}: {:?}", seen.messages);
    seen
}

/// Opens the form and sends it; gives the sent form's interaction.
pub async fn send(stage: &Stage, member: Id, thread: Id, form: &[(&str, &str)]) -> Id {
    let (pressed, seen) = press(stage, member, thread, "decide:").await;
    assert!(seen.modal.is_some(), "a form opens: {}", seen.text());
    stage.discord.client().submit_modal(member, pressed, form).unwrap()
}

/// Records a decision; gives what the member alone is told.
pub async fn record(stage: &Stage, member: Id, thread: Id, form: &[(&str, &str)]) -> Seen {
    let sent = send(stage, member, thread, form).await;
    let seen = stage.discord.client().wait_reply(sent).await;
    assert!(is_private(&seen, member), "only for {member}: {:?}", seen.messages);
    seen
}

/// All cards in a thread whose title holds a phrase.
pub fn cards(stage: &Stage, thread: Id, phrase: &str) -> Vec<Value> {
    let titled =
        |message: &Value| message["embeds"][0]["title"].as_str().is_some_and(|title| title.contains(phrase));
    stage.public(thread).into_iter().filter(titled).collect()
}

/// Waits for a message of the thread that holds all phrases.
pub async fn wait_said(stage: &Stage, thread: Id, phrases: &[&str]) -> String {
    let wanted = |message: &Value| {
        let text = read(message);
        message["ephemeral_for"].is_null() && phrases.iter().all(|phrase| text.contains(phrase))
    };
    let found = stage.discord.client().wait_message(thread, PATIENCE, wanted).await;
    read(&found.unwrap_or_else(|| panic!("{phrases:?} did not come in\n{}", stage.read(thread))))
}

/// Waits until a card of that title is pinned.
pub async fn wait_pinned(stage: &Stage, thread: Id, title: &str) {
    let pinned = |message: &Value| {
        message["pinned"] == true
            && message["embeds"][0]["title"].as_str().is_some_and(|shown| shown.contains(title))
    };
    let found = stage.discord.client().wait_message(thread, PATIENCE, pinned).await;
    assert!(found.is_some(), "{title} is not pinned in\n{}", stage.read(thread));
}

/// A stage with a bot, and a session whose vote is closed.
pub async fn set() -> (Stage, Actor, Id) {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let thread = decided(&stage).await;
    (stage, bot, thread)
}
