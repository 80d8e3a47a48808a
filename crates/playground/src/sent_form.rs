//! Forms that people send: what Discord's client lets through, and what Discord adds.

use serde_json::{Map, Value, json};

use super::options::Sentence;
use super::snowflake::Id;
use super::validate::find_component;
use super::world::World;

/// Refuses what a client of Discord's would not send: too little or too much in a box, or what is not in a list.
pub(super) fn check(world: &World, guild: Id, modal: &Value, components: &Value) -> Result<(), Sentence> {
    let wanted = modal["components"].as_array().map_or(&[][..], Vec::as_slice);
    let given = components.as_array().map_or(&[][..], Vec::as_slice);
    let members = world.guilds.get(&guild).map(|guild| &guild.members);
    for part in wanted {
        let input = part["components"].get(0).unwrap_or(&part["component"]);
        let label = input["label"].as_str().or(part["label"].as_str()).unwrap_or_default();
        let sent = find_component(given, input["custom_id"].as_str().unwrap_or_default());
        match input["type"].as_u64() {
            Some(4) => check_text(input, label, sent.and_then(|sent| sent["value"].as_str()))?,
            Some(kind @ (3 | 5..=8)) => {
                let values = sent.map(values).unwrap_or_default();
                let optional = input["required"].as_bool() == Some(false);
                if values.is_empty() && optional {
                    continue;
                }
                if values.is_empty() {
                    return Err(format!("“{label}” is required."));
                }
                check_choice(input, &values).map_err(|problem| format!("“{label}”: {problem}"))?;
                let known = |value: &String| {
                    value
                        .parse()
                        .is_ok_and(|id| id == world.bot || members.is_some_and(|all| all.contains_key(&id)))
                };
                if kind == 5 && !values.iter().all(known) {
                    return Err(format!("“{label}”: nobody of this server is chosen."));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_text(input: &Value, label: &str, value: Option<&str>) -> Result<(), Sentence> {
    let length = u64::try_from(value.unwrap_or_default().chars().count()).unwrap_or(u64::MAX);
    if length == 0 {
        let required = input["required"].as_bool() != Some(false);
        return if required { Err(format!("“{label}” is required.")) } else { Ok(()) };
    }
    let (least, most) =
        (input["min_length"].as_u64().unwrap_or(0), input["max_length"].as_u64().unwrap_or(4000));
    if length < least || length > most {
        return Err(format!("“{label}” needs {least} to {most} characters."));
    }
    Ok(())
}

/// Refuses a choice that a list does not allow, by how many there are or by what they are.
pub(super) fn check_choice(select: &Value, values: &[String]) -> Result<(), Sentence> {
    let bound = |name: &str| usize::try_from(select[name].as_u64().unwrap_or(1)).unwrap_or(1);
    if values.len() < bound("min_values") || values.len() > bound("max_values") {
        return Err(format!("Choose {} to {}.", bound("min_values"), bound("max_values")));
    }
    let Some(options) = select["options"].as_array() else { return Ok(()) };
    for value in values {
        if !options.iter().any(|option| option["value"].as_str() == Some(value)) {
            return Err(format!("{value} is not one of the options."));
        }
    }
    Ok(())
}

/// Whom and what the lists of a form mean, as Discord sends it beside them.
pub(super) fn resolved(world: &World, channel: Id, components: &Value) -> Value {
    let mut all = Map::new();
    for part in components.as_array().into_iter().flatten() {
        let input = &part["component"];
        let Some(kind) = input["type"].as_u64() else { continue };
        let Value::Object(found) = world.resolve_choice(channel, kind, &values(input)) else { continue };
        for (name, new) in found {
            let known = all.entry(name).or_insert_with(|| json!({}));
            if let (Some(known), Value::Object(new)) = (known.as_object_mut(), new) {
                known.extend(new);
            }
        }
    }
    all.into()
}

/// The parts of a form as Discord sends them: what was given, by `custom_id`, each in the place where the form has it; of a
/// list, several in a line each, and where nothing is said of it, what it had chosen already.
pub(super) fn filled(modal: &Value, given: &[(&str, &str)]) -> Value {
    let mut parts = Vec::new();
    for (n, part) in modal["components"].as_array().into_iter().flatten().enumerate() {
        let input = part["components"].get(0).unwrap_or(&part["component"]);
        let Some(custom_id) = input["custom_id"].as_str() else { continue };
        let value = given.iter().find(|(name, _)| *name == custom_id).map(|(_, value)| *value);
        let mut sent = json!({"type": input["type"], "id": 2 * n + 2, "custom_id": custom_id});
        if input["type"].as_u64() == Some(4) {
            sent["value"] = value.unwrap_or_default().into();
        } else {
            sent["values"] = match value {
                Some(chosen) => chosen.lines().filter(|value| !value.is_empty()).collect(),
                None => by_default(input),
            };
        }
        let id = 2 * n + 1;
        parts.push(match part["type"].as_u64() {
            Some(18) => json!({"type": 18, "id": id, "component": sent}),
            _ => json!({"type": 1, "id": id, "components": [sent]}),
        });
    }
    parts.into()
}

/// What a list has chosen before anybody touches it.
fn by_default(input: &Value) -> Value {
    let options = input["options"].as_array().into_iter().flatten();
    options.filter(|option| option["default"] == true).map(|option| option["value"].clone()).collect()
}

fn values(sent: &Value) -> Vec<String> {
    let values = sent["values"].as_array().into_iter().flatten();
    values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}
