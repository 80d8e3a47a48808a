//! Interactions: what a member did, and how far the bot's answer has got.

use std::sync::Arc;
use std::time::Duration;

use rand::Rng as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::Shared;
use super::events::Audience;
use super::message::{Answering, Viewer, kind};
use super::snowflake::{self, Id};
use super::world::World;

/// Type numbers of interactions.
pub(super) const COMMAND: u8 = 2;
pub(super) const COMPONENT: u8 = 3;
pub(super) const AUTOCOMPLETE: u8 = 4;
pub(super) const MODAL: u8 = 5;

/// Most interactions remembered.
const MOST: usize = 20_000;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Interaction {
    pub(super) id: Id,
    pub(super) token: String,
    pub(super) kind: u8,
    pub(super) user: Id,
    pub(super) guild: Id,
    pub(super) channel: Id,
    /// The command's name, or the component's or modal's `custom_id`.
    pub(super) name: String,
    /// Whether a context-menu command.
    pub(super) context_menu: bool,
    /// The message whose component was used, or from whose component the modal came.
    pub(super) source: Option<Id>,
    /// The callback type of the acknowledgement.
    pub(super) acknowledged: Option<u8>,
    /// Milliseconds from the event to the acknowledgement.
    pub(super) acknowledged_after_ms: Option<u64>,
    /// Why the member was told that it failed.
    pub(super) failed: Option<String>,
    /// The message that `@original` means.
    pub(super) original: Option<Id>,
    /// Replies posted: the original where it is new, then follow-ups.
    pub(super) replies: Vec<Id>,
    /// The modal the bot answered with.
    pub(super) modal: Option<Value>,
    /// Autocomplete choices the bot answered with.
    pub(super) choices: Option<Vec<Value>>,
    /// The event as sent, to be delivered again on request.
    #[serde(skip)]
    pub(super) event: Value,
    #[serde(skip)]
    pub(super) changed: Arc<Notify>,
}

/// A member's doing, to be put to the bot.
#[derive(Default)]
pub(super) struct Doing {
    pub(super) kind: u8,
    pub(super) user: Id,
    pub(super) channel: Id,
    pub(super) name: String,
    pub(super) context_menu: bool,
    pub(super) source: Option<Id>,
    pub(super) data: Value,
}

impl Interaction {
    pub(super) fn answering(&self) -> Answering {
        let kind = if self.kind == AUTOCOMPLETE { COMMAND } else { self.kind };
        Answering { id: self.id, kind, name: self.name.clone(), user: self.user, on_message: self.source }
    }

    /// The type and reference of a message that answers it.
    pub(super) fn reply_kind(&self) -> (u8, Option<(Id, Id)>) {
        match (self.kind, self.source) {
            (COMMAND, _) if self.context_menu => (kind::CONTEXT_MENU_COMMAND, None),
            (COMMAND, _) => (kind::CHAT_INPUT_COMMAND, None),
            (_, Some(source)) => (kind::REPLY, Some((self.channel, source))),
            _ => (kind::DEFAULT, None),
        }
    }

    /// Whether its token still works.
    pub(super) fn token_alive(&self, life: Duration) -> bool {
        let age = snowflake::now_ms().saturating_sub(snowflake::created_ms(self.id));
        u128::from(age) < life.as_millis()
    }
}

