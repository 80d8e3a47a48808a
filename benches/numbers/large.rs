//! What a start, a post and a press cost with 1.5 million rows in the journal, beside what they cost with a thousand.

use std::time::{Duration, Instant};

use playground::ids;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    scene::Scene,
    table::{Measured, Table, ms, percentile},
};

/// Steps of one finished session.
const STEPS: u64 = 1_000;
/// Sessions in the small and in the large database.
const SESSIONS: [u64; 2] = [1, 1_500];

/// A row of numbers for each size; the large one may cost so much more than the small one as the clock is exact.
pub async fn large_journal(table: &mut Table) {
    let small = measured(SESSIONS[0]).await;
    let large = measured(SESSIONS[1]).await;
    for ((what, small), (_, large)) in small.into_iter().zip(large) {
        table.check(
            &format!("{what}: 1.5 million journal rows, beyond a thousand"),
            Measured { value: large - small, goal: 20.0, limit: 100.0, unit: "ms" },
        );
        table.note("a thousand, 1.5 million", format!("{small:.0}, {large:.0} ms"));
    }
}

async fn measured(sessions: u64) -> [(&'static str, f64); 3] {
    let scene = Scene::new(10, Duration::ZERO).await;
    scene.bot().await.kill();
    fill(&scene, sessions).await;
    let (process, start) = scene.start().await;
    assert!(scene.discord.client().wait_bot(Duration::from_secs(20)).await);
    let (mut posts, mut presses) = (Vec::new(), Vec::new());
    for n in 0..5 {
        let asked = Instant::now();
        let case = scene.ask(n..n + 1)[0];
        while !scene.has_thread(&case) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        posts.push(ms(asked.elapsed()));
        let (client, thread, begun) = (scene.discord.client(), scene.thread(&case), Instant::now());
        let shown = client.run_command(ids::ADA, thread, "session show", json!({})).unwrap();
        client.wait_reply(shown).await;
        presses.push(ms(begun.elapsed()));
    }
    process.kill();
    [("start", start), ("a post", percentile(&posts, 50.0)), ("an answer", percentile(&presses, 50.0))]
}

/// Puts finished sessions into the database, as if they had run over years.
async fn fill(scene: &Scene, sessions: u64) {
    let path = scene.database_path();
    let mut database =
        SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await.unwrap();
    let numbers = |most: u64| {
        format!("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {most})")
    };
    for statement in [
        "PRAGMA synchronous = OFF".to_owned(),
        "INSERT INTO prompt_set VALUES ('bench', '{}')".to_owned(),
        format!(
            "{} INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, protocol, title, plan, prompt_version,
                                    state, card_state, started_ms, ended_ms, thread_id)
             SELECT printf('bench%05d', i), 5 + i % 7, 6, 7, 'Ada', 'mediate', 'Old', '{{}}', 'bench', 'done', 'done',
                    unixepoch() * 1000 - 8640000 * i, unixepoch() * 1000 - 8640000 * i + 1000, 1000 + i FROM n",
            numbers(sessions)
        ),
        format!(
            "{} INSERT INTO step SELECT s.id, printf('round-%05d/market', i), 'ask:analysis', 'done', '{{\"summary\":\"short\"}}', 1, 2
             FROM session s, n WHERE s.prompt_version = 'bench' ORDER BY s.id, i",
            numbers(STEPS)
        ),
    ] {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
}
