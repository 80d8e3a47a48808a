//! What a command is given to read: up to three files, and a message of this server with its files. Several are one
//! document in which each keeps its name.

use std::time::Duration;

use poise::serenity_prelude as serenity;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::{Caller, link::MessageLink, opening::user};
use crate::{
    bot::mentions::{as_told, of_message, of_seen, of_users},
    error::UserError,
    store::{FromOthers, Quoted},
};
use discord::{Attached, Kind, Seen, SendError};
use domain::{AboutMessage, ChannelId, Document, GuildId, MessageId, SessionId, UserId, is_blank};

/// Most time for fetching and reading all files of a command: an answer can be edited for fifteen minutes
/// (documentation, interactions: followup messages).
const FILES: Duration = Duration::from_mins(10);
/// Most time for a look at whether a message is still there, before a form opens.
const LOOK: Duration = Duration::from_millis(800);
/// So many names are told in that of the whole; the others are counted.
const NAMED: usize = 3;

/// What a session is given to read.
#[derive(Default, Serialize, Deserialize)]
pub(in crate::bot) struct Given {
    /// The files, in their order.
    files: Vec<Attached>,
    /// A link to a message.
    message: Option<String>,
    /// The document of the session in whose thread the command is used.
    pub(super) of_thread: bool,
    /// The message that it is about, and that is read.
    about: Option<Box<About>>,
    /// The message whose text is what it is about; its files are among those that are read.
    asks: Option<(AboutMessage, Quoted)>,
}

/// What was read.
pub(super) struct Read {
    /// All of it, as one document.
    pub(super) document: Option<Document>,
    /// The message that the session is about.
    pub(super) about: Option<AboutMessage>,
    /// What of others is in it.
    pub(super) from_others: FromOthers,
}

/// A message that a session is asked about, as Discord showed it with the command: it may show it to a bot only then, unless
/// whoever runs the bot has switched the message content on.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::bot) struct About {
    pub(in crate::bot) channel: ChannelId,
    pub(in crate::bot) message: MessageId,
    /// Its author, by number and by the name they go by.
    pub(in crate::bot) by: UserId,
    pub(in crate::bot) author: String,
    pub(in crate::bot) content: String,
    pub(in crate::bot) files: Vec<Attached>,
}

impl About {
    /// A message that a command is used on.
    pub(super) fn of(message: &serenity::Message) -> Self {
        let forwarded = &message.message_snapshots;
        let files = forwarded.iter().flat_map(|copy| &copy.attachments);
        Self {
            channel: ChannelId(message.channel_id.get()),
            message: MessageId(message.id.get()),
            by: UserId(message.author.id.get()),
            author: message.author.display_name().to_owned(),
            content: with_forwarded(
                as_told(&message.content, &of_message(message)),
                forwarded.iter().map(|copy| as_told(&copy.content, &of_users(&copy.mentions))),
            ),
            files: message.attachments.iter().chain(files).map(attached).collect(),
        }
    }

    /// Its place and its author, on this server.
    pub(in crate::bot) fn named(&self, guild: GuildId) -> AboutMessage {
        let &Self { channel, message, .. } = self;
        AboutMessage { guild, channel, message, author: self.author.clone() }
    }

    /// Its author, with what it says.
    pub(in crate::bot) fn quoted(&self, words: String) -> Quoted {
        Quoted { member: self.by, name: self.author.clone(), words, files: !self.files.is_empty() }
    }

    /// Whether there is nothing to read in it.
    pub(in crate::bot) fn is_nothing(&self) -> bool {
        is_blank(&self.content) && self.files.is_empty()
    }

    /// The same as it is now, as far as the bot may see it; a private sentence if it was deleted.
    pub(in crate::bot) async fn now(mut self, caller: &Caller<'_>) -> anyhow::Result<Self> {
        match caller.data.discord.message(self.channel, self.message).await {
            Ok(seen) => {
                let (content, files) = (text_of(&seen), files_of(seen));
                if !is_blank(&content) || !files.is_empty() {
                    (self.content, self.files) = (content, files);
                }
                Ok(self)
            }
            Err(SendError { kind: Kind::Gone, .. }) => UserError::of(
                "That message was deleted in the meantime, so nothing was started. What it was about can be written in a command, such as `/mediate`.",
            ),
            // Then what was shown with the command is all there is.
            Err(SendError { kind: Kind::MissingPermission(_), .. }) => Ok(self),
            Err(error) => Err(error.into()),
        }
    }

