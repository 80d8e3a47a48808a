//! The command line: reads what is asked, the settings and nothing else, and calls `app`.
//!
//! Invariant: whatever fails, the person reads what happened and what to do, and the exit code says which
//! kind it was: 0 done, 1 failed or something found, 2 wrong usage, settings or file. Called by `main`.

mod child;
mod local_model;
mod logging;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::{
    app::{self, Fleet, PlaygroundOptions, SmallModel, terminal},
    config::{Config, ConfigError},
    report::{Audience, NoReport},
};
use domain::{AuditLayer, ShardRange};

pub use child::child;
pub use local_model::{LocalModel, LocalModelError, Weights};

/// How long tasks may take to end with the process.
const LEAVES_WITHIN: Duration = Duration::from_secs(2);

const FAILED: u8 = 1;
const FOUND: u8 = 1;
const UNUSABLE: u8 = 2;

/// A Discord bot with which teams decide things well.
#[derive(Debug, Parser)]
#[command(
    name = "quorum",
    version,
    about,
    after_help = "Settings come from the environment and from .env; .env.example explains each."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the bot (what happens without a command, too)
    Run,
    /// Try it here: a stand-in for Discord with a page, no account needed
    Playground {
        /// Port of the page on 127.0.0.1
        #[arg(long, default_value_t = 8787)]
        port: u16,
        /// Use a model on this computer, no key needed: a file of weights (.gguf), or a very small one that is fetched
        #[arg(long, value_name = "FILE.gguf", num_args = 0..=1, default_missing_value = "", value_parser = weights)]
        local_model: Option<Weights>,
        /// The playground's own database
        #[arg(long, value_name = "PATH", default_value = "playground.db")]
        db: PathBuf,
    },
    /// Set up: asks for the token and the keys, tries each, writes .env and says how to invite the bot
    Init,
    /// Check the token, permissions, keys, database and models, and say what to do
    Doctor {
        /// The shards of every process, to check that they are a whole: 0-1/4,2-3/4 (else those of `QUORUM_FLEET`)
        #[arg(long, value_name = "RANGE", value_delimiter = ',', value_parser = range)]
        ranges: Vec<ShardRange>,
        /// Their database files in the same order, to check that each server lies in one, and in the right one
        #[arg(long, value_name = "PATH", value_delimiter = ',')]
        databases: Vec<PathBuf>,
    },
    /// Write a report on a session that has ended: report.md, report.json, report.html
    Export {
        /// The session's name, ten letters and digits, as /history and the cards' last lines show it
        session: String,
        /// The folder in which the report's own is made
        #[arg(long, value_name = "FOLDER", default_value = "output")]
        to: PathBuf,
        /// For whom: `internal` has everything, `customer` only what came out
        #[arg(long, value_name = "KIND", default_value = "internal", value_parser = audience)]
        kind: Audience,
    },
    /// Check a report.json: prompts, citations, whether the pages are there and say it, facts out of nowhere
    Audit {
        /// The file, as `export` and /export write it for the team
        report: PathBuf,
        /// Only one of: 1 prompts, 2 citations, 3 pages reachable, 4 grounding, 5 consistency
        #[arg(long, value_name = "N", value_parser = layer)]
        layer: Option<AuditLayer>,
    },
    /// Copy the database to PATH, also while the bot runs
    Backup {
        /// Where to; nothing may be there yet
        path: PathBuf,
    },
    /// Delete from the database what this process does not serve, while no bot runs on it: for when ranges were cut anew
    Prune {
        /// Every server outside `QUORUM_SHARDS`, for good: the process that has its shard needs a copy of the file first
        #[arg(long, required = true)]
        outside_shards: bool,
    },
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    match child().unwrap_or_else(|| run(Arguments::parse().command.unwrap_or(Command::Run))) {
        Ok(code) => code,
        Err(error) => {
            terminal::note(format_args!("quorum: {error:#}"));
            let unusable = error.is::<ConfigError>() || error.is::<NoReport>();
            ExitCode::from(if unusable { UNUSABLE } else { FAILED })
        }
    }
}

fn range(text: &str) -> Result<ShardRange, String> {
    text.parse().map_err(|error| format!("it {error}"))
}

fn audience(kind: &str) -> Result<Audience, String> {
    kind.parse().map_err(|_| "it is `internal` or `customer`".to_owned())
}

fn weights(file: &str) -> Result<Weights, LocalModelError> {
    Weights::named((!file.is_empty()).then(|| Path::new(file)))
}

fn layer(number: &str) -> Result<AuditLayer, String> {
    let layer = number.parse().ok().and_then(AuditLayer::numbered);
    layer.ok_or_else(|| "it is a number from 1 to 5".to_owned())
}

/// The exit code of what looks for something.
fn found(anything: bool) -> ExitCode {
    if anything { ExitCode::from(FOUND) } else { ExitCode::SUCCESS }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    let config = match command {
        // What stands there may be what it mends.
        Command::Init => Config::load_with(&app::unnamed())?,
        _ => Config::load()?,
    };
    serve(config, async |config| {
        match command {
            Command::Run => app::run(config).await,
            Command::Playground { port, local_model, db } => {
                // Its server ends with this value, so it lives as long as the playground.
                let served = match &local_model {
                    Some(weights) => Some(LocalModel::start(weights, config.cache.as_deref()).await?),
                    None => None,
                };
                let small_model = served.as_ref().map(|served| SmallModel {
                    base: served.base.clone(),
                    model: served.model.clone(),
                    notice: served.notice.clone(),
                    document_chars: served.document_chars,
                });
                app::playground(config, PlaygroundOptions { port, small_model, db }).await
            }
            Command::Init => app::init().await,
            Command::Doctor { ranges, databases } => {
                Box::pin(app::doctor(config, Fleet { ranges, databases })).await
            }
            Command::Export { session, to, kind } => app::export(config, &session, &to, kind).await,
            Command::Audit { report, layer } => {
                return Ok(found(app::audit(config, &report, layer).await?));
            }
            Command::Backup { path } => app::backup(config, &path).await,
            Command::Prune { outside_shards: true } => app::prune_outside(config).await,
            // Refused by clap.
            Command::Prune { .. } => Ok(()),
        }?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Does what a program is started for: with the log that the settings want, and with threads, which end with it.
pub fn serve(
    config: Config,
    work: impl AsyncFnOnce(Config) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    logging::start(&config.log);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the program could not start its threads; the system is out of resources")?;
    let ended = runtime.block_on(work(config));
    // Whatever still runs does not keep the process: all that counts is on the disk.
    runtime.shutdown_timeout(LEAVES_WITHIN);
    ended
}
