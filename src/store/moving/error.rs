//! Why a server is not moved, and what to do about it.

use std::path::PathBuf;

use thiserror::Error;

use crate::{
    domain::{GuildId, SessionId},
    store::{OpenError, StoreError},
};

/// Most sessions that a sentence names.
const NAMED: usize = 5;

/// Why a server is not moved. Both files are as they were then, or a repeated move goes on.
#[derive(Debug, Error)]
pub enum MoveError {
    /// There is no such file.
    #[error(
        "there is no database at {0}. Check the path; a bot makes a new file when it is started with DATABASE_URL set to it."
    )]
    Missing(PathBuf),
    /// Both are one file.
    #[error("{0} is named twice. A server is moved from one file to another.")]
    SameFile(PathBuf),
    /// A bot, or another move, has it open.
    #[error("a Quorum process is using {0}. Stop the bots of both files, then move the server again.")]
    InUse(PathBuf),
    /// One of them cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The server is not in the file that it is to be moved from.
    #[error(
        "{file} has nothing of the server {guild}. Check the server's number (Copy Server ID in Discord) and which file comes after --from."
    )]
    NotThere {
        /// Which.
        guild: GuildId,
        /// Where it is not.
        file: PathBuf,
    },
    /// The file that it is to be moved to has something of it already.
    #[error(
        "{file} has rows of the server {guild} already (first found in the table {table}), and two of them cannot be made one. Delete there what is not wanted (/privacy, by somebody who manages the server; the accounts of a day and a month go with these), or leave the server where it is."
    )]
    There {
        /// Which.
        guild: GuildId,
        /// Where it is.
        file: PathBuf,
        /// A table that has some of it.
        table: &'static str,
    },
    /// Some of its sessions are running.
    #[error(
        "{} of the server's sessions in {file} {} running ({}). Start its bot, let them end or pause them, stop it, then move the server again.",
        sessions.len(), if sessions.len() == 1 { "is" } else { "are" }, named(sessions)
    )]
    Running {
        /// Where they are.
        file: PathBuf,
        /// Which.
        sessions: Vec<SessionId>,
    },
    /// Another move of this server was cut off.
    #[error(
        "a move of the server {guild} from {from} to {file} was cut off. Finish that first: quorum move {guild} --from {from} --to {file}"
    )]
    Unfinished {
        /// Which.
        guild: GuildId,
        /// To where.
        file: PathBuf,
        /// From where.
        from: String,
    },
    /// A database did not do it.
    #[error("nothing was changed by this step of the move: {0}. Move the server again once that is mended.")]
    Store(#[from] StoreError),
}

fn named(sessions: &[SessionId]) -> String {
    let names: Vec<&str> = sessions.iter().take(NAMED).map(SessionId::as_str).collect();
    let more = if sessions.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}