    /// Its text and its files as one document.
    pub(super) async fn document(&self, caller: &Caller<'_>) -> anyhow::Result<Option<Document>> {
        let parts = in_time(parts_of(caller, &self.author, &self.content, &self.files)).await?;
        if parts.is_empty() {
            return Ok(None);
        }
        documents::joined(&by(&self.author), parts).map(Some).map_err(user)
    }
}

impl Given {
    /// What the options of a command hold.
    pub(super) fn of(files: Vec<Attached>, message: Option<String>, of_thread: bool) -> Self {
        Self { files, message, of_thread, about: None, asks: None }
    }

    /// A message that is itself no question, to be read with its files.
    pub(in crate::bot) fn about(message: About) -> Self {
        Self { about: Some(Box::new(message)), ..Self::default() }
    }

    /// The files of a message of this server whose text is the question.
    pub(in crate::bot) fn files_of(message: About, guild: GuildId) -> Self {
        let asks = (message.named(guild), message.quoted(message.content.clone()));
        Self { asks: Some(asks), files: message.files, ..Self::default() }
    }

    /// Whether a message is to be read that is itself no question.
    pub(super) fn has_a_message(&self) -> bool {
        self.about.is_some()
    }

    /// Whether it is about what stands where the command is used, so that in a session's thread it begins beside that.
    pub(super) fn goes_beside(&self) -> bool {
        self.of_thread || self.about.is_some() || self.asks.is_some()
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.message.is_none() && !self.of_thread && self.about.is_none()
    }

    /// What can be wrong with it, as far as that is seen at once.
    pub(super) async fn check(&self, caller: &Caller<'_>) -> anyhow::Result<()> {
        if let Some(link) = &self.message {
            link_here(caller, link)?;
        }
        let Some(about) = &self.about else { return Ok(()) };
        match timeout(LOOK, (**about).clone().now(caller)).await {
            Ok(Err(error)) if error.is::<UserError>() => Err(error),
            // Looked at again when it is read.
            _ => Ok(()),
        }
    }

    /// All of it, read, as one document; all or nothing. Done last: everything else is checked before anything is
    /// downloaded.
    pub(super) async fn read(self, caller: &Caller<'_>) -> anyhow::Result<Read> {
        if self.is_nothing() {
            let (about, quoted) = self.asks.unzip();
            let from_others = FromOthers { quoted: quoted.into_iter().collect(), document_of: None };
            return Ok(Read { document: None, about, from_others });
        }
        let (guild, _) = caller.place()?;
        let linked = match &self.message {
            Some(link) => Some(linked(caller, link).await?),
            None => None,
        };
        let here = if self.of_thread { Some(of_thread(caller).await?) } else { None };
        let (here, document_of) = here.unzip();
        let about = match self.about {
            Some(about) => Some(about.now(caller).await?),
            None => None,
        };
        let (asks, asked_by) = self.asks.unzip();
        let mut quoted: Vec<Quoted> = asked_by.into_iter().collect();
        let reading = async {
            let mut parts: Vec<Document> = here.into_iter().collect();
            parts.extend(read_files(caller, &self.files).await?);
            if let Some((_, seen)) = &linked {
                let (content, files) = (text_of(seen), files_of(seen.clone()));
                let said = parts_of(caller, &seen.author_name, &content, &files).await?;
                let (member, name) = (seen.author, seen.author_name.clone());
                quoted.push(Quoted { member, name, words: words(&content, &said), files: !files.is_empty() });
                parts.extend(said);
            }
            if let Some(about) = &about {
                let said = parts_of(caller, &about.author, &about.content, &about.files).await?;
                quoted.push(about.quoted(words(&about.content, &said)));
                parts.extend(said);
            }
            Ok::<_, anyhow::Error>(parts)
        };
        let parts = in_time(reading).await?;
        if parts.is_empty() {
            return UserError::of(
                "The linked message has no text and no file that I can see: Discord shows me what I wrote, what mentions me, and everything only where whoever runs me has switched the message content on. Attach the file itself with `document`; nothing was started.",
            );
        }
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let name = together(&names);
        let document = Some(documents::joined(&name, parts).map_err(user)?);
        let of_link = linked.map(|(link, seen)| AboutMessage {
            guild,
            channel: link.channel,
            message: link.message,
            author: seen.author_name,
        });
        let about = asks.or_else(|| about.map(|about| about.named(guild))).or(of_link);
        Ok(Read { document, about, from_others: FromOthers { quoted, document_of } })
    }
}

