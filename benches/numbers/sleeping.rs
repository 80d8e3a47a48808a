//! What ten thousand sessions cost that wait for people: a start, the time after it, an answer in the thread of one, and
//! its waking. Half of them are paused, some wait for *Go* with a large document, and the others have an open vote; each
//! has its plan, its journal, its posts and its thread, as the bot itself left them.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use playground::{Id, Upload, ids};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    scene::{Process, Scene},
    table::{Measured, Table, ms, percentile},
};

const SLEEPING: usize = 10_000;
/// Servers on which they are: Discord lets one have a thousand open threads.
const SERVERS: usize = 20;
/// Rows in the journal of each.
const STEPS: usize = 150;
/// How long the bot is watched after a start.
const WATCHED: Duration = Duration::from_secs(20);
/// How long a call to a model takes.
const D: Duration = Duration::from_secs(1);

/// Text of a document, in bytes.
const DOCUMENT: usize = 20_000;
const LARGE_DOCUMENT: usize = 200_000;

/// Starts that are timed.
const STARTS: usize = 5;

/// What a start was like.
struct Start {
    memory: f64,
    /// Requests to Discord by kind, from the start until [`WATCHED`] after READY.
    requests: BTreeMap<String, usize>,
}

/// A session that the bot itself brought to where it sleeps, and of which the others are copies.
struct Pattern {
    channel: Id,
    thread: Id,
    /// Of twenty copies, so many.
    of_twenty: usize,
}

