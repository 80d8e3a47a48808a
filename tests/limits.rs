//! Limits that hold whatever happens at once: budgets, sessions on a server, the wall between servers, and
//! secrets that show nowhere.

use std::time::Duration;

use crate::support::{
    Actor, Stage,
    log::Log,
    model::{Answer, Fault},
    play::{PROBLEM, Part, id, read, thread_of},
    wait_for_end,
};
use domain::{Caps, Money, SessionState};
use playground::{
    Id, Options,
    ids::{ADA, BEN, DECISIONS, DMITRI, EXTRA_CHANNEL, RIVERSIDE, SECOND, SECOND_DECISIONS},
};
use serde_json::json;
use sqlx::{Row, SqlitePool};

fn caps(calls: i64) -> Caps {
    Caps { calls, tokens: 1 << 40, money: Money(1 << 40) }
}

/// How many accounts hold or have used more than their cap; checked by the schema too, which is not asked here.
async fn overdrawn(database: &SqlitePool) -> i64 {
    let row = sqlx::query(
        "SELECT count(*) AS n FROM account WHERE calls_used + calls_held > calls_cap
            OR tokens_used + tokens_held > tokens_cap OR money_used + money_held > money_cap",
    )
    .fetch_one(database)
    .await
    .unwrap();
    row.get("n")
}

