//! Moves that cannot be, each with a sentence, and both files as they were.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use quorum::store::{Store, StoreOptions};
use tempfile::TempDir;

use super::rows::{self, change, number_if_sound};
use crate::support::has;

const GUILD: u64 = 71;

/// Two files, of which the first has a server.
struct Files {
    folder: TempDir,
    old: PathBuf,
    new: PathBuf,
}

/// A session of the server, in a state.
fn session(id: &str, state: &str) -> String {
    format!(
        "INSERT OR IGNORE INTO prompt_set VALUES ('v1', '{{}}');
         INSERT INTO session (id, guild_id, channel_id, starter_id, starter_name, title, plan, prompt_version, state, started_ms)
         VALUES ('{id}', {GUILD}, 1, 1, 'Ada', 'A question', '{{}}', 'v1', '{state}', 1);"
    )
}

async fn files() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("a.db"), folder.path().join("b.db"));
    // Copies have everything in the file itself, and nothing in a log beside it.
    let made = folder.path().join("made.db");
    let store = Store::open(&made, StoreOptions::default(), 1).await.unwrap();
    for path in [&old, &new] {
        Store::backup(&made, path).await.unwrap();
    }
    drop(store);
    change(&old, &session("aaaaaaaaaa", "waiting")).await;
    Files { folder, old, new }
}

impl Files {
    /// Runs the program in the files' folder; gives whether it did it, and what it said.
    fn moved(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
        command.current_dir(self.folder.path()).env_clear().arg("move").args(arguments);
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    /// Is refused with a sentence that has all of these in it, and leaves everything as it was.
    async fn refused(&self, arguments: &[&str], phrases: &[&str]) {
        let before = self.has().await;
        let (moved, said) = self.moved(arguments);
        assert!(!moved, "{said}");
        has(&said, phrases);
        assert_eq!(said.trim().lines().count(), 1, "one sentence: {said}");
        assert_eq!(self.has().await, before, "{said}");
    }

    async fn has(&self) -> [i64; 4] {
        let sessions = "SELECT count(*) FROM session";
        let moves = "SELECT count(*) FROM moved";
        let of = async |path: &Path, sql| number_if_sound(path, sql).await.unwrap_or(-1);
        [
            of(&self.old, sessions).await,
            of(&self.new, sessions).await,
            of(&self.old, moves).await,
            of(&self.new, moves).await,
        ]
    }
}

const FROM_A_TO_B: [&str; 5] = ["71", "--from", "a.db", "--to", "b.db"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_are_not_there_or_the_same_are_said() {
    let files = files().await;
    files.refused(&["71", "--from", "c.db", "--to", "b.db"], &["there is no database at c.db"]).await;
    files.refused(&["71", "--from", "a.db", "--to", "c.db"], &["there is no database at c.db"]).await;
    assert!(!files.folder.path().join("c.db").exists(), "none is made");
    files.refused(&["71", "--from", "a.db", "--to", "./a.db"], &["a.db is named twice"]).await;
    fs::hard_link(&files.old, files.folder.path().join("also.db")).unwrap();
    files.refused(&["71", "--from", "a.db", "--to", "also.db"], &["is named twice"]).await;
    files
        .refused(
            &["72", "--from", "a.db", "--to", "b.db"],
            &["a.db has nothing of the server 72", "Copy Server ID"],
        )
        .await;
    let (moved, said) = files.moved(&FROM_A_TO_B);
    assert!(moved, "{said}");
    has(
        &said,
        &["Moved the server 71 from a.db to b.db (sessions: 1, rows in all: 1)", "Start its bot on b.db"],
    );
    let (moved, said) = files.moved(&FROM_A_TO_B);
    assert!(moved, "{said}");
    has(&said, &["was moved from a.db to b.db before"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_are_newer_damaged_or_anothers_are_said() {
    for (of, other) in [("a.db", "b.db"), ("b.db", "a.db")] {
        let files = files().await;
        let path = files.folder.path().join(of);
        let whole = fs::read(&path).unwrap();
        change(
            &path,
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'later', 1, x'00', 1)",
        )
        .await;
        files.refused(&FROM_A_TO_B, &[of, "was written by a newer version of Quorum"]).await;

        let mut damaged = whole.clone();
        let middle = damaged.len() / 2 / 4096 * 4096;
        damaged[middle..middle + 8 * 4096].fill(0xa5);
        fs::write(&path, &damaged).unwrap();
        files.refused(&FROM_A_TO_B, &[of, "cannot be used as Quorum's database", "Restore a backup"]).await;

        fs::write(&path, "no database at all, but a text of some length that stands where one should be")
            .unwrap();
        files.refused(&FROM_A_TO_B, &[of, "cannot be used as Quorum's database"]).await;
        assert!(files.folder.path().join(other).exists());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_on_either_file_and_sessions_that_run_are_said() {
    let files = files().await;
    for path in [&files.old, &files.new] {
        let bot = Store::open(path, StoreOptions::default(), 2).await.unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        files
            .refused(&FROM_A_TO_B, &["a Quorum process is using", name, "Stop the bots of both files"])
            .await;
        drop(bot);
    }
    change(&files.old, &session("bbbbbbbbbb", "running")).await;
    files
        .refused(&FROM_A_TO_B, &["1 of the server's sessions", "is running (bbbbbbbbbb)", "pause them"])
        .await;
    change(&files.old, "UPDATE session SET state = 'paused' WHERE state = 'running'").await;
    change(&files.new, &session("cccccccccc", "waiting")).await;
    files.refused(&FROM_A_TO_B, &["b.db has rows of the server 71 already", "/privacy"]).await;
    change(&files.new, "DELETE FROM session").await;
    change(&files.new, &format!("INSERT INTO lookup VALUES (1, {GUILD}, 5, 'of a day')")).await;
    let (moved, said) = files.moved(&FROM_A_TO_B);
    assert!(moved, "what is kept for a day does not stand in its way: {said}");
    assert_eq!(rows::of(&files.new, GUILD).await["session"].len(), 2);
}

/// Whoever adds a table says whether what is in it goes with its server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_nobody_thought_of_is_left_behind_by_no_move() {
    let files = files().await;
    change(&files.new, "CREATE TABLE forgotten (guild_id INTEGER)").await;
    files
        .refused(
            &FROM_A_TO_B,
            &["nobody has said whether the rows of the table forgotten go with their server"],
        )
        .await;
}
