//! What people do: write, run commands, press buttons, choose, fill in modals. Refused with a sentence where
//! Discord's own client would not let them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Shared;
use super::files::Upload;
use super::guild::Channel;
use super::interaction::{AUTOCOMPLETE, COMMAND, COMPONENT, Doing, Interaction, MODAL};
use super::mentions::{Mentions, Unless, as_id};
use super::message::{Message, Viewer, kind};
use super::options::{Options, Sentence};
use super::permissions::bits;
use super::rest;
use super::sent_form;
use super::snowflake::Id;
use super::world::World;

/// A message as a person writes it.
#[derive(Default)]
pub(super) struct Writing {
    pub(super) content: String,
    pub(super) reply_to: Option<Id>,
    /// Whether the reply pings the author replied to.
    pub(super) ping: bool,
    pub(super) files: Vec<Upload>,
}

impl Shared {
    /// Posts a person's message.
    pub(super) fn say(&self, member: Id, channel: Id, writing: Writing) -> Result<Id, Sentence> {
        let mut world = self.world();
        world.may(member, channel, rest::write_permission(&world, channel), "write here")?;
        let content = writing.content.trim();
        if content.is_empty() && writing.files.is_empty() {
            return Err("A message needs a text or a file.".to_owned());
        }
        if content.chars().count() > 2000 {
            return Err("A message has at most 2000 characters.".to_owned());
        }
        check_files(writing.files.iter(), world.largest_file(channel))?;
        let locked = world.channel(channel).and_then(|c| c.thread.as_ref()).is_some_and(|t| t.locked);
        if locked && world.permissions(member, channel) & bits::MANAGE_THREADS == 0 {
            return Err("This thread is locked.".to_owned());
        }
        let replied = match writing.reply_to {
            None => None,
            Some(id) => {
                let found = world.message(channel, id).filter(|m| m.ephemeral_for.is_none());
                let found = found.ok_or("The message to reply to is gone.")?;
                Some((id, found.author, found.answering.is_some()))
            }
        };
        let id = world.new_id();
        let kind = if replied.is_some() { kind::REPLY } else { kind::DEFAULT };
        let mut message = Message::new(id, channel, member, kind);
        content.clone_into(&mut message.content);
        for file in writing.files {
            let attachment = world.keep_file(file, None);
            message.attachments.push(attachment);
        }
        world.fill_mentions(&mut message, None, Unless::Message);
        message.readable = Mentions::scan(content).users.contains(&world.bot);
        if let Some((replied, author, to_interaction)) = replied {
            message.reference = Some((channel, replied));
            if writing.ping {
                if !message.mentions.contains(&author) {
                    message.mentions.push(author);
                }
                // A ping by replying lets the app read only under its normal messages, not under its answers
                // to interactions (Discord, "You Might Not Need a Privileged Intent").
                message.readable |= author == world.bot && !to_interaction;
            }
        }
        world.wake_thread(channel);
        world.post(message);
        Ok(id)
    }

    /// Runs a slash command. `options` as the page's API gives them, `files` by option name.
    pub(super) fn run_command(
        self: &Arc<Self>,
        member: Id,
        channel: Id,
        command: Id,
        options: &Value,
        files: HashMap<String, Upload>,
    ) -> Result<Id, Sentence> {
        let (data, name) = {
            let mut world = self.world();
            check_files(files.values(), world.largest_file(channel))?;
            let command = world.usable(member, channel, command, 1)?;
            let mut reader =
                Options { world: &mut world, channel, files, resolved: json!({}), partial: false };
            let filled = reader.fill(&command["options"], options)?;
            let resolved = reader.resolved;
            (command_data(&command, &filled, &resolved), title(&command, &filled))
        };
        Ok(self.interact(Doing { kind: COMMAND, user: member, channel, name, data, ..Doing::default() }))
    }

    /// Asks for autocomplete choices; one of the options is `focused`.
    pub(super) fn autocomplete(
        self: &Arc<Self>,
        member: Id,
        channel: Id,
        command: Id,
        options: &Value,
    ) -> Result<Id, Sentence> {
        let data = {
            let mut world = self.world();
            let command = world.usable(member, channel, command, 1)?;
            let files = HashMap::new();
            let mut reader =
                Options { world: &mut world, channel, files, resolved: json!({}), partial: true };
            let filled = reader.fill(&command["options"], options)?;
            command_data(&command, &filled, &json!({}))
        };
        let name = data["name"].as_str().unwrap_or_default().to_owned();
        Ok(self.interact(Doing { kind: AUTOCOMPLETE, user: member, channel, name, data, ..Doing::default() }))
    }

