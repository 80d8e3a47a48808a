//! Messages in session threads that mention the bot or reply to it are questions. Without the privileged intent
//! Discord shows the text of exactly these.

use poise::serenity_prelude as serenity;

use super::{
    Data,
    caller::served,
    mentions::{Names, Told, of_message},
    readable::readable,
};
use crate::{
    error::UserError,
    session::Sessions,
    store::{QuestionRow, SessionRow},
};
use discord::Discord;
use domain::{ChannelId, MessageId, UserId};

/// A message arrived somewhere.
pub(super) async fn arrived(data: &Data, cache: &serenity::Cache, message: &serenity::Message) {
    let Some(&me) = data.me.get() else { return };
    // Replies with ping name the bot among the mentions too.
    let asks = message.mentions.iter().any(|user| user.id.get() == me.0);
    if message.author.bot || !asks || message.guild_id.is_some_and(|guild| served(data, guild).is_err()) {
        return;
    }
    let author = message.member.as_ref().and_then(|member| member.nick.clone());
    let asked = Asked {
        id: MessageId(message.id.get()),
        author: UserId(message.author.id.get()),
        author_name: author.unwrap_or_else(|| message.author.display_name().to_owned()),
        content: message.content.clone(),
        replies_to: replied_to(message),
        told: of_message(message),
        member: member(message),
    };
    let listener = Listener { sessions: &data.sessions, discord: &data.discord, cache, me };
    listener.take(ChannelId(message.channel_id.get()), asked).await;
}

/// A message that asks something.
pub(super) struct Asked {
    pub(super) id: MessageId,
    pub(super) author: UserId,
    pub(super) author_name: String,
    pub(super) content: String,
    /// The message it answers.
    pub(super) replies_to: Option<MessageId>,
    /// The names that came with it.
    pub(super) told: Told,
    /// Its author with their roles, where Discord says so.
    pub(super) member: Option<serenity::Member>,
}

fn replied_to(message: &serenity::Message) -> Option<MessageId> {
    Some(MessageId(message.message_reference.as_ref()?.message_id?.get()))
}

/// Its author as a member of the server, with what they may do there.
fn member(message: &serenity::Message) -> Option<serenity::Member> {
    let mut member = serenity::Member::from(message.member.as_deref()?.clone());
    member.user = message.author.clone();
    Some(member)
}

/// Who takes messages as questions.
pub(super) struct Listener<'a> {
    pub(super) sessions: &'a Sessions,
    pub(super) discord: &'a Discord,
    pub(super) cache: &'a serenity::Cache,
    pub(super) me: UserId,
}

impl Listener<'_> {
    /// Takes a message as a question, or says under it why not. `false`: neither could be written down, so that it has to
    /// be looked at again.
    pub(super) async fn take(&self, thread: ChannelId, asked: Asked) -> bool {
        let row = match self.sessions.of_thread(thread).await {
            // Of a server that is not served, nothing is taken that came while the bot was away either.
            Ok(Some(row)) if self.sessions.settings().serves(row.guild) => row,
            Ok(_) => return true,
            Err(error) => {
                tracing::error!(%thread, error = %format!("{error:#}"), "a message's session could not be looked up");
                return false;
            }
        };
        let id = asked.id;
        if let Err(error) = self.ask(&row, asked).await {
            // Nobody can be answered privately here, so the sentence stands under the message.
            let card = super::reply::apology(&error);
            if let Err(error) = self.sessions.refuse(&row, id, card).await {
                tracing::info!(%thread, error = %format!("{error:#}"), "a question's problem could not be told");
                return false;
            }
        }
        true
    }

    async fn ask(&self, row: &SessionRow, asked: Asked) -> anyhow::Result<()> {
        let me = self.me;
        let text = asked.content.replace(&format!("<@{me}>"), " ").replace(&format!("<@!{me}>"), " ");
        if text.trim().is_empty() {
            return UserError::of("Ask me something about this session, in the same message as the mention.");
        }
        let names = Names {
            discord: self.discord,
            cache: self.cache,
            guild: row.guild,
            readable: readable(self.cache, row.guild, asked.member.as_ref(), row.channel),
            told: asked.told,
        };
        let question = QuestionRow {
            id: asked.id.0,
            session: row.id.clone(),
            author: asked.author,
            author_name: asked.author_name,
            text: names.put_into(&text).await,
            reply_to: Some(asked.id),
            addressee: None,
            audit: None,
        };
        self.sessions.ask(row, question, asked.replies_to).await.map(|_| ())
    }
}
