//! A cancellation and a kill close to each other: it is cancelled, or it is not, and never half.

use std::time::Duration;

use domain::{ChannelId, InteractionId, UserId};
use futures::future::join_all;
use playground::ids::ADA;
use quorum::session::Actor;

use crate::{
    resume::scene::{Journal, MEDIATE_CALLS, account, mediate, posts, stage, text_of, thread, wait_over},
    support::{Stage, nothing_comes, thirds},
};

const NOTICE: &str = "ended the session";

/// Cancelled in round 2 by a bot that stands still after `k` commits, killed, and started again.
async fn cancelled_and_killed(k: u64) -> bool {
    let stage = stage().await;
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    mediate(&stage);
    bot.commits(k, || stage.model.calls().len() >= 4).await;
    if let Some(here) = thread(&stage)
        && let Some(row) = bot.sessions.of_thread(ChannelId(here)).await.unwrap()
    {
        let (interaction, name) = (InteractionId(ADA + 1), "Ada".to_owned());
        let ada = Actor {
            interaction,
            user: UserId(ADA),
            name,
            moderator: false,
            manages: false,
            roles: Vec::new(),
        };
        // One that stands still never says that it is done.
        let _ = tokio::time::timeout(Duration::from_millis(200), bot.sessions.cancel(&row, &ada)).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    bot.kill().await;
    let before = Journal::read(&stage).await;
    let cancelled = before.sessions == ["cancelled"];
    let paid = stage.model.calls().len();

    let bot = stage.bot_that_halts(None).await;
    let here = wait_over(&stage, if cancelled { "Cancelled" } else { "Done" }).await;
    nothing_comes(Duration::from_millis(100)).await;
    bot.kill().await;
    let after = Journal::read(&stage).await;
    assert_eq!(after.in_state("sent"), 0);
    assert_eq!(account(&stage).await.1, 0, "nothing is held any more");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    let said: Vec<String> = posts(&stage, here).iter().map(text_of).collect();
    let notices = said.iter().filter(|text| text.contains(NOTICE)).count();
    if cancelled {
        assert_eq!(after.sessions, ["cancelled"]);
        assert_eq!(stage.model.calls().len(), paid, "nothing new is spent");
        assert_eq!(notices, 1, "{said:#?}");
        assert!(said.last().unwrap().contains(NOTICE), "something follows the notice");
    } else {
        assert_eq!(notices, 0);
        check_done(&stage, &after);
    }
    cancelled
}

fn check_done(stage: &Stage, after: &Journal) {
    assert_eq!(after.sessions, ["done"]);
    assert_eq!(after.unsent, Vec::<String>::new());
    assert!(stage.model.calls().len() <= MEDIATE_CALLS + after.in_state("lost"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_and_killed_close_to_each_other_it_is_one_or_the_other() {
    let mut outcomes = Vec::new();
    let kills: Vec<u64> = thirds::of_this_run(9..=32).collect();
    for some in kills.chunks(3) {
        outcomes.extend(join_all(some.iter().map(|k| cancelled_and_killed(*k))).await);
    }
    assert!(outcomes.contains(&true) && outcomes.contains(&false), "{outcomes:?}");
}
