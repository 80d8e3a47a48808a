//! The card in a session's thread that names another session, which goes on with what this one left open.

use crate::{
    render,
    store::{Store, StoreError},
};
use domain::{Post, Sequel, SessionId};

/// The card as it stands; nothing where the other session was deleted, or goes on from another one now.
pub(super) async fn panel(store: &Store, key: &str) -> Result<Option<Post>, StoreError> {
    let Some(to) = key.strip_prefix("sequel/").and_then(SessionId::parse) else { return Ok(None) };
    match store.session(&to).await {
        Ok(row) => Ok(Some(render::sequel::card(&Sequel {
            session: row.id,
            protocol: row.protocol,
            title: row.title,
            thread: row.thread,
        }))),
        Err(StoreError::Missing(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
