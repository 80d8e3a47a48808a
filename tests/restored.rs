//! A backup that is restored: what was posted after it was taken is recognised, whatever the clocks say.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::support::{
    Stage,
    play::{Part, read},
    program::{command, program},
    until, wait_for_end,
};
use playground::{Fault, Id};
use quorum::store::Store;
use serde_json::json;

/// What the log says of a file that is older than what is on Discord.
pub const OLDER: &str = "the database is older than what is on Discord";
/// What the thread says of it.
const RESTORED: &str = "had to be restored from an older copy";

/// A mediation is played until all have their place in round 2's message in its thread, and no further. Gives the thread, and a copy of the
/// database that was taken when round 1's message stood there and nobody had answered in round 2 yet.
async fn copied_before_round_2(stage: &Stage) -> (Id, PathBuf) {
    stage.model.hold(|call| call.user.contains("Task: round 2"));
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Market · round 1").await;
    let copy = stage.database().with_extension("backup");
    Store::backup(&stage.database(), &copy).await.unwrap();
    stage.model.hold(|call| call.user.contains("Task: check the draft"));
    for title in ["Market · round 2", "Cost · round 2", "Risk · round 2"] {
        stage.wait_for(thread, title).await;
    }
    (thread, copy)
}

/// The copy is the database from now on.
fn restore(stage: &Stage, copy: &Path) {
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{ending}", stage.database().display()));
    }
    fs::rename(copy, stage.database()).unwrap();
}

/// What `quorum doctor` says of the stage's database.
async fn doctor(stage: &Stage, folder: &Path) -> String {
    let mut doctor = command(stage, folder, "doctor");
    let output = tokio::task::spawn_blocking(move || doctor.output().unwrap()).await.unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_posted_after_a_backup_is_not_posted_again() {
    // By how much the clock that dated the database differs from this machine's, in milliseconds.
    for shift in [0, 300_000, -300_000] {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        let (thread, copy) = copied_before_round_2(&stage).await;
        bot.kill().await;
        restore(&stage, &copy);
        // Minutes have passed.
        stage.discord.faults().forget_nonces(false);
        let shifted = "UPDATE outbox SET first_try_ms = first_try_ms + ?1";
        sqlx::query(shifted).bind(shift).execute(&stage.rows().await).await.unwrap();
        stage.model.let_go();

        let bot = stage.bot().await;
        wait_for_end(&stage, thread).await;
        let shown = stage.read(thread);
        for module in ["Market", "Cost", "Risk"] {
            for round in ["1", "2"] {
                let title = format!("{module} · round {round}");
                assert_eq!(shown.matches(&title).count(), 1, "clocks {shift} ms apart: {title} in\n{shown}");
            }
        }
        assert_eq!(shown.matches("🧩 Do this").count(), 1, "{shown}");
        assert_eq!(shown.matches(RESTORED).count(), 1, "those in the thread are told:\n{shown}");
        bot.kill().await;
    }
}

/// Whoever starts a bot on an older copy is told before, by `doctor`, and in the log; those in the thread once, however often
/// the bot is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_copy_is_told_by_the_doctor_in_the_log_and_in_the_thread() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut bot = program(&stage, folder.path());
    stage.connected().await;
    let (thread, backup) = copied_before_round_2(&stage).await;
    bot.kill().unwrap();
    bot.wait().unwrap();
    let said = doctor(&stage, folder.path()).await;
    assert!(said.contains("  ok     threads: nothing of ours that "), "before: {said}");

    restore(&stage, &backup);
    stage.discord.faults().forget_nonces(false);
    let (copy, shown, calls) =
        (fs::read(stage.database()).unwrap(), stage.read(thread), stage.model.calls().len());
    let said = doctor(&stage, folder.path()).await;
    let told = said.lines().find(|line| line.contains("threads: ")).unwrap_or_else(|| panic!("{said}"));
    let named = [
        "  WRONG  ",
        "is behind: it is older than what stands in its sessions' threads (1 of 1). session ",
        "recognised",
    ];
    assert!(named.iter().all(|part| told.contains(part)), "{told}");
    let posts = |told: &str| -> usize {
        let one = told.split_once(" post stands in its thread that");
        let (before, _) = one.or_else(|| told.split_once(" posts stand in its thread that")).unwrap();
        before.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let lacking = posts(told);
    assert_eq!(lacking, 1, "the message of round 2; that of round 1 had been there before: {told}");
    assert!(fs::read(stage.database()).unwrap() == copy, "it only looks");
    assert_eq!(stage.read(thread), shown);

    // Killed as soon as it is said.
    let log = || fs::read_to_string(folder.path().join("log")).unwrap();
    let mut bot = program(&stage, folder.path());
    until(|| stage.read(thread).contains(RESTORED), || stage.read(thread)).await;
    bot.kill().unwrap();
    bot.wait().unwrap();
    let said = log();
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(OLDER)).collect();
    assert!(matches!(lines[..], [line] if line.contains("WARN") && posts(line) == lacking), "{lines:?}");
    stage.model.let_go();
    let mut bot = program(&stage, folder.path());
    let shown = wait_for_end(&stage, thread).await;
    assert_eq!(shown.matches(RESTORED).count(), 1, "{shown}");
    bot.kill().unwrap();
    bot.wait().unwrap();
    assert!(stage.model.calls().len() > calls);
    let said = doctor(&stage, folder.path()).await;
    assert!(!said.contains("threads: "), "nothing is left to go on with: {said}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
}

/// Killed again and again just when something was posted, so that the receipt is not always written, a process leaves nothing
/// that looks like an older copy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_was_killed_is_not_taken_for_an_older_copy() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut bot = program(&stage, folder.path());
    stage.connected().await;
    stage.model.latency(Duration::from_millis(150));
    let thread = stage.mediate(json!({})).await;
    let posts = || stage.public(thread).len();
    let (mut said, mut unwritten) = (String::new(), 0);
    // Of eight posts, some of which come at once.
    for kill in 0..5 {
        if kill == 1 {
            // One of the receipts does not come, however fast the machine is.
            let slow = Fault::SlowReply(Duration::from_mins(1));
            stage.discord.faults().on("POST", &format!("/channels/{thread}/messages"), 1, slow);
        }
        let before = posts();
        until(|| posts() > before, || format!("kill {kill}: more than {before} posts")).await;
        bot.kill().unwrap();
        bot.wait().unwrap();
        said += &fs::read_to_string(folder.path().join("log")).unwrap();
        let tried = "SELECT count(*) FROM outbox WHERE state = 'pending' AND tries > 0";
        let tried: i64 = sqlx::query_scalar(tried).fetch_one(&stage.rows().await).await.unwrap();
        unwritten += tried;
        if kill == 2 {
            let said = doctor(&stage, folder.path()).await;
            assert!(said.contains("  ok     threads: nothing of ours that "), "{said}");
        }
        // Discord has forgotten which messages it was sent, so that only the thread tells.
        stage.discord.faults().forget_nonces(false);
        bot = program(&stage, folder.path());
    }
    let shown = wait_for_end(&stage, thread).await;
    bot.kill().unwrap();
    bot.wait().unwrap();
    said += &fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(unwritten > 0, "no kill came before a receipt");
    assert!(!said.contains(OLDER) && !shown.contains(RESTORED), "{said}\n{shown}");
}

