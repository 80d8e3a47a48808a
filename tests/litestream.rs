//! The disk is lost in the middle of sessions, and the database restored from what Litestream had of it: the real one, whose
//! path stands in `LITESTREAM`, with the configuration in `docs/`. `.ci/run` fetches it and runs this as a step of its own.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use quorum::{steps::now_ms, store::Store};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::restored::OLDER;
use crate::support::{
    Stage, has,
    play::id,
    program::{Program, program},
    until, wait_for_end,
};

/// What may be missing, in milliseconds: the last second.
const LOST_MS: i64 = 1_000;

#[expect(clippy::disallowed_methods, reason = "whoever has the program says where it is")]
fn litestream() -> PathBuf {
    PathBuf::from(std::env::var("LITESTREAM").expect("LITESTREAM names the program"))
}

/// The program with the configuration for a database and the folder of its replica.
fn command(what: &str, database: &Path, replica: &Path) -> Command {
    let mut command = Command::new(litestream());
    command
        .args([what, "-config", concat!(env!("CARGO_MANIFEST_DIR"), "/docs/litestream.yml")])
        .env("QUORUM_FILE", database)
        .env("LITESTREAM_REPLICA", format!("file://{}", replica.display()));
    command
}

fn replicate(database: &Path, replica: &Path, log: &Path) -> Program {
    let log = std::fs::File::create(log).unwrap();
    let mut command = command("replicate", database, replica);
    Program::start(command.stdout(Stdio::from(log.try_clone().unwrap())).stderr(Stdio::from(log)))
}

