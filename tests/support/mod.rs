//! What tests over the wire share.
#![allow(dead_code, unreachable_pub)] // each test includes this file and uses its own part of it
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)] // fails loudly

mod checked;
pub mod citations;
pub mod files;
pub mod log;
mod loopback;
pub mod model;
pub mod pages;
pub mod play;
pub mod program;
pub mod search;
mod stage;
pub mod thirds;

use std::{fmt::Display, time::Duration};

use playground::Id;
use proptest::prelude::ProptestConfig;

#[allow(unused_imports)] // some tests have a stage and no second actor, or look at no text
pub use checked::{has, has_not};
#[allow(unused_imports)]
pub use stage::{Actor, Moment, QUIET, Stage};

/// So many cases of a property, and with `PROPTEST_CASES=25600` a hundred times as many, as in the library.
pub fn cases(cases: u32) -> ProptestConfig {
    // 256 is what it is where nobody sets it.
    let asked = ProptestConfig::default();
    let cases = u64::from(cases) * u64::from(asked.cases) / 256;
    ProptestConfig { cases: u32::try_from(cases).unwrap_or(u32::MAX).max(1), ..asked }
}

/// All text of a thread, message after message, as a reader sees it.
pub fn text_of(stage: &Stage, thread: Id) -> String {
    stage.discord.messages(thread).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// How often an edit of a message was refused. Those that were taken until then may still be underway, and do not count.
pub fn refused_edits(stage: &Stage, message: Id) -> usize {
    let end = format!("/messages/{message}");
    let requests = stage.discord.requests().into_iter();
    requests.filter(|one| one.method == "PATCH" && one.path.ends_with(&end) && one.status >= 400).count()
}

/// Waits until something holds; fails with what is told then.
pub async fn until<W: Display>(holds: impl Fn() -> bool, told: impl Fn() -> W) {
    let until = tokio::time::Instant::now() + play::PATIENCE;
    while !holds() {
        assert!(tokio::time::Instant::now() < until, "in vain waited until {}", told());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits for what must not come: a second answer, a call too many, a line that a restart would post again. Nothing says when
/// it has not come for long enough, so that time alone is what there is to wait for; the bot's own pauses are shorter here.
pub async fn nothing_comes(within: Duration) {
    tokio::time::sleep(within).await;
}

/// How many messages of rounds do not show yet all who have spoken.
pub const ROUNDS_STALE: &str = "SELECT count(*) FROM panel WHERE key LIKE 'round-%' AND shown < revision";

/// Waits until the messages of rounds show all who have spoken: they are edited beside the run, which does not wait for that.
pub async fn wait_rounds_shown(stage: &Stage) {
    for _ in 0..1_000 {
        if stage.number(ROUNDS_STALE).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until a session's closing line stands in its thread; gives the thread's text.
pub async fn wait_for_end(stage: &Stage, thread: Id) -> String {
    for _ in 0..600 {
        let text = text_of(stage, thread);
        if text.contains("Nothing was degraded") || text.contains("**Degraded:**") {
            wait_rounds_shown(stage).await;
            return text_of(stage, thread);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no closing line within 30 s in\n{}", text_of(stage, thread));
}
