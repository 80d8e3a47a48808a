//! A hundred sessions at once: memory, answers to people, and going on after a kill.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use playground::{Client, Id, ids};
use serde_json::{Value, json};

use super::{
    scene::{Case, Process, Scene},
    table::{Measured, Table, ms, percentile},
};

const SESSIONS: usize = 100;
/// Long enough that all are still running when the last interaction is answered.
const D: Duration = Duration::from_secs(8);
/// Interactions, and how far they are apart.
const INTERACTIONS: usize = 300;
const APART: Duration = Duration::from_millis(45);
/// How long after the last post the bot counts as at rest.
const RESTED: Duration = Duration::from_secs(15);

/// Everything that is measured with a hundred sessions running.
pub async fn hundred_sessions(table: &mut Table) {
    let scene = Arc::new(Scene::new(SESSIONS, D).await);
    let bot = scene.bot().await;
    let (idle, _) = bot.memory();
    let cases = scene.ask(0..SESSIONS);
    // Opened at Discord's pace, while the first round thinks.
    while !cases.iter().all(|case| scene.has_thread(case)) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (waits, resident) = interactions(&scene, &bot, &cases).await;
    let value = percentile(&waits, 99.0);
    table.check(
        "acknowledgement with 100 sessions (p99 of 300)",
        Measured { value, goal: 50.0, limit: 250.0, unit: "ms" },
    );
    let middle = percentile(&waits, 50.0);
    table.note("median, slowest", format!("{middle:.0}, {:.0} ms", percentile(&waits, 100.0)));
    table.check(
        "memory with 100 sessions (most seen)",
        Measured { value: resident, goal: 80.0, limit: 120.0, unit: "MB" },
    );
    resume(table, &scene, (bot, idle), &cases).await;
}

/// Uses the bot in many ways while all sessions run; gives milliseconds until each acknowledgement and the most
/// memory seen.
async fn interactions(scene: &Arc<Scene>, bot: &Process, cases: &[Case]) -> (Vec<f64>, f64) {
    let mut answers = Vec::with_capacity(INTERACTIONS);
    let mut resident = 0.0_f64;
    let mut tick = tokio::time::interval(APART);
    for n in 0..INTERACTIONS {
        tick.tick().await;
        let (scene, case) = (Arc::clone(scene), cases[n * 7 % cases.len()]);
        answers.push(tokio::spawn(async move { acknowledged(&scene, &case, n).await }));
        resident = resident.max(bot.memory().0);
    }
    let mut waits = Vec::new();
    for answer in answers {
        waits.extend(answer.await.unwrap());
    }
    (waits, resident)
}

/// Does the `n`th thing; gives how long the bot took to acknowledge it. Two figures for a form.
async fn acknowledged(scene: &Scene, case: &Case, n: usize) -> Vec<f64> {
    let client = scene.discord.client();
    let thread = scene.thread(case);
    let begun = match n % 8 {
        0 => client.run_command(ids::ADA, case.channel, "modules", json!({})),
        1 => client.run_command(ids::ADA, case.channel, "history", json!({})),
        2 | 3 => client.run_command(ids::ADA, thread, "session show", json!({})),
        4 => {
            let (began, typed) = (Instant::now(), json!({"problem": "x", "modules": "mar"}));
            client.autocomplete(ids::ADA, case.channel, "mediate", typed, "modules").await.unwrap();
            return vec![ms(began.elapsed())];
        }
        5 => client.run_command(ids::ADA, thread, "ask", json!({"question": "What speaks against it?"})),
        6 => match button(scene, thread, ":raw:") {
            Some((message, id)) => client.click(ids::ADA, thread, message, &id),
            None => client.run_command(ids::ADA, thread, "help", json!({})),
        },
        _ => return form(scene, &client, case).await,
    };
    let seen = client.wait_acknowledged(begun.unwrap()).await;
    vec![figure(seen.acknowledged_after_ms)]
}

/// *Add context*: the form that opens, and the note that is sent with it.
async fn form(scene: &Scene, client: &Client, case: &Case) -> Vec<f64> {
    let (message, id) = button(scene, case.channel, ":context").expect("the live card has its buttons");
    let pressed = client.click(ids::ADA, case.channel, message, &id).unwrap();
    let opened = client.wait_acknowledged(pressed).await;
    let sent = client.submit_modal(ids::ADA, pressed, &[("note", "There are 300 students.")]).unwrap();
    let taken = client.wait_acknowledged(sent).await;
    vec![figure(opened.acknowledged_after_ms), figure(taken.acknowledged_after_ms)]
}

/// What was never acknowledged counts as worse than anything.
fn figure(after: Option<u64>) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    after.map_or(f64::INFINITY, |after| after as f64)
}

/// A message of the channel with a button whose `custom_id` contains `what`.
fn button(scene: &Scene, channel: Id, what: &str) -> Option<(Id, String)> {
    let messages = scene.discord.messages(channel);
    messages.iter().find_map(|message| {
        let rows = message["components"].as_array().into_iter().flatten();
        let mut buttons = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
        let found =
            buttons.find_map(|button: &Value| button["custom_id"].as_str().filter(|id| id.contains(what)))?;
        Some((message["id"].as_str()?.parse().ok()?, found.to_owned()))
    })
}

/// Kills the bot with a hundred sessions running and starts it again.
async fn resume(table: &mut Table, scene: &Scene, (bot, idle): (Process, f64), cases: &[Case]) {
    let running = |count: i64| assert_eq!(count, 100, "all sessions still run\n{}", scene.log());
    let mut database = scene.database().await;
    let count = "SELECT count(*) FROM session WHERE state = 'running'";
    running(sqlx::query_scalar(count).fetch_one(&mut database).await.unwrap());
    drop(database);
    bot.kill();
    while scene.discord.bot_online() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let before = scene.model.calls().len();
    let (bot, ready) = scene.start().await;
    let mut resident = 0.0_f64;
    for _ in 0..30 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        resident = resident.max(bot.memory().0);
    }
    let calls = scene.model.calls().split_off(before);
    let (mut seen, mut last) = (HashSet::new(), f64::NAN);
    for call in &calls {
        let text = call.text();
        let case = cases.iter().find(|case| text.contains(&format!("Case {}:", case.n)));
        if case.is_some_and(|case| seen.insert(case.n)) {
            last = ms(call.at - bot.began);
        }
    }
    let value = if seen.len() == cases.len() { last } else { f64::INFINITY };
    table.check(
        "100 interrupted sessions all going on again",
        Measured { value, goal: 500.0, limit: 2_000.0, unit: "ms" },
    );
    table.note("of them, with a call after 3 s", seen.len().to_string());
    table.check(
        "restart to gateway READY with them",
        Measured { value: ready, goal: 100.0, limit: 500.0, unit: "ms" },
    );
    scene.wait_done(cases, Duration::from_mins(2)).await;
    scene.wait_posted(cases, Duration::from_mins(5)).await;
    tokio::time::sleep(RESTED).await;
    let (now, most) = bot.memory();
    table.check(
        "memory with 100 resumed sessions (most ever)",
        Measured { value: most, goal: 80.0, limit: 120.0, unit: "MB" },
    );
    table.check(
        "memory when they are done and posted, beyond idle",
        Measured { value: now - idle, goal: 10.0, limit: 60.0, unit: "MB" },
    );
}
