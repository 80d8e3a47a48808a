//! Threads that the bot started are named after their question, once it stands in a sentence: as late as Discord asks for, at
//! most when it differs, and never where somebody has given the thread another name, or began the session in a thread of theirs.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

use super::Sessions;
use crate::{
    steps::World,
    store::{SessionRow, StoreError, ThreadName},
};
use discord::SendError;
use domain::{SessionId, one_line, shortened};

/// How often it is looked for threads to rename; what is put in other words meanwhile comes with the next look.
const EVERY: Duration = Duration::from_secs(10);
/// Longest name of a thread, in characters (Discord's documentation, "Channel Object").
const LONGEST: usize = 100;

impl Sessions {
    pub(super) async fn watch_thread_names(self) {
        let mut later: HashMap<SessionId, Instant> = HashMap::new();
        loop {
            tokio::time::sleep(self.pace().of(EVERY)).await;
            let misnamed = self.store().misnamed().await.unwrap_or_else(|error| {
                tracing::error!(%error, "which threads are to be renamed could not be read");
                Vec::new()
            });
            let now = Instant::now();
            later.retain(|session, until| *until > now && misnamed.contains(session));
            for session in misnamed {
                if later.contains_key(&session) {
                    continue;
                }
                match self.name_thread(&session).await {
                    Ok(None) => {}
                    Ok(Some(wait)) => {
                        later.insert(session, Instant::now() + wait);
                    }
                    Err(error) => {
                        tracing::error!(%session, %error, "its thread could not be named after its question");
                    }
                }
            }
        }
    }

    /// Names a session's thread after its question. Gives how long Discord asked to wait, if it did.
    async fn name_thread(&self, session: &SessionId) -> Result<Option<Duration>, StoreError> {
        let row = self.store().session(session).await?;
        let Some(ThreadName { wanted, last }) = self.store().thread_name(session).await? else {
            return Ok(None);
        };
        let name = shortened(&one_line(&wanted), LONGEST);
        let given = match self.rename(&row, &last, &name).await {
            Ok(given) => given,
            Err(error) if !error.is_final() => return Ok(Some(error.retry_after.unwrap_or_default())),
            Err(error) => {
                tracing::warn!(%session, %error, "its thread cannot be named after its question");
                false
            }
        };
        self.store().thread_named(session, &wanted, given.then_some(name)).await?;
        Ok(None)
    }

    /// Gives a thread of the bot's own another name, if it has the last one that the bot gave it; `true`: it has the new one.
    async fn rename(&self, row: &SessionRow, last: &str, name: &str) -> Result<bool, SendError> {
        let World { discord, .. } = &*self.0.world;
        let own = row.thread.zip(row.status_message).filter(|(thread, card)| thread.0 == card.0);
        let Some((thread, _)) = own else { return Ok(false) };
        // After a kill, it may have it already.
        let now = one_line(&discord.channel(thread).await?.name.unwrap_or_default());
        if now == name {
            return Ok(true);
        }
        if now != one_line(last) {
            return Ok(false);
        }
        discord.rename_thread(thread, name).await?;
        Ok(true)
    }
}
