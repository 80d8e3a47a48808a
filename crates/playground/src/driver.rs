//! Does in-process what people do on the page, for the example, tests and benches.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::Shared;
use super::actions::Writing;
use super::files::Upload;
use super::guild::{FORUM, ForumTag, PRIVATE_THREAD, PUBLIC_THREAD};
use super::mentions::as_id;
use super::message::{LOADING, Message, Viewer, kind};
use super::sent_form;
use super::snowflake::Id;
use super::validate::find_component;
use super::world::World;

/// How long the waiting methods wait at most.
const PATIENCE: Duration = Duration::from_mins(1);

/// A person at the keyboard; every method names the member who does it.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

/// What a member sees of an interaction.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The callback type with which the bot acknowledged.
    pub acknowledged: Option<u8>,
    /// Milliseconds from the event to the acknowledgement.
    pub acknowledged_after_ms: Option<u64>,
    /// What Discord said when nothing came in time.
    pub failed: Option<String>,
    /// The modal that opened: `custom_id`, `title`, `components`.
    pub modal: Option<Value>,
    /// Autocomplete choices.
    pub choices: Vec<Value>,
    /// The reply and follow-ups, oldest first, whole; those to this member only have `ephemeral_for`.
    pub messages: Vec<Value>,
    /// The message whose component was used, as it is now.
    pub source: Option<Value>,
}

impl Seen {
    /// The text of all replies with their embeds' titles, descriptions and fields: for looking for a phrase.
    #[must_use]
    pub fn text(&self) -> String {
        self.messages.iter().map(text_of).collect::<Vec<_>>().join("\n")
    }

    fn of(world: &World, id: Id) -> Option<Self> {
        let interaction = world.interactions.get(&id)?;
        let show =
            |id: &Id| world.message(interaction.channel, *id).map(|m| world.message_json(m, Viewer::Page));
        Some(Self {
            acknowledged: interaction.acknowledged,
            acknowledged_after_ms: interaction.acknowledged_after_ms,
            failed: interaction.failed.clone(),
            modal: interaction.modal.clone(),
            choices: interaction.choices.clone().unwrap_or_default(),
            messages: interaction.replies.iter().filter_map(show).collect(),
            source: interaction.source.as_ref().and_then(show),
        })
    }
}

