//! Registering commands over REST, and what the bot may ask about itself and its servers.

use serde_json::{Value, json};

use super::{Answer, Call, Refusal, Reply};
use crate::events::Audience;
use crate::snowflake::Id;
use crate::validate::{self, Check};
use crate::world::World;

/// Commands of a server, or the global ones for `0`; in other languages too where that is asked for.
pub(super) fn list(call: &Call, guild: Id) -> Answer {
    let mut list: Value = call.shared.world().commands.get(&guild).cloned().unwrap_or_default().into();
    if call.query.get("with_localizations").map(String::as_str) != Some("true") {
        without_languages(&mut list);
    }
    Reply::ok(list)
}

/// Replaces all commands of a server, or the global ones.
pub(super) fn replace(call: &Call, guild: Id) -> Answer {
    let list = call.body.as_array().cloned().unwrap_or_default();
    let mut check = Check::default();
    if !call.body.is_array() {
        check.error("", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
    }
    validate::commands(&mut check, &list);
    call.checked(&check)?;
    let mut world = call.shared.world();
    if guild != 0 && !world.bot_in(guild) {
        return Err(super::refusal::missing_access());
    }
    let registered = list.into_iter().map(|command| world.registered(command, guild)).collect();
    world.commands.insert(guild, registered);
    world.touch();
    world.tell_pages(
        Audience::Everyone,
        || json!({"type": "commands_update", "commands": world.all_commands()}),
    );
    Reply::ok(world.commands.get(&guild).cloned().unwrap_or_default().into())
}

fn kind(command: &Value) -> u64 {
    command["type"].as_u64().unwrap_or(1)
}

/// Leaves out, as Discord does, what an option's sender said to be nothing: `"max_length": null` is no bound.
fn without_nulls(options: &mut Value) {
    for option in options.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        option.retain(|_, value| !value.is_null());
        if let Some(inner) = option.get_mut("options") {
            without_nulls(inner);
        }
    }
}

fn without_languages(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_languages),
        Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("_localizations"));
            fields.values_mut().for_each(without_languages);
        }
        _ => {}
    }
}

impl World {
    /// A command with all that Discord adds; its id stays when one of that name was there.
    fn registered(&mut self, mut command: Value, guild: Id) -> Value {
        let earlier = self.commands.get(&guild).into_iter().flatten();
        let known = earlier
            .filter(|known| known["name"] == command["name"] && kind(known) == kind(&command))
            .find_map(|known| known["id"].as_str().map(str::to_owned));
        command["id"] = known.unwrap_or_else(|| self.new_id().to_string()).into();
        command["application_id"] = self.bot.to_string().into();
        command["version"] = self.new_id().to_string().into();
        command["type"] = kind(&command).into();
        for (name, value) in [
            ("description", json!("")),
            ("options", json!([])),
            ("default_member_permissions", Value::Null),
            ("dm_permission", json!(true)),
            ("nsfw", json!(false)),
            ("contexts", Value::Null),
            ("integration_types", json!([0])),
        ] {
            if command[name].is_null() {
                command[name] = value;
            }
        }
        without_nulls(&mut command["options"]);
        if guild != 0 {
            command["guild_id"] = guild.to_string().into();
        }
        command
    }

    /// Every command, global ones first.
    pub(crate) fn all_commands(&self) -> Vec<&Value> {
        self.commands.values().flatten().collect()
    }
}

pub(super) fn me(call: &Call) -> Answer {
    let world = call.shared.world();
    Reply::ok(world.own_json())
}

pub(super) fn application(call: &Call) -> Answer {
    let world = call.shared.world();
    let owner = world.users.values().find(|user| !user.bot).map(super::super::guild::User::json);
    Reply::ok(json!({
        "id": world.bot.to_string(), "name": "Quorum", "icon": null, "description": "", "rpc_origins": [],
        "bot_public": true, "bot_require_code_grant": false, "owner": owner, "verify_key": "0".repeat(64),
        "team": null, "flags": 0, "tags": [], "integration_types_config": {"0": {}},
        "approximate_guild_count": world.guilds.len(), "redirect_uris": [], "bot": world.user_json(world.bot),
    }))
}

/// A member of a server, which a bot may ask for by number without a privileged intent.
pub(super) fn get_member(call: &Call, guild: Id, user: Id) -> Answer {
    let world = call.shared.world();
    let found = world.guilds.get(&guild).ok_or_else(|| Refusal::new(404, 10004, "Unknown Guild"))?;
    if !world.bot_in(guild) {
        return Err(super::refusal::missing_access());
    }
    if !found.members.contains_key(&user) {
        return Err(Refusal::new(404, 10007, "Unknown Member"));
    }
    Reply::ok(world.member_json(guild, user))
}

pub(super) fn get_guild(call: &Call, id: Id) -> Answer {
    let world = call.shared.world();
    let found = world.guilds.get(&id).ok_or_else(|| Refusal::new(404, 10004, "Unknown Guild"))?;
    if world.bot_in(id) { Reply::ok(World::guild_json(found)) } else { Err(super::refusal::missing_access()) }
}
