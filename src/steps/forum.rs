//! A session in a forum's post of its own: its live card opens the post and is its first message. No nonce guards that, so
//! one that may be there is looked for before another is opened, among the bot's own posts that are younger than what
//! asked for the session, by the session that the buttons of the first message name.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::{
    Outbox,
    behind::Lost,
    outbox::{Next, with_pictures_there_are},
};
use crate::store::{OutboxRow, SessionRow, StoreError, Target};
use discord::{Channel, Kind, SendError};
use domain::{ChannelId, MessageId, SessionId, StateTag};

/// How long a request that got no answer may still be on its way: before that nobody looks what came of it.
const SETTLES: Duration = Duration::from_secs(5);

/// The state that a session is in when its post is opened.
const OPENS_AS: StateTag = StateTag::Running;

impl Outbox {
    /// Opens a session's post with its live card, unless it is there.
    pub(super) async fn open_post(&self, home: &SessionRow, row: &OutboxRow) -> Result<Next, StoreError> {
        let settles = self.world.pace.of(SETTLES);
        if let Some(first) = row.first_try_ms {
            let since = Duration::from_millis(u64::try_from(self.world.now_ms() - first).unwrap_or_default());
            if let Some(left) = settles.checked_sub(since).filter(|left| !left.is_zero()) {
                return Ok(Next::Later(left));
            }
        }
        let unsure = row.first_try_ms.is_some() || !self.strays.are_known(&home.id);
        let found = if unsure { self.find_post(home, row).await } else { Ok(None) };
        match found {
            // What it carries is looked at with the next card, and what stands below that with the next post.
            Ok(Some(post)) => return self.is_open(home, row, (post, None)).await,
            Ok(None) => {}
            Err(Lost::Store(error)) => return Err(error),
            Err(Lost::Discord(error)) => return self.not_opened(home, row, &error).await,
        }
        let tags = match self.world.forums.now(&self.world.discord, home.channel).await {
            // Where no tag can be chosen, Discord says so itself.
            Ok(forum) => forum.first_tags(OPENS_AS).unwrap_or_default(),
            Err(error) => return self.not_opened(home, row, &error).await,
        };
        let Some(uploads) = self.uploads(&row.post).await else { return Ok(Next::End) };
        self.tries.begins(row.id);
        if !self.world.store.post_tried(row.id, self.world.now_ms()).await? {
            return Ok(Next::Post);
        }
        let card = with_pictures_there_are(&row.post, &uploads);
        let named = (home.title.as_str(), tags.as_slice());
        match self.world.discord.create_forum_post(home.channel, named, &card, &uploads).await {
            Ok(post) => self.is_open(home, row, (post, Some(OPENS_AS))).await,
            Err(error) if error.is_transient() && self.tried_long_enough(row) => {
                self.given_up(home, row, &error).await
            }
            Err(error) if error.is_transient() => {
                tracing::info!(session = %home.id, %error, "its post may be there, and is looked for");
                Ok(Next::Later(settles))
            }
            Err(error) => self.not_opened(home, row, &error).await,
        }
    }

    async fn is_open(
        &self,
        home: &SessionRow,
        row: &OutboxRow,
        post: (ChannelId, Option<StateTag>),
    ) -> Result<Next, StoreError> {
        self.tries.ends(row.id);
        self.world.store.post_opened(row.id, &home.id, post).await?;
        if post.1.is_some() {
            self.strays.none(&home.id);
        }
        self.thread_is_there(&home.id).await?;
        Ok(Next::Post)
    }

    async fn not_opened(
        &self,
        home: &SessionRow,
        row: &OutboxRow,
        error: &SendError,
    ) -> Result<Next, StoreError> {
        if error.kind == Kind::RateLimited {
            return Ok(self.late(&home.id, error));
        }
        if error.is_final() {
            self.no_longer_late(&home.id);
        }
        self.refused(home, row, error).await
    }

    /// The post that this session has already, if an earlier try opened it.
    async fn find_post(&self, home: &SessionRow, row: &OutboxRow) -> Result<Option<ChannelId>, Lost> {
        let discord = &self.world.discord;
        let me = discord.me().await?.id;
        let asked = self.world.store.last_message_before(&home.id, row.id, Target::Channel).await?;
        let asked = asked.unwrap_or(MessageId(0));
        let mut threads = discord.active_threads(home.guild).await?;
        threads.extend(discord.archived_threads(home.channel, made_at(asked)).await?);
        let may_be = |thread: &Channel| {
            thread.parent_id == Some(home.channel) && thread.owner_id == Some(me) && thread.id.0 > asked.0
        };
        for thread in threads.into_iter().filter(may_be) {
            if self.is_of(thread.id, &home.id).await? {
                return Ok(Some(thread.id));
            }
        }
        Ok(None)
    }

    /// Whether the first message of a post is a session's.
    async fn is_of(&self, post: ChannelId, session: &SessionId) -> Result<bool, SendError> {
        match self.world.discord.message(post, MessageId(post.0)).await {
            Ok(first) => Ok(first.actions.iter().any(|action| action.session() == Some(session))),
            // Somebody deleted it.
            Err(error) if error.kind == Kind::Gone => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// When Discord made something of this number.
fn made_at(number: MessageId) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(number.made_ms()).unwrap_or_default()
}
