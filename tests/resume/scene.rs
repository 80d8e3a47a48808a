//! A mediation on a stage, what is seen of it, and what the database holds of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use playground::{
    Id,
    ids::{ADA, BOT, DECISIONS},
};
use quorum::prompt::Prompts;
use serde_json::{Value, json};
use sqlx::{
    Row, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use crate::support::{
    ROUNDS_STALE, Stage,
    model::{Answer, Call, plausible},
    play::MEDIATION_CALLS,
};

/// Model calls of a mediation of three: with one look at its options.
pub const MEDIATE_CALLS: usize = MEDIATION_CALLS + 1;
pub const PROBLEM: &str = "We want to build a food delivery app for a town of 40,000";
/// The panel that speaks unless somebody chooses.
const PANEL: [&str; 3] = ["market", "cost", "risk"];
/// Longest that a session may take here.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A stage whose models take a little while and give the same answers in every run.
pub async fn stage() -> Stage {
    let stage = Stage::start().await;
    answer_alike(&stage);
    stage
}

/// Has the models answer by who is asked for what, whatever the order of what they are shown.
pub fn answer_alike(stage: &Stage) {
    stage.model.latency(Duration::from_millis(20));
    stage.model.on(|call| Some(usual(call)));
}

/// The answer that a call gets in every run.
pub fn usual(call: &Call) -> Answer {
    let mut hasher = DefaultHasher::new();
    (&call.schema_name, seat_of(call)).hash(&mut hasher);
    match &call.schema {
        Some(_) => Answer::Json(plausible(call, hasher.finish())),
        None => Answer::Text("A sentence.".to_owned()),
    }
}

/// The module that a call speaks for; `mediator` for whoever has no persona.
pub fn seat_of(call: &Call) -> String {
    let prompts = Prompts::embedded();
    let text = call.text();
    // Its method stands in round 1 only; later its side is named.
    let speaks = |module: &&str| {
        text.contains(prompts.files()[&format!("modules/{module}.md")].trim())
            || text.contains(&format!("from the side of {module} ("))
    };
    PANEL.into_iter().find(speaks).unwrap_or("mediator").to_owned()
}

/// Starts a mediation; gives the command's interaction.
pub fn mediate(stage: &Stage) -> Id {
    stage.discord.client().run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap()
}

/// Starts one with all that can be asked for more: a plain call beside it and a choice of modules, which take two calls each,
/// RACI, and deep research; gives the command's interaction.
pub fn mediate_beside(stage: &Stage) -> Id {
    let options = json!({
        "problem": PROBLEM, "baseline": true, "raci": true, "auto_select": true, "deep_research": true,
    });
    stage.discord.client().run_command(ADA, DECISIONS, "mediate", options).unwrap()
}

/// The one thread there is, if there is one.
pub fn thread(stage: &Stage) -> Option<Id> {
    let threads = stage.discord.threads(DECISIONS);
    assert!(threads.len() <= 1, "{} threads instead of one", threads.len());
    Some(threads.first()?["id"].as_str().unwrap().parse().unwrap())
}

/// The one thread, waited for.
pub async fn wait_thread(stage: &Stage) -> Id {
    let opened = stage.discord.client().wait_thread(DECISIONS, PATIENCE, |_| true).await;
    opened.expect("a thread")["id"].as_str().unwrap().parse().unwrap()
}

/// What the bot has posted in a channel and everybody sees, in order.
pub fn posts(stage: &Stage, channel: Id) -> Vec<Value> {
    let (mut messages, bot) = (stage.discord.messages(channel), BOT.to_string());
    messages.retain(|message| {
        let kind = message["type"].as_u64();
        message["author"]["id"] == bot.as_str()
            && message["ephemeral_for"].is_null()
            && message["interaction_metadata"].is_null()
            && matches!(kind, Some(0 | 19))
    });
    messages
}

/// All text of a message.
pub fn text_of(message: &Value) -> String {
    // For a moment, a message may mention who is added to its thread.
    let content = message["content"].as_str().filter(|text| !text.starts_with("-# In this thread: "));
    let mut parts = vec![content.unwrap_or_default().to_owned()];
    for embed in message["embeds"].as_array().into_iter().flatten() {
        let fields = embed["fields"].as_array().into_iter().flatten();
        let all = [&embed["title"], &embed["description"]]
            .into_iter()
            .chain(fields.flat_map(|field| [&field["name"], &field["value"]]))
            .chain([&embed["footer"]["text"]]);
        parts.extend(all.filter_map(|text| text.as_str().map(str::to_owned)));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The texts of a thread, the same in every run: the last card's counters are left out, and so are the points,
/// which follow from the order that each scorer was shown.
pub fn texts(stage: &Stage, thread: Id) -> Vec<String> {
    let text = |post: &Value| if votes(post) { "vote".to_owned() } else { normal(&text_of(post)) };
    posts(stage, thread).iter().map(text).collect()
}

/// Whether a post is the vote's panel, which names a deadline of its own in every run.
fn votes(post: &Value) -> bool {
    button(post, "vote_all").is_some()
}

fn normal(text: &str) -> String {
    if text.starts_with("✅ Done") {
        return "closing".to_owned();
    }
    let first = text.lines().next().unwrap_or_default();
    if first.contains("oints") {
        return "points".to_owned();
    }
    // What each took differs by the calls that a kill cut off.
    if let Some((compared, _)) = text.split_once("💵").filter(|_| first.contains("Was it worth it?")) {
        return compared.to_owned();
    }
    text.to_owned()
}

/// In which part of the protocol a post belongs.
pub fn phase_of(text: &str) -> usize {
    let first = text.lines().next().unwrap_or_default();
    match first {
        "closing" => 7,
        _ if first.contains("Was it worth it?") => 6,
        "vote" => 5,
        "points" => 4,
        _ if first.contains("Who looks at it") => 0,
        _ if first.contains("round 1") => 1,
        _ if first.contains("round 2") => 2,
        _ => 3,
    }
}

/// The live card's text.
pub fn card(stage: &Stage) -> String {
    posts(stage, DECISIONS).iter().map(text_of).collect::<Vec<_>>().join("\n---\n")
}

/// Waits until the closing line stands in the thread and the live card says `outcome`.
pub async fn wait_over(stage: &Stage, outcome: &str) -> Id {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let closed = thread(stage)
            .filter(|thread| outcome != "Done" || texts(stage, *thread).iter().any(|text| text == "closing"));
        if let Some(thread) = closed.filter(|_| card(stage).contains(outcome)) {
            // On Discord is not yet in the journal.
            let sent = Journal::read(stage).await.unsent.iter().all(|post| !post.ends_with("pending"));
            if sent && stage.number(ROUNDS_STALE).await == 0 {
                return thread;
            }
        }
        let now = thread(stage).map(|thread| texts(stage, thread).join("\n---\n"));
        assert!(
            tokio::time::Instant::now() < until,
            "not {outcome} in time; the card:\n{}\nthe thread:\n{}",
            card(stage),
            now.unwrap_or_default()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Presses the newest button that means `verb`, once it is there; gives what the member reads.
pub async fn press(stage: &Stage, verb: &str) -> String {
    let client = stage.discord.client();
    let meant = |message: &Value| button(message, verb).is_some();
    let found = client.wait_message(DECISIONS, PATIENCE, meant).await;
    let message = found.unwrap_or_else(|| panic!("no button {verb} on {}", card(stage)));
    let id: Id = message["id"].as_str().unwrap().parse().unwrap();
    let pressed = client.click(ADA, DECISIONS, id, &button(&message, verb).unwrap()).unwrap();
    client.wait_reply(pressed).await.text()
}

fn button(message: &Value, verb: &str) -> Option<String> {
    let rows = message["components"].as_array()?;
    let buttons = rows.iter().filter_map(|row| row["components"].as_array()).flatten();
    let mut ids = buttons.filter_map(|button| button["custom_id"].as_str());
    ids.find(|id| id.split(':').nth(2) == Some(verb)).map(str::to_owned)
}

/// The same as it is at one instant, so that all that is asked of it belongs together.
pub async fn snapshot(stage: &Stage) -> SqlitePool {
    let pool = stage.rows().await;
    // Held by the pool's only connection until that is closed.
    sqlx::raw_sql("BEGIN").execute(&pool).await.unwrap();
    pool
}

/// The same, opened only once something is asked of it.
pub fn database_when_asked(stage: &Stage) -> SqlitePool {
    let connect =
        SqliteConnectOptions::new().filename(stage.database()).busy_timeout(Duration::from_secs(10));
    SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(connect)
}

/// The journal as it stands.
#[derive(Debug, Default)]
pub struct Journal {
    /// Finished steps with their stored results, byte for byte.
    pub finished: BTreeMap<String, String>,
    /// How many attempts each step took.
    pub attempts: BTreeMap<String, usize>,
    /// Attempts under way: step and number.
    pub open: BTreeSet<(String, i64)>,
    /// Attempts by state.
    pub states: BTreeMap<String, usize>,
    /// Posts that are not sent.
    pub unsent: Vec<String>,
    /// Message numbers of posts that are.
    pub sent: Vec<Id>,
    /// Sessions by state.
    pub sessions: Vec<String>,
}

impl Journal {
    pub async fn read(stage: &Stage) -> Self {
        let pool = stage.rows().await;
        // A bot killed by dropping its runtime may leave a COMMIT behind that still goes through.
        sqlx::raw_sql("BEGIN IMMEDIATE; ROLLBACK").execute(&pool).await.unwrap();
        let mut journal = Self::default();
        let steps = sqlx::query("SELECT key, output FROM step WHERE state <> 'intent'");
        for row in steps.fetch_all(&pool).await.unwrap() {
            journal.finished.insert(row.get("key"), row.get("output"));
        }
        for row in sqlx::query("SELECT key, n, state FROM attempt").fetch_all(&pool).await.unwrap() {
            if row.get::<String, _>("state") == "sent" {
                journal.open.insert((row.get("key"), row.get("n")));
            }
            *journal.attempts.entry(row.get("key")).or_default() += 1;
            *journal.states.entry(row.get("state")).or_default() += 1;
        }
        for row in
            sqlx::query("SELECT post_key, state, message_id FROM outbox").fetch_all(&pool).await.unwrap()
        {
            match row.get::<Option<i64>, _>("message_id") {
                Some(id) => journal.sent.push(id.cast_unsigned()),
                None => journal.unsent.push(format!(
                    "{} {}",
                    row.get::<String, _>("post_key"),
                    row.get::<String, _>("state")
                )),
            }
        }
        for row in sqlx::query("SELECT state FROM session").fetch_all(&pool).await.unwrap() {
            journal.sessions.push(row.get("state"));
        }
        pool.close().await;
        journal
    }

    /// Waits until it is as wanted; gives it.
    pub async fn wait(stage: &Stage, what: &str, wanted: impl Fn(&Self) -> bool) -> Self {
        let until = tokio::time::Instant::now() + PATIENCE;
        loop {
            let journal = Self::read(stage).await;
            if wanted(&journal) {
                return journal;
            }
            assert!(tokio::time::Instant::now() < until, "in vain waited until {what}: {journal:#?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Attempts in a state.
    pub fn in_state(&self, state: &str) -> usize {
        self.states.get(state).copied().unwrap_or_default()
    }
}

/// The session's account: calls used, calls held, calls lost.
pub async fn account(stage: &Stage) -> (i64, i64, i64) {
    let pool = stage.rows().await;
    let row = sqlx::query("SELECT calls_used, calls_held, lost FROM account WHERE scope = 'session'")
        .fetch_one(&pool)
        .await
        .unwrap();
    pool.close().await;
    (row.get("calls_used"), row.get("calls_held"), row.get("lost"))
}
