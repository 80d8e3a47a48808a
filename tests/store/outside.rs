//! Servers outside a range of shards are deleted whole, those inside stay as they are, and whatever cuts it off, the next run
//! ends it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use domain::{GuildId, SessionState, ShardRange};
use quorum::store::{NewSession, Outside, Store, StoreOptions};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::fixture::{
    AT, Db, MEMBER, RUNNING, TAKEOVER, answered, attempt, caps, event, id, new_session, settled,
};

/// What the process has, and its servers: one on the shard 0, one on the shard 1.
const RANGE: &str = "0-1/4";
const INSIDE: [GuildId; 2] = [GuildId((4 << 22) + 7), GuildId((5 << 22) + 7)];
/// On the shards 2 and 3; the text of a number is the beginning of another's.
const OUTSIDE: [GuildId; 2] = [GuildId((2 << 22) + 7), GuildId((23 << 22) + 7)];
/// Outside, and left with an account or a decision alone once its sessions have expired.
const LEFT: [GuildId; 2] = [GuildId((6 << 22) + 1), GuildId((6 << 22) + 2)];
/// Tables of the file itself, or of nobody, and the index, which triggers keep.
const OF_THE_FILE: [&str; 6] = ["lease", "tally", "pending_reply", "prompt_set", "_sqlx_migrations", "found"];
/// Where an event stands beside what it did.
const EVENT_OF: [&str; 4] = ["settings_change", "lookup", "opening", "erasure"];
const WORD: &str = "quizzacious";

type Rows = BTreeMap<String, Vec<String>>;

fn range() -> ShardRange {
    RANGE.parse().unwrap()
}

async fn open(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn number(path: &Path, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut open(path).await).await.unwrap()
}

/// Gives a server sessions that are over, run and wait, and a row in each table that has rows by server.
async fn fill(db: &Db, n: u64, guild: GuildId, word: &str) {
    for (at, state) in [SessionState::Done, SessionState::Running, SessionState::Waiting].iter().enumerate() {
        let n = n + at as u64;
        let new = NewSession { guild, title: format!("{word}{n}"), ..new_session(n) };
        db.store.start_session(new, AT).await.unwrap();
        for key in ["a", "b"] {
            let mut asked = attempt(&id(n), key);
            asked.reserve.guild = guild;
            asked.reserve.month = Some(caps(1_000, 1_000_000, 1_000_000));
            asked.request = format!("{word} {key} of {n}");
            db.store.intend(asked, AT).await.unwrap();
        }
        // The other call is under way, and held on the accounts.
        db.store.settle(&id(n), Some(answered("a", 1)), settled(&id(n), "a", &["a"]), AT).await.unwrap();
        if *state != SessionState::Running {
            db.store.move_session(&id(n), RUNNING, *state, None, vec![], AT).await.unwrap();
        }
    }
    let (session, at) = (id(n), AT);
    let rows = format!(
        "INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text, decided_ms)
         VALUES ({n}, '{session}', 1, {guild}, 1, 1, '{{}}', '{word}', {at});
         INSERT INTO guild_settings VALUES ({guild}, '{{\"a\": \"{word}\"}}', {at});
         INSERT INTO settings_change VALUES ({n}01, 'effort', {guild}, 31, '{word}', 'a', 'b', {at});
         INSERT INTO trust_event (guild_id, session_id, module, kind, good, bad, at_ms)
         VALUES ({guild}, '{session}', '{word}', 'points', 1, 1, {at});
         INSERT INTO lookup VALUES ({n}02, {guild}, 31, '{word}');
         INSERT INTO opening (id, guild_id, member_id, chosen) VALUES ({n}03, {guild}, 31, '{word}');
         INSERT INTO erasure VALUES ({n}04, {guild}, 31, {at});
         INSERT INTO inbound SELECT value, 'x', NULL, '{word}', {at} FROM json_each('[{n}01, {n}02, {n}03, {n}04]');
         UPDATE searchable SET title = '{word}' WHERE session_id = '{session}';"
    );
    sqlx::raw_sql(AssertSqlSafe(rows)).execute(&mut db.raw().await).await.unwrap();
}