/// All that a reader sees of a message.
fn text_of(message: &Value) -> String {
    let mut parts = vec![message["content"].as_str().unwrap_or_default().to_owned()];
    for embed in message["embeds"].as_array().into_iter().flatten() {
        let fields = embed["fields"].as_array().into_iter().flatten();
        let all = [&embed["title"], &embed["description"]]
            .into_iter()
            .chain(fields.flat_map(|field| [&field["name"], &field["value"]]))
            .chain([&embed["footer"]["text"], &embed["author"]["name"]]);
        parts.extend(all.filter_map(|text| text.as_str().map(str::to_owned)));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

impl Client {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Runs a command, such as `mediate` or `session show`. `options` is an object of name and value.
    pub fn run_command(&self, member: Id, channel: Id, name: &str, options: Value) -> Result<Id, String> {
        self.run_command_with(member, channel, name, options, HashMap::new())
    }

    /// The same with files, by the name of their option.
    pub fn run_command_with(
        &self,
        member: Id,
        channel: Id,
        name: &str,
        options: Value,
        files: HashMap<String, Upload>,
    ) -> Result<Id, String> {
        self.shared.hesitate();
        let (command, options) = self.find(channel, name, &options)?;
        self.shared.run_command(member, channel, command, &options, files)
    }

    /// Asks for the autocomplete choices of the option `focused`, with what was typed so far in `options`.
    pub async fn autocomplete(
        &self,
        member: Id,
        channel: Id,
        name: &str,
        options: Value,
        focused: &str,
    ) -> Result<Vec<Value>, String> {
        let (command, mut options) = self.find(channel, name, &options)?;
        mark(&mut options, focused);
        let id = self.shared.autocomplete(member, channel, command, &options)?;
        Ok(self.wait_reply(id).await.choices)
    }

    /// A member opens a thread of a channel, as Discord's own button does; in a forum it is a post. Gives it.
    #[must_use]
    pub fn open_thread(&self, member: Id, channel: Id, name: &str, private: bool) -> Id {
        let mut world = self.shared.world();
        let id = world.new_id();
        let kind = if private { PRIVATE_THREAD } else { PUBLIC_THREAD };
        world.start_thread(id, channel, member, kind, &json!({ "name": name }), None);
        if world.channel(channel).is_some_and(|place| place.kind == FORUM) {
            let mut first = Message::new(id, id, member, kind::DEFAULT);
            name.clone_into(&mut first.content);
            world.post(first);
        }
        id
    }

    /// A forum gets these tags, each by its name and whether only moderators set it, and may require one of every post.
    /// Gives their numbers.
    #[must_use]
    pub fn set_tags(&self, forum: Id, tags: &[(&str, bool)], required: bool) -> Vec<Id> {
        let mut world = self.shared.world();
        let tags: Vec<ForumTag> = tags
            .iter()
            .map(|(name, moderated)| ForumTag {
                id: world.new_id(),
                name: (*name).to_owned(),
                moderated: *moderated,
            })
            .collect();
        let ids = tags.iter().map(|tag| tag.id).collect();
        if let Some(forum) = world.channels.get_mut(&forum) {
            (forum.tags, forum.requires_tag) = (tags, required);
        }
        world.channel_changed(forum);
        ids
    }

    /// Somebody who may gives a forum's post these tags and no others.
    pub fn tag_post(&self, post: Id, tags: &[Id]) {
        let mut world = self.shared.world();
        if let Some(thread) = world.channels.get_mut(&post).and_then(|place| place.thread.as_mut()) {
            tags.clone_into(&mut thread.tags);
        }
        world.channel_changed(post);
    }

    /// The server gets a channel of this type: 2 is a voice channel, 5 announcements, 15 a forum. Gives it.
    #[must_use]
    pub fn add_channel(&self, guild: Id, kind: u8, name: &str) -> Id {
        let mut world = self.shared.world();
        let id = world.new_id();
        world.add_channel(id, guild, name, "");
        if let Some(channel) = world.channels.get_mut(&id) {
            channel.kind = kind;
        }
        world.channel_changed(id);
        id
    }

    /// Runs a context-menu command on a message.
    pub fn message_command(&self, member: Id, channel: Id, name: &str, message: Id) -> Result<Id, String> {
        self.shared.hesitate();
        let found = {
            let world = self.shared.world();
            let found = world.all_commands().into_iter().find(|c| c["name"] == name && c["type"] == 3);
            found.and_then(|command| as_id(&command["id"]))
        };
        let command = found.ok_or_else(|| format!("no message command {name}"))?;
        self.shared.message_command(member, channel, command, message)
    }

    /// The command's id, and the options in the interaction's shape.
    fn find(&self, channel: Id, name: &str, options: &Value) -> Result<(Id, Value), String> {
        let world = self.shared.world();
        let guild = world.channel(channel).map_or(0, |c| c.guild);
        let mut words = name.split(' ');
        let first = words.next().unwrap_or_default();
        let offered = [0, guild].into_iter().filter_map(|of| world.commands.get(&of)).flatten();
        let command = offered.into_iter().find(|c| c["name"] == first && c["type"] == 1);
        let command = command.ok_or_else(|| format!("no command {first}"))?;
        let values = options.as_object().cloned().unwrap_or_default();
        let flat: Vec<Value> =
            values.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        let nested =
            words.rev().fold(Value::from(flat), |inner, word| json!([{"name": word, "options": inner}]));
        Ok((as_id(&command["id"]).unwrap_or(0), nested))
    }

    /// Writes a message.
    pub fn say(&self, member: Id, channel: Id, text: &str) -> Result<Id, String> {
        self.say_with(member, channel, text, Vec::new())
    }

    /// Writes a message with files.
    pub fn say_with(&self, member: Id, channel: Id, text: &str, files: Vec<Upload>) -> Result<Id, String> {
        self.shared.hesitate();
        self.shared.say(member, channel, Writing { content: text.to_owned(), files, ..Writing::default() })
    }

    /// Replies to a message, with or without a ping.
    pub fn reply(&self, member: Id, channel: Id, to: Id, text: &str, ping: bool) -> Result<Id, String> {
        self.shared.hesitate();
        let writing = Writing { content: text.to_owned(), reply_to: Some(to), ping, files: Vec::new() };
        self.shared.say(member, channel, writing)
    }

    /// Forwards a message, named by its channel and its number, into a channel.
    pub fn forward(&self, member: Id, from: (Id, Id), channel: Id) -> Result<Id, String> {
        self.shared.hesitate();
        self.shared.forward(member, from, channel)
    }

    /// Has a member's Discord be in another language, which need not be one that exists.
    pub fn set_locale(&self, member: Id, locale: &str) {
        if let Some(user) = self.shared.world().users.get_mut(&member) {
            locale.clone_into(&mut user.locale);
        }
    }

    /// Pins or unpins a message.
    pub fn pin(&self, member: Id, channel: Id, message: Id, pin: bool) -> Result<(), String> {
        self.shared.pin(member, channel, message, pin)
    }

    /// Presses a button.
    pub fn click(&self, member: Id, channel: Id, message: Id, custom_id: &str) -> Result<Id, String> {
        self.shared.hesitate();
        self.shared.press(member, channel, message, custom_id, &[])
    }

    /// Chooses in a select.
    pub fn select(
        &self,
        member: Id,
        channel: Id,
        message: Id,
        custom_id: &str,
        values: &[&str],
    ) -> Result<Id, String> {
        self.shared.hesitate();
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        self.shared.press(member, channel, message, custom_id, &values)
    }

    /// Sends the modal that the interaction `opener` opened; `values` by `custom_id` of the box or list. What is not
    /// named is left empty.
    pub fn submit_modal(&self, member: Id, opener: Id, values: &[(&str, &str)]) -> Result<Id, String> {
        self.shared.hesitate();
        let modal = self.shared.world().interactions.get(&opener).and_then(|opener| opener.modal.clone());
        let modal = modal.ok_or("That form is no longer open.")?;
        let unknown = values.iter().find(|(name, _)| {
            find_component(modal["components"].as_array().map_or(&[], Vec::as_slice), name).is_none()
        });
        if let Some((name, _)) = unknown {
            return Err(format!("The form has no {name}."));
        }
        self.shared.submit(member, opener, &sent_form::filled(&modal, values))
    }

    /// Sends the modal that the interaction `opener` opened with these components, whatever they are: as a form does
    /// that another version of the bot opened, or as no client of Discord's does.
    pub fn submit_components(&self, member: Id, opener: Id, components: &Value) -> Result<Id, String> {
        self.shared.submit_unchecked(member, opener, components)
    }

    /// Sends an interaction's event to the bot once more, as Discord may.
    pub fn redeliver(&self, interaction: Id) -> Result<(), String> {
        let again = self.shared.world().deliver_again(interaction);
        again.then_some(()).ok_or_else(|| "no such interaction".to_owned())
    }

    /// What the member sees of an interaction now.
    #[must_use]
    pub fn look(&self, interaction: Id) -> Seen {
        Seen::of(&self.shared.world(), interaction).unwrap_or_default()
    }

    /// Waits until the bot acknowledged, or Discord gave up on it.
    pub async fn wait_acknowledged(&self, interaction: Id) -> Seen {
        self.wait(interaction, |seen| seen.acknowledged.is_some()).await
    }

    /// Waits for the real answer: a reply that is no longer "thinking…", a modal, choices, an update or a
    /// failure. Gives what there is after a minute.
    pub async fn wait_reply(&self, interaction: Id) -> Seen {
        self.wait(interaction, |seen| {
            let thinking = |m: &Value| m["flags"].as_u64().unwrap_or(0) & LOADING != 0;
            seen.acknowledged.is_some() && !seen.messages.iter().any(thinking)
        })
        .await
    }

    /// Waits until an answer has so many messages, those that follow the first one too.
    pub async fn wait_replies(&self, interaction: Id, messages: usize) -> Seen {
        self.wait(interaction, |seen| seen.messages.len() >= messages).await
    }

    async fn wait(&self, interaction: Id, done: impl Fn(&Seen) -> bool) -> Seen {
        let changed = self.shared.world().interactions.get(&interaction).map(|i| i.changed.clone());
        let Some(changed) = changed else { return Seen::default() };
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let news = changed.notified();
            let seen = self.look(interaction);
            if done(&seen) || seen.failed.is_some() || tokio::time::timeout_at(deadline, news).await.is_err()
            {
                self.shared.pause().await;
                return seen;
            }
        }
    }

    /// Waits for a message in a channel, new or changed, for which `wanted` holds. None after `patience`.
    pub async fn wait_message(
        &self,
        channel: Id,
        patience: Duration,
        wanted: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        self.wait_world(patience, |world| {
            let messages = world.channel(channel)?.messages.values().rev();
            messages.map(|m| world.message_json(m, Viewer::Page)).find(|m| wanted(m))
        })
        .await
    }

    /// Waits for the first thread under a channel for which `wanted` holds. None after `patience`.
    pub async fn wait_thread(
        &self,
        channel: Id,
        patience: Duration,
        wanted: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        self.wait_world(patience, |world| {
            let guild = world.guilds.get(&world.channel(channel)?.guild)?;
            let threads = guild.threads.iter().filter_map(|id| world.channel(*id));
            threads.filter(|t| t.parent == Some(channel)).map(super::Channel::json).find(|t| wanted(t))
        })
        .await
    }

    /// Waits until a bot is connected and registered commands. False after `patience`.
    pub async fn wait_bot(&self, patience: Duration) -> bool {
        self.wait_bot_after(0, patience).await
    }

    /// The same, for a bot that connected when there had been so many [`super::Playground::connections`]. A bot
    /// that was killed counts as connected until its broken connection is noticed, and what is sent to it in
    /// that time is heard by nobody: whoever starts another one has to wait for that one.
    pub async fn wait_bot_after(&self, connections: u64, patience: Duration) -> bool {
        let ready = |world: &World| {
            let another = world.connections > connections && world.bot_online();
            (another && !world.all_commands().is_empty()).then_some(())
        };
        self.wait_world(patience, ready).await.is_some()
    }

    async fn wait_world<T>(&self, patience: Duration, look: impl Fn(&World) -> Option<T>) -> Option<T> {
        let mut changed = self.shared.world().changed.subscribe();
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let found = {
                let world = self.shared.world();
                changed.mark_unchanged();
                look(&world)
            };
            if found.is_some() {
                self.shared.pause().await;
                return found;
            }
            if !matches!(tokio::time::timeout_at(deadline, changed.changed()).await, Ok(Ok(()))) {
                return None;
            }
        }
    }
}

/// Marks the option a person is typing in, however deep it is.
fn mark(options: &mut Value, focused: &str) {
    for option in options.as_array_mut().into_iter().flatten() {
        if option["name"] == focused && option.get("options").is_none() {
            option["focused"] = true.into();
        }
        if let Some(inner) = option.get_mut("options") {
            mark(inner, focused);
        }
    }
}
