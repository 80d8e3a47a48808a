//! Changing what a message says, also in a thread that was put aside, and what is known of one that Discord takes no
//! edits of.

use std::time::Duration;

use tokio::time::Instant;

use discord::{Discord, EditTurn, Kind, SendError};
use domain::{ChannelId, MessageId, Post, UserId};

/// How long a message is let be that Discord took no edit of, for it is old and was edited often (error 30046). What
/// was refused is not asked for again at all; what changes meanwhile is tried after this time.
pub const TOO_OLD_LET_BE: Duration = Duration::from_mins(5);

/// What was drawn so long ago is drawn anew: something else may be so now.
const FRESH: Duration = Duration::from_millis(50);

/// The turn to edit a message.
pub(super) enum InTurn<'a> {
    /// It has come at once.
    Now(EditTurn<'a>),
    /// It has come by now: the message is to be drawn anew, and then it is given again.
    Waited(EditTurn<'a>),
}

/// The turn that was waited for, if it is for this message; else waits for one.
pub(super) async fn in_turn<'a>(
    discord: &'a Discord,
    waited: Option<EditTurn<'a>>,
    of: (ChannelId, MessageId),
) -> Result<InTurn<'a>, SendError> {
    if let Some(turn) = waited.filter(|turn| turn.of() == of) {
        return Ok(InTurn::Now(turn));
    }
    let asked = Instant::now();
    let turn = discord.turn_to_edit(of.0, of.1).await?;
    Ok(if asked.elapsed() < FRESH { InTurn::Now(turn) } else { InTurn::Waited(turn) })
}

/// Makes a message say this. Threads are put aside after some quiet days, and votes and reviews outlast that: such a
/// one is brought back first.
pub(super) async fn edit(discord: &Discord, turn: EditTurn<'_>, post: &Post) -> Result<(), SendError> {
    let (channel, message) = turn.of();
    match turn.edit(post).await {
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
