//! Changing what a message says, also in a thread that was put aside, and what is known of one that Discord takes no
//! edits of.

use std::time::Duration;

use crate::{
    discord::{Discord, Kind, SendError},
    domain::{ChannelId, MessageId, Post, UserId},
};

/// How long a message is let be that Discord took no edit of, for it is old and was edited often (error 30046). What
/// was refused is not asked for again at all; what changes meanwhile is tried after this time.
pub const TOO_OLD_LET_BE: Duration = Duration::from_mins(5);

/// Makes a message say this. Threads are put aside after some quiet days, and votes and reviews outlast that: such a
/// one is brought back first.
pub(super) async fn edit(
    discord: &Discord,
    channel: ChannelId,
    message: MessageId,
    post: &Post,
) -> Result<(), SendError> {
    match discord.edit_message(channel, message, post, &[]).await {
        Err(error) if error.kind == Kind::Archived => {
            discord.archive_thread(channel, false).await?;
            discord.edit_message(channel, message, post, &[]).await
        }
        edited => edited,
    }
}

/// Makes a message's text say this, with these members mentioned; all else of it stays. A thread that was put aside is brought
/// back first.
pub async fn edit_text(
    discord: &Discord,
    channel: ChannelId,
    message: MessageId,
    said: (&str, &[UserId]),
) -> Result<(), SendError> {
    match discord.edit_text(channel, message, said).await {
        Err(error) if error.kind == Kind::Archived => {
            discord.archive_thread(channel, false).await?;
            discord.edit_text(channel, message, said).await
        }
        edited => edited,
    }
}
