//! Where a session can begin: in a channel, where it gets a thread of its own; or within a thread that is there, a forum's
//! posts among them, where all of it happens. Where it cannot, the sentence names the nearest place.

use poise::serenity_prelude as serenity;
use serenity::ChannelType::{News, NewsThread, PrivateThread, PublicThread, Text};

use super::Caller;
use crate::{domain::ChannelId, error::UserError, session::Home};

/// Where a session begins that is started here by `used`. In a session's thread, one that goes on with its document begins
/// in the channel that the thread hangs from.
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
            "I cannot open a thread in this kind of channel. Use {used} in {}.",
            instead(caller, "a text channel")
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
        return match (with_document_here, caller.takes_only_posts(channel)) {
            (true, false) => Ok(Home { channel, inside: None }),
            (true, true) => UserError::of(format!(
                "<#{channel}> takes only posts, which I do not open. Make a new post there, use {used} in it, and attach the document."
            )),
            (false, _) => UserError::of(format!(
                "This thread has its session already. Use {used} in {}; here, `/ask` takes questions, and `thread_document` starts another session on its document.",
                instead(caller, "a channel or another thread")
            )),
        };
    }
    if caller.is_locked() {
        return UserError::of(format!(
            "This thread is locked, so I cannot write in it. Unlock it, or use {used} in {}.",
            instead(caller, "a text channel")
        ));
    }
    Ok(Home { channel, inside: Some(thread) })
}

/// The nearest place where it works, or in general words.
fn instead(caller: &Caller<'_>, otherwise: &str) -> String {
    caller.nearest().map_or_else(|| otherwise.to_owned(), |channel| format!("<#{channel}>"))
}