/// Starts many sessions at the same moment over ten channels; gives when each has ended or stands still, and
/// looks at the accounts all the while.
async fn start_at_once(
    stage: &Stage,
    bot: &Actor,
    sessions: usize,
    asks: bool,
) -> Vec<(SessionState, String)> {
    let database = stage.rows().await;
    let client = stage.discord.client();
    let started: Vec<Id> = (0..sessions)
        .map(|n| {
            let channel = EXTRA_CHANNEL + u64::try_from(n % 10).unwrap();
            client
                .run_command(ADA, channel, "mediate", json!({"problem": format!("{PROBLEM} ({n})")}))
                .unwrap()
        })
        .collect();
    for one in started {
        let seen = client.wait_reply(one).await;
        assert!(seen.failed.is_none() && seen.text().contains("has begun"), "{seen:?}");
        if asks {
            stage.go(thread_of(&seen, ADA)).await;
        }
    }
    for _ in 0..3_600 {
        assert_eq!(overdrawn(&database).await, 0);
        let row =
            sqlx::query("SELECT count(*) AS n, coalesce(sum(state = 'running'), 0) AS running FROM session")
                .fetch_one(&database)
                .await
                .unwrap();
        let (all, running): (i64, i64) = (row.get("n"), row.get("running"));
        if running == 0 && usize::try_from(all).unwrap() == sessions {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut ends = Vec::new();
    for n in 0..10 {
        let rows = bot.sessions_in(RIVERSIDE, EXTRA_CHANNEL + n).await;
        ends.extend(rows.into_iter().map(|row| (row.state, row.notice.unwrap_or_default())));
    }
    assert_eq!(ends.len(), sessions);
    ends
}

async fn many_channels() -> Stage {
    Stage::with(Options { rate_limits: false, extra_channels: 10, ..Options::default() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_starts_at_once_do_not_overdraw_the_servers_budget() {
    let mut stage = many_channels().await;
    stage.settings.budgets.session = caps(80);
    stage.settings.budgets.member_day = caps(100_000);
    stage.settings.budgets.server_day = caps(150);
    let bot = stage.bot().await;
    let ends = start_at_once(&stage, &bot, 200, false).await;
    let calls = stage.model.calls().len();
    assert!(calls <= 150, "{calls} calls were accepted");
    assert!(calls >= 140, "and the budget is used: {calls}");
    for (state, notice) in &ends {
        let paused = *state == SessionState::Paused
            && notice.contains("This server's daily budget of calls is used up");
        assert!(paused || *state == SessionState::Done, "{state:?} {notice}");
    }
    assert!(ends.iter().filter(|(state, _)| *state == SessionState::Paused).count() >= 185);

    // Each says so in its thread, at the pace that Discord allows.
    let silent = || {
        let threads = (0..10).flat_map(|n| stage.discord.threads(EXTRA_CHANNEL + n));
        let said = |thread: &serde_json::Value| {
            let text = stage.read(id(&thread["id"]));
            text.contains("budget of calls is used up") || text.contains("Nothing was degraded")
        };
        200 - threads.filter(said).count()
    };
    for _ in 0..240 {
        if silent() == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(silent(), 0, "threads that say nothing");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_members_and_a_sessions_budget_hold_too() {
    for (member, session, sentence) in [
        (30, 80, "Today's personal budget of calls is used up"),
        (1_000, 7, "This session's budget of calls is used up"),
    ] {
        let mut stage = many_channels().await;
        stage.settings.budgets.session = caps(session);
        stage.settings.budgets.member_day = caps(member);
        stage.settings.budgets.server_day = caps(100_000);
        let bot = stage.bot().await;
        let ends = start_at_once(&stage, &bot, 12, session == 7).await;
        let calls = i64::try_from(stage.model.calls().len()).unwrap();
        assert!(calls <= member.min(session * 12), "{calls}");
        for (state, notice) in &ends {
            assert!(*state == SessionState::Done || notice.contains(sentence), "{state:?} {notice}");
        }
        assert!(ends.iter().any(|(state, _)| *state == SessionState::Paused));
        if session == 7 {
            // Another member's question is on that member's account, but within the session's.
            let thread = id(&stage.discord.threads(EXTRA_CHANNEL)[0]["id"]);
            stage.wait_for(thread, "budget of calls is used up").await;
            stage.told(BEN, thread, "ask", json!({"question": "Why?"})).await;
            let said = read(&stage.wait_for(thread, "This question was not answered").await);
            assert!(said.contains("budget of calls is used up"), "{said}");
        }
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_reserved_before_it_is_spent() {
    let mut stage = Stage::start().await;
    stage.panel(&["anthropic/claude-sonnet-4-5"]);
    stage.settings.budgets.session.money = Money(70_000);
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.go(thread).await;
    let notice = read(&stage.wait_for(thread, "**Paused.**").await);
    assert!(notice.contains("This session's budget of money is used up"), "{notice}");
    let card = stage.wait_card(thread, "of $0.07").await;
    assert!(!card.contains("cost unknown"), "{card}");
    let database = stage.rows().await;
    assert_eq!(overdrawn(&database).await, 0);
    let row = sqlx::query("SELECT money_used, money_held, money_cap FROM account WHERE scope = 'session'")
        .fetch_one(&database)
        .await
        .unwrap();
    let (used, held, cap): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    assert!(used > 0 && used <= cap && held == 0 && cap == 70_000, "{used} {held} {cap}");
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_sessions_are_open_on_a_server_than_allowed() {
    let mut stage = Stage::start().await;
    stage.settings.most_open.of_server = 2;
    stage.model.latency(Duration::from_secs(30));
    let bot = stage.bot().await;
    let client = stage.discord.client();
    let started = [1, 2, 3, 4, 5]
        .map(|_| client.run_command(ADA, DECISIONS, "mediate", json!({"problem": PROBLEM})).unwrap());
    let mut said = Vec::new();
    for one in started {
        said.push(client.wait_reply(one).await.text());
    }
    assert_eq!(said.iter().filter(|text| text.contains("It has begun")).count(), 2, "{said:?}");
    let refused = said.iter().filter(|text| text.contains("are running on this server as may at once (2)"));
    assert_eq!(refused.count(), 3, "{said:?}");
    // Another server has its own count.
    stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({})).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_see_nothing_of_each_other() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let ours = stage.mediate(json!({"problem": "RIVERSIDE-CANARY: shall we?"})).await;
    let theirs =
        stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({"problem": "SECOND-CANARY: shall we?"})).await;
    for thread in [ours, theirs] {
        wait_for_end(&stage, thread).await;
        let asked = stage
            .told(if thread == ours { ADA } else { DMITRI }, thread, "ask", json!({"question": "What?"}))
            .await;
        assert!(asked.contains("Asked"), "{asked}");
        stage.wait_for(thread, "asked").await;
    }
    for call in stage.model.calls() {
        let both = call.text().contains("RIVERSIDE-CANARY") && call.text().contains("SECOND-CANARY");
        assert!(!both, "a prompt holds both servers' material");
    }
    for (channel, thread, foreign) in
        [(DECISIONS, ours, "SECOND-CANARY"), (SECOND_DECISIONS, theirs, "RIVERSIDE-CANARY")]
    {
        for place in [channel, thread] {
            let shown = format!("{:?}", stage.discord.messages(place));
            assert!(!shown.contains(foreign), "{foreign} is shown in the other server");
        }
    }
    for (guild, channel) in [(SECOND, DECISIONS), (RIVERSIDE, SECOND_DECISIONS)] {
        assert!(bot.sessions_in(guild, channel).await.is_empty());
    }
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_in_no_log_no_post_and_no_database() {
    // Not of a form that would be taken out for its looks.
    const KEY: &str = "zanzibar51";
    const TOKEN: &str = "MTEwMDAwMDAwMDAwMDAwMDAwMQ.canary.token-canary-token-canary-tok-7";
    let log = Log::default();
    // For the whole process: the bot has threads of its own. Other tests' lines are in it too, which does no harm.
    let filter = "trace,quorum::playground=off,hyper=debug,h2=debug";
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(log.clone())
        .finish();
    let _ = tracing::subscriber::set_global_default(subscriber);

    let options =
        Options { rate_limits: false, keep_bodies: true, token: TOKEN.to_owned(), ..Options::default() };
    let mut stage = Stage::with(options).await;
    stage.api_key = KEY.to_owned();
    stage.panel(&["openai/alpha", "anthropic/beta"]);
    // A provider that echoes the key in its error, and faults on the way.
    stage.model.on(|call| {
        (call.part() == Part::First && call.module() != "risk").then(|| {
            Answer::Fault(Fault::BadRequest(format!(
                "the key {} is odd",
                call.auth.clone().unwrap_or_default()
            )))
        })
    });
    stage.discord.faults().after("POST", "/channels/*/messages", 3, 2, playground::Fault::Status(500));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    let card = stage.message(thread, "Cost · round 2");
    stage.press(BEN, thread, &card, "Raw · Cost").await;
    stage.model.on(|call| Some(Answer::Fault(Fault::BadRequest(call.auth.clone().unwrap_or_default()))));
    let failed = stage.mediate(json!({})).await;
    stage.wait_for(failed, "could not go on").await;
    bot.kill().await;

    let interaction_tokens: Vec<String> = stage
        .discord
        .requests()
        .iter()
        .filter_map(|request| {
            request.path.strip_prefix("/interactions/")?.split('/').nth(1).map(str::to_owned)
        })
        .collect();
    assert!(!interaction_tokens.is_empty());
    let mut places = vec![("the log", log.text().into_bytes())];
    assert!(places[0].1.len() > 10_000, "the log was written");
    for ending in ["", "-wal"] {
        let path = format!("{}{ending}", stage.database().display());
        places.push(("the database", std::fs::read(path).unwrap_or_default()));
    }
    places.push((
        "posts",
        format!("{:?}{:?}", stage.discord.messages(DECISIONS), stage.discord.messages(thread)).into_bytes(),
    ));
    places.push(("posts", format!("{:?}", stage.discord.messages(failed)).into_bytes()));
    let bodies: Vec<_> = stage.discord.requests().into_iter().map(|request| request.body).collect();
    places.push(("requests to Discord", format!("{bodies:?}").into_bytes()));
    for (place, bytes) in places {
        let text = String::from_utf8_lossy(&bytes);
        // What an answer is given with has to outlive the process for its quarter of an hour, and is kept nowhere else.
        let tokens = interaction_tokens.iter().filter(|_| place != "the database");
        for secret in [KEY, TOKEN].into_iter().chain(tokens.map(String::as_str)) {
            if let Some(at) = text.find(secret) {
                let from = text[..at].char_indices().rev().nth(200).map_or(0, |(i, _)| i);
                panic!("{secret} is in {place}: …{}", &text[from..at + secret.len()]);
            }
        }
    }
}
