//! Server settings over the wire: shown, changed, validated, written down, and followed by what starts later.

use std::time::Duration;

use crate::support::{
    Actor, Stage, nothing_comes,
    play::{MEDIATION_CALLS, PROBLEM, is_private, read},
    wait_for_end,
};
use domain::{Brief, GuildId, GuildSettings, Plan, SessionId, Setting};
use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS, DMITRI, RIVERSIDE, SECOND, SECOND_DECISIONS},
};
use serde_json::{Value, json};

/// The role of the first server's administrators, which Ada has.
const ADMINS: Id = RIVERSIDE + 8;
/// The bot's own role there.
const BOTS: Id = RIVERSIDE + 9;

/// Ada changes settings of the first server; gives what she is told.
async fn set(stage: &Stage, part: &str, options: Value) -> String {
    stage.told(ADA, DECISIONS, &format!("settings {part}"), options).await
}

/// A setting as a choice of `/settings reset`, which Discord sends by its place.
fn chosen(setting: &str) -> usize {
    Setting::all().position(|one| one.name == setting).unwrap()
}

async fn settings(bot: &Actor, guild: Id) -> GuildSettings {
    bot.store.guild_settings(GuildId(guild)).await.unwrap()
}

async fn changes(bot: &Actor, guild: Id) -> Vec<(&'static str, String, String)> {
    let log = bot.store.settings_log(GuildId(guild), 100).await.unwrap();
    log.into_iter().map(|made| (made.changed.setting.name, made.changed.before, made.changed.after)).collect()
}

