//! Whose document is read next. Few are read at once, so one member gets one of those places at a time, and so does one
//! server: nobody can close the reading of documents to the others.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{DocumentError, Documents, Fault, text::shown};
use domain::{GuildId, UserId};

/// Most time that a document waits for others to be read.
pub(super) const QUEUE: Duration = Duration::from_mins(1);

/// The places of members and servers that have one, or wait for it.
#[derive(Debug, Default)]
pub(super) struct Turns {
    members: Places<(GuildId, UserId)>,
    servers: Places<GuildId>,
}

/// A place for one each. One that nobody has or waits for is forgotten.
#[derive(Debug)]
struct Places<K>(Mutex<HashMap<K, Weak<Semaphore>>>);

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Places<K> {
    async fn take(&self, key: K) -> Option<OwnedSemaphorePermit> {
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            places.retain(|_, place| place.strong_count() > 0);
            let place =
                places.get(&key).and_then(Weak::upgrade).unwrap_or_else(|| Arc::new(Semaphore::new(1)));
            places.insert(key, Arc::downgrade(&place));
            place
        };
        place.acquire_owned().await.ok()
    }
}

/// A member's turn to have a document read; over when it is dropped.
#[derive(Debug)]
pub struct Turn {
    _member: OwnedSemaphorePermit,
    _server: OwnedSemaphorePermit,
}

impl Documents {
    /// Waits for a member's turn: behind their own documents first, then behind those of their server's other members.
    /// A document that waits too long is refused as busy.
    pub async fn turn(&self, guild: GuildId, member: UserId, name: &str) -> Result<Turn, DocumentError> {
        let turns = self.turns();
        let both = async {
            // In this order, so that whoever waits for their own stands in nobody's way.
            let member = turns.members.take((guild, member)).await?;
            Some(Turn { _member: member, _server: turns.servers.take(guild).await? })
        };
        let turn = timeout(QUEUE, both).await.ok().flatten();
        turn.ok_or_else(|| Fault::Busy.of(&shown(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_member_and_one_server_have_one_place_each() {
        let documents = Documents::new(None, "quorum".into()).unwrap();
        let turn = |guild, member| documents.turn(GuildId(guild), UserId(member), "plan.md");
        let first = turn(1, 1).await.unwrap();
        let soon = |turn| timeout(Duration::from_millis(50), turn);
        assert!(soon(turn(1, 1)).await.is_err(), "their own second waits");
        assert!(soon(turn(1, 2)).await.is_err(), "the server's second waits");
        let elsewhere = soon(turn(2, 3)).await.unwrap().unwrap();
        drop(first);
        let next = soon(turn(1, 2)).await.unwrap().unwrap();
        drop((next, elsewhere));
        assert!(soon(turn(2, 3)).await.unwrap().is_ok());
        assert_eq!(
            documents.turns().members.0.lock().unwrap().len(),
            1,
            "places that nobody has are forgotten"
        );
    }
}
