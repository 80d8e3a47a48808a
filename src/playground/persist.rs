//! The state file: threads and messages outlive the process, even when it is killed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::Shared;
use super::snowflake::Id;
use super::world::{Saved, World};

/// How long changes are gathered before they are written.
const GATHER: Duration = Duration::from_millis(30);

/// Where the bytes of attachments lie, one file each.
fn folder(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".files");
    name.into()
}

/// Reads the state into the world. False when there is none yet.
pub(super) fn load(world: &mut World, path: &Path) -> anyhow::Result<bool> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let saved: Saved = serde_json::from_slice(&bytes).with_context(|| {
        format!("{} is not a playground state; delete it to start afresh", path.display())
    })?;
    world.restore(saved);
    for entry in std::fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        let id = entry.file_name().to_str().and_then(|name| name.parse::<Id>().ok());
        if let (Some(id), Ok(bytes)) = (id, std::fs::read(entry.path())) {
            world.files.insert(id, bytes.into());
        }
    }
    Ok(true)
}

/// Writes the state whenever it changed, until the stand-in stops.
pub(super) async fn keep(shared: Arc<Shared>, path: PathBuf) {
    let mut changed = shared.world().changed.subscribe();
    let mut stop = shared.stop.subscribe();
    let mut written: HashSet<Id> = shared.world().files.keys().copied().collect();
    loop {
        let last = tokio::select! {
            news = changed.changed() => news.is_err(),
            _ = stop.changed() => true,
        };
        if !last {
            tokio::time::sleep(GATHER).await;
        }
        if let Err(error) = save(&shared, &path, &mut written) {
            tracing::error!("the playground's state could not be written: {error:#}");
        }
        if last {
            return;
        }
    }
}

fn save(shared: &Shared, path: &Path, written: &mut HashSet<Id>) -> anyhow::Result<()> {
    let (state, files, gone) = {
        let mut world = shared.world();
        if !std::mem::take(&mut world.dirty) {
            return Ok(());
        }
        let fresh = world.files.iter().filter(|(id, _)| !written.contains(id));
        let fresh: Vec<_> = fresh.map(|(id, bytes)| (*id, bytes.clone())).collect();
        let gone: Vec<Id> = written.iter().filter(|id| !world.files.contains_key(id)).copied().collect();
        (world.save()?, fresh, gone)
    };
    let folder = folder(path);
    if !files.is_empty() {
        std::fs::create_dir_all(&folder)?;
    }
    for (id, bytes) in files {
        replace(&folder.join(id.to_string()), &bytes)?;
        written.insert(id);
    }
    replace(path, &state)?;
    for id in gone {
        written.remove(&id);
        let _ = std::fs::remove_file(folder.join(id.to_string()));
    }
    Ok(())
}

/// Puts new content in a file's place at once, so that a reader finds the old or the new, never a part.
fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    std::fs::write(&draft, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    std::fs::rename(&draft, path).with_context(|| format!("cannot write {}", path.display()))
}
