//! Starting: commands are registered beside the running bot, and only if Discord holds others; whatever Discord answers
//! meanwhile, the bot comes up and serves.

use std::time::Duration;

use futures::{StreamExt, stream};
use playground::{
    Fault, Limited,
    ids::{ADA, BOT, DECISIONS},
};
use serde_json::{Value, json};

use crate::support::{Stage, until, wait_for_end};

/// Stages that are played on side by side.
const AT_ONCE: usize = 3;

fn asked(stage: &Stage, method: &str) -> usize {
    let path = format!("/applications/{BOT}/commands");
    let requests = stage.discord.requests();
    requests.iter().filter(|asked| asked.method == method && asked.path == path).count()
}

async fn wait_registered(stage: &Stage) {
    let commands = || stage.discord.commands().len();
    until(|| commands() >= 12, || format!("12 commands are there; {} are", commands())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn discord_holds_the_commands_in_every_language_and_finds_them_done_at_the_next_start() {
    let stage = Stage::start().await;
    stage.bot().await.kill().await;
    wait_registered(&stage).await;
    let commands = stage.discord.commands();
    let named = |list: &[Value], name: &str| list.iter().find(|one| one["name"] == name).cloned().unwrap();
    let mediate = named(&commands, "mediate");
    let options = mediate["options"].as_array().unwrap();
    let effort = named(options, "effort");
    let settings = named(&commands, "settings");
    let group = named(settings["options"].as_array().unwrap(), "voting");
    let menu = named(&commands, "Critique this message");
    let everywhere = ["de", "fr", "es-ES", "es-419", "pt-BR"];
    for (place, said) in [
        ("a command", &mediate["description_localizations"]),
        ("an option", &named(options, "problem")["description_localizations"]),
        ("a choice", &effort["choices"][0]["name_localizations"]),
        ("a group of settings", &group["description_localizations"]),
        ("a setting", &group["options"][0]["description_localizations"]),
        ("an entry of a menu", &menu["name_localizations"]),
    ] {
        let said = said.as_object().unwrap_or_else(|| panic!("{place} is in English alone"));
        assert_eq!(said.len(), everywhere.len(), "{place}: {said:?}");
        assert!(everywhere.iter().all(|code| said[*code].is_string()), "{place}: {said:?}");
    }
    assert_eq!(menu["name_localizations"]["de"], "Diese Nachricht prüfen");
    let about = named(&commands, "Ask the panel about this message");
    assert_eq!(
        (&about["type"], &about["name_localizations"]["de"]),
        (&3.into(), &"Die Runde hierzu befragen".into())
    );
    for (command, text) in [
        ("mediate", "problem"),
        ("roundtable", "problem"),
        ("debate", "proposition"),
        ("investigate", "question"),
        ("delphi", "question"),
    ] {
        let command = named(&commands, command);
        let option = named(command["options"].as_array().unwrap(), text);
        assert!(option["required"] != true, "without {text}, a form opens");
    }
    assert!(mediate["name_localizations"].get("de").is_none(), "cards call it /mediate");
    assert_eq!(mediate["description"].as_str().unwrap().split(' ').next(), Some("Specialists"));

    let bot = stage.bot().await;
    until(|| asked(&stage, "GET") == 2, || "the second start has asked".to_owned()).await;
    stage.connected().await;
    assert_eq!(asked(&stage, "PUT"), 1, "nothing has changed");
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

/// What every request for commands meets, and what asking who the bot is.
fn stumbles() -> Vec<Fault> {
    let limited = |limited| Fault::Limited(Limited { retry_after: 0.2, ..limited });
    vec![
        limited(Limited::default()),
        limited(Limited { scope: "global", ..Limited::default() }),
        limited(Limited { without_headers: true, ..Limited::default() }),
        Fault::Limited(Limited { junk: true, ..Limited::default() }),
        Fault::Status(403),
        Fault::Status(500),
        Fault::Status(502),
        Fault::Status(503),
        Fault::LoseReply,
        Fault::Refuse,
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_registers_only_commands_that_discord_does_not_hold() {
    let stage = Stage::start().await;
    for _ in 0..5 {
        stage.bot().await.kill().await;
    }
    wait_registered(&stage).await;
    assert_eq!(asked(&stage, "PUT"), 1, "the first start registers, the others find it done");
    // Somebody changed them meanwhile.
    let path = format!("{}/api/v10/applications/{BOT}/commands", stage.discord.url());
    let other = json!([{"name": "other", "description": "Of another version"}]);
    let token = format!("Bot {}", stage.discord.token());
    let request = reqwest::Client::new().put(path).header("authorization", token).json(&other);
    let request = request.header("user-agent", "DiscordBot (https://quorum.invalid, 0)");
    assert!(request.send().await.unwrap().status().is_success());
    let bot = stage.bot().await;
    wait_registered(&stage).await;
    assert_eq!(asked(&stage, "PUT"), 3);
    assert_eq!(stage.discord.violations(), Vec::<String>::new());
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_discord_answers_at_the_start_the_bot_comes_up_and_registers_beside() {
    let lived_through = async |fault: Fault| {
        let stage = Stage::start().await;
        // More often than one request is repeated, but for those that are waited for longer each time.
        let times = if matches!(fault, Fault::Limited(Limited { junk: true, .. })) { 2 } else { 5 };
        stage.discord.faults().on("*", "/applications/*/commands", times, fault.clone());
        stage.discord.faults().on("GET", "/users/@me", times, fault.clone());
        let bot = stage.bot_that_halts(None).await;
        assert!(stage.discord.client().wait_bot(Duration::from_mins(1)).await, "{fault:?}: it comes up");
        wait_registered(&stage).await;
        assert!(!bot.ended.is_cancelled(), "{fault:?}");
        let thread = stage.mediate(json!({})).await;
        wait_for_end(&stage, thread).await;
        bot.kill().await;
    };
    stream::iter(stumbles()).for_each_concurrent(AT_ONCE, lived_through).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_goes_on_whatever_becomes_of_the_registration() {
    let stage = Stage::start().await;
    stage.model.latency(Duration::from_millis(300));
    let bot = stage.bot().await;
    let thread = stage.mediate(json!({})).await;
    stage.wait_for(thread, "Cost · round 1").await;
    bot.kill().await;
    let final_word = Fault::Refused(400, 30_032, "Maximum number of application commands reached (100)");
    stage.discord.faults().on("*", "/applications/*/commands", usize::MAX, final_word);
    stage.discord.faults().on("GET", "/users/@me", 9, Fault::Status(502));
    let bot = stage.bot_that_halts(None).await;
    wait_for_end(&stage, thread).await;
    stage.connected().await;
    let said = stage.told(ADA, DECISIONS, "history", json!({})).await;
    assert!(said.contains("Done"), "{said}");
    assert!(!bot.ended.is_cancelled());
    assert!(asked(&stage, "GET") <= 3, "Discord's own word is final");
    bot.kill().await;
}
