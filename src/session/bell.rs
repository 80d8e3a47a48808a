//! *Tell me when it is done*: those who pressed it are pinged once each time their session stands still, and nobody else.

use super::{Actor, Sessions};
use crate::{
    error::UserError,
    render,
    steps::{Progress, status, thread_posts},
    store::{SessionRow, StoreError},
};
use domain::{SessionId, SessionState, StepKey};

impl Sessions {
    /// Has somebody told when a session stands still, or takes that back; gives what to say.
    pub async fn tell_me(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        if let Some(said) = self.store().applied(actor.interaction.0).await? {
            return Ok(said);
        }
        let wanted = !self.store().has_bell(&row.id, actor.user).await?;
        let said = if wanted {
            "You will be pinged in its thread when it is done, and when it waits for somebody or is paused. Press again if you change your mind."
        } else {
            "You will not be pinged. Press again if you want to be."
        };
        let event = actor.event("tell me", &row.id, said);
        match self.store().set_bell(&row.id, event, (actor.user, wanted), self.now_ms()).await {
            Ok(()) => Ok(said.to_owned()),
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(_)) => {
                UserError::of("It is over already: what came out is in its thread.")
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Pings whoever wanted to be told that a session stands still now, in a task of its own. What goes wrong is tried
    /// again by the watcher of deadlines.
    pub(super) fn ring_soon(&self, session: &SessionId) {
        let (sessions, session) = (self.clone(), session.clone());
        tokio::spawn(async move {
            if let Err(error) = sessions.ring(&session).await {
                tracing::error!(%session, %error, "whoever wanted to be told could not be");
            }
        });
    }

    /// The same for all sessions.
    pub(super) async fn ring_all(&self) {
        match self.store().ringing().await {
            Ok(ringing) => ringing.iter().for_each(|session| self.ring_soon(session)),
            Err(error) => tracing::error!(%error, "who wanted to be told could not be read"),
        }
    }

    async fn ring(&self, session: &SessionId) -> Result<(), StoreError> {
        loop {
            let due = self.store().due_bells(session).await?;
            let row = self.store().session(session).await?;
            let told: Vec<_> =
                due.into_iter().filter(|(_, state)| *state == row.state).map(|(user, _)| user).collect();
            if told.is_empty() || row.state == SessionState::Running {
                return Ok(());
            }
            let now = self.now_ms();
            let stands = status(&self.0.world, &row, Progress::default()).await?;
            let key = StepKey::new(format!("bell/{}-{now}/reminder", row.state.as_str()));
            let ping = thread_posts(session, &key, None, vec![render::bell::ping(&told, &stands)]);
            match self.store().ring(session, (told, row.state), ping).await {
                Ok(true) => self.0.outbox.kick(session),
                // It goes on already.
                Ok(false) => return Ok(()),
                // Somebody took it back meanwhile.
                Err(StoreError::Reread) => {}
                Err(other) => return Err(other),
            }
        }
    }
}
