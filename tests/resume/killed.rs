//! Killed after every commit, at random instants, and more than once.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use futures::{StreamExt, stream};
use quorum::playground::{Fault, ids::DECISIONS};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    resume::scene::{
        self, Journal, MEDIATE_CALLS, account, mediate, mediate_beside, phase_of, posts, texts, thread,
        usual, wait_over,
    },
    support::{
        Stage,
        model::{Answer, Call},
        nothing_comes,
        play::Part,
        search::SearchServer,
        thirds,
    },
};

/// Modules that sit: three that are chosen, and one that is made for the question.
const SEATS: usize = 4;
/// Model calls of a mediation with a plain call beside it, whose modules are chosen and search in both rounds, and in which
/// two matters are looked into, if nothing disturbs it.
const CALLS: usize = MEDIATE_CALLS + 3 * (SEATS - 3) + 2 + 2 + SEARCHES + MATTERS;
/// Its searches, each of all that a module wants to know in a round, or that is to be known of a matter.
const SEARCHES: usize = SEATS * 2 + MATTERS;
/// A grave conflict and a red flag.
const MATTERS: usize = 2;
/// Stages played at the same time.
const AT_ONCE: usize = 4;

/// A stage that searches, whose modules cite the first two pages they are shown.
async fn stage() -> Stage {
    let mut stage = scene::stage().await;
    // As many as may be chosen, each with a search, may take more than half of what a session usually may: that would wait.
    stage.settings.budgets.session.calls = 1_000;
    stage.settings.budgets.session.tokens = 100_000_000;
    stage.web = Some(SearchServer::start().await);
    stage.model.on(|call| {
        let mut answer = chosen(call).unwrap_or_else(|| usual(call));
        let Answer::Json(reply) = &mut answer else { return Some(answer) };
        for field in ["analysis", "verdict"] {
            if let Some(Value::String(text)) = reply.get_mut(field) {
                text.push_str(" So it stands there [1], and there [2].");
            }
        }
        if call.part() == Part::Synthesis {
            let conflict = &mut reply["conflicts"][0];
            conflict["severity"] = json!("critical");
            conflict["modules"] = json!(["market", "cost"]);
            reply["conflicts"].as_array_mut().unwrap().truncate(1);
            reply["flags"] = json!([{ "color": "red", "text": "Cash runs out.", "conflict": 0 }]);
        }
        Some(answer)
    });
    stage
}

/// Who is chosen: the usual three, and one more that is made.
fn chosen(call: &Call) -> Option<Answer> {
    let pick = |module: &str| json!({ "module": module, "why": "Its side decides it." });
    let usual = ["market", "cost", "risk"].map(pick);
    match call.part() {
        Part::Select => Some(Answer::Json(json!({
            "reasoning": "A matter of money and of roads.", "modules": usual,
        }))),
        Part::Gaps => Some(Answer::Json(json!({
            "reasoning": "Nobody rides.", "open": [],
            "specialists": [{
                "name": "Riders’ safety", "looks_at": "roads and weather", "why": "One winter can end it.",
                "nearest": "risk", "instructions": "You find out what riding costs those who ride.",
            }],
        }))),
        _ => None,
    }
}

/// What a mediation leaves behind that nothing disturbs: its commits, and its texts, sorted.
pub async fn undisturbed() -> (u64, Vec<String>) {
    let stage = stage().await;
    let bot = stage.bot().await;
    mediate_beside(&stage);
    let thread = wait_over(&stage, "Done").await;
    let commits = bot.store.commits();
    bot.kill().await;
    assert_eq!(stage.model.calls().len(), CALLS);
    assert_eq!(account(&stage).await, (i64::try_from(CALLS + SEARCHES).unwrap(), 0, 0));
    let mut said = texts(&stage, thread);
    let phases: Vec<usize> = said.iter().map(|text| phase_of(text)).collect();
    assert_eq!(phases, [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6, 7], "{said:#?}");
    said.sort();
    (commits, said)
}

