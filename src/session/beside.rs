//! Where a session begins beside another: in a thread of its own in the same channel, or in a post of its own in the same
//! forum; and what the bot must be allowed to do there.

use super::Sessions;
use crate::{error::UserError, store::SessionRow};
use discord::Kind;
use domain::{Home, Lies, StateTag};

/// What the bot may do where somebody uses an interaction, as Discord says with it (`app_permissions`); in a thread, that
/// is what it may do in the channel or forum to which that belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowed(pub u64);

impl Allowed {
    /// Whether a session can begin there; a sentence that names what is missing.
    pub fn begin(self, home: Home) -> anyhow::Result<()> {
        let mut missing = discord::missing(self.0);
        // It needs no thread of its own within one, and a post is none.
        missing.retain(|name| matches!(home, Home::OwnThread { .. }) || *name != discord::CREATE_THREADS);
        if missing.is_empty() {
            return Ok(());
        }
        let place = if matches!(home, Home::OwnPost { .. }) { "forum" } else { "channel" };
        UserError::of(format!(
            "I lack a permission in this {place}: {}. Somebody who manages the server has to give it to me.",
            missing.join(", ")
        ))
    }
}

impl Sessions {
    /// Where a session begins beside this one; a sentence where none can.
    pub async fn home_beside(&self, row: &SessionRow) -> anyhow::Result<Home> {
        let channel = row.channel;
        if row.lies == Lies::OwnThread {
            return Ok(Home::OwnThread { channel });
        }
        let found = match self.0.world.discord.channel(channel).await {
            Ok(found) => found,
            Err(error) if matches!(error.kind, Kind::Gone | Kind::MissingPermission(_)) => {
                return UserError::of(format!(
                    "I cannot see <#{channel}>, to which this thread belongs, so nothing was started. Let me in there, or use a command in another channel."
                ));
            }
            Err(error) => {
                tracing::warn!(session = %row.id, %error, "what kind of channel a session lies in is not known");
                return UserError::of(
                    "Discord does not tell me at the moment what kind of channel this is, so nothing was started. Try again in a minute.",
                );
            }
        };
        match found.forum() {
            None => Ok(Home::OwnThread { channel }),
            Some(forum) if forum.first_tags(StateTag::Running).is_some() => {
                Ok(Home::OwnPost { forum: channel })
            }
            Some(_) => UserError::of(format!(
                "Every post in <#{channel}> has to carry a tag, and all of its tags are for moderators, so I cannot open one and nothing was started. Ask a moderator for a tag that everybody may use, or use a command in a text channel."
            )),
        }
    }
}
