//! Panels: posts that are edited as what they show changes.

use std::{sync::Arc, time::Duration};

use super::{World, decision};
use crate::{domain::SessionId, store::StoreError};

/// How soon drawing is tried again when it could not be done.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// All panels. Cheap to clone.
#[derive(Clone)]
pub struct Panels {
    world: Arc<World>,
}

impl Panels {
    /// Panels of the world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world }
    }

    /// Has a panel drawn again. Returns at once.
    pub fn kick(&self, session: &SessionId, key: &str) {
        let (panels, session, key) = (self.clone(), session.clone(), key.to_owned());
        tokio::spawn(async move {
            for _ in 0..120 {
                match panels.draw(&session, &key).await {
                    Ok(true) => return,
                    Ok(false) => tokio::time::sleep(TRY_AGAIN).await,
                    Err(error) => {
                        tracing::error!(%session, key, %error, "a panel cannot be drawn");
                        return;
                    }
                }
            }
        });
    }

    async fn draw(&self, session: &SessionId, key: &str) -> Result<bool, StoreError> {
        let World { store, discord, .. } = &*self.world;
        let Some((revision, channel, message)) = store.panel(session, key).await? else {
            return Ok(!store.stale_panels().await?.contains(&(session.clone(), key.to_owned())));
        };
        let Some(post) = decision::panel(store, session, key).await? else { return Ok(true) };
        match discord.edit_message(channel, message, &post, &[]).await {
            Err(error) if !error.is_final() => return Ok(false),
            Err(error) => tracing::warn!(%session, key, %error, "a panel cannot be edited"),
            Ok(()) => {}
        }
        store.panel_shows(session, key, revision).await?;
        Ok(true)
    }
}
