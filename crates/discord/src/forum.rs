//! Posts of forums: opened with their first message, and looked for. (Documentation, resources/channel: "Start Thread in
//! Forum or Media Channel".)

use chrono::{DateTime, SecondsFormat, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

use super::{
    Channel, Discord, SendError, Upload,
    thread::{AUTO_ARCHIVE_MINUTES, START_PATIENCE, thread_name},
    transport::Request,
    wire,
};
use domain::{ChannelId, GuildId, Post, TagId};

/// Threads read at a time, the most Discord gives.
const PAGE: u8 = 100;

impl Discord {
    /// Opens a post in a forum, with its first message, whose number is the post's. No nonce guards it: after a
    /// [`Kind::Transient`](super::Kind) error it may be there. The name is cut at Discord's 100 characters. Fails with a
    /// time to come back where Discord lets no post be opened for more than ten seconds.
    pub async fn create_forum_post(
        &self,
        forum: ChannelId,
        (name, tags): (&str, &[TagId]),
        first: &Post,
        uploads: &[Upload],
    ) -> Result<ChannelId, SendError> {
        let request = Request {
            json: Some(json!({
                "name": thread_name(name),
                "auto_archive_duration": AUTO_ARCHIVE_MINUTES,
                "applied_tags": tags,
                "message": wire::message(first, uploads),
            })),
            uploads: uploads.to_vec(),
            permission: Some("Send Messages (in a forum: Create Posts)"),
            patience: START_PATIENCE,
            ..Request::new(Method::POST, "/channels/{}/threads", &[&forum])
        };
        Ok(self.transport.send::<Opened>(request).await?.id)
    }

    /// Has a post carry these tags and no others; one that was put aside is brought `back` with it. Of another's post this
    /// needs the permission *Manage Threads*.
    pub async fn tag_post(&self, post: ChannelId, tags: &[TagId], back: bool) -> Result<(), SendError> {
        let change = if back {
            json!({"applied_tags": tags, "archived": false})
        } else {
            json!({"applied_tags": tags})
        };
        self.change_channel(post, change).await
    }

    /// All threads of a server that are not put aside and that the bot sees.
    pub async fn active_threads(&self, guild: GuildId) -> Result<Vec<Channel>, SendError> {
        let request = Request::new(Method::GET, "/guilds/{}/threads/active", &[&guild]);
        Ok(self.transport.send::<Threads>(request).await?.threads)
    }

    /// The public threads of a channel that were put aside after `since`, the last first.
    pub async fn archived_threads(
        &self,
        channel: ChannelId,
        since: DateTime<Utc>,
    ) -> Result<Vec<Channel>, SendError> {
        let mut all = Vec::new();
        let mut before: Option<DateTime<Utc>> = None;
        loop {
            let mut query = vec![("limit", PAGE.to_string())];
            query.extend(before.map(|at| ("before", at.to_rfc3339_opts(SecondsFormat::Micros, true))));
            let request = Request {
                query,
                permission: Some("Read Message History"),
                ..Request::new(Method::GET, "/channels/{}/threads/archived/public", &[&channel])
            };
            let page: Threads = self.transport.send(request).await?;
            let put_aside =
                |thread: &Channel| thread.thread_metadata.and_then(|state| state.archive_timestamp);
            let last = page.threads.last().and_then(put_aside);
            all.extend(
                page.threads.into_iter().filter(|thread| put_aside(thread).is_none_or(|at| at >= since)),
            );
            // One that does not get any further back would be asked for without end.
            match last {
                Some(last) if page.has_more && last >= since && before.is_none_or(|before| last < before) => {
                    before = Some(last);
                }
                _ => return Ok(all),
            }
        }
    }
}

/// All that is read of the answer to a post that was opened.
#[derive(Deserialize)]
struct Opened {
    id: ChannelId,
}

/// A list of threads.
#[derive(Deserialize)]
struct Threads {
    threads: Vec<Channel>,
    #[serde(default)]
    has_more: bool,
}
