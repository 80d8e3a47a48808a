//! The state file: threads and messages outlive the process, even when it is killed.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::Shared;
use super::snowflake::Id;
use super::world::{Saved, World};

/// How long changes are gathered before they are written.
const GATHER: Duration = Duration::from_millis(10);
/// How long at most.
const MOST: Duration = Duration::from_millis(150);

/// Where the bytes of attachments lie, one file each.
fn folder(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".files");
    name.into()
}

/// Reads the state into the world. False when there is none yet.
pub(super) fn load(world: &mut World, path: &Path) -> anyhow::Result<bool> {
    private(path)?;
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let saved: Saved<'_> = serde_json::from_slice(&bytes).with_context(|| {
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

/// What an earlier version left open to others is its owner's alone from now on, and half-written files are taken away.
fn private(path: &Path) -> anyhow::Result<()> {
    let folder = folder(path);
    let inside = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    for file in inside.chain([PathBuf::from(draft), path.to_owned(), folder.clone()]) {
        if !file.exists() {
            continue;
        }
        if file.extension().is_some_and(|ending| ending == "new") {
            std::fs::remove_file(&file)?;
            continue;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = if file == folder { 0o700 } else { 0o600 };
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode))
                .with_context(|| format!("{} cannot be made private", file.display()))?;
        }
    }
    Ok(())
}

/// Waits until everything done so far is in the state file, if there is one: what the bot was told is done must
/// still be there after both were killed.
pub(super) async fn settled(shared: &Shared) {
    if shared.options.state_path.is_none() {
        return;
    }
    let version = *shared.world().changed.borrow();
    let mut saved = shared.saved.subscribe();
    let done = saved.wait_for(|saved| *saved >= version);
    // A disk that takes longer than this is reported where it is written to.
    let _ = tokio::time::timeout(Duration::from_secs(2), done).await;
}

/// Writes the state whenever it changed, until the stand-in stops.
pub(super) async fn keep(shared: Arc<Shared>, path: PathBuf) {
    let mut changed = shared.world().changed.subscribe();
    // Whatever happened before this task came to run counts too.
    changed.mark_changed();
    let mut stop = shared.stop.subscribe();
    let mut written: HashSet<Id> = shared.world().files.keys().copied().collect();
    let mut took = Duration::ZERO;
    loop {
        let last = tokio::select! {
            news = changed.changed() => news.is_err(),
            _ = stop.changed() => true,
        };
        if !last {
            // A large state takes longer to write, and is written less often.
            tokio::time::sleep(GATHER.max(took * 3).min(MOST)).await;
        }
        let began = Instant::now();
        let (state, place, known) = (shared.clone(), path.clone(), std::mem::take(&mut written));
        let job = tokio::task::spawn_blocking(move || {
            let mut known = known;
            let outcome = save(&state, &place, &mut known);
            (outcome, known)
        });
        let Ok((outcome, known)) = job.await else { return };
        written = known;
        took = began.elapsed();
        match outcome {
            Ok(version) => {
                shared.saved.send_replace(version);
            }
            Err(error) => {
                tracing::error!("the playground's state could not be written: {error:#}");
                shared.world().dirty = true;
            }
        }
        if last {
            return;
        }
    }
}

/// Writes what changed. Gives the number of the newest change that is in the file.
fn save(shared: &Shared, path: &Path, written: &mut HashSet<Id>) -> anyhow::Result<u64> {
    let (version, state, files, gone) = {
        let mut world = shared.world();
        let version = *world.changed.borrow();
        if !std::mem::take(&mut world.dirty) {
            return Ok(version);
        }
        let fresh = world.files.iter().filter(|(id, _)| !written.contains(id));
        let fresh: Vec<_> = fresh.map(|(id, bytes)| (*id, bytes.clone())).collect();
        let gone: Vec<Id> = written.iter().filter(|id| !world.files.contains_key(id)).copied().collect();
        (version, world.save()?, fresh, gone)
    };
    let folder = folder(path);
    if !files.is_empty() {
        let mut folders = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
        folders.recursive(true).create(&folder)?;
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
    Ok(version)
}

/// Puts new content in a file's place at once, so that a reader finds the old or the new, never a part.
fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let mut options = std::fs::File::options();
    options.write(true).create(true).truncate(true);
    // What people said here is their owner's alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut file| file.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))?;
    std::fs::rename(&draft, path).with_context(|| format!("cannot write {}", path.display()))
}