/// A database with servers inside and outside.
async fn filled() -> Db {
    let db = Db::open().await;
    for (n, guild) in INSIDE.into_iter().enumerate() {
        fill(&db, 10 * (n as u64 + 1), guild, "inside").await;
    }
    for (n, guild) in OUTSIDE.into_iter().enumerate() {
        fill(&db, 10 * (n as u64 + 3), guild, WORD).await;
    }
    let left = format!(
        "INSERT INTO account (scope, owner, day, calls_cap, tokens_cap, money_cap)
         VALUES ('member', '{}/{MEMBER}', '2020-01-01', 1, 1, 1);
         INSERT INTO decision (id, session_id, n, guild_id, channel_id, thread_id, record, search_text, decided_ms)
         VALUES (1, 'gone', 1, {}, 1, 1, '{{}}', '{WORD}', 1);",
        LEFT[0], LEFT[1]
    );
    sqlx::raw_sql(AssertSqlSafe(left)).execute(&mut db.raw().await).await.unwrap();
    let asked = event(7, "erase");
    db.store.ask_erasure(asked, INSIDE[0], None, AT).await.unwrap();
    db
}

/// All rows of all servers in a file, or of some of them, by their tables.
async fn rows(path: &Path, of: Option<&[GuildId]>) -> Rows {
    let mut file = open(path).await;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           AND name NOT LIKE 'found\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut file)
    .await
    .unwrap();
    let mut rows = BTreeMap::new();
    for table in tables.into_iter().filter(|table| !OF_THE_FILE.contains(&table.as_str())) {
        let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)")
            .bind(&table)
            .fetch_all(&mut file)
            .await
            .unwrap();
        let values = columns.iter().map(|column| format!("quote({column})")).collect::<Vec<_>>().join(", ");
        let whose = of.map_or("TRUE".to_owned(), |of| whose(&table, &columns, of));
        let query = format!("SELECT json_array({values}) AS r FROM {table} WHERE {whose} ORDER BY r");
        let found = sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut file).await.unwrap();
        rows.insert(table, found);
    }
    rows
}

/// The condition by which a table's rows are some servers'. A table that nobody thought of fails here.
fn whose(table: &str, columns: &[String], of: &[GuildId]) -> String {
    let list = of.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let sessions = format!("(SELECT id FROM session WHERE guild_id IN ({list}))");
    let by = |name: &str| columns.iter().any(|column| column == name);
    match table {
        "account" => {
            let servers = of.iter().map(|guild| format!(" OR owner = '{guild}' OR owner LIKE '{guild}/%'"));
            format!("owner IN {sessions}{}", servers.collect::<String>())
        }
        "inbound" => {
            let known = EVENT_OF
                .map(|table| format!(" OR id IN (SELECT id FROM {table} WHERE guild_id IN ({list}))"));
            format!("session_id IN {sessions}{}", known.concat())
        }
        // Of nobody's server.
        "lesson" => "TRUE".to_owned(),
        "sequel" => format!("from_session IN {sessions}"),
        _ if by("guild_id") => format!("guild_id IN ({list})"),
        _ if by("session_id") => format!("session_id IN {sessions}"),
        _ => panic!("nobody has said whose rows the table {table} has"),
    }
}

/// Nothing but what was inside is left, as it was.
async fn holds_only(path: &Path, inside: &Rows) {
    assert_eq!(&rows(path, None).await, inside);
    assert_eq!(number(path, "SELECT count(*) FROM pragma_foreign_key_check").await, 0);
    for (word, left) in [(WORD, 0), ("inside", 2)] {
        assert_eq!(
            number(path, &format!("SELECT count(*) FROM found WHERE found MATCH '{word}'")).await,
            left
        );
    }
    let counted = "SELECT sum(n) - (SELECT count(*) FROM session) FROM tally WHERE subject = 'session'";
    assert_eq!(number(path, counted).await, 0);
}

