//! The program's parts, built once and put together. Called by `cli` with settings that can be used.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::{cli::LocalModel, config::Config};

/// What `quorum playground` was asked for.
#[derive(Debug)]
pub struct PlaygroundOptions {
    /// Where the page is served on 127.0.0.1; 0 takes a free port.
    pub port: u16,
    /// A small model that was started for it; it ends when this value is dropped.
    pub local_model: Option<LocalModel>,
    /// The database's file, apart from that of `quorum run`.
    pub db: PathBuf,
}

/// `quorum run`: the bot, until it is told to stop.
#[allow(clippy::unused_async)]
pub async fn run(config: Config) -> anyhow::Result<()> {
    config.token()?;
    bail!("the bot is not put together yet")
}

/// `quorum playground`: the stand-in, the bot against it, and the page, until they are told to stop.
#[allow(clippy::unused_async)]
pub async fn playground(_config: Config, _options: PlaygroundOptions) -> anyhow::Result<()> {
    bail!("the playground is not put together yet")
}

/// `quorum doctor`: tries everything that is configured and says what to do.
#[allow(clippy::unused_async)]
pub async fn doctor(_config: Config) -> anyhow::Result<()> {
    bail!("the doctor is not put together yet")
}

/// `quorum backup PATH`: a copy of the database as it is now, also while the bot runs.
#[allow(clippy::unused_async)]
pub async fn backup(_config: Config, _to: &Path) -> anyhow::Result<()> {
    bail!("the backup is not put together yet")
}
