//! The options of a command as a person filled them in, checked as Discord's client does.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::files::Upload;
use super::mentions::as_id;
use super::snowflake::Id;
use super::world::World;

/// Why something could not be done, for the person who tried.
pub(super) type Sentence = String;

/// Reads options against their definitions, and collects what they refer to.
pub(super) struct Options<'a> {
    pub(super) world: &'a mut World,
    pub(super) channel: Id,
    pub(super) files: HashMap<String, Upload>,
    /// Users, channels and attachments referred to, as the interaction carries them.
    pub(super) resolved: Value,
    /// Whether the person is still typing: nothing is required and nothing has to be right yet.
    pub(super) partial: bool,
}

impl Options<'_> {
    /// The options for the interaction, in the order of their definitions.
    pub(super) fn fill(&mut self, defined: &Value, given: &Value) -> Result<Vec<Value>, Sentence> {
        let defined = defined.as_array().cloned().unwrap_or_default();
        let given = given.as_array().cloned().unwrap_or_default();
        if let Some(stray) = given.iter().find(|g| !defined.iter().any(|d| d["name"] == g["name"])) {
            return Err(format!("There is no option {}.", stray["name"]));
        }
        let mut filled = Vec::new();
        for definition in &defined {
            let name = definition["name"].as_str().unwrap_or_default();
            let given = given.iter().find(|given| given["name"] == definition["name"]);
            let kind = definition["type"].as_u64().unwrap_or(3);
            match kind {
                1 | 2 => {
                    if let Some(given) = given {
                        let inner = self.fill(&definition["options"], &given["options"])?;
                        filled.push(json!({"name": name, "type": kind, "options": inner}));
                    }
                }
                _ => filled.extend(self.one(definition, name, kind, given)?),
            }
        }
        let nested = defined.iter().any(|d| matches!(d["type"].as_u64(), Some(1 | 2)));
        if nested && filled.len() != 1 {
            return Err("Choose one subcommand.".to_owned());
        }
        Ok(filled)
    }

    fn one(
        &mut self,
        definition: &Value,
        name: &str,
        kind: u64,
        given: Option<&Value>,
    ) -> Result<Option<Value>, Sentence> {
        if kind == 11 {
            if let Some(file) = self.files.remove(name) {
                return Ok(Some(self.attachment(name, file)));
            }
        } else if let Some(given) = given.filter(|given| !given["value"].is_null()) {
            let focused = given["focused"].as_bool() == Some(true);
            if self.partial {
                let mut option = json!({"name": name, "type": kind, "value": given["value"]});
                if focused {
                    option["focused"] = true.into();
                    // What is being typed always comes as text, whatever the option's type.
                    let text =
                        given["value"].as_str().map_or_else(|| given["value"].to_string(), str::to_owned);
                    option["value"] = text.into();
                }
                return Ok(Some(option));
            }
            let value = self.value(definition, name, kind, &given["value"])?;
            return Ok(Some(json!({"name": name, "type": kind, "value": value})));
        }
        if definition["required"].as_bool() == Some(true) && !self.partial {
            return Err(format!("The option {name} is required."));
        }
        Ok(None)
    }

    fn attachment(&mut self, name: &str, file: Upload) -> Value {
        let attachment = self.world.keep_file(file, None);
        let id = attachment.id.to_string();
        let mut json = self.world.attachment_json(self.channel, &attachment);
        json["ephemeral"] = true.into();
        self.resolved["attachments"][id.as_str()] = json;
        json!({"name": name, "type": 11, "value": id})
    }

    fn value(&mut self, definition: &Value, name: &str, kind: u64, value: &Value) -> Result<Value, Sentence> {
        let choices = definition["choices"].as_array().filter(|choices| !choices.is_empty());
        let value = match kind {
            3 => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
                let least = definition["min_length"].as_u64().unwrap_or(0);
                let most = definition["max_length"].as_u64().unwrap_or(6000);
                if length < least || length > most {
                    return Err(format!("The option {name} takes {least} to {most} characters."));
                }
                Value::String(text)
            }
            4 | 10 => number(definition, name, kind, value)?,
            5 => match value {
                Value::Bool(_) => value.clone(),
                _ => Value::Bool(value.as_str() == Some("true")),
            },
            6..=9 => {
                let id = as_id(value).ok_or_else(|| format!("The option {name} takes an id."))?;
                self.resolve(kind, id).ok_or_else(|| format!("What {name} names does not exist."))?;
                Value::String(id.to_string())
            }
            _ => return Err(format!("The option {name} has an unknown type.")),
        };
        match choices {
            Some(choices) if !choices.iter().any(|choice| choice["value"] == value) => {
                Err(format!("The option {name} takes one of its choices."))
            }
            _ => Ok(value),
        }
    }

    /// Adds what an id refers to.
    fn resolve(&mut self, kind: u64, id: Id) -> Option<()> {
        let guild = self.world.channel(self.channel)?.guild;
        let key = id.to_string();
        let place = self.world.guilds.get(&guild)?;
        if matches!(kind, 6 | 9) && place.members.contains_key(&id) {
            self.resolved["users"][key.as_str()] = self.world.user_json(id);
            self.resolved["members"][key.as_str()] = self.world.partial_member_json(guild, id);
            return Some(());
        }
        if let Some(role) = place.roles.iter().find(|role| role.id == id).filter(|_| matches!(kind, 8 | 9)) {
            self.resolved["roles"][key.as_str()] = role.json();
            return Some(());
        }
        let found = self.world.channel(id).filter(|c| kind == 7 && c.guild == guild)?;
        self.resolved["channels"][key.as_str()] = found.json();
        Some(())
    }
}

fn number(definition: &Value, name: &str, kind: u64, value: &Value) -> Result<Value, Sentence> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let number =
        number.filter(|n: &f64| n.is_finite()).ok_or_else(|| format!("The option {name} takes a number."))?;
    let under = definition["min_value"].as_f64().is_some_and(|least| number < least);
    let over = definition["max_value"].as_f64().is_some_and(|most| number > most);
    if under || over {
        return Err(format!(
            "The option {name} takes a number from {} to {}.",
            definition["min_value"], definition["max_value"]
        ));
    }
    if kind == 10 {
        return Ok(number.into());
    }
    let whole = value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
    whole.map(Value::from).ok_or_else(|| format!("The option {name} takes a whole number."))
}
