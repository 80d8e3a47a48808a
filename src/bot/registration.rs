//! The commands that members see: registered beside the running bot, and only if Discord holds other ones. Whether that
//! succeeds or not, sessions go on and buttons work; commands of an earlier start stay as they are.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context as _;
use poise::serenity_prelude as serenity;
use serde_json::{Map, Value};

use super::locales;
use discord::{ApplicationId, Discord, SendError};
use domain::Pace;

/// How soon it is tried again, at first and at last.
const TRY_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(5));

/// What is compared of a command (documentation, interactions/application-commands); the rest Discord adds.
const COMPARED: [&str; 19] = [
    "autocomplete",
    "channel_types",
    "choices",
    "contexts",
    "default_member_permissions",
    "description",
    "description_localizations",
    "integration_types",
    "max_length",
    "max_value",
    "min_length",
    "min_value",
    "name",
    "name_localizations",
    "nsfw",
    "options",
    "required",
    "type",
    "value",
];

/// What Discord fills in by the application's own settings where a command does not say it.
const FILLED_IN: [&str; 2] = ["contexts", "integration_types"];

/// Commands as they are sent, in every language.
pub(super) fn wanted<'a, U: 'a, E: 'a>(
    commands: impl IntoIterator<Item = &'a poise::Command<U, E>>,
) -> anyhow::Result<Vec<Value>> {
    let commands: Vec<serenity::CreateCommand> = poise::builtins::create_application_commands(commands);
    let written = commands.into_iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>();
    let mut written = written.context("the commands cannot be written as JSON")?;
    locales::lay_over(&mut written)?;
    Ok(written)
}

/// Sees to it that Discord holds these commands: tries until it does, or until it says that it never will.
pub(super) async fn register(discord: Discord, application: ApplicationId, wanted: Vec<Value>, pace: Pace) {
    let mut pause = TRY_AGAIN.0;
    loop {
        match compare_and_set(&discord, application, &wanted).await {
            Ok(changed) => {
                tracing::info!(commands = wanted.len(), changed, "Discord holds the bot's commands");
                return;
            }
            Err(error) if error.is_final() => {
                tracing::error!(%error, "Discord does not take the bot's commands; it goes on with those it had");
                return;
            }
            Err(error) => {
                tracing::warn!(%error, "the bot's commands could not be registered yet");
                tokio::time::sleep(pace.of(pause).max(error.retry_after.unwrap_or_default())).await;
                pause = (pause * 2).min(TRY_AGAIN.1);
            }
        }
    }
}

/// Sends the commands if Discord holds others; whether it did.
async fn compare_and_set(
    discord: &Discord,
    application: ApplicationId,
    wanted: &[Value],
) -> Result<bool, SendError> {
    if same(&discord.commands(application).await?, wanted) {
        return Ok(false);
    }
    discord.set_commands(application, wanted.to_vec().into()).await?;
    Ok(true)
}

/// Whether Discord holds exactly these commands, whatever it added and in whatever order.
fn same(held: &[Value], wanted: &[Value]) -> bool {
    let key = |command: &Value| (command["type"].as_u64().unwrap_or(1), command["name"].to_string());
    let held: BTreeMap<_, _> = held.iter().map(|command| (key(command), command)).collect();
    held.len() == wanted.len()
        && wanted.iter().all(|command| {
            held.get(&key(command)).is_some_and(|held| compared(held, command) == compared(command, command))
        })
}

/// A command with nothing but what is compared with what is wanted of it.
fn compared(command: &Value, wanted: &Value) -> Value {
    let mut command = command.clone();
    if let Value::Object(fields) = &mut command {
        fields.entry("type").or_insert_with(|| 1.into());
        fields.retain(|name, _| !FILLED_IN.contains(&name.as_str()) || !wanted[name].is_null());
    }
    plain(command)
}

/// Without what means nothing (`null`, `false`, an empty list or text) and what is not compared; numbers of one kind.
fn plain(value: Value) -> Value {
    let empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| COMPARED.contains(&name.as_str()));
            let plain = kept.map(|(name, value)| {
                // A translation's fields are languages.
                let value = if name.ends_with("_localizations") { value } else { plain(value) };
                (name, value)
            });
            Value::Object(plain.filter(|(_, value)| !empty(value)).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.into_iter().map(plain).collect(),
        // Discord says 1 where 1.0 was sent, and the largest ones lose their last digit on the way.
        Value::Number(number) => format!("{:.12e}", number.as_f64().unwrap_or_default()).into(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn command() -> Value {
        json!({"name": "ask", "description": "Ask", "contexts": [0], "description_localizations": {"de": "Fragen"},
               "options": [
            {"type": 3, "name": "question", "description": "What", "required": true, "max_length": 100, "options": []},
            {"type": 4, "name": "days", "description": "How long", "required": false, "min_value": 1,
             "choices": [{"name": "one", "value": 1}]},
        ]})
    }

    fn as_held(change: impl FnOnce(&mut Value)) -> Vec<Value> {
        let mut held = command();
        change(&mut held);
        for (name, value) in [
            ("id", json!("7")),
            ("application_id", json!("8")),
            ("version", json!("9")),
            ("type", json!(1)),
            ("default_member_permissions", Value::Null),
            ("dm_permission", json!(true)),
            ("nsfw", json!(false)),
            ("integration_types", json!([0])),
        ] {
            held[name] = value;
        }
        vec![held]
    }

    #[test]
    fn what_discord_adds_makes_no_difference_and_what_it_does_not_add_does() {
        let wanted = [command()];
        assert!(same(&as_held(|_| ()), &wanted));
        assert!(same(&as_held(|held| held["options"][1]["min_value"] = json!(1.0)), &wanted));
        assert!(same(
            &as_held(|held| {
                held["options"][1].as_object_mut().unwrap().remove("required");
                held["options"][0].as_object_mut().unwrap().remove("options");
            }),
            &wanted
        ));
        let changes: [fn(&mut Value); 9] = [
            |held| held["description"] = json!("Other"),
            |held| held["description_localizations"] = Value::Null,
            |held| held["description_localizations"]["de"] = json!("Frage"),
            |held| held["description_localizations"]["fr"] = json!("Demander"),
            |held| held["contexts"] = json!([0, 1]),
            |held| held["options"][0]["required"] = json!(false),
            |held| held["options"][0]["max_length"] = json!(99),
            |held| held["options"][1]["choices"][0]["value"] = json!(2),
            |held| held["options"] = json!([]),
        ];
        for change in changes {
            assert!(!same(&as_held(change), &wanted), "{:?}", as_held(change));
        }
        assert!(!same(&[], &wanted) && !same(&as_held(|_| ()), &[]));
    }
}
