//! Questions that were asked while the bot was away. Discord replays nothing to a new connection, but says then of each
//! open thread which message is its last. What stands in threads in which something was said since they were last read is
//! read soon; threads that it does not name (put aside since, or hidden) are read too, but slowly; all others not at all, so
//! that thousands of sessions that sleep cost a start no request. What was taken before is not taken again.

use std::{collections::HashMap, sync::Arc, time::Duration};

use poise::serenity_prelude as serenity;
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};

use super::{
    mentions::of_seen,
    messages::{Asked, Listener},
};
use crate::session::Sessions;
use discord::{Discord, Seen, Urgency};
use domain::{ChannelId, MessageId, SessionId, UserId};

/// Messages read at a time, the most Discord gives.
const PAGE: u8 = 100;
/// Servers come one after another on a new connection; so long after the last one it is looked what was missed.
const QUIET: Duration = Duration::from_secs(1);
/// Longest wait for that.
const LONGEST: Duration = Duration::from_secs(30);
/// Pause after a thread that has something new, and after one of which Discord says nothing. Looking back is not urgent; what
/// is posted now goes first.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// What is heard over the gateway, in the order in which it comes.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A new session, before which messages may have been missed. Its servers follow.
    Connected,
    /// Open threads of a server, with the last message of each.
    Threads(Vec<(ChannelId, MessageId)>),
}

/// A thread that is to be read back, and up to where it was.
type Behind = (SessionId, ChannelId, MessageId);

/// Who reads threads back.
pub(super) struct Reader {
    pub(super) sessions: Sessions,
    pub(super) discord: Discord,
    pub(super) cache: Arc<serenity::Cache>,
    pub(super) me: UserId,
}

impl Reader {
    /// Reads back what was missed, each time something is heard that says so, until nobody can say so any more.
    pub(super) async fn read(self, mut heard: mpsc::UnboundedReceiver<Heard>) {
        let pace = self.sessions.pace();
        let mut last: HashMap<ChannelId, MessageId> = HashMap::new();
        let mut connected = false;
        let mut next = heard.recv().await;
        while let Some(first) = next {
            connected |= note(first, &mut last);
            let until = Instant::now() + pace.of(LONGEST);
            while let Ok(Some(more)) =
                timeout_at(until.min(Instant::now() + pace.of(QUIET)), heard.recv()).await
            {
                connected |= note(more, &mut last);
            }
            let threads = self.sessions.watched_threads().await.unwrap_or_else(|error| {
                tracing::error!(error = %format!("{error:#}"), "threads to catch up with could not be read");
                Vec::new()
            });
            let (behind, unnamed) = missed(threads, &last);
            // A server that comes back by itself says nothing of the others' threads.
            let unnamed = if connected { unnamed } else { Vec::new() };
            let all = behind.into_iter().map(|thread| (thread, PAUSES[0]));
            let mut all = all.chain(unnamed.into_iter().map(|thread| (thread, PAUSES[1])));
            next = loop {
                let Some(((session, thread, seen), pause)) = all.next() else {
                    (connected, last) = (false, HashMap::new());
                    break heard.recv().await;
                };
                self.read_back(&session, thread, seen).await;
                // What is heard meanwhile is looked at together with what is left.
                if let Ok(news) = timeout_at(Instant::now() + pace.of(pause), heard.recv()).await {
                    break news;
                }
            };
        }
    }

    async fn read_back(&self, session: &SessionId, thread: ChannelId, mut seen: MessageId) {
        loop {
            let messages: Vec<Seen> =
                match self.discord.messages_after(thread, seen, PAGE, Urgency::Later).await {
                    Ok(messages) => messages,
                    Err(error) => {
                        tracing::info!(%session, %error, "a thread could not be read back");
                        return;
                    }
                };
            let Some(newest) = messages.last().map(|message| message.id) else { return };
            let more = messages.len() >= usize::from(PAGE);
            if !self.take_all(thread, messages).await {
                return;
            }
            if let Err(error) = self.sessions.seen(thread, newest).await {
                tracing::error!(%session, error = %format!("{error:#}"), "how far a thread was read could not be written");
                return;
            }
            if !more {
                return;
            }
            seen = newest;
        }
    }

    /// Takes one after another; `false` once there is one that has to be looked at again.
    async fn take_all(&self, thread: ChannelId, messages: Vec<Seen>) -> bool {
        let Self { sessions, discord, cache, me } = self;
        let listener = Listener { sessions, discord, cache, me: *me };
        let asks =
            |message: &Seen| !message.by_bot && message.mentions.iter().any(|(member, _)| member == me);
        for message in messages.into_iter().filter(asks) {
            let asked = Asked {
                id: message.id,
                author: message.author,
                author_name: message.author_name,
                content: message.content,
                replies_to: message.replies_to,
                told: of_seen(&message.mentions),
                member: None,
            };
            if !listener.take(thread, asked).await {
                return false;
            }
        }
        true
    }
}

/// Takes in what was heard; whether it is a new connection.
fn note(heard: Heard, last: &mut HashMap<ChannelId, MessageId>) -> bool {
    match heard {
        Heard::Connected => true,
        Heard::Threads(threads) => {
            last.extend(threads);
            false
        }
    }
}

/// Of these threads, those in which something was said that was not read, and those of whose last message nothing is known.
fn missed(threads: Vec<Behind>, last: &HashMap<ChannelId, MessageId>) -> (Vec<Behind>, Vec<Behind>) {
    let unread = |(_, thread, seen): &Behind| last.get(thread).is_none_or(|last| last > seen);
    threads.into_iter().filter(unread).partition(|(_, thread, _)| last.contains_key(thread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_hold_something_new_is_read_and_first_what_does() {
        let thread = |n: u64, seen: u64| (SessionId::from_bits(n), ChannelId(n), MessageId(seen));
        let last =
            [(ChannelId(1), MessageId(50)), (ChannelId(2), MessageId(51)), (ChannelId(9), MessageId(99))];
        let all = vec![thread(1, 50), thread(2, 50), thread(3, 50)];
        assert_eq!(missed(all, &last.into()), (vec![thread(2, 50)], vec![thread(3, 50)]));
    }
}
