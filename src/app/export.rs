//! `quorum export SESSION`: a report in files.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow, ensure};
use chrono::Utc;

use super::terminal;
use crate::{
    config::Config,
    report::{Audience, slug},
    session::report_files,
    steps::now_ms,
    store::{Store, StoreError, StoreOptions},
};
use domain::{File, FileBody, SessionId};

/// Writes the report on a session that has ended to a folder of its own below `to`, also while the bot runs: what it
/// reads is a copy of the database.
pub async fn export(config: Config, session: &str, to: &Path, audience: Audience) -> anyhow::Result<()> {
    let database = &config.database;
    ensure!(database.exists(), "there is no database at {}; DATABASE_URL names it", database.display());
    let session = SessionId::parse(session.trim()).ok_or_else(|| {
        anyhow!("{session} is not a session's name: it has ten letters and digits, as /history shows them")
    })?;
    // Beside the database, which is known to take files of that size.
    let mut copy = database.as_os_str().to_owned();
    copy.push(format!(".export-{}", std::process::id()));
    let copy = PathBuf::from(copy);
    sweep(database);
    let (interrupted, _) = super::stop_on_signal();
    let made = tokio::select! {
        made = written(database, &copy, &session, to, audience) => made,
        () = interrupted.cancelled() => Err(anyhow!("it was interrupted; nothing was written")),
    };
    for ending in ["", "-wal", "-shm", "-journal", ".lock"] {
        let mut left = copy.as_os_str().to_owned();
        left.push(ending);
        // Not there is as good as taken away.
        let _ = std::fs::remove_file(left);
    }
    let folder = made?;
    terminal::say(format_args!("Wrote report.md, report.json and report.html to {}.", folder.display()));
    Ok(())
}

async fn written(
    database: &Path,
    copy: &Path,
    session: &SessionId,
    to: &Path,
    audience: Audience,
) -> anyhow::Result<PathBuf> {
    Store::backup(database, copy)
        .await
        .with_context(|| format!("the database {} could not be read", database.display()))?;
    let store = Store::open(copy, StoreOptions::default(), now_ms()).await?;
    let row = match store.session(session).await {
        Err(StoreError::Missing(_)) => {
            return Err(anyhow!("there is no session {session} in {}", database.display()));
        }
        row => row?,
    };
    let files = report_files(&store, &row, audience).await?;
    let folder = to.join(slug(&row.title, session)).join(Utc::now().format("%Y-%m-%dT%H-%M-%SZ").to_string());
    let put = put(&folder, &files);
    if put.is_err() {
        // A disk that is full leaves no half of it.
        let _ = std::fs::remove_dir_all(&folder);
    }
    put.with_context(|| format!("{} could not be written", folder.display()))?;
    Ok(folder)
}

/// Writes the files, all of them or none: no signal ends the process in between. They are their owner's alone.
fn put(folder: &Path, files: &[File]) -> std::io::Result<()> {
    let (mut folders, mut options) = (std::fs::DirBuilder::new(), std::fs::File::options());
    folders.recursive(true);
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        folders.mode(0o700);
        options.mode(0o600);
    }
    folders.create(folder)?;
    for file in files {
        if let FileBody::Text(text) = &file.body {
            options.open(folder.join(&file.name))?.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

/// Takes away the copies of a database that exports left which were killed: those of processes that are no more.
pub(super) fn sweep(database: &Path) {
    let Some(name) = database.file_name().and_then(|name| name.to_str()) else { return };
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let copies = format!("{name}.export-");
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = file.file_name();
        let Some(rest) = file_name.to_str().and_then(|name| name.strip_prefix(&copies)) else { continue };
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (process, ending) = rest.split_at(digits);
        let is_ours = ["", "-wal", "-shm", "-journal", ".lock"].contains(&ending);
        if digits > 0 && is_ours && !lives(process, &file) {
            tracing::warn!(file = %file.path().display(), "an export was interrupted; its copy of the database is taken away");
            let _ = std::fs::remove_file(file.path());
        }
    }
}

/// Whether the process that made a copy may still be at it. Where the system does not tell, it has an hour.
fn lives(process: &str, file: &std::fs::DirEntry) -> bool {
    if Path::new("/proc/self").exists() {
        return Path::new("/proc").join(process).exists();
    }
    let age = file.metadata().and_then(|data| data.modified()).map(|at| at.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age < Duration::from_hours(1))
}