/// Holds a finished session against an undisturbed one, and against what the journal held at each kill.
async fn check(stage: &Stage, wanted: &[String], kills: &[Journal]) {
    let thread = thread(stage).expect("a thread");
    let said = texts(stage, thread);
    let phases: Vec<usize> = said.iter().map(|text| phase_of(text)).collect();
    assert!(phases.is_sorted(), "out of order: {phases:?}");
    let mut sorted = said;
    sorted.sort();
    assert_eq!(sorted, wanted, "the thread is not what it is without a kill");
    assert_eq!(posts(stage, DECISIONS).len(), 1, "one live card");

    check_calls(stage, kills, CALLS, SEARCHES, wanted.len() + 1).await;
}

/// Holds the journal of a finished session against what it held at each kill: what was finished stays as it was and
/// was asked once, and every call is accounted for.
pub async fn check_calls(stage: &Stage, kills: &[Journal], calls: usize, searches: usize, posts: usize) {
    let after = Journal::read(stage).await;
    assert_eq!(after.sessions, ["done"]);
    assert_eq!(after.unsent, Vec::<String>::new());
    let mut sent = after.sent.clone();
    sent.sort_unstable();
    sent.dedup();
    assert_eq!(sent.len(), posts, "each post is a message of its own");
    for before in kills {
        for (key, output) in &before.finished {
            assert_eq!(after.finished.get(key), Some(output), "{key} changed");
            assert_eq!(after.attempts.get(key), before.attempts.get(key), "{key} was asked for again");
        }
    }

    let lost = kills.iter().flat_map(|before| &before.open).collect::<BTreeSet<_>>().len();
    assert_eq!(after.in_state("lost"), lost, "what was under way at a kill is marked lost");
    assert_eq!((after.in_state("ok"), after.in_state("sent")), (calls + searches, 0));
    assert_eq!(after.in_state("failed"), 0);
    let made = stage.model.calls().len();
    assert!((calls..=calls + lost).contains(&made), "{made} calls, of which {lost} may be repeated");
    let (used, lost) = (i64::try_from(calls + searches + lost).unwrap(), i64::try_from(lost).unwrap());
    assert_eq!(account(stage).await, (used, 0, lost), "every call is in the ledger");
    // What is delivered twice is acknowledged twice, and what comes late too late: that is no fault.
    let mut minded = stage.discord.violations();
    minded.retain(|sentence| {
        let late = sentence.contains("/callback: ") && sentence.ends_with("404 Unknown interaction");
        !late && !sentence.ends_with("Interaction has already been acknowledged.")
    });
    assert_eq!(minded, Vec::<String>::new());
    assert_eq!(stage.model.strays(), Vec::<String>::new());
}

fn is_done(stage: &Stage) -> bool {
    thread(stage).is_some_and(|thread| texts(stage, thread).iter().any(|text| text == "closing"))
}

/// A session is killed once it has made `k` commits, then in each further life after so many more.
async fn killed_at(k: u64, lives: &[u64], wanted: &[String]) {
    let stage = stage().await;
    let bot = stage.bot_that_halts(Some(k)).await;
    assert!(stage.discord.client().wait_bot(Duration::from_secs(10)).await);
    mediate_beside(&stage);
    bot.commits(k, || is_done(&stage)).await;
    if k.is_multiple_of(2) {
        // What is under way outside ends, and nobody writes it down.
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    bot.kill().await;
    let mut kills = vec![Journal::read(&stage).await];
    for commits in lives {
        stage.bot_killed_after(*commits, || is_done(&stage)).await;
        let now = Journal::read(&stage).await;
        kills.push(now);
    }
    let bot = stage.bot_that_halts(None).await;
    if kills.iter().all(|journal| journal.sessions.is_empty()) {
        // The command had not been taken yet, as its member is told, and is given again.
        stage.connected().await;
        mediate_beside(&stage);
    }
    wait_over(&stage, "Done").await;
    bot.kill().await;
    check(&stage, wanted, &kills).await;
}

/// Plays all cases, some at a time, and names those that failed.
pub async fn play<F: Future<Output = ()> + Send + 'static>(cases: impl Iterator<Item = (String, F)>) {
    play_at_once(AT_ONCE, cases).await;
}