fn restore(database: &Path, replica: &Path) {
    let output = command("restore", database, replica).arg(database).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What is lost with the machine: the database with all that stands beside it.
fn lose(database: &Path) {
    let name = database.file_name().unwrap().to_str().unwrap().to_owned();
    for entry in std::fs::read_dir(database.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        let its = entry.file_name().to_str().unwrap().trim_start_matches('.').starts_with(&name);
        if its && entry.path().is_dir() {
            std::fs::remove_dir_all(entry.path()).unwrap();
        } else if its {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// Calls that were answered and paid for, as a database knows them: session, step, when.
async fn paid(database: &Path) -> BTreeSet<(String, String, i64)> {
    let options = SqliteConnectOptions::new().filename(database).create_if_missing(false);
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let rows: Vec<(String, String, i64)> =
        sqlx::query_as("SELECT session_id, key, finished_ms FROM attempt WHERE state = 'ok'")
            .fetch_all(&mut file)
            .await
            .unwrap();
    file.close().await.unwrap();
    rows.into_iter().collect()
}

/// Posts of threads as a database knows them: session, key and part of those that are there, and of those that were tried.
async fn posted(database: &Path) -> [BTreeSet<(String, String, i64)>; 2] {
    let options = SqliteConnectOptions::new().filename(database).create_if_missing(false);
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let mut sets = [BTreeSet::new(), BTreeSet::new()];
    for (set, which) in sets.iter_mut().zip(["state = 'sent'", "tries > 0 OR state = 'sent'"]) {
        let sql =
            format!("SELECT session_id, post_key, part FROM outbox WHERE target = 'thread' AND ({which})");
        let rows: Vec<(String, String, i64)> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut file).await.unwrap();
        set.extend(rows);
    }
    file.close().await.unwrap();
    sets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Litestream; .ci/run fetches it and runs this as a step of its own"]
async fn a_disk_that_is_lost_in_the_middle_of_sessions_costs_the_last_second() {
    let (mut lost_in_all, mut oldest, mut behind) = (0, 0, 0);
    for wait in [200, 800, 1_400, 2_000_u64] {
        let stage = Stage::start().await;
        let folder = tempfile::tempdir().unwrap();
        let replica = folder.path().join("replica");
        let bot = program(&stage, folder.path());
        stage.connected().await;
        let beside = replicate(&stage.database(), &replica, &folder.path().join("litestream.log"));
        stage.model.latency(Duration::from_millis(600));
        let mut threads = Vec::new();
        for problem in ["Do we buy bicycles?", "Do we charter a ship?", "Do we move house?"] {
            threads.push(stage.mediate(json!({"problem": problem})).await);
        }
        stage.wait_for(threads[0], "Market · round 1").await;
        tokio::time::sleep(Duration::from_millis(wait)).await;
        // When something was just written, so that something is lost.
        let posts = || threads.iter().map(|thread| stage.public(*thread).len()).sum::<usize>();
        let before = posts();
        until(|| posts() > before, || format!("after {wait} ms there is one more post than {before}")).await;

        // The machine is gone, with both processes, and then its disk. Nothing is copied from the moment on at which who
        // copies is gone: that one goes first, so that the bot writes a little more that is lost, as it may.
        let (mut bot, mut beside) = (bot, beside);
        beside.kill().unwrap();
        let killed = now_ms();
        bot.kill().unwrap();
        for mut process in [bot, beside] {
            process.wait().unwrap();
        }
        // Nothing that Quorum does is in its way.
        let said = std::fs::read_to_string(folder.path().join("litestream.log")).unwrap();
        assert!(said.contains("replicating to") && !said.contains("level=ERROR"), "{said}");
        let aside = stage.database().with_extension("lost");
        Store::backup(&stage.database(), &aside).await.unwrap();
        let before = paid(&aside).await;
        let [there, tried] = posted(&aside).await;
        lose(&stage.database());
        assert!(!stage.database().exists());
        let calls = stage.model.calls().len();

        restore(&stage.database(), &replica);
        let restored = paid(&stage.database()).await;
        assert!(restored.is_subset(&before));
        let [_, begun] = posted(&stage.database()).await;
        let lost: BTreeSet<_> = before.difference(&restored).cloned().collect();
        for (session, key, at) in &lost {
            assert!(
                at + LOST_MS > killed,
                "{session} {key}: lost, though it was there {} ms before",
                killed - at
            );
        }
        lost_in_all += lost.len();
        oldest = lost.iter().map(|(_, _, at)| killed - at).fold(oldest, i64::max);

        // A minute later Discord has forgotten which messages it was sent, so only the threads tell.
        stage.discord.faults().forget_nonces(false);
        stage.model.latency(Duration::from_millis(5));
        let bot = program(&stage, folder.path());
        for thread in &threads {
            let shown = wait_for_end(&stage, *thread).await;
            has(&shown, &["Nothing was degraded"]);
            let posts: Vec<_> = stage.public(*thread).iter().map(|post| id(&post["id"])).collect();
            assert_eq!(posts.iter().collect::<BTreeSet<_>>().len(), posts.len());
            let shown = stage.read(*thread);
            for module in ["Market", "Cost", "Risk"] {
                for round in ["1", "2"] {
                    let title = format!("{module} · round {round}");
                    assert_eq!(shown.matches(&title).count(), 1, "{wait} ms: {title} in\n{shown}");
                }
            }
            for title in ["🧩 Do this", "[Close vote]"] {
                assert_eq!(shown.matches(title).count(), 1, "{wait} ms: {title} in\n{shown}");
            }
        }
        let mut bot = bot;
        bot.kill().unwrap();
        bot.wait().unwrap();
        // Of which sessions the file was behind is said, once each, and of no others.
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        let sessions: BTreeSet<&String> = tried.iter().map(|(session, ..)| session).collect();
        for session in sessions {
            let lacks = |posts: &BTreeSet<(String, String, i64)>| {
                posts.difference(&begun).filter(|(of, ..)| of == session).count()
            };
            let lines = log.lines().filter(|line| line.contains(OLDER) && line.contains(session.as_str()));
            match (lines.count(), lacks(&there), lacks(&tried)) {
                (1, 1.., _) | (0, _, 0) | (0 | 1, 0, 1..) => {}
                (lines, there, tried) => {
                    panic!("{lines} lines on {session}, of which {there} to {tried} posts were lost: {log}")
                }
            }
            behind += usize::from(lacks(&there) > 0);
        }
        // What the restored file knew as paid was not asked again.
        let after = paid(&stage.database()).await;
        for call in &restored {
            let same = |(session, key, _): &&(String, String, i64)| (session, key) == (&call.0, &call.1);
            assert_eq!(after.iter().filter(same).count(), 1, "{call:?} is paid for twice");
        }
        let again = stage.model.calls().len() - calls;
        let open = after.len() - restored.len();
        assert_eq!(again, open, "one call for each step that the restored file did not have");
        assert_eq!(stage.discord.violations(), Vec::<String>::new());
    }
    assert!(lost_in_all > 0, "nothing was lost, so that nothing was shown");
    eprintln!(
        "of four disks, {lost_in_all} calls were lost and made again; the oldest had been there for {oldest} ms; {behind} sessions \
         lacked posts"
    );
}