    /// Runs a command from a message's context menu.
    pub(super) fn message_command(
        self: &Arc<Self>,
        member: Id,
        channel: Id,
        command: Id,
        message: Id,
    ) -> Result<Id, Sentence> {
        let data = {
            let world = self.world();
            let command = world.usable(member, channel, command, 3)?;
            let target =
                world.message(channel, message).filter(|m| m.ephemeral_for.is_none_or(|id| id == member));
            let target = target.ok_or("That message is gone.")?;
            // The target of a context-menu command is readable without the message content intent.
            let json = world.message_json(target, Viewer::Bot(true));
            let resolved = json!({"messages": {message.to_string(): json}});
            let mut data = command_data(&command, &[], &resolved);
            data["target_id"] = message.to_string().into();
            data
        };
        let name = data["name"].as_str().unwrap_or_default().to_owned();
        Ok(self.interact(Doing {
            kind: COMMAND,
            user: member,
            channel,
            name,
            context_menu: true,
            data,
            ..Doing::default()
        }))
    }

    /// Presses a button (`values` empty) or chooses in a select.
    pub(super) fn press(
        self: &Arc<Self>,
        member: Id,
        channel: Id,
        message: Id,
        custom_id: &str,
        values: &[String],
    ) -> Result<Id, Sentence> {
        let data = {
            let world = self.world();
            world.may(member, channel, 0, "see this channel")?;
            let found = world.message(channel, message);
            let found = found.filter(|m| m.ephemeral_for.is_none_or(|id| id == member));
            let found = found.ok_or("That message is gone.")?;
            let part = found.pressed(custom_id).ok_or("That component is gone.")?;
            if part["disabled"].as_bool() == Some(true) {
                return Err("That component is disabled.".to_owned());
            }
            let kind = part["type"].as_u64().unwrap_or(0);
            let mut data = json!({"custom_id": custom_id, "component_type": kind, "id": 1});
            if kind != 2 {
                sent_form::check_choice(part, values)?;
                data["values"] = values.into();
                data["resolved"] = world.resolve_choice(channel, kind, values);
            }
            data
        };
        Ok(self.interact(Doing {
            kind: COMPONENT,
            user: member,
            channel,
            name: custom_id.to_owned(),
            source: Some(message),
            data,
            ..Doing::default()
        }))
    }

    /// Sends a modal that an interaction opened. `components` as the page's API gives them.
    pub(super) fn submit(
        self: &Arc<Self>,
        member: Id,
        opener: Id,
        components: &Value,
    ) -> Result<Id, Sentence> {
        {
            let world = self.world();
            let (opener, modal) = world.open_form(member, opener)?;
            sent_form::check(&world, opener.guild, modal, components)?;
        }
        self.submit_unchecked(member, opener, components)
    }

    /// Sends a modal whatever is in it, as no client of Discord's does.
    pub(super) fn submit_unchecked(
        self: &Arc<Self>,
        member: Id,
        opener: Id,
        components: &Value,
    ) -> Result<Id, Sentence> {
        let (data, channel, source) = {
            let world = self.world();
            let (opener, modal) = world.open_form(member, opener)?;
            let mut data = json!({"custom_id": modal["custom_id"], "components": components});
            let resolved = sent_form::resolved(&world, opener.channel, components);
            if resolved.as_object().is_some_and(|map| !map.is_empty()) {
                data["resolved"] = resolved;
            }
            (data, opener.channel, opener.source)
        };
        let name = data["custom_id"].as_str().unwrap_or_default().to_owned();
        Ok(self.interact(Doing {
            kind: MODAL,
            user: member,
            channel,
            name,
            source,
            data,
            ..Doing::default()
        }))
    }
}