/// The same with so many at the same time.
pub async fn play_at_once<F: Future<Output = ()> + Send + 'static>(
    at_once: usize,
    cases: impl Iterator<Item = (String, F)>,
) {
    let failed: Vec<String> = stream::iter(cases)
        .map(|(name, case)| async move {
            let failure = tokio::spawn(case).await.err()?;
            let said = failure.into_panic();
            let said = said.downcast_ref::<String>().cloned().unwrap_or_default();
            Some(format!("{name}: {said}"))
        })
        .buffer_unordered(at_once)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(failed.is_empty(), "{} cases failed\n{}", failed.len(), failed.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_it_goes_on_in_the_same_thread() {
    let (commits, wanted) = undisturbed().await;
    assert!(commits > 30, "{commits} commits");
    let wanted: Arc<[String]> = wanted.into();
    // A few more than were counted: how many commits are shared differs from run to run.
    play(thirds::of_this_run(1..=commits + 3).map(|k| {
        let wanted = Arc::clone(&wanted);
        (format!("killed after commit {k}"), async move { killed_at(k, &[], &wanted).await })
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_again_while_it_goes_on_it_goes_on_again() {
    let (commits, wanted) = undisturbed().await;
    let wanted: Arc<[String]> = wanted.into();
    let lives: [&[u64]; 6] = [&[1], &[2], &[3, 1], &[5], &[1, 1, 1, 2], &[9, 4]];
    let kills = (1..=commits).step_by(4).zip(lives.into_iter().cycle());
    play(thirds::of_this_run(kills).map(|(k, lives)| {
        let wanted = Arc::clone(&wanted);
        (format!("killed after {k} and then {lives:?}"), async move { killed_at(k, lives, &wanted).await })
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_instant_nothing_is_lost_and_nothing_doubled() {
    let (_, wanted) = undisturbed().await;
    let wanted: Arc<[String]> = wanted.into();
    play(thirds::of_this_run(0..16).map(|seed| {
        let wanted = Arc::clone(&wanted);
        (format!("seed {seed}"), async move { killed_by_chance(seed, &wanted).await })
    }))
    .await;
}

/// Killed one to three times, each at an instant that the seed gives.
async fn killed_by_chance(seed: u64, wanted: &[String]) {
    let mut chance = StdRng::seed_from_u64(seed);
    let stage = stage().await;
    let bot = stage.bot().await;
    mediate_beside(&stage);
    tokio::time::sleep(Duration::from_millis(chance.random_range(0..1_200))).await;
    bot.kill().await;
    let mut kills = vec![Journal::read(&stage).await];
    if kills[0].sessions.is_empty() {
        // The command had not been taken yet: nothing is half-made, and it can be given again.
        assert_eq!(posts(&stage, DECISIONS).len(), 0);
        assert_eq!(stage.model.calls().len(), 0);
        let bot = stage.bot().await;
        mediate_beside(&stage);
        wait_over(&stage, "Done").await;
        bot.kill().await;
        return check(&stage, wanted, &kills).await;
    }
    for _ in 0..chance.random_range(0..3) {
        let bot = stage.bot_that_halts(None).await;
        tokio::time::sleep(Duration::from_millis(chance.random_range(0..700))).await;
        bot.kill().await;
        kills.push(Journal::read(&stage).await);
    }
    let bot = stage.bot_that_halts(None).await;
    wait_over(&stage, "Done").await;
    bot.kill().await;
    check(&stage, wanted, &kills).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_was_never_taken_leaves_nothing_half_made() {
    let stage = scene::stage().await;
    let bot = stage.bot().await;
    stage.discord.faults().on("POST", "/interactions/**", 1, Fault::Stall(Duration::from_secs(20)));
    let command = mediate(&stage);
    // Its answer is on its way, which nobody sees of a request that stalls.
    tokio::time::sleep(Duration::from_millis(200)).await;
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, Vec::<String>::new());
    assert_eq!(posts(&stage, DECISIONS).len(), 0);

    // Discord tells whoever gave it that it failed, or delivers it again; either way it starts once.
    let bot = stage.bot().await;
    stage.discord.client().redeliver(command).unwrap();
    stage.discord.client().redeliver(command).unwrap();
    wait_over(&stage, "Done").await;
    stage.discord.client().redeliver(command).unwrap();
    nothing_comes(Duration::from_millis(300)).await;
    bot.kill().await;
    assert_eq!(Journal::read(&stage).await.sessions, ["done"]);
    assert_eq!(stage.discord.threads(DECISIONS).len(), 1);
    assert_eq!(stage.model.calls().len(), MEDIATE_CALLS);
}
