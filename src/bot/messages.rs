//! Messages in session threads that mention the bot or reply to it are questions. Without the privileged intent
//! Discord shows the text of exactly these.

use std::time::Duration;

use poise::serenity_prelude as serenity;

use super::Data;
use crate::{
    discord::Seen,
    domain::{ChannelId, MessageId, SessionId, UserId},
    error::UserError,
    session::Sessions,
    store::{QuestionRow, SessionRow},
};

/// Messages read at a time, the most Discord gives.
const PAGE: u8 = 100;

/// A message arrived somewhere.
pub(super) async fn arrived(data: &Data, message: &serenity::Message) {
    let Some(&me) = data.me.get() else { return };
    // Replies with ping name the bot among the mentions too.
    let asks = message.mentions.iter().any(|user| user.id.get() == me.0);
    if message.author.bot || !asks {
        return;
    }
    let author = message.member.as_ref().and_then(|member| member.nick.clone());
    let asked = Asked {
        id: MessageId(message.id.get()),
        author: UserId(message.author.id.get()),
        author_name: author.unwrap_or_else(|| message.author.display_name().to_owned()),
        content: message.content.clone(),
        replies_to: replied_to(message),
    };
    take(data, me, ChannelId(message.channel_id.get()), asked).await;
}

/// A message that asks something.
struct Asked {
    id: MessageId,
    author: UserId,
    author_name: String,
    content: String,
    /// The message it answers.
    replies_to: Option<MessageId>,
}

fn replied_to(message: &serenity::Message) -> Option<MessageId> {
    Some(MessageId(message.message_reference.as_ref()?.message_id?.get()))
}

/// Takes a message as a question, or says under it why not. `false`: neither could be written down, so that it has to
/// be looked at again.
async fn take(data: &Data, me: UserId, thread: ChannelId, asked: Asked) -> bool {
    let row = match data.sessions.of_thread(thread).await {
        Ok(Some(row)) => row,
        Ok(None) => return true,
        Err(error) => {
            tracing::error!(%thread, error = %format!("{error:#}"), "a message's session could not be looked up");
            return false;
        }
    };
    let id = asked.id;
    if let Err(error) = ask(&data.sessions, &row, me, asked).await {
        // Nobody can be answered privately here, so the sentence stands under the message.
        let card = super::reply::apology(&error);
        if let Err(error) = data.sessions.refuse(&row, id, card).await {
            tracing::info!(%thread, error = %format!("{error:#}"), "a question's problem could not be told");
            return false;
        }
    }
    true
}

async fn ask(sessions: &Sessions, row: &SessionRow, me: UserId, asked: Asked) -> anyhow::Result<()> {
    let text = asked.content.replace(&format!("<@{me}>"), " ").replace(&format!("<@!{me}>"), " ");
    if text.trim().is_empty() {
        return UserError::of("Ask me something about this session, in the same message as the mention.");
    }
    let question = QuestionRow {
        id: asked.id.0,
        session: row.id.clone(),
        author: asked.author,
        author_name: asked.author_name,
        text,
        reply_to: Some(asked.id),
        addressee: None,
        audit: false,
    };
    sessions.ask(row, question, asked.replies_to).await.map(|_| ())
}

/// Looks, in the background, for questions that were asked while the bot was away: Discord replays nothing to
/// a new connection. What was taken before is not taken again.
pub(super) fn catch_up(data: &Data) {
    let (Some(&me), sessions, discord) = (data.me.get(), data.sessions.clone(), data.discord.clone()) else {
        return;
    };
    let data = Data { sessions, discord, documents: data.documents.clone(), me: data.me.clone() };
    tokio::spawn(async move {
        match data.sessions.watched_threads().await {
            Ok(threads) => {
                for (session, thread, seen) in threads {
                    read_missed(&data, me, &session, thread, seen).await;
                    // Looking back is not urgent; what is posted now goes first.
                    tokio::time::sleep(data.sessions.pace().of(Duration::from_millis(100))).await;
                }
            }
            Err(error) => {
                tracing::error!(error = %format!("{error:#}"), "threads to catch up with could not be read");
            }
        }
    });
}

async fn read_missed(data: &Data, me: UserId, session: &SessionId, thread: ChannelId, seen: MessageId) {
    let mut seen = seen;
    loop {
        let messages: Vec<Seen> = match data.discord.messages_after(thread, seen, PAGE).await {
            Ok(messages) => messages,
            Err(error) => {
                tracing::info!(%session, %error, "a thread could not be read back");
                return;
            }
        };
        let Some(newest) = messages.last().map(|message| message.id) else { return };
        let more = messages.len() >= usize::from(PAGE);
        if !take_all(data, me, thread, &messages).await {
            return;
        }
        if let Err(error) = data.sessions.seen(thread, newest).await {
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
async fn take_all(data: &Data, me: UserId, thread: ChannelId, messages: &[Seen]) -> bool {
    for message in messages.iter().filter(|message| !message.by_bot && message.mentions.contains(&me)) {
        let asked = Asked {
            id: message.id,
            author: message.author,
            author_name: message.author_name.clone(),
            content: message.content.clone(),
            replies_to: message.replies_to,
        };
        if !take(data, me, thread, asked).await {
            return false;
        }
    }
    true
}