fn check_files<'a>(files: impl Iterator<Item = &'a Upload>, largest: usize) -> Result<(), Sentence> {
    let mut count = 0;
    for file in files {
        count += 1;
        if file.bytes.len() > largest {
            let most = largest >> 20;
            return Err(format!(
                "{} is larger than {most} MiB, the most that this server takes.",
                file.filename
            ));
        }
    }
    if count > 10 { Err("At most ten files at once.".to_owned()) } else { Ok(()) }
}

fn command_data(command: &Value, options: &[Value], resolved: &Value) -> Value {
    let mut data = json!({"id": command["id"], "name": command["name"], "type": command["type"]});
    if !options.is_empty() {
        data["options"] = options.into();
    }
    if resolved.as_object().is_some_and(|map| !map.is_empty()) {
        data["resolved"] = resolved.clone();
    }
    data
}

/// A command's name with its subcommands, as Discord shows it above the reply.
fn title(command: &Value, options: &[Value]) -> String {
    let mut title = command["name"].as_str().unwrap_or_default().to_owned();
    let mut inner = options.first();
    while let Some(option) = inner.filter(|option| matches!(option["type"].as_u64(), Some(1 | 2))) {
        title = format!("{title} {}", option["name"].as_str().unwrap_or_default());
        inner = option["options"].get(0);
    }
    title
}

impl World {
    /// The channel, unless a person does not see it or lacks one of these permissions there.
    pub(super) fn may(
        &self,
        member: Id,
        channel: Id,
        permissions: u64,
        what: &str,
    ) -> Result<&Channel, Sentence> {
        let has = self.permissions(member, channel);
        let seen = self.channel(channel).filter(|_| has & bits::VIEW_CHANNEL != 0);
        let seen = seen.ok_or("There is no such channel.")?;
        if has & permissions == permissions {
            Ok(seen)
        } else {
            Err(format!("You do not have permission to {what}."))
        }
    }

    /// The interaction that opened a form for a member, and the form.
    fn open_form(&self, member: Id, opener: Id) -> Result<(&Interaction, &Value), Sentence> {
        let opener = self.interactions.get(&opener).filter(|i| i.user == member);
        let form = opener.and_then(|opener| Some((opener, opener.modal.as_ref()?)));
        form.ok_or_else(|| "That form is no longer open.".to_owned())
    }

    /// A registered command of this type that the member may use here.
    fn usable(&self, member: Id, channel: Id, command: Id, kind: u64) -> Result<Value, Sentence> {
        self.may(member, channel, bits::USE_APPLICATION_COMMANDS, "use commands here")?;
        let guild = self.channels.get(&channel).map_or(0, |c| c.guild);
        let mut offered = [0, guild].into_iter().filter_map(|of| self.commands.get(&of)).flatten();
        let found = offered
            .find(|known| as_id(&known["id"]) == Some(command) && known["type"].as_u64() == Some(kind))
            .filter(|_| self.bot_in(guild))
            .ok_or("There is no such command here.")?;
        let needed = as_id(&found["default_member_permissions"]);
        let has = self.permissions(member, channel);
        let enough = needed.is_none_or(|needed| has & needed == needed && needed != 0);
        if enough || has & bits::ADMINISTRATOR != 0 || self.commands_for_all {
            Ok(found.clone())
        } else {
            Err("You do not have permission to use this command.".to_owned())
        }
    }

    /// What Discord sends of members, roles and channels that were chosen.
    pub(super) fn resolve_choice(&self, channel: Id, kind: u64, values: &[String]) -> Value {
        let guild = self.channels.get(&channel).map_or(0, |c| c.guild);
        let mut resolved = json!({});
        for value in values {
            let Ok(id) = value.parse::<Id>() else { continue };
            let roles = self.guilds.get(&guild).map_or(&[][..], |guild| &guild.roles);
            if let Some(role) = roles.iter().find(|role| role.id == id && matches!(kind, 6 | 7)) {
                resolved["roles"][value.as_str()] = role.json();
            }
            if matches!(kind, 5 | 7) && self.users.contains_key(&id) {
                resolved["users"][value.as_str()] = self.user_json(id);
                resolved["members"][value.as_str()] = self.partial_member_json(guild, id);
            }
            if let Some(found) = self.channels.get(&id).filter(|_| kind == 8) {
                resolved["channels"][value.as_str()] = found.json();
            }
        }
        resolved
    }
}
