//! How much of the disk is left, so that new sessions are refused before those that run have to wait for it, and that the
//! documents of one server take no more than a share of it, nor those of all.

use std::path::Path;

use sqlx::SqliteConnection;

use super::{Quota, StoreError};
use domain::GuildId;

/// Under so many bytes the disk is low, or under so small a part of it where that is less.
const LOW: (u64, u64) = (512 << 20, 20);
/// What the documents of one server may take of the disk: one in so many parts.
const SHARE: u64 = 20;
/// What the whole database may take before no more documents are taken in: strangers who bring ever new servers fill half of a
/// disk, and stop nobody who starts without a document.
const OF_ALL: u64 = 2;
/// What is smaller is not counted before it is taken.
const SMALL: usize = 64 << 10;

/// What the disk has, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// What is free for this process.
    pub free: u64,
    /// All of it.
    pub total: u64,
}

impl Space {
    /// That of the disk on which a database lies; `None` where the system does not tell.
    #[cfg(unix)]
    pub(super) fn of(database: &Path) -> Option<Self> {
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
        let disk = rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).ok()?;
        let (free, total) =
            (disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_blocks.saturating_mul(disk.f_frsize));
        // Some file systems of containers and networks say nothing, in zeros.
        (total > 0).then_some(Self { free, total })
    }

    /// Not looked for here.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Path) -> Option<Self> {
        None
    }

    /// Whether there is too little for a new session.
    fn is_low(self) -> bool {
        self.free < LOW.0.min(self.total / LOW.1)
    }
}

/// Refuses a new session with so many bytes of document where the disk is low, or where its server's documents, or those of all,
/// would take more than their share.
pub(super) async fn holds(
    tx: &mut SqliteConnection,
    guild: GuildId,
    space: Option<Space>,
    document: usize,
) -> Result<(), StoreError> {
    let Some(space) = space else { return Ok(()) };
    if space.is_low() {
        tracing::error!(
            free_mb = space.free >> 20,
            "the disk is low: no new session begins until there is more of it"
        );
        return Err(Quota::Disk.into());
    }
    if document <= SMALL {
        return Ok(());
    }
    let plans = "SELECT ifnull(sum(octet_length(plan)), 0) FROM session WHERE guild_id = ?1";
    let own: i64 = sqlx::query_scalar(plans).bind(guild).fetch_one(&mut *tx).await?;
    // Of the file, most is documents, and the prompts that they stand in.
    let file = "SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()";
    let all: i64 = sqlx::query_scalar(file).fetch_one(tx).await?;
    let with = |taken: i64| taken.cast_unsigned().saturating_add(document as u64);
    if with(own) > space.total / SHARE {
        return Err(Quota::Documents.into());
    }
    if with(all) > space.total / OF_ALL {
        tracing::error!("the database takes half of the disk: no session begins with a document");
        return Err(Quota::AllDocuments.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_low_by_a_part_of_it_or_by_what_it_has_left() {
        let low = |free: u64, total: u64| Space { free: free << 20, total: total << 20 }.is_low();
        assert!(low(511, 1 << 20) && !low(512, 1 << 20), "of a terabyte, half a gigabyte");
        assert!(low(49, 1_000) && !low(50, 1_000), "of a gigabyte, a twentieth");
        assert!(Space::of(Path::new("quorum.db")).is_some_and(|space| space.total >= space.free));
        assert_eq!(Space::of(Path::new("/no/such/folder/quorum.db")), None);
    }
}
