//! A backup that is restored: what was posted after it was taken is recognised, whatever the clocks say.

use std::time::Duration;

use crate::support::{Stage, play::Part, wait_for_end};
use quorum::store::Store;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_posted_after_a_backup_is_not_posted_again() {
    // By how much the clock that dated the database differs from this machine's, in milliseconds.
    for shift in [0, 300_000, -300_000] {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        stage.model.latency(Duration::from_millis(500));
        let thread = stage.mediate(json!({})).await;
        stage.wait_for(thread, "Market · round 1").await;
        let backup = stage.database().with_extension("backup");
        Store::backup(&stage.database(), &backup).await.unwrap();
        for title in ["Market · round 2", "Cost · round 2", "Risk · round 2"] {
            stage.wait_for(thread, title).await;
        }
        bot.kill().await;
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", stage.database().display()));
        }
        std::fs::rename(&backup, stage.database()).unwrap();
        // Minutes have passed.
        stage.discord.faults().forget_nonces(false);
        let shifted = "UPDATE outbox SET first_try_ms = first_try_ms + ?1";
        sqlx::query(shifted).bind(shift).execute(&stage.rows().await).await.unwrap();
        stage.model.latency(Duration::ZERO);

        let bot = stage.bot().await;
        wait_for_end(&stage, thread).await;
        let shown = stage.read(thread);
        for module in ["Market", "Cost", "Risk"] {
            for round in ["1", "2"] {
                let title = format!("{module} · round {round}");
                assert_eq!(shown.matches(&title).count(), 1, "clocks {shift} ms apart: {title} in\n{shown}");
            }
        }
        assert_eq!(shown.matches("🧩 Synthesis · round 3").count(), 1, "{shown}");
        bot.kill().await;
    }
}

/// What was asked again after a restore is answered in other words; each card is there once, and says what stands now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_answers_otherwise_when_asked_again_doubles_no_card() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    stage.model.latency(Duration::from_millis(500));
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Market · round 1").await;
    let backup = stage.database().with_extension("backup");
    Store::backup(&stage.database(), &backup).await.unwrap();
    for title in ["Market · round 2", "Cost · round 2", "Risk · round 2"] {
        stage.wait_for(thread, title).await;
    }
    bot.kill().await;
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", stage.database().display()));
    }
    std::fs::rename(&backup, stage.database()).unwrap();
    stage.discord.faults().forget_nonces(false);
    stage.model.latency(Duration::ZERO);
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