pub(super) fn attached(file: &serenity::Attachment) -> Attached {
    Attached { name: file.filename.clone(), url: file.url.clone(), size: file.size.into() }
}

/// What a message says and hands on, with the names of whom it mentions.
fn text_of(seen: &Seen) -> String {
    with_forwarded(
        as_told(&seen.content, &of_seen(&seen.mentions)),
        seen.forwarded.iter().map(|copy| as_told(&copy.content, &of_seen(&copy.mentions))),
    )
}

/// The files of a message, and of those that it hands on.
fn files_of(seen: Seen) -> Vec<Attached> {
    let forwarded = seen.forwarded.into_iter().flat_map(|copy| copy.attachments);
    seen.attachments.into_iter().chain(forwarded).collect()
}

/// A text with those of the messages that it hands on, named as such: whose they are is not told.
fn with_forwarded(own: String, forwarded: impl Iterator<Item = String>) -> String {
    forwarded.filter(|text| !is_blank(text)).fold(own, |all, text| {
        let gap = if all.is_empty() { "" } else { "\n\n" };
        format!("{all}{gap}Forwarded message:\n{text}")
    })
}

fn by(author: &str) -> String {
    format!("message by {author}")
}

async fn in_time<T>(reading: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    match timeout(FILES, reading).await {
        Ok(read) => read,
        Err(_) => UserError::of(
            "The files took more than ten minutes to fetch and read, so nothing was started. Try again later, or attach the one file you mean with `document`.",
        ),
    }
}

/// What a message says as it was read: the first of its parts, if it says anything.
fn words(content: &str, parts: &[Document]) -> String {
    let text = parts.first().filter(|_| !is_blank(content));
    text.map(|text| text.text.trim().to_owned()).unwrap_or_default()
}

/// What a message says, and its files.
async fn parts_of(
    caller: &Caller<'_>,
    author: &str,
    content: &str,
    files: &[Attached],
) -> anyhow::Result<Vec<Document>> {
    let mut parts = Vec::new();
    if !is_blank(content) {
        parts.push(documents::of_text(&by(author), &caller.named(content).await).map_err(user)?);
    }
    parts.extend(read_files(caller, files).await?);
    Ok(parts)
}

/// Files, fetched and read. One after the other, so that ten large ones are never in memory at once.
async fn read_files(caller: &Caller<'_>, files: &[Attached]) -> anyhow::Result<Vec<Document>> {
    let documents = &caller.data.documents;
    let (guild, _) = caller.place()?;
    let member = caller.user();
    let mut read = Vec::new();
    for file in files {
        let _turn = documents.turn(guild, member, &file.name).await.map_err(user)?;
        read.push(documents.fetch(&file.url, &file.name, file.size).await.map_err(user)?);
    }
    Ok(read)
}

/// The document of the session in whose thread the command is used.
async fn of_thread(caller: &Caller<'_>) -> anyhow::Result<(Document, SessionId)> {
    let (_, channel) = caller.place()?;
    let sessions = &caller.data.sessions;
    let Some(row) = sessions.of_thread(channel).await? else {
        return UserError::of(
            "`thread_document` takes the document of a session, so it is for a session's thread. Use it there, or attach the file with `document`; nothing was started.",
        );
    };
    match sessions.document_of(&row).await? {
        Some(document) => Ok((document, row.id)),
        None => UserError::of(
            "This thread's session has no document. Attach one with `document`, in a channel; nothing was started.",
        ),
    }
}

