//! What a command is given to read: up to three files, and a message of this server with its files. Several are one
//! document in which each keeps its name.

use std::time::Duration;

use poise::serenity_prelude as serenity;
use tokio::time::timeout;

use super::{Context, home, link::MessageLink, opening::user, place};
use crate::{
    bot::readable::readable,
    discord::{Attached, Kind, Seen, SendError},
    documents,
    domain::{ChannelId, Document, GuildId, UserId, is_blank},
    error::UserError,
};

/// Most time for fetching and reading all files of a command: an answer can be edited for fifteen minutes
/// (documentation, interactions: followup messages).
const FILES: Duration = Duration::from_mins(10);
/// So many names are told in that of the whole; the others are counted.
const NAMED: usize = 3;
/// Discord's type of a private thread.
const PRIVATE_THREAD: u8 = 12;
/// Discord's types of threads.
const THREADS: [u8; 3] = [10, 11, PRIVATE_THREAD];

/// What a command was given to read.
#[derive(Default)]
pub(super) struct Given {
    /// The files, in their order.
    pub(super) files: Vec<serenity::Attachment>,
    /// A link to a message.
    pub(super) message: Option<String>,
    /// The document of the session in whose thread the command is used.
    pub(super) of_thread: bool,
}

impl Given {
    /// What the options of a command hold.
    pub(super) fn of(
        files: [Option<serenity::Attachment>; 3],
        message: Option<String>,
        of_thread: Option<bool>,
    ) -> Self {
        let of_thread = of_thread.unwrap_or_default();
        Self { files: files.into_iter().flatten().collect(), message, of_thread }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.message.is_none() && !self.of_thread
    }

    /// All of it, read, as one document; all or nothing. Done last: everything else is checked before anything is
    /// downloaded.
    pub(super) async fn read(self, ctx: Context<'_>) -> anyhow::Result<Option<Document>> {
        if self.is_nothing() {
            return Ok(None);
        }
        let files: Vec<Attached> = self.files.iter().map(attached).collect();
        let message = match &self.message {
            Some(link) => Some(linked(ctx, link).await?),
            None => None,
        };
        let here = if self.of_thread { Some(of_thread(ctx).await?) } else { None };
        let reading = async {
            let mut parts: Vec<Document> = here.into_iter().collect();
            parts.extend(read_files(ctx, &files).await?);
            if let Some(seen) = &message {
                parts.extend(parts_of(ctx, &seen.author_name, &seen.content, &seen.attachments).await?);
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
        documents::joined(&name, parts).map(Some).map_err(user)
    }
}

/// A message with its attachments as one document.
pub(super) async fn of_message(
    ctx: Context<'_>,
    message: &serenity::Message,
) -> anyhow::Result<Option<Document>> {
    let files: Vec<Attached> = message.attachments.iter().map(attached).collect();
    let author = message.author.display_name();
    let parts = in_time(parts_of(ctx, author, &message.content, &files)).await?;
    if parts.is_empty() {
        return Ok(None);
    }
    documents::joined(&by(author), parts).map(Some).map_err(user)
}

fn attached(file: &serenity::Attachment) -> Attached {
    Attached { name: file.filename.clone(), url: file.url.clone(), size: file.size.into() }
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

/// What a message says, and its files.
async fn parts_of(
    ctx: Context<'_>,
    author: &str,
    content: &str,
    files: &[Attached],
) -> anyhow::Result<Vec<Document>> {
    let mut parts = Vec::new();
    if !is_blank(content) {
        parts.push(documents::of_text(&by(author), content).map_err(user)?);
    }
    parts.extend(read_files(ctx, files).await?);
    Ok(parts)
}

/// Files, fetched and read. One after the other, so that ten large ones are never in memory at once.
async fn read_files(ctx: Context<'_>, files: &[Attached]) -> anyhow::Result<Vec<Document>> {
    let documents = &ctx.data().documents;
    let (guild, _) = place(ctx)?;
    let member = UserId(ctx.interaction.user.id.get());
    let mut read = Vec::new();
    for file in files {
        let _turn = documents.turn(guild, member, &file.name).await.map_err(user)?;
        read.push(documents.fetch(&file.url, &file.name, file.size).await.map_err(user)?);
    }
    Ok(read)
}

/// The document of the session in whose thread the command is used.
async fn of_thread(ctx: Context<'_>) -> anyhow::Result<Document> {
    let (_, channel) = place(ctx)?;
    let sessions = &ctx.data().sessions;
    let Some(row) = sessions.of_thread(channel).await? else {
        return UserError::of(
            "`thread_document` takes the document of a session, so it is for a session's thread. Use it there, or attach the file with `document`; nothing was started.",
        );
    };
    match sessions.document_of(&row).await? {
        Some(document) => Ok(document),
        None => UserError::of(
            "This thread's session has no document. Attach one with `document`, in a channel; nothing was started.",
        ),
    }
}

/// The message that a link leads to, if whoever gives it and the bot can both read it.
async fn linked(ctx: Context<'_>, link: &str) -> anyhow::Result<Seen> {
    let Some(link) = MessageLink::parse(link) else {
        return UserError::of(
            "`message` takes a link to a message: choose **Copy Message Link** in its menu and paste that. Nothing was started.",
        );
    };
    let (guild, _) = place(ctx)?;
    if link.guild != guild {
        return UserError::of(
            "That link leads to another server, and I read only messages of this one. Attach the file itself with `document`; nothing was started.",
        );
    }
    if !may_read(ctx, guild, link.channel).await? {
        return unreadable();
    }
    match ctx.data().discord.message(link.channel, link.message).await {
        Ok(seen) => Ok(seen),
        Err(SendError { kind: Kind::Gone | Kind::MissingPermission(_), .. }) => unreadable(),
        Err(error) => Err(error.into()),
    }
}

/// Whether whoever uses the command can read a channel of this server, or the one that a thread hangs from.
async fn may_read(ctx: Context<'_>, guild: GuildId, channel: ChannelId) -> anyhow::Result<bool> {
    let member = ctx.interaction.member.as_deref();
    let readable = readable(&ctx.serenity_context().cache, guild, member, home(ctx)?);
    if readable.channels.contains(&channel) {
        return Ok(true);
    }
    match ctx.data().discord.channel(channel).await {
        Ok(found) => Ok(found.guild_id == Some(guild)
            && THREADS.contains(&found.kind)
            && found.kind != PRIVATE_THREAD
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
    use super::*;

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
