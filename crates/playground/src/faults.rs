//! Scripted faults: what goes wrong on request, so that tests can see the bot live through it.

use std::time::Duration;

use serde_json::Value;

use super::Shared;
use super::events::intent;
use super::gateway::{Frame, Session};
use super::guild::Overwrite;
use super::seed::ids;
use super::snowflake::{Id, now_ms};

/// What happens to a request of the bot's, or to a download of an attachment.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It is carried out, but the connection breaks before the reply; a download breaks off in its middle.
    LoseReply,
    /// The connection breaks before anything is done.
    Refuse,
    /// It is answered 429 and not carried out.
    Limited(Limited),
    /// It is answered with this status and an HTML page, as a proxy in front of Discord does, and not carried out.
    Status(u16),
    /// It is answered with this status and Discord's own JSON, its code and sentence, and not carried out.
    Refused(u16, u32, &'static str),
    /// It is carried out, but answered 200 with this text in place of its answer, as by a proxy that is broken.
    Instead(&'static str),
    /// It is carried out only after this time; not at all when the bot hangs up before.
    Stall(Duration),
    /// It is carried out at once, but answered only after this time.
    SlowReply(Duration),
}

/// Which kind of 429.
#[derive(Clone, Debug, PartialEq)]
pub struct Limited {
    /// Seconds to wait, as said in body and header.
    pub retry_after: f64,
    /// `user`, `global` or `shared`.
    pub scope: &'static str,
    /// Whether the headers are left out, as proxies do.
    pub without_headers: bool,
    /// Whether header and body are nonsense instead.
    pub junk: bool,
}

impl Default for Limited {
    fn default() -> Self {
        Self { retry_after: 1.0, scope: "user", without_headers: false, junk: false }
    }
}

impl Fault {
    /// What edits of a message are answered with that is older than an hour and was edited often (error 30046).
    pub const TOO_OLD: Self = Self::Refused(
        429,
        30_046,
        "Maximum number of edits to messages older than 1 hour reached. Try again later",
    );
}

/// The paths of attachments.
const LINKS: &str = "/attachments/**";

pub(super) struct Rule {
    method: String,
    path: String,
    left: usize,
    skip: usize,
    /// What stands in the bodies that it is for.
    text: String,
    fault: Fault,
}

/// All faults that are set.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own, set by a test
pub(super) struct Script {
    rules: Vec<Rule>,
    pub(super) forget_nonces: bool,
    pub(super) ignore_heartbeats: bool,
    pub(super) refuse_connections: bool,
    /// How many sessions may still be begun, and milliseconds until there are more.
    pub(super) starts_left: Option<(u32, u64)>,
}

impl Script {
    /// The fault for this request, used up by asking.
    pub(super) fn take(&mut self, method: &str, path: &str, body: &Value) -> Option<Fault> {
        for rule in &mut self.rules {
            if rule.left == 0 || (rule.method != "*" && rule.method != method) || !matches(&rule.path, path) {
                continue;
            }
            if !rule.text.is_empty() && !body.to_string().contains(&rule.text) {
                continue;
            }
            if rule.skip > 0 {
                rule.skip -= 1;
                continue;
            }
            rule.left -= 1;
            return Some(rule.fault.clone());
        }
        None
    }
}

/// Whether a path fits a pattern in which `*` stands for one part and a final `**` for any rest.
fn matches(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut parts) = (pattern.trim_matches('/').split('/'), path.trim_matches('/').split('/'));
    loop {
        match (wanted.next(), parts.next()) {
            (None, None) | (Some("**"), _) => return true,
            (Some(want), Some(part)) if want == "*" || want == part => {}
            _ => return false,
        }
    }
}

/// A handle with which a test makes things go wrong.
pub struct Faults<'a>(pub(super) &'a Shared);

