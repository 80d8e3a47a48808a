//! `/privacy`: what is kept, and its deletion. What somebody wants deleted is a row from the moment it is confirmed, and is
//! then worked off in the background, over any restart, until nothing of it is left.

use std::time::Duration;

use super::{Actor, Asker, Sessions, run::notice_key};
use crate::{
    error::UserError,
    render::{self, privacy::PrivacyView},
    steps::thread_posts,
    store::{Erased, Erasure, SessionRow, StoreError},
};
use domain::{Post, SessionState, UserId};

/// How often it is looked whether what a deletion waits for is over, and whether there is one at all.
const LOOKS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_hours(1));
/// Between two transactions, so that others' writes come first.
const PAUSE: Duration = Duration::from_millis(50);

const LIVE: &[SessionState] = &[SessionState::Running, SessionState::Paused, SessionState::Waiting];

impl Sessions {
    /// What is kept about whoever asks, and of the server for whoever manages it.
    pub async fn privacy(&self, asker: &Asker) -> anyhow::Result<Post> {
        let (store, Actor { user, manages, .. }) = (self.store(), &asker.actor);
        let server = if *manages { Some(store.kept_of_server(asker.guild).await?) } else { None };
        let under_way = store
            .erasures()
            .await?
            .into_iter()
            .find(|of| of.guild == asker.guild && of.member.map_or(*manages, |member| member == *user));
        Ok(render::privacy::view(&PrivacyView {
            own: store.kept_of_member(asker.guild, *user).await?,
            server,
            settings: store.guild_settings(asker.guild).await?,
            under_way: under_way.map(|of| of.asked_ms / 1000),
        }))
    }

    /// Asks whether all that is kept of whoever asks should really be deleted.
    pub async fn forget_me(&self, asker: &Asker) -> anyhow::Result<Post> {
        let open = self.store().live_sessions(asker.guild, Some(asker.actor.user), self.now_ms()).await?;
        Ok(render::privacy::confirm_member(open.len()))
    }

    /// Asks whether all that is kept of the server should really be deleted.
    pub async fn forget_server(&self, asker: &Asker) -> anyhow::Result<Post> {
        manages(&asker.actor)?;
        let open = self.store().live_sessions(asker.guild, None, self.now_ms()).await?;
        Ok(render::privacy::confirm_server(open.len()))
    }

    /// Has all deleted that is kept of whoever asks; gives what to say.
    pub async fn forget_me_sure(&self, asker: &Asker) -> anyhow::Result<String> {
        let said = "Your data here is being deleted, which takes up to a few minutes. What you added to sessions of others that are still open goes when they are over. `/privacy` shows what is left.";
        self.ask_erasure(asker, Some(asker.actor.user), said).await
    }

    /// Has all deleted that is kept of the server; gives what to say.
    pub async fn forget_server_sure(&self, asker: &Asker) -> anyhow::Result<String> {
        manages(&asker.actor)?;
        let said = "All that I keep of this server is being deleted, which takes up to a few minutes. `/privacy` shows what is left.";
        self.ask_erasure(asker, None, said).await
    }

    async fn ask_erasure(&self, asker: &Asker, member: Option<UserId>, said: &str) -> anyhow::Result<String> {
        let event = asker.event("erase", said);
        match self.store().ask_erasure(event, asker.guild, member, self.now_ms()).await {
            Ok(()) => {
                self.0.erasing.notify_one();
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(other) => Err(other.into()),
        }
    }

    pub(super) async fn watch_erasures(self) {
        loop {
            let waits = self.erase_all().await.unwrap_or_else(|error| {
                tracing::error!(%error, "what somebody wants deleted could not be; it is tried again");
                true
            });
            let look = if waits { LOOKS.0 } else { LOOKS.1 };
            tokio::select! {
                () = tokio::time::sleep(self.pace().of(look)) => {}
                () = self.0.erasing.notified() => {}
            }
        }
    }

    /// Deletes what can be deleted now; `true` if something has to wait.
    async fn erase_all(&self) -> Result<bool, StoreError> {
        let (store, mut waits, mut some) = (self.store(), false, false);
        for of in store.erasures().await? {
            // One that fails keeps nobody else's waiting.
            match self.erase(of, &mut some).await {
                Ok(waiting) => waits |= waiting,
                Err(error) => {
                    let Erasure { id, guild, .. } = of;
                    tracing::error!(erasure = id, %guild, %error, "what somebody wants deleted could not be; it is tried again");
                    waits = true;
                }
            }
        }
        if some {
            // A vote's turnout, a decision's name.
            for (session, key) in store.stale_panels().await? {
                self.0.panels.kick(&session, &key);
            }
            self.leave_nothing().await?;
        }
        Ok(waits)
    }

    /// Deletes what one erasure asks for and can be deleted now; `true` if something of it has to wait.
    async fn erase(&self, of: Erasure, some: &mut bool) -> Result<bool, StoreError> {
        let store = self.store();
        for row in store.live_sessions(of.guild, of.member, of.asked_ms).await? {
            self.end_for_erasure(&row).await?;
        }
        loop {
            match store.erase_some(of, self.now_ms()).await? {
                Erased::More => *some = true,
                Erased::Waits => return Ok(true),
                Erased::Done => {
                    *some = true;
                    let Erasure { guild, member, .. } = of;
                    tracing::info!(%guild, of_server = member.is_none(), "what somebody wanted deleted is gone");
                    return Ok(false);
                }
            }
            tokio::time::sleep(self.pace().of(PAUSE)).await;
        }
    }

    /// Ends a session that is about to be deleted. Its card says so first; of a server that another process serves, that one
    /// says it, which began on a copy of the same file.
    async fn end_for_erasure(&self, row: &SessionRow) -> Result<(), StoreError> {
        let notice = "Cancelled, because the data behind it is being deleted.".to_owned();
        let now = self.now_ms();
        let here = self.store().serves(row.guild);
        let cards = if here { vec![render::notices::deleted()] } else { Vec::new() };
        let posts = thread_posts(&row.id, &notice_key("deleted", now), None, cards);
        let moved =
            self.store().move_session(&row.id, LIVE, SessionState::Cancelled, Some(notice), posts, now);
        match moved.await {
            Ok(()) => {}
            // Over by itself meanwhile, or deleted.
            Err(StoreError::NotRunning(_) | StoreError::Missing(_)) => return Ok(()),
            Err(other) => return Err(other),
        }
        if !here {
            return Ok(());
        }
        if let Some(run) = self.runs().get(&row.id) {
            run.cancel.cancel();
        }
        self.0.outbox.kick(&row.id);
        self.kick_panels(&row.id).await;
        self.redraw(&row.id);
        Ok(())
    }
}

fn manages(actor: &Actor) -> anyhow::Result<()> {
    if actor.manages {
        return Ok(());
    }
    UserError::of("Only those with the permission Manage Server can delete what is kept of the server.")
}