impl World {
    /// Records an interaction and sends it to the bot. The caller starts the clock.
    pub(super) fn begin(&mut self, doing: Doing) -> Id {
        let id = self.new_id();
        let guild = self.channels.get(&doing.channel).map_or(0, |c| c.guild);
        let token: String =
            rand::rng().sample_iter(rand::distr::Alphanumeric).take(64).map(char::from).collect();
        let mut member = self.member_json(guild, doing.user);
        let allowed = self.permissions(doing.user, doing.channel).to_string();
        member["permissions"] = allowed.clone().into();
        let mut channel = self.channels.get(&doing.channel).map_or(Value::Null, super::guild::Channel::json);
        channel["permissions"] = allowed.into();
        let language = |of: Option<&String>| of.cloned().unwrap_or_else(|| "en-US".to_owned());
        let guild_locale = language(self.guilds.get(&guild).map(|g| &g.locale));
        let mut event = json!({
            "id": id.to_string(), "application_id": self.bot.to_string(), "type": doing.kind,
            "token": token, "version": 1, "guild_id": guild.to_string(),
            "guild": {"id": guild.to_string(), "locale": guild_locale, "features": []},
            "channel_id": doing.channel.to_string(), "channel": channel, "member": member,
            "locale": language(self.users.get(&doing.user).map(|u| &u.locale)), "guild_locale": guild_locale,
            "app_permissions": self.permissions(self.bot, doing.channel).to_string(),
            "entitlements": [], "authorizing_integration_owners": {"0": guild.to_string()}, "context": 0,
            "attachment_size_limit": self.largest_file(doing.channel), "data": doing.data,
        });
        if let Some(message) = doing.source.and_then(|id| self.message(doing.channel, id)) {
            event["message"] = self.message_json(message, Viewer::Bot(true));
        }
        if self.direct_messages {
            // A direct message has a user and no member, server or server's language.
            event["user"] = event["member"]["user"].take();
            event["channel"] = json!({"id": doing.channel.to_string(), "type": 1});
            event["context"] = 1.into();
            for of_a_server in ["guild_id", "guild", "guild_locale", "member"] {
                event.as_object_mut().map(|event| event.remove(of_a_server));
            }
        }
        self.dispatch("INTERACTION_CREATE", 0, &event, None);
        let interaction = Interaction {
            id,
            token: token.clone(),
            kind: doing.kind,
            user: doing.user,
            guild,
            channel: doing.channel,
            name: doing.name,
            context_menu: doing.context_menu,
            source: doing.source,
            event,
            ..Interaction::default()
        };
        self.interactions.insert(id, interaction);
        self.by_token.insert(token, id);
        self.interaction_order.push_back(id);
        if self.interaction_order.len() > MOST
            && let Some(oldest) = self.interaction_order.pop_front()
            && let Some(oldest) = self.interactions.remove(&oldest)
        {
            self.by_token.remove(&oldest.token);
        }
        self.touch();
        id
    }

    /// Sends an interaction's event once more. False when it is no longer known.
    pub(super) fn deliver_again(&mut self, id: Id) -> bool {
        let Some(event) = self.interactions.get(&id).map(|i| i.event.clone()) else { return false };
        if event.is_null() {
            return false;
        }
        self.dispatch("INTERACTION_CREATE", 0, &event, None);
        true
    }

    /// Tells the member's page that the bot acknowledged, and whoever waits.
    pub(super) fn interaction_done(&self, id: Id) {
        let Some(interaction) = self.interactions.get(&id) else { return };
        interaction.changed.notify_waiters();
        self.tell_pages(Audience::Member(interaction.user), || {
            json!({"type": "interaction_done", "interaction_id": id.to_string(),
                "message_id": interaction.source.map(|id| id.to_string())})
        });
    }

    /// Tells the member's page that nothing came in time.
    fn interaction_failed(&mut self, id: Id) {
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        if interaction.acknowledged.is_some() || interaction.failed.is_some() {
            return;
        }
        let reason = match interaction.kind {
            COMMAND => "The application did not respond",
            MODAL => "Something went wrong. Try again.",
            _ => "This interaction failed",
        };
        interaction.failed = Some(reason.to_owned());
        interaction.changed.notify_waiters();
        let (user, source) = (interaction.user, interaction.source);
        self.tell_pages(Audience::Member(user), || {
            json!({"type": "interaction_failed", "interaction_id": id.to_string(),
                "message_id": source.map(|id| id.to_string()), "reason": reason})
        });
        self.touch();
    }
}

impl Shared {
    /// Puts a member's doing to the bot and starts the three seconds.
    pub(super) fn interact(self: &Arc<Self>, doing: Doing) -> Id {
        let id = self.world().begin(doing);
        self.start_clock(id);
        id
    }

    /// Starts the three seconds that the bot has to acknowledge an interaction.
    pub(super) fn start_clock(self: &Arc<Self>, id: Id) {
        let shared = Arc::downgrade(self);
        let deadline = self.options.acknowledge_within;
        tokio::spawn(async move {
            tokio::time::sleep(deadline).await;
            if let Some(shared) = shared.upgrade() {
                shared.world().interaction_failed(id);
            }
        });
    }
}