/// A copy of a database that nobody has open.
async fn copy(path: &Path, name: &str) -> PathBuf {
    let to = path.with_file_name(name);
    Store::backup(path, &to).await.unwrap();
    to
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_outside_the_shards_is_pruned_from_wherever_it_was_cut_off() {
    let db = filled().await;
    let inside = rows(&db.path, Some(&INSIDE)).await;
    let outside = rows(&db.path, Some(&OUTSIDE)).await;
    for (table, found) in &inside {
        let mut file = open(&db.path).await;
        let by_server: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pragma_table_info(?1) WHERE name IN ('guild_id', 'owner')",
        )
        .bind(table)
        .fetch_one(&mut file)
        .await
        .unwrap();
        let some = !found.is_empty() && !outside[table].is_empty();
        assert!(by_server == 0 || some, "no server of this test has a row in {table}");
    }
    let whole = copy(&db.path, "whole.db").await;
    let store = Store::open(&whole, TAKEOVER, AT).await.unwrap();
    let all = Outside { servers: 4, sessions: 6 };
    assert_eq!(store.delete_outside(range()).await.unwrap(), all);
    holds_only(&whole, &inside).await;
    let commits = store.commits();
    assert_eq!(store.delete_outside(range()).await.unwrap(), Outside::default());
    holds_only(&whole, &inside).await;
    drop(store);

    assert!(commits > 8, "{commits}");
    for n in 1..commits {
        let cut = copy(&db.path, &format!("cut-{n}.db")).await;
        let options = StoreOptions { halt_after_commits: Some(n), ..TAKEOVER };
        let store = Store::open(&cut, options, AT).await.unwrap();
        let killed = tokio::time::timeout(Duration::from_millis(150), store.delete_outside(range())).await;
        assert!(killed.is_err(), "{n}: {killed:?}");
        drop(store);
        let store = Store::open(&cut, TAKEOVER, AT).await.unwrap();
        assert_eq!(number(&cut, "SELECT count(*) FROM pragma_foreign_key_check").await, 0, "{n}");
        assert_eq!(rows(&cut, Some(&INSIDE)).await, inside, "{n}");
        store.delete_outside(range()).await.unwrap();
        holds_only(&cut, &inside).await;
    }
}

/// Runs the program on a database; gives its exit code and what it said.
fn prune(path: &Path, shards: Option<&str>) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
    command.current_dir(path.parent().unwrap()).env_clear().args(["prune", "--outside-shards"]);
    command.env("DATABASE_URL", format!("sqlite://{}", path.display()));
    command.envs(shards.map(|shards| ("QUORUM_SHARDS", shards)));
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), said)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prune_is_refused_without_a_range_and_while_a_bot_has_the_file() {
    let db = filled().await;
    let before = rows(&db.path, None).await;
    let inside = rows(&db.path, Some(&INSIDE)).await;
    let missing = db.path.with_file_name("missing.db");
    for (path, shards, code, says) in [
        (&db.path, None, 2, "QUORUM_SHARDS is not set, so that every server is this process's"),
        (&db.path, Some("0-9/4"), 2, "names shard 9"),
        (&db.path, Some(RANGE), 1, "another Quorum process is using"),
        (&missing, Some(RANGE), 1, "there is no database at"),
    ] {
        let (ended, said) = prune(path, shards);
        assert_eq!(ended, Some(code), "{said}");
        assert!(said.contains(says) && said.trim().lines().count() == 1, "{said}");
        assert_eq!(rows(&db.path, None).await, before, "{said}");
    }
    assert!(!missing.exists(), "none is made");

    let Db { store, path, dir: _folder } = db;
    drop(store);
    for (servers, sessions) in [(4, 6), (0, 0)] {
        let (ended, said) = prune(&path, Some(RANGE));
        assert_eq!(ended, Some(0), "{said}");
        let says = format!("outside the shards {RANGE} (servers: {servers}, sessions: {sessions})");
        assert!(said.starts_with("Deleted from ") && said.contains(&says), "{said}");
        holds_only(&path, &inside).await;
    }
    for ending in ["db", "db-wal"] {
        let bytes = fs::read(path.with_extension(ending)).unwrap_or_default();
        assert!(!bytes.windows(WORD.len()).any(|window| window == WORD.as_bytes()), "{ending}");
    }
}