/// Rows for a start with all of them asleep, for an answer to `/session show`, and for *Resume* in one.
pub async fn sleeping_sessions(table: &mut Table) {
    let scene = Scene::new(2 * SERVERS, D).await;
    let (process, none) = watched(&scene).await;
    process.kill();
    let with_none = starts(&scene).await;
    let patterns = patterns(&scene).await;
    fill(&scene, &patterns).await;
    let with_all = starts(&scene).await;
    let (process, all) = watched(&scene).await;
    let within = Measured { value: percentile(&with_all, 50.0), goal: 100.0, limit: 2_000.0, unit: "ms" };
    table.check("start to READY with 10,000 sleeping sessions (median of 5)", within);
    let [slowest, none_median] = [percentile(&with_all, 100.0), percentile(&with_none, 50.0)];
    table.note("slowest; with none", format!("{slowest:.0}; {none_median:.0} ms"));
    let within = Measured { value: all.memory - none.memory, goal: 3.0, limit: 10.0, unit: "MB" };
    table.check("memory idle with 10,000 sleeping sessions, beyond that with none", within);
    table.note("with them, with none", format!("{:.1}, {:.1} MB", all.memory, none.memory));
    let count = |start: &Start| start.requests.values().sum::<usize>();
    #[allow(clippy::cast_precision_loss)]
    let more = count(&all) as f64 - count(&none) as f64;
    let within = Measured { value: more, goal: 0.0, limit: 10.0, unit: "" };
    table.check("requests to Discord within 20 s of that start, beyond those with none", within);
    table.note("which", format!("{:?}", all.requests));

    let (client, mut shown) = (scene.discord.client(), Vec::new());
    for _ in 0..5 {
        let begun = Instant::now();
        let asked = client.run_command(ids::ADA, patterns[0].thread, "session show", json!({})).unwrap();
        let seen = client.wait_reply(asked).await;
        assert!(seen.text().contains("Paused"), "{}", seen.text());
        shown.push(ms(begun.elapsed()));
    }
    let within = Measured { value: percentile(&shown, 50.0), goal: 20.0, limit: 250.0, unit: "ms" };
    table.check("/session show in the thread of a sleeping session (median of 5)", within);

    let (before, begun) = (scene.model.calls().len(), Instant::now());
    press(&scene, patterns[0].channel, ":resume").await;
    while scene.model.calls().len() == before {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not wake\n{}", scene.log());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let within = Measured { value: ms(begun.elapsed()), goal: 100.0, limit: 500.0, unit: "ms" };
    table.check("Resume pressed in a sleeping session to its first call", within);
    process.kill();
}

/// How long several starts on a database that is there took, each killed a second later.
async fn starts(scene: &Scene) -> Vec<f64> {
    let mut took = Vec::new();
    for _ in 0..STARTS {
        let (process, ready) = scene.start().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        process.kill();
        took.push(ready);
    }
    took
}

/// Starts the bot, and watches it for a while once it is connected.
async fn watched(scene: &Scene) -> (Process, Start) {
    scene.discord.clear_record();
    let (process, _) = scene.start().await;
    tokio::time::sleep(WATCHED).await;
    let mut requests = BTreeMap::new();
    for request in scene.discord.requests() {
        let path = request.path.split('?').next().unwrap_or_default();
        let number = |part: &str| part.parse::<u64>().map_or(part.to_owned(), |_| "#".to_owned());
        let kind: Vec<String> = path.trim_matches('/').split('/').map(number).collect();
        *requests.entry(format!("{} {}", request.method, kind.join("/"))).or_default() += 1;
    }
    let memory = process.memory().0;
    (process, Start { memory, requests })
}

/// Has the bot bring one session of each kind to where it sleeps: paused, waiting for *Go*, with an open vote.
async fn patterns(scene: &Scene) -> Vec<Pattern> {
    let process = scene.bot().await;
    let client = scene.discord.client();
    let channel = |n: usize| ids::EXTRA_CHANNEL + n as Id;
    let mut threads = Vec::new();
    for (n, bytes) in [DOCUMENT, LARGE_DOCUMENT, DOCUMENT].into_iter().enumerate() {
        let lines: Vec<String> =
            (0..bytes / 100).map(|line| format!("{line:04} {:94}", "of the plan.")).collect();
        let text = lines.join("\n");
        let files = HashMap::from([("document".to_owned(), Upload::new("plan.md", text))]);
        let opened = client.run_command_with(ids::ADA, channel(n), "mediate", json!({}), files).unwrap();
        assert!(client.wait_reply(opened).await.modal.is_some(), "a form\n{}", scene.log());
        let begins = if n == 1 { "asked" } else { "at_once" };
        let values = [("text", "Where should the depot be?"), ("start", begins)];
        client.submit_modal(ids::ADA, opened, &values).unwrap();
        let thread =
            client.wait_thread(channel(n), Duration::from_secs(20), |_| true).await.expect("a thread");
        threads.push(thread["id"].as_str().unwrap().parse().unwrap());
        if n == 0 {
            press(scene, channel(n), ":pause").await;
        }
    }
    let kinds = [("paused", 10), ("waiting", 1), ("done", 9)];
    let mut database = scene.database().await;
    let begun = Instant::now();
    for (n, (state, _)) in kinds.iter().enumerate() {
        let of = "SELECT count(*) FROM session WHERE channel_id = ?1 AND state = ?2 AND card_state = state";
        let number = i64::try_from(channel(n)).unwrap();
        while sqlx::query_scalar::<_, i64>(of)
            .bind(number)
            .bind(state)
            .fetch_one(&mut database)
            .await
            .unwrap()
            == 0
        {
            assert!(begun.elapsed() < Duration::from_mins(2), "none is {state}\n{}", scene.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // The last posts, panels and names of threads.
    tokio::time::sleep(Duration::from_secs(15)).await;
    process.kill();
    let pattern = |(n, thread): (usize, Id)| Pattern { channel: channel(n), thread, of_twenty: kinds[n].1 };
    threads.into_iter().enumerate().map(pattern).collect()
}

/// Fills the database with copies, each with a thread of its own in which somebody has written since.
async fn fill(scene: &Scene, patterns: &[Pattern]) {
    let options = SqliteConnectOptions::new().filename(scene.database_path());
    let mut database = SqliteConnection::connect_with(&options).await.unwrap();
    for statement in [
        "PRAGMA synchronous = OFF",
        "CREATE TEMP TABLE copy (n INTEGER PRIMARY KEY, of TEXT, id TEXT, guild INTEGER, channel INTEGER, thread INTEGER, seen INTEGER)",
        "BEGIN",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    let client = scene.discord.client();
    for n in patterns.len()..SLEEPING {
        let mut place = n % 20;
        let pattern = patterns.iter().find(|pattern| {
            let found = place < pattern.of_twenty;
            place = place.saturating_sub(pattern.of_twenty);
            found
        });
        let guild = ids::EXTRA_GUILD + 10 * (n % SERVERS) as Id;
        let thread = client.open_thread(ids::ADA, guild + 1, "Where should the depot be?", false);
        let seen = client.say(ids::ADA, thread, "Let us decide this on Monday.").unwrap();
        sqlx::query(
            "INSERT INTO copy SELECT ?1, id, ?2, ?3, ?3 + 1, ?4, ?5 FROM session WHERE thread_id = ?6",
        )
        .bind(i64::try_from(n).unwrap())
        .bind(name(n))
        .bind(guild.cast_signed())
        .bind(thread.cast_signed())
        .bind(seen.cast_signed())
        .bind(pattern.unwrap().thread.cast_signed())
        .execute(&mut database)
        .await
        .unwrap();
    }
    let own =
        [("id", "c.id"), ("guild_id", "c.guild"), ("channel_id", "c.channel"), ("thread_id", "c.thread")];
    let own =
        own.into_iter().chain([("status_id", "c.thread"), ("last_seen_id", "c.seen")]).collect::<Vec<_>>();
    copy(&mut database, "session", "id", &own).await;
    for table in ["step", "wait", "panel", "vote", "solution", "participant"] {
        copy(&mut database, table, "session_id", &[("session_id", "c.id")]).await;
    }
    let own = [("session_id", "c.id"), ("id", "NULL"), ("nonce", "t.nonce || c.n")];
    copy(&mut database, "outbox", "session_id", &own).await;
    copy(&mut database, "account", "owner", &[("owner", "c.id")]).await;
    let journal = format!(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {STEPS})
         INSERT INTO step SELECT c.id, printf('filler/%05d', i), 'ask:analysis', 'done', '{{\"summary\":\"short\"}}', 1, 2
         FROM copy c, n ORDER BY c.id, i"
    );
    for statement in [&*journal, "COMMIT"] {
        sqlx::query(AssertSqlSafe(statement.to_owned())).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
    // What was written all at once is on the disk before a start is timed.
    std::fs::File::open(scene.database_path()).unwrap().sync_all().unwrap();
}

/// Copies a table's rows of each pattern to its copies; `own` are the columns in which they differ.
async fn copy(database: &mut SqliteConnection, table: &str, of: &str, own: &[(&str, &str)]) {
    let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)")
        .bind(table)
        .fetch_all(&mut *database)
        .await
        .unwrap();
    let value = |column: &String| {
        let own = own.iter().find(|(name, _)| name == column);
        own.map_or_else(|| format!("t.{column}"), |(_, value)| (*value).to_owned())
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    let statement = format!(
        "INSERT INTO {table} ({}) SELECT {} FROM copy c JOIN {table} t ON t.{of} = c.of ORDER BY c.n",
        columns.join(", "),
        values.join(", ")
    );
    sqlx::query(AssertSqlSafe(statement)).execute(database).await.unwrap();
}

/// A session's name, which has ten letters.
fn name(n: usize) -> String {
    let letter = |place: u32| char::from(b'a' + u8::try_from(n / 26_usize.pow(place) % 26).unwrap());
    format!("sleep{}", (0..5).rev().map(letter).collect::<String>())
}

/// Presses the button of a channel's live card whose `custom_id` contains `what`, once it is there, and waits for the answer.
async fn press(scene: &Scene, channel: Id, what: &str) {
    let client = scene.discord.client();
    let named = |message: &Value| {
        let rows = message["components"].as_array().into_iter().flatten();
        let mut buttons = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
        buttons
            .find_map(|button| button["custom_id"].as_str().filter(|id| id.contains(what)).map(str::to_owned))
    };
    let card =
        client.wait_message(channel, Duration::from_secs(20), |message| named(message).is_some()).await;
    let card = card.unwrap_or_else(|| panic!("no {what}\n{}", scene.log()));
    let (message, button) = (card["id"].as_str().unwrap().parse().unwrap(), named(&card).unwrap());
    let pressed = client.click(ids::ADA, channel, message, &button).unwrap();
    client.wait_reply(pressed).await;
}
