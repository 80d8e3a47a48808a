//! `quorum export SESSION`: a report in files.

use std::path::{Path, PathBuf};

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
    let made = written(database, &copy, &session, to, audience).await;
    for ending in ["", "-wal", "-shm", ".lock"] {
        let mut left = copy.as_os_str().to_owned();
        left.push(ending);
        // Not there is as good as taken away.
        let _ = tokio::fs::remove_file(left).await;
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
    put(&folder, &files).await.with_context(|| format!("{} could not be written", folder.display()))?;
    Ok(folder)
}

async fn put(folder: &Path, files: &[File]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    for file in files {
        if let FileBody::Text(text) = &file.body {
            tokio::fs::write(folder.join(&file.name), text).await?;
        }
    }
    Ok(())
}