impl Faults<'_> {
    /// Lets the next `times` requests of this method (`*`: any) and path (after `/api/v10`; `*` stands for one
    /// part, a final `**` for the rest) meet a fault. Downloads of attachments are `GET /attachments/**`.
    pub fn on(&self, method: &str, path: &str, times: usize, fault: Fault) {
        self.after(method, path, 0, times, fault);
    }

    /// The same, but the first `skip` such requests pass.
    pub fn after(&self, method: &str, path: &str, skip: usize, times: usize, fault: Fault) {
        let (method, path, text) = (method.to_owned(), path.to_owned(), String::new());
        self.0.faults().rules.push(Rule { method, path, left: times, skip, text, fault });
    }

    /// Lets every request of this method and path meet a fault in whose JSON these words stand.
    pub fn saying(&self, method: &str, path: &str, words: &str, fault: Fault) {
        let (method, path, text) = (method.to_owned(), path.to_owned(), words.to_owned());
        self.0.faults().rules.push(Rule { method, path, left: usize::MAX, skip: 0, text, fault });
    }

    /// Carries out the next `times` such requests but loses the replies.
    pub fn lose_reply(&self, method: &str, path: &str, times: usize) {
        self.on(method, path, times, Fault::LoseReply);
    }

    /// Lets every address of an attachment be expired (or work again), those handed out from now on as well.
    pub fn expire_links(&self, expired: bool) {
        let gone = Fault::Status(404);
        self.0.faults().rules.retain(|rule| rule.path != LINKS || rule.fault != gone);
        if expired {
            self.on("GET", LINKS, usize::MAX, gone);
        }
    }

    /// Removes every scripted fault.
    pub fn clear(&self) {
        *self.0.faults() = Script::default();
    }

    /// Forgets which nonces were used, as Discord does after a few minutes; with `true`, remembers none from now.
    pub fn forget_nonces(&self, from_now_on: bool) {
        self.0.faults().forget_nonces = from_now_on;
        self.0.world().nonces.clear();
    }

    /// Closes every gateway connection with this code.
    pub fn close_gateway(&self, code: u16) {
        self.close_some(code, |_| true);
    }

    /// Closes one shard's gateway connection with this code.
    pub fn close_shard(&self, shard: u64, code: u16) {
        self.close_some(code, |session| session.shard.number == shard);
    }

    fn close_some(&self, code: u16, like: impl Fn(&Session) -> bool) {
        for session in self.0.world().sessions.values_mut().filter(|session| like(session)) {
            session.send(Frame::Close(code, "Closed on request"));
            if matches!(code, 1000 | 1001 | 4006 | 4009) {
                session.resumable = false;
            }
        }
    }

    /// Asks the bot to reconnect (op 7).
    pub fn ask_to_reconnect(&self) {
        self.to_all(r#"{"op":7,"d":null,"s":null,"t":null}"#);
    }

    /// Declares the session invalid (op 9).
    pub fn invalidate_session(&self, resumable: bool) {
        if !resumable {
            for session in self.0.world().sessions.values_mut() {
                session.resumable = false;
            }
        }
        self.to_all(&format!(r#"{{"op":9,"d":{resumable},"s":null,"t":null}}"#));
    }

    fn to_all(&self, text: &str) {
        for session in self.0.world().sessions.values_mut() {
            session.send(Frame::Text(text.to_owned()));
        }
    }

    /// Stops (or starts again) acknowledging heartbeats.
    pub fn ignore_heartbeats(&self, ignore: bool) {
        self.0.faults().ignore_heartbeats = ignore;
    }

    /// Refuses (or takes again) gateway connections.
    pub fn refuse_gateway(&self, refuse: bool) {
        self.0.faults().refuse_connections = refuse;
    }

    /// Says from now on that so many sessions may be begun on the gateway, and more after so many milliseconds.
    pub fn starts_left(&self, remaining: u32, reset_after: u64) {
        self.0.faults().starts_left = Some((remaining, reset_after));
    }

    /// Sends the last `count` gateway events once more, under new sequence numbers.
    pub fn repeat_events(&self, count: usize) {
        for session in self.0.world().sessions.values_mut() {
            session.repeat(count);
        }
    }

    /// Denies the bot these permissions (see [`super::bits`]) in a channel and its threads, or allows them again.
    pub fn deny(&self, channel: Id, permissions: u64, deny: bool) {
        let mut world = self.0.world();
        let denied = world.denied.entry(channel).or_default();
        *denied = if deny { *denied | permissions } else { *denied & !permissions };
        world.channel_changed(channel);
    }

    /// Allows the bot these permissions in a channel and its threads, beyond what its role grants.
    pub fn allow(&self, channel: Id, permissions: u64) {
        let mut world = self.0.world();
        let bot = world.bot;
        if let Some(place) = world.channels.get_mut(&channel) {
            place.overwrites.push(Overwrite { id: bot, role: false, allow: permissions, deny: 0 });
        }
        world.channel_changed(channel);
    }

    /// Denies a member these permissions in a channel.
    pub fn deny_member(&self, channel: Id, member: Id, permissions: u64) {
        let mut world = self.0.world();
        if let Some(place) = world.channels.get_mut(&channel) {
            place.overwrites.push(Overwrite { id: member, role: false, allow: 0, deny: permissions });
        }
        world.channel_changed(channel);
    }

    /// Locks or archives a thread, as a moderator does.
    pub fn set_thread(&self, thread: Id, archived: bool, locked: bool) {
        let mut world = self.0.world();
        if let Some(state) = world.channels.get_mut(&thread).and_then(|c| c.thread.as_mut()) {
            state.archived = archived;
            state.locked = locked;
            state.archive_changed_ms = now_ms();
        }
        world.channel_changed(thread);
    }

    /// Gives a thread another name, as a moderator does.
    pub fn rename_thread(&self, thread: Id, by: Id, name: &str) {
        let mut world = self.0.world();
        if let Some(place) = world.channels.get_mut(&thread) {
            name.clone_into(&mut place.name);
        }
        world.channel_changed(thread);
        world.renamed(thread, by, name);
    }

    /// Deletes a channel or thread with all its messages, as a moderator does.
    pub fn delete_channel(&self, channel: Id) {
        self.0.world().delete_channel(channel);
    }

    /// Deletes a message, as a moderator does.
    pub fn delete_message(&self, channel: Id, message: Id) {
        self.0.world().remove_message(channel, message);
    }

    /// Somebody invites the bot to a server of theirs, which is told to it.
    pub fn invite_bot(&self, guild: Id, name: &str) {
        let mut world = self.0.world();
        world.add_guild(guild, name, ids::ADA, &[]);
        let created = world.guild_create_json(&world.guilds[&guild]);
        world.dispatch("GUILD_CREATE", intent::GUILDS, &created, None);
    }

    /// Takes the bot off a server.
    pub fn remove_bot(&self, guild: Id) {
        self.0.world().remove_bot(guild);
    }

    /// Tells the bot from now on (or no longer) that interactions come from direct messages.
    pub fn direct_messages(&self, direct: bool) {
        self.0.world().direct_messages = direct;
    }

    /// Lets every member use every command, as a server's own settings for an app can.
    pub fn commands_for_all(&self, all: bool) {
        self.0.world().commands_for_all = all;
    }

    /// Lets interaction tokens expire at once.
    pub fn expire_tokens(&self) {
        let mut world = self.0.world();
        world.by_token.clear();
        world.touch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_match_and_wear_out() {
        let mut script = Script::default();
        let rule = |path: &str, skip| Rule {
            method: "POST".into(),
            path: path.into(),
            left: 1,
            skip,
            text: String::new(),
            fault: Fault::LoseReply,
        };
        script.rules.push(rule("/channels/*/messages", 1));
        assert_eq!(script.take("GET", "/channels/1/messages", &Value::Null), None);
        assert_eq!(script.take("POST", "/channels/1/messages/2", &Value::Null), None);
        assert_eq!(script.take("POST", "/channels/1/messages", &Value::Null), None, "the first passes");
        assert_eq!(script.take("POST", "/channels/1/messages", &Value::Null), Some(Fault::LoseReply));
        assert_eq!(script.take("POST", "/channels/1/messages", &Value::Null), None, "used up");
        assert!(matches("/webhooks/**", "/webhooks/1/token/messages/2"));
    }
}
