//! A power cut, after which only what was synced is there; a full disk; one that cannot be written.
//!
//! A library of a few lines of C, loaded into the program, keeps a copy of each database file as it is at each `fsync`; after
//! the cut these copies are all that the disk holds. With `synchronous=NORMAL` that test fails: there the log is synced
//! only now and then. The same library has writes fail. It takes no root, and the build has needed a C compiler anyway.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use playground::ids::{ADA, DECISIONS};
use serde_json::json;

use super::{
    processes::command,
    scene::{Journal, MEDIATE_CALLS, PATIENCE, PROBLEM, card, posts, stage, texts, wait_over},
};

use crate::support::{nothing_comes, program::Program};

/// Builds the library that keeps what is synced.
pub(super) fn library(folder: &Path) -> PathBuf {
    let (source, library) = ("tests/resume/synced.c", folder.join("synced.so"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let mut compiler = Command::new("cc");
    let built = compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status().unwrap();
    assert!(built.success());
    library
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_synced_is_gone_and_nobody_was_told_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    for (cut, after_calls) in [1, 4, 6, 7, 9, 11].into_iter().enumerate() {
        let stage = stage().await;
        stage.model.latency(Duration::from_millis(150));
        let synced = folder.path().join(format!("synced-{cut}"));
        fs::create_dir(&synced).unwrap();
        let mut program = Program::start(
            command(&stage, folder.path(), "log").env("LD_PRELOAD", &library).env("SYNCED", &synced),
        );
        let member = stage.discord.client();
        assert!(
            member.wait_bot(PATIENCE).await,
            "{}",
            fs::read_to_string(folder.path().join("log")).unwrap()
        );
        member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
        stage.model.wait_calls(after_calls, |_| true).await;
        // Some of it is written by now, and some is not: the cut comes at an instant like any other.
        tokio::time::sleep(Duration::from_millis(70)).await;
        program.kill().unwrap();
        program.wait().unwrap();
        for ending in ["", "-wal", "-shm"] {
            let file = format!("{}{ending}", stage.database().display());
            let kept = synced.join(Path::new(&file).file_name().unwrap());
            let _ = fs::remove_file(&file);
            if kept.exists() {
                fs::copy(kept, file).unwrap();
            }
        }
        let before = Journal::read(&stage).await;
        // Discord has forgotten the posts' nonces: the database alone says what was posted.
        stage.discord.faults().forget_nonces(false);

        let mut again = Program::start(&mut command(&stage, folder.path(), "log"));
        let thread = wait_over(&stage, "Done").await;
        again.kill().unwrap();
        again.wait().unwrap();
        let mut said = texts(&stage, thread);
        assert_eq!(said.len(), 8, "cut after {after_calls} calls: {said:#?}");
        said.sort();
        said.dedup();
        assert_eq!(said.len(), 8, "something is there twice");
        assert_eq!(posts(&stage, DECISIONS).len(), 1);
        let after = Journal::read(&stage).await;
        for (key, output) in &before.finished {
            assert_eq!(after.finished.get(key), Some(output), "{key} changed");
        }
        assert!(
            stage.model.calls().len() <= MEDIATE_CALLS + before.open.len(),
            "cut after {after_calls} calls, of which {} were open: {} in all",
            before.open.len(),
            stage.model.calls().len()
        );
        assert_eq!(stage.discord.violations(), Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_or_broken_for_a_while_doubles_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    for fault in ["full", "broken"] {
        let stage = stage().await;
        stage.model.latency(Duration::from_millis(400));
        let synced = folder.path().join(format!("disk-{fault}"));
        fs::create_dir(&synced).unwrap();
        let log = format!("{fault}.log");
        let mut program = Program::start(
            command(&stage, folder.path(), &log).env("LD_PRELOAD", &library).env("SYNCED", &synced),
        );
        let member = stage.discord.client();
        assert!(member.wait_bot(PATIENCE).await, "{}", fs::read_to_string(folder.path().join(&log)).unwrap());
        member.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap();
        stage.model.wait_calls(4, |_| true).await;
        // The calls that are under way are answered into it.
        fs::write(synced.join(fault), "").unwrap();
        nothing_comes(Duration::from_secs(6)).await;
        assert!(!card(&stage).contains("Done"), "nothing goes on that cannot be written");
        fs::remove_file(synced.join(fault)).unwrap();
        let thread = wait_over(&stage, "Done").await;
        program.kill().unwrap();
        program.wait().unwrap();
        let said = fs::read_to_string(folder.path().join(&log)).unwrap();
        assert!(said.contains("waiting for the disk") && said.contains("can be written again"), "{said}");
        let mut said = texts(&stage, thread);
        assert_eq!(said.len(), 8, "{fault}: {said:#?}");
        said.sort();
        said.dedup();
        assert_eq!(said.len(), 8, "something is there twice");
        assert_eq!(stage.model.calls().len(), MEDIATE_CALLS, "{fault}: no call was paid twice");
        assert_eq!(stage.discord.violations(), Vec::<String>::new());
    }
}