async fn plan(stage: &Stage, bot: &Actor, thread: Id) -> Plan {
    let id = SessionId::parse(&stage.session(thread)).unwrap();
    bot.store.plan(&id).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_shown_changed_and_written_down() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let all = set(&stage, "show", json!({})).await;
    for setting in Setting::all() {
        assert!(all.contains(setting.title), "{setting} is missing in {all}");
    }
    assert!(all.contains("whoever started the session") && all.contains("never changed"), "{all}");
    assert!(set(&stage, "log", json!({})).await.contains("Nothing was changed yet"));

    let said = set(&stage, "voting", json!({"hours": 48, "standings": true})).await;
    assert!(
        said.contains("24 hours → 48 hours") && said.contains("secret until it closes → shown to all"),
        "{said}"
    );
    let said =
        set(&stage, "people", json!({"start": ADMINS.to_string(), "decide": RIVERSIDE.to_string()})).await;
    assert!(said.contains(&format!("everyone → <@&{ADMINS}>")), "{said}");
    assert!(said.contains("whoever started the session → everyone"), "{said}");
    let said = set(&stage, "answers", json!({"language": "العربية", "retention_days": 30})).await;
    assert!(
        said.contains("that of the problem → العربية") && said.contains("30 days after their end"),
        "{said}"
    );
    assert_eq!(changes(&bot, RIVERSIDE).await.len(), 6);

    // Only what was given changes, and no option at all shows the part.
    let now = settings(&bot, RIVERSIDE).await;
    assert_eq!((now.voting.hours, now.voting.live, now.voting.quorum), (48, true, 0));
    let voting = set(&stage, "voting", json!({})).await;
    assert!(voting.contains("48 hours") && voting.contains("changed by Ada <t:"), "{voting}");
    assert!(!voting.contains("Who may start"), "{voting}");

    // The same again changes nothing, and nothing is written down.
    let said = set(&stage, "voting", json!({"hours": 48})).await;
    assert!(said.contains("Nothing changed"), "{said}");
    assert_eq!(changes(&bot, RIVERSIDE).await.len(), 6);

    let said = set(&stage, "reset", json!({"setting": chosen("language")})).await;
    assert!(said.contains("العربية → that of the problem"), "{said}");
    let log = set(&stage, "log", json!({})).await;
    let (newest, oldest) = (log.find("العربية → that of").unwrap(), log.find("24 hours → 48 hours").unwrap());
    assert!(newest < oldest && log.contains("Ada"), "{log}");

    // Each choice is of the setting that it names, and the last one of all.
    for setting in Setting::all() {
        let said = set(&stage, "reset", json!({"setting": chosen(setting.name)})).await;
        assert!(said.contains("Nothing changed") || said.contains(&format!("**{setting}:**")), "{said}");
        assert!(setting.name != "hours" || said.contains("48 hours → 24 hours"), "{said}");
    }
    assert_eq!(settings(&bot, RIVERSIDE).await, GuildSettings::default());
    set(&stage, "voting", json!({"quorum": 4, "standings": true})).await;
    let said = set(&stage, "reset", json!({"setting": Setting::all().count()})).await;
    assert!(said.contains("4 ballots → none") && said.contains("shown to all → secret"), "{said}");
    assert_eq!(settings(&bot, RIVERSIDE).await, GuildSettings::default());
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_values_get_a_sentence_and_change_nothing() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let rows: &[(&str, Value, &[&str])] = &[
        (
            "people",
            json!({"vote": BOTS.to_string()}),
            &["belongs to a bot", "Choose a role that members have"],
        ),
        ("models", json!({"models": "openai/none"}), &["`openai/none`", "`openai/alpha`", "`default`"]),
        ("models", json!({"modules": "wizardry"}), &["no module `wizardry`", "market, cost, risk"]),
        ("models", json!({"mediator": "openai/none"}), &["`openai/none`", "`openai/alpha`"]),
        ("voting", json!({"hours": 0}), &["1 to 336 hours"]),
        ("voting", json!({"hours": 337}), &["not 337"]),
        ("voting", json!({"quorum": -1}), &["0 to 1,000 ballots"]),
        ("voting", json!({"reminder_hours": 400}), &["1 to 335 hours"]),
        ("voting", json!({"reminder_hours": 24}), &["would never come", "`hours`"]),
        ("budget", json!({"session_usd": "much"}), &["`much`", "such as `5` or `2.50`"]),
        ("budget", json!({"session_usd": "2.01"}), &["at most $2.00", "whoever runs the bot"]),
        ("budget", json!({"session_usd": "0"}), &["would let nothing run"]),
        ("budget", json!({"session_calls": "121"}), &["at most 120 calls"]),
        ("budget", json!({"session_calls": "some"}), &["`some`", "a whole number"]),
        ("budget", json!({"session_tokens": "3M"}), &["at most 2,000,000 tokens", "whoever runs the bot"]),
        ("budget", json!({"session_tokens": "-1k"}), &["`-1k`", "a number of tokens"]),
        ("budget", json!({"month_tokens": "9223372036854775807k"}), &["a number of tokens"]),
        ("budget", json!({"month_tokens": "2000000M"}), &["at most 1,000,000,000,000 tokens"]),
        ("budget", json!({"month_usd": "1,000"}), &["`1,000`", "not an amount"]),
        ("budget", json!({"month_calls": "-3"}), &["`-3`", "a whole number"]),
        ("answers", json!({"language": "x"}), &["`x`", "`Deutsch`"]),
        ("answers", json!({"language": "@everyone 1"}), &["not the name of a language"]),
        ("answers", json!({"retention_days": 4_000}), &["1 to 3,650 days", "for ever"]),
        // One wrong value keeps the right ones out too.
        ("voting", json!({"quorum": 3, "hours": 999}), &["not 999"]),
    ];
    for (part, options, phrases) in rows {
        let said = set(&stage, part, options.clone()).await;
        for phrase in *phrases {
            assert!(said.contains(phrase), "{part} {options} is told {said:?}, not {phrase:?}");
        }
    }
    assert_eq!(settings(&bot, RIVERSIDE).await, GuildSettings::default());
    assert_eq!(changes(&bot, RIVERSIDE).await, []);
    let client = stage.discord.client();
    let offered =
        client.autocomplete(ADA, DECISIONS, "settings models", json!({"models": "openai/alpha, "}), "models");
    assert_eq!(offered.await.unwrap().len(), 0, "the one model there is was chosen already");
    let offered =
        client.autocomplete(ADA, DECISIONS, "settings models", json!({"modules": "legal, te"}), "modules");
    assert_eq!(offered.await.unwrap()[0]["value"], "legal, tech");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_manages_the_server_and_only_this_server() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let client = stage.discord.client();
    assert!(client.run_command(BEN, DECISIONS, "settings show", json!({})).is_err(), "Discord hides it");
    // A server can show commands to whom it likes.
    stage.discord.faults().commands_for_all(true);
    for (command, options) in [
        ("settings show", json!({})),
        ("settings log", json!({})),
        ("settings voting", json!({"hours": 1})),
        ("settings reset", json!({"setting": Setting::all().count()})),
    ] {
        let said = stage.told(CHLOE, DECISIONS, command, options).await;
        assert!(said.contains("permission Manage Server"), "{command}: {said}");
    }
    assert_eq!(settings(&bot, RIVERSIDE).await, GuildSettings::default());

    let said = stage.told(DMITRI, SECOND_DECISIONS, "settings voting", json!({"hours": 5})).await;
    assert!(said.contains("24 hours → 5 hours"), "{said}");
    assert_eq!(settings(&bot, SECOND).await.voting.hours, 5);
    assert_eq!(settings(&bot, RIVERSIDE).await, GuildSettings::default());
    assert!(set(&stage, "log", json!({})).await.contains("Nothing was changed yet"));

    stage.discord.faults().direct_messages(true);
    let said = set(&stage, "show", json!({})).await;
    assert!(said.contains("only in a channel of a server"), "{said}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_delivered_twice_is_made_once() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    set(&stage, "voting", json!({"hours": 5})).await;
    set(&stage, "voting", json!({"hours": 6})).await;
    // Both come again: the first must not take the second back.
    stage.discord.faults().repeat_events(20);
    // Handled after them, on the same connection.
    let after = set(&stage, "voting", json!({"quorum": 2})).await;
    assert!(after.contains("none → 2 ballots"), "{after}");
    nothing_comes(Duration::from_millis(300)).await;
    let now = settings(&bot, RIVERSIDE).await;
    assert_eq!((now.voting.hours, now.voting.quorum), (6, 2));
    let made = |before: &str, after: &str| ("hours", before.to_owned(), after.to_owned());
    let hours: Vec<_> =
        changes(&bot, RIVERSIDE).await.into_iter().filter(|change| change.0 == "hours").collect();
    assert_eq!(hours, [made("5 hours", "6 hours"), made("24 hours", "5 hours")]);
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_starts_later_follows_them_and_what_runs_keeps_its_own() {
    let mut stage = Stage::start().await;
    stage.panel(&["openai/alpha", "openai/beta", "openai/gamma"]);
    let bot = stage.bot().await;
    let before = stage.mediate(json!({"modules": "cost, legal"})).await;
    wait_for_end(&stage, before).await;
    let Brief::Mediate(brief) = plan(&stage, &bot, before).await.brief else { panic!("a mediation") };
    assert_eq!(
        brief.writer_seat.model.to_string(),
        "openai/gamma",
        "who writes has a model that has not spoken"
    );
    set(&stage, "models", json!({"models": "openai/gamma, openai/beta", "modules": "legal tech"})).await;
    set(&stage, "voting", json!({"hours": 7, "quorum": 2, "reminder_hours": 1, "reminder_pings": true}))
        .await;
    set(&stage, "people", json!({"vote": ADMINS.to_string()})).await;
    set(&stage, "budget", json!({"session_usd": "1,5", "session_calls": "60", "session_tokens": "700k", "month_calls": "500", "month_tokens": "20 M"})).await;
    set(&stage, "answers", json!({"language": "German"})).await;

    let thread = stage.mediate(json!({})).await;
    let started = plan(&stage, &bot, thread).await;
    assert_eq!(started.voting, settings(&bot, RIVERSIDE).await.voting);
    assert_eq!(started.voting.electorate, domain::Electorate::Role(domain::RoleId(ADMINS)));
    assert_eq!((started.budgets.session.money.0, started.budgets.session.calls), (1_500_000, 60));
    assert_eq!(started.budgets.session.tokens, 700_000);
    assert_eq!(
        started.budgets.server_month.map(|month| (month.calls, month.tokens)),
        Some((500, 20_000_000))
    );
    let Brief::Mediate(brief) = started.brief else { panic!("a mediation") };
    assert_eq!(brief.language.as_deref(), Some("German"));
    let modules: Vec<&str> = brief.panel.seats.iter().map(|seat| seat.module.0.as_str()).collect();
    assert_eq!(modules, ["tech", "legal"]);
    let seats: Vec<String> = brief.seats.iter().map(|seat| seat.model.to_string()).collect();
    assert_eq!(seats, ["openai/gamma", "openai/beta"]);
    assert_eq!(brief.writer_seat.model.to_string(), "openai/alpha", "the panel's models are the panel's");
    let others: Vec<String> = brief.seats[0].fallbacks.iter().map(ToString::to_string).collect();
    assert_eq!(others, ["openai/beta"], "models that the server left out do not stand in");
    wait_for_end(&stage, thread).await;
    assert!(
        stage.model.calls().iter().any(|call| call.system.contains("German") || call.user.contains("German")),
        "prompts name the language"
    );

    let kept = plan(&stage, &bot, before).await;
    assert_eq!((kept.voting.hours, kept.budgets.session.calls, kept.budgets.server_month), (24, 120, None));
    // A command says otherwise where it can.
    let chosen = stage.mediate(json!({"modules": "cost", "model": "openai/alpha"})).await;
    let Brief::Mediate(brief) = plan(&stage, &bot, chosen).await.brief else { panic!("a mediation") };
    assert_eq!((brief.panel.seats.len(), brief.seats[0].model.to_string().as_str()), (1, "openai/alpha"));
    // Who sits beside the panel is named by itself, and a command's model leaves it as it is.
    set(&stage, "models", json!({"mediator": "openai/beta", "checker": "openai/gamma"})).await;
    let debate = stage.debate(json!({"preset": "quick", "model": "openai/alpha"})).await;
    let Brief::Debate(brief) = plan(&stage, &bot, debate).await.brief else { panic!("a debate") };
    let beside = [&brief.advocates.pro, &brief.gatekeeper, &brief.moderator, &brief.checker];
    let beside = beside.map(|seat| seat.model.to_string());
    assert_eq!(beside, ["openai/alpha", "openai/beta", "openai/beta", "openai/gamma"]);
    let shown = set(&stage, "models", json!({})).await;
    assert!(shown.contains("`openai/gamma`") && shown.contains("Model for checks"), "{shown}");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_lacks_the_role_to_start_is_told_which() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    set(&stage, "people", json!({"start": ADMINS.to_string()})).await;
    let said = stage.told(BEN, DECISIONS, "mediate", json!({"problem": PROBLEM})).await;
    assert!(said.contains(&format!("only members with the role <@&{ADMINS}> start sessions")), "{said}");
    assert!(stage.is_untouched(&bot).await);
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    set(&stage, "people", json!({"start": RIVERSIDE.to_string()})).await;
    stage.mediate_as(BEN, DECISIONS, json!({})).await;
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_that_is_used_up_pauses_sessions_and_says_so() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let first = stage.mediate(json!({})).await;
    wait_for_end(&stage, first).await;
    // Eighteen calls were made before there was a budget; they count.
    set(&stage, "budget", json!({"month_calls": "21"})).await;
    let shown = set(&stage, "budget", json!({})).await;
    assert!(shown.contains("21 (18 so far this month)"), "{shown}");
    let thread = stage.mediate(json!({})).await;
    let notice = read(&stage.wait_for(thread, "**Paused.**").await);
    assert!(notice.contains("This server's monthly budget of calls is used up"), "{notice}");
    assert!(notice.contains("next month"), "{notice}");
    assert_eq!(stage.model.calls().len(), 21);
    // More money is for what waits for it too, not only for what starts from now on.
    set(&stage, "budget", json!({"month_calls": "100"})).await;
    stage.wait_card(thread, "[Resume]").await;
    stage.press_card(ADA, thread, "Resume").await;
    wait_for_end(&stage, thread).await;
    // Another server's month is its own.
    let elsewhere = stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({})).await;
    wait_for_end(&stage, elsewhere).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_are_deleted_once_they_were_kept_long_enough() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let old = stage.mediate(json!({})).await;
    wait_for_end(&stage, old).await;
    let recent = stage.mediate(json!({})).await;
    wait_for_end(&stage, recent).await;
    let elsewhere = stage.mediate_as(DMITRI, SECOND_DECISIONS, json!({})).await;
    wait_for_end(&stage, elsewhere).await;
    set(&stage, "answers", json!({"retention_days": 10})).await;
    let name = stage.session(old);
    bot.kill().await;

    let database =
        sqlx::SqlitePool::connect(&format!("sqlite://{}", stage.database().display())).await.unwrap();
    for thread in [old, elsewhere] {
        sqlx::query("UPDATE session SET ended_ms = ended_ms - ?2 WHERE thread_id = ?1")
            .bind(thread.cast_signed())
            .bind(11 * 24 * 60 * 60 * 1000_i64)
            .execute(&database)
            .await
            .unwrap();
    }
    sqlx::query(
        "UPDATE vote SET state = 'counted', closed_ms = 1, closed_why = 'deadline', remind_ms = NULL",
    )
    .execute(&database)
    .await
    .unwrap();
    database.close().await;

    let bot = stage.bot().await;
    let gone = SessionId::parse(&name).unwrap();
    for _ in 0..600 {
        if bot.store.session(&gone).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(bot.store.session(&gone).await.is_err(), "it was kept long enough");
    let history = stage.told(ADA, DECISIONS, "history", json!({})).await;
    assert!(!history.contains(&name) && history.contains(&stage.session(recent)), "{history}");
    let other = stage.told(DMITRI, SECOND_DECISIONS, "history", json!({})).await;
    assert!(other.contains(&stage.session(elsewhere)), "other servers keep theirs: {other}");

    // What still stands on Discord answers with a sentence, and a mention there is left alone.
    let message = stage.message(old, "[Raw output]");
    let seen = stage.press(ADA, old, &message, "Raw output").await;
    assert!(is_private(&seen, ADA) && seen.text().contains("no such session"), "{:?}", seen.messages);
    let asked = stage.told(ADA, old, "ask", json!({"question": "why?"})).await;
    assert!(asked.contains("works in a session's thread"), "{asked}");
    let calls = stage.model.calls().len();
    let client = stage.discord.client();
    client.say(ADA, old, &format!("<@{}> why?", playground::ids::BOT)).unwrap();
    let next = stage.mediate(json!({})).await;
    wait_for_end(&stage, next).await;
    assert_eq!(
        stage.model.calls().len(),
        calls + MEDIATION_CALLS,
        "the bot goes on, and the mention asked nobody"
    );
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}