/// What was asked again after a restore is answered in other words; each card is there once, and says what stands now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_answers_otherwise_when_asked_again_doubles_no_card() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (thread, copy) = copied_before_round_2(&stage).await;
    bot.kill().await;
    restore(&stage, &copy);
    stage.discord.faults().forget_nonces(false);
    stage.model.let_go();
    stage.model.on(|call| {
        (call.part() == Part::Revision)
            .then(|| call.reply(|reply| reply["summary"] = "Said anew, in OTHER words.".into()))
    });

    let bot = stage.bot().await;
    wait_for_end(&stage, thread).await;
    let shown = stage.read(thread);
    for module in ["Market", "Cost", "Risk"] {
        for round in ["1", "2"] {
            let title = format!("{module} · round {round}");
            assert_eq!(shown.matches(&title).count(), 1, "{title} in\n{shown}");
        }
    }
    assert_eq!(shown.matches("OTHER words").count(), 3, "each says what stands now:\n{shown}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

/// Everything was posted when the copy is restored, the last line too. What is asked again is charged again, so
/// that line has other figures: it is known all the same, there once, and says what stands now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_line_of_a_session_is_known_whatever_figures_it_has() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (thread, copy) = copied_before_round_2(&stage).await;
    stage.model.let_go();
    wait_for_end(&stage, thread).await;
    bot.kill().await;
    let last_line = || {
        let shown: Vec<_> = stage.public(thread).iter().map(read).collect();
        shown.into_iter().filter(|text| text.contains("Models: ")).collect::<Vec<_>>()
    };
    let before = last_line();
    restore(&stage, &copy);
    stage.discord.faults().forget_nonces(false);
    // As if more had been asked again: a call that was cut off is charged and made once more.
    stage.alter("UPDATE account SET calls_used = calls_used + 2 WHERE scope = 'session'").await;

    let bot = stage.bot().await;
    // Its end stands there from before.
    stage.wait_number("SELECT count(*) FROM outbox WHERE post_key = 'closing' AND state = 'sent'", 1).await;
    let after = last_line();
    assert_eq!((before.len(), after.len()), (1, 1), "{before:?}\n{after:?}");
    assert_ne!(before, after, "it says what stands now");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}