/// Where a link leads, if that is on this server.
fn link_here(caller: &Caller<'_>, link: &str) -> anyhow::Result<MessageLink> {
    let Some(link) = MessageLink::parse(link) else {
        return UserError::of(
            "`message` takes a link to a message: choose **Copy Message Link** in its menu and paste that. Nothing was started.",
        );
    };
    let (guild, _) = caller.place()?;
    if link.guild != guild {
        return UserError::of(
            "That link leads to another server, and I read only messages of this one. Attach the file itself with `document`; nothing was started.",
        );
    }
    Ok(link)
}

/// The message that a link leads to, if whoever gives it and the bot can both read it.
async fn linked(caller: &Caller<'_>, link: &str) -> anyhow::Result<(MessageLink, Seen)> {
    let link = link_here(caller, link)?;
    if !may_read(caller, link.guild, link.channel).await? {
        return unreadable();
    }
    match caller.data.discord.message(link.channel, link.message).await {
        Ok(seen) => Ok((link, seen)),
        Err(SendError { kind: Kind::Gone | Kind::MissingPermission(_), .. }) => unreadable(),
        Err(error) => Err(error.into()),
    }
}

/// Whether whoever uses the command can read a channel of this server, or the one that a thread hangs from.
async fn may_read(caller: &Caller<'_>, guild: GuildId, channel: ChannelId) -> anyhow::Result<bool> {
    let readable = caller.readable()?;
    if readable.channels.contains(&channel) {
        return Ok(true);
    }
    match caller.data.discord.channel(channel).await {
        Ok(found) => Ok(found.guild_id == Some(guild)
            && found.is_open_thread()
            && found.parent_id.is_some_and(|parent| readable.channels.contains(&parent))),
        Err(SendError { kind: Kind::Gone | Kind::MissingPermission(_), .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The same whatever the reason is, so that nobody learns which channels and messages there are.
fn unreadable<T>() -> anyhow::Result<T> {
    UserError::of(
        "That message is not there, or one of us two cannot read it: private threads, deleted messages and channels that are closed to you or me. Attach the file itself with `document`; nothing was started.",
    )
}

/// `plan.md, costs.xlsx and 2 more`.
fn together(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        names => {
            let first = names.iter().take(NAMED - 1).copied().collect::<Vec<_>>().join(", ");
            format!("{first} and {} more", names.len().saturating_sub(NAMED - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_that_hands_another_on_is_read_with_it() {
        let author = json!({"id": "7", "username": "ada", "discriminator": "0", "avatar": null});
        let file = |name: &str| json!({"id": "9", "filename": name, "size": 5, "url": "https://cdn.discordapp.com/a", "proxy_url": ""});
        let copy = json!({
            "type": 0, "content": "Rent is 900, says <@7>", "timestamp": "2026-03-02T09:00:00Z", "edited_timestamp": null,
            "mentions": [author], "attachments": [file("offer.pdf")], "embeds": [], "flags": 0,
        });
        let message = json!({
            "id": "3", "channel_id": "4", "author": author, "content": "", "timestamp": "2026-03-02T09:00:00Z",
            "edited_timestamp": null, "tts": false, "mention_everyone": false, "mentions": [], "mention_roles": [],
            "attachments": [], "embeds": [], "pinned": false, "type": 0,
            "message_reference": {"type": 1, "channel_id": "1", "message_id": "2"},
            "message_snapshots": [{"message": copy}],
        });
        let shown = About::of(&serde_json::from_value(message.clone()).unwrap());
        let seen: Seen = serde_json::from_value(message).unwrap();
        assert_eq!(text_of(&seen), "Forwarded message:\nRent is 900, says @ada");
        assert_eq!((shown.content.clone(), &shown.files), (text_of(&seen), &files_of(seen)));
        assert_eq!(shown.files[0].name, "offer.pdf");
        let beside = with_forwarded("Look:".into(), [String::new(), "a".into()].into_iter());
        assert_eq!(beside, "Look:\n\nForwarded message:\na");
    }

    #[test]
    fn several_files_are_called_by_the_first_of_them() {
        for (names, called) in [
            (&["a.md"][..], "a.md"),
            (&["a.md", "b.md"], "a.md and b.md"),
            (&["a.md", "b.md", "c.md"], "a.md, b.md and c.md"),
            (&["a.md", "b.md", "c.md", "d.md"], "a.md, b.md and 2 more"),
        ] {
            assert_eq!(together(names), called);
        }
    }
}
