//! The tags of a forum's post that a session lies in: they say where it stands, if the forum has tags that are called so.
//!
//! What is wanted follows from the session, and what was last done stands in its row: a session that stands where it stood
//! asks Discord for nothing, after a restart neither. The tags come before the card that shows the same, which is drawn
//! again until it shows what is so; whoever is killed between the two does both again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::World;
use crate::store::{SessionRow, StoreError};
use discord::{Discord, Kind, SendError};
use domain::{ChannelId, Forum, Lies, StateTag, Status};

/// How long it is believed what a forum has, and that the bot may not tag a post.
const KNOWN_FOR: Duration = Duration::from_mins(10);

/// What is known of forums, and of channels that are none. In memory only. Written and read by the outbox and the live cards.
#[derive(Default)]
pub struct Forums {
    known: Mutex<HashMap<ChannelId, (Instant, Arc<Forum>)>>,
    /// Posts that the bot may not tag, and since when.
    closed: Mutex<HashMap<ChannelId, Instant>>,
}

impl Forums {
    /// What a forum has at this moment; nothing of a channel that is none.
    pub(super) async fn now(&self, discord: &Discord, channel: ChannelId) -> Result<Arc<Forum>, SendError> {
        let forum = Arc::new(discord.channel(channel).await?.forum().unwrap_or_default());
        let mut known = locked(&self.known);
        known.retain(|_, (since, _)| since.elapsed() < KNOWN_FOR);
        known.insert(channel, (Instant::now(), Arc::clone(&forum)));
        Ok(forum)
    }

    /// The same as it was some minutes ago at most.
    async fn lately(&self, discord: &Discord, channel: ChannelId) -> Result<Arc<Forum>, SendError> {
        let known = locked(&self.known).get(&channel).cloned();
        match known {
            Some((since, forum)) if since.elapsed() < KNOWN_FOR => Ok(forum),
            _ => self.now(discord, channel).await,
        }
    }

    fn is_closed(&self, post: ChannelId) -> bool {
        locked(&self.closed).get(&post).is_some_and(|since| since.elapsed() < KNOWN_FOR)
    }

    fn close(&self, post: ChannelId) {
        let mut closed = locked(&self.closed);
        closed.retain(|_, since| since.elapsed() < KNOWN_FOR);
        closed.insert(post, Instant::now());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a session's post carry the tag of where it stands. `false`: Discord stumbled, and it is to be tried again.
pub(super) async fn keep_tags(world: &World, row: &SessionRow, status: &Status) -> Result<bool, StoreError> {
    let (Lies::Within | Lies::OwnPost, Some(post)) = (row.lies, row.thread) else { return Ok(true) };
    let wanted = StateTag::of(status);
    if row.tag == Some(wanted) {
        return Ok(true);
    }
    match retag(world, (row.channel, post), wanted).await {
        Ok(()) => {}
        Err(error) if !error.is_final() => {
            tracing::info!(session = %row.id, %error, "the tags of its post will be tried again");
            return Ok(false);
        }
        Err(error) => {
            tracing::warn!(session = %row.id, %error, "the tags of its post are let be");
            if matches!(error.kind, Kind::MissingPermission(_)) {
                world.forums.close(post);
            }
        }
    }
    world.store.tagged(&row.id, wanted).await?;
    Ok(true)
}

async fn retag(
    world: &World,
    (channel, post): (ChannelId, ChannelId),
    wanted: StateTag,
) -> Result<(), SendError> {
    let World { discord, forums, .. } = world;
    let forum = forums.lately(discord, channel).await?;
    if !forum.says_states() || forums.is_closed(post) {
        return Ok(());
    }
    let found = discord.channel(post).await?;
    match forum.retagged(&found.applied_tags, wanted) {
        None => Ok(()),
        Some(tags) => {
            // Nothing of a post that was put aside can be changed; its card is about to bring it back anyway.
            let put_aside = found.thread_metadata.is_some_and(|state| state.archived);
            discord.tag_post(post, &tags, put_aside).await
        }
    }
}
