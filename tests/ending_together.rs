//! Forty sessions of one server that end together: each is told, in the order in which they ended, and no card that is
//! brought up to date holds that up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use domain::Pace;
use playground::{
    Fault, Limited, Options,
    ids::{ADA, EXTRA_CHANNEL},
};
use serde_json::json;

use crate::support::{Stage, play::PROBLEM};

const SESSIONS: usize = 40;
const PATIENCE: Duration = Duration::from_mins(3);

/// At most 45 requests leave in any second, and 50 are let through: a machine that stands still here and there for longer
/// brings more together, for what is seen of its standing still is a part of it.
const STOOD_STILL: Duration = Duration::from_millis(60);

/// How much this machine stood still, in requests, as seen by what was to happen each 10 ms; only times longer than
/// [`STOOD_STILL`] count.
#[derive(Default)]
struct StoodStill {
    /// So many would have left in those times.
    missed: AtomicU64,
    /// So many came together after them, past what a second lets through.
    together: AtomicU64,
}

/// Measured until the end of the test.
fn standing_still() -> Arc<StoodStill> {
    let seen = Arc::new(StoodStill::default());
    let told = Arc::clone(&seen);
    tokio::spawn(async move {
        loop {
            let begun = tokio::time::Instant::now();
            tokio::time::sleep(Duration::from_millis(10)).await;
            let late = begun.elapsed().saturating_sub(Duration::from_millis(10));
            if late >= STOOD_STILL {
                let requests = (u64::try_from(late.as_millis()).unwrap() * 45).div_ceil(1_000);
                told.missed.fetch_add(requests, Relaxed);
                told.together.fetch_add(requests.saturating_sub(50 - 45), Relaxed);
            }
        }
    });
    seen
}

/// A part of the time that all of them together take.
async fn waited(stage: &Stage, what: &str, count: &str, wanted: i64) {
    let begun = tokio::time::Instant::now();
    while stage.number(count).await < wanted {
        assert!(begun.elapsed() < PATIENCE, "{what}: {} of {wanted}", stage.number(count).await);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_that_end_together_are_told_in_their_order_and_not_held_up_by_edits() {
    let options = Options { extra_channels: SESSIONS, keep_bodies: true, ..Options::default() };
    let mut stage = Stage::with(options).await;
    // Cards are drawn as often as they are in earnest, for the limits are Discord's.
    stage.pace = Pace::REAL;
    // All of them are one member's.
    for day in [&mut stage.settings.budgets.member_day, &mut stage.settings.budgets.server_day] {
        day.calls = 2_000;
    }
    stage.model.hold(|_| true);
    let bot = stage.bot().await;
    let client = stage.discord.client();
    for n in 0..SESSIONS as u64 {
        let options = json!({"problem": format!("{PROBLEM} ({n})")});
        client.run_command(ADA, EXTRA_CHANNEL + n, "mediate", options).unwrap();
    }
    let all = i64::try_from(SESSIONS).unwrap();
    waited(&stage, "threads", "SELECT count(*) FROM session WHERE thread_id IS NOT NULL", all).await;
    // Discord takes nothing until all have ended, so that every post waits and how fast a machine writes them is no matter.
    let busy = Limited { retry_after: 1.0, scope: "global", ..Limited::default() };
    stage.discord.faults().on("*", "**", usize::MAX, Fault::Limited(busy));
    stage.model.let_go();
    waited(&stage, "ends", "SELECT count(*) FROM session WHERE state = 'done'", all).await;
    stage.discord.clear_record();
    let before = stage.discord.limited();
    let still = standing_still();
    stage.discord.faults().clear();
    let told = "SELECT count(*) FROM outbox WHERE post_key = 'closing' AND state = 'sent'";
    waited(&stage, "told", told, all).await;

    // Messages are numbered as they arrive.
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT outbox.id, ended_ms FROM outbox JOIN session ON session.id = session_id
         WHERE post_key = 'closing' ORDER BY message_id",
    )
    .fetch_all(&stage.rows().await)
    .await
    .unwrap();
    assert!(rows.is_sorted_by_key(|(written, _)| *written), "as they were written: {rows:?}");
    // Two that end within a millisecond or so may be written down the other way round.
    let ended: Vec<i64> = rows.iter().map(|(_, ended)| *ended).collect();
    assert!(ended.windows(2).all(|two| two[0] <= two[1] + 5), "{ended:?}");

    let requests = stage.discord.requests();
    let is = |method: &str| {
        let of =
            |request: &&playground::Request| request.method == method && request.path.contains("/messages");
        requests.iter().filter(of).map(|request| request.at_ms).collect::<Vec<_>>()
    };
    // As long as there are posts enough to use every turn, one in five is an edit's. Those that were under way when Discord
    // took nothing more come first.
    let posts = is("POST").into_iter().map(|at| (at, false));
    let mut all: Vec<(u64, bool)> = posts.chain(is("PATCH").into_iter().map(|at| (at, true))).collect();
    all.sort_unstable();
    let edits = all.iter().skip(60).take(160).filter(|(_, edit)| *edit).count();
    assert!(edits * 4 <= 160, "{edits} edits among 160 requests");
    let missed = still.missed.load(Relaxed);
    // Those that are refused go again by themselves.
    let (limited, together) = (stage.discord.limited() - before, still.together.load(Relaxed));
    let most = if missed == 0 { 0 } else { 2 + together };
    assert!(
        limited <= most,
        "{limited} requests answered 429; {together} came together after standing still"
    );
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}
