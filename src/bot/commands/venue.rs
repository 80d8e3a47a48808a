//! Where a session can begin: in a channel, where it gets a thread of its own; or within a thread that is there, a forum's
//! posts among them, where all of it happens. Where it cannot, the sentence names the nearest place.

use poise::serenity_prelude as serenity;
use serenity::ChannelType::{News, NewsThread, PrivateThread, PublicThread, Text};

use super::Caller;
use crate::{domain::ChannelId, error::UserError, session::Home};

/// Where a session begins that is started here. In a session's thread, one that goes on with its document begins in the
/// channel that the thread hangs from.
pub(super) async fn venue(caller: &Caller<'_>, with_document_here: bool, used: &str) -> anyhow::Result<Home> {
    let (_, channel) = caller.place()?;
    match caller.kind() {
        // Discord says which it is; what does not is taken for a channel.
        None | Some(Text | News) => Ok(Home { channel, inside: None }),
        Some(PublicThread | NewsThread) => within(caller, channel, with_document_here, used).await,
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

/// Within a thread that has no session.
async fn within(
    caller: &Caller<'_>,
    thread: ChannelId,
    with_document_here: bool,
    used: &str,
) -> anyhow::Result<Home> {
    let channel = caller.home()?;
    if caller.data.sessions.of_thread(thread).await?.is_some() {
        return match (with_document_here, takes_only_posts(caller, channel)) {
            (true, false) => Ok(Home { channel, inside: None }),
            (true, true) => UserError::of(format!(
                "<#{channel}> takes only posts, which I do not open. Make a new post there, use {used} in it, and attach the document."
            )),
            (false, _) => UserError::of(format!(
                "This thread has its session already. Use {used} in a channel or in another thread; here, `/ask` takes questions, and `thread_document` starts another session on its document."
            )),
        };
    }
    if caller.is_locked() {
        return UserError::of(format!(
            "This thread is locked, so I cannot write in it. Unlock it, or use {used} in <#{channel}>."
        ));
    }
    Ok(Home { channel, inside: Some(thread) })
}

/// Whether a channel is a forum, in which threads are made by whoever posts.
fn takes_only_posts(caller: &Caller<'_>, channel: ChannelId) -> bool {
    let server = caller.guild.and_then(|guild| caller.cache.guild(guild));
    let kind = server.and_then(|server| Some(server.channels.get(&channel.0.into())?.kind));
    // 16 is a media channel (Discord's documentation, "Channel Types").
    matches!(kind, Some(serenity::ChannelType::Forum | serenity::ChannelType::Unknown(16)))
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
