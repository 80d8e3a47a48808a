//! Where a session can begin: in a channel, where it gets a thread of its own; within a thread that is there, a forum's
//! posts among them, where all of it happens; or beside the session that a thread has, which in a forum is a post of its
//! own. Where it cannot, the sentence names the nearest place.

use poise::serenity_prelude as serenity;
use serenity::ChannelType::{News, NewsThread, PrivateThread, PublicThread, Text};

use super::Caller;
use crate::error::UserError;
use domain::{ChannelId, Home};

/// Where a session begins that is started here. In a session's thread, one that goes on with what stands there begins
/// `beside` it.
pub(super) async fn venue(caller: &Caller<'_>, beside: bool, used: &str) -> anyhow::Result<Home> {
    let (_, channel) = caller.place()?;
    match caller.kind() {
        // Discord says which it is; what does not is taken for a channel.
        None | Some(Text | News) => Ok(Home::OwnThread { channel }),
        Some(PublicThread | NewsThread) => within(caller, channel, beside, used).await,
        Some(PrivateThread) => UserError::of(format!(
            "This thread is private, and who may read <#{}> could find its session with `/history`. Use {used} in that channel, or in a thread that is open to all who read it.",
            caller.home()?
        )),
        Some(_) => UserError::of(format!(
            "I cannot open a thread in a channel of this kind. Use {used} in {}.",
            nearest(caller)?
        )),
    }
}

/// Within a thread, unless that has its session.
async fn within(caller: &Caller<'_>, thread: ChannelId, beside: bool, used: &str) -> anyhow::Result<Home> {
    let channel = caller.home()?;
    if let Some(row) = caller.data.sessions.of_thread(thread).await? {
        if beside {
            return caller.data.sessions.home_beside(&row).await;
        }
        return UserError::of(format!(
            "This thread has its session already. Use {used} in a channel or in another thread; here, `/ask` takes questions, and `thread_document` starts another session on its document."
        ));
    }
    if caller.is_locked() {
        return UserError::of(format!(
            "This thread is locked, so I cannot write in it. Unlock it, or use {used} in <#{channel}>."
        ));
    }
    Ok(Home::Within { channel, thread })
}

/// The text channel that they would look in first: of the same category, else the first that they can read.
fn nearest(caller: &Caller<'_>) -> anyhow::Result<String> {
    let (guild, here) = caller.place()?;
    let readable = caller.readable()?;
    let Some(server) = caller.cache.guild(serenity::GuildId::new(guild.0)) else {
        return Ok("a text channel".to_owned());
    };
    let category = server.channels.get(&here.0.into()).and_then(|channel| channel.parent_id);
    let fits = |channel: &&serenity::GuildChannel| {
        channel.kind == Text && readable.channels.contains(&ChannelId(channel.id.get()))
    };
    let by =
        |channel: &&serenity::GuildChannel| (channel.parent_id != category, channel.position, channel.id);
    let found = server.channels.values().filter(fits).min_by_key(by);
    Ok(found.map_or_else(|| "a text channel".to_owned(), |channel| format!("<#{}>", channel.id)))
}
