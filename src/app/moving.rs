//! `quorum move GUILD --from A.db --to B.db`: a server's data, from one file to another.

use std::path::Path;

use super::terminal;
use crate::{
    domain::GuildId,
    steps::now_ms,
    store::{Move, Moved},
};

/// Moves a server, while no bot runs on either file, and says what became of it.
pub async fn move_server(guild: GuildId, from: &Path, to: &Path) -> anyhow::Result<()> {
    let (old, new) = (from.display(), to.display());
    match Move::between(guild, from, to, now_ms()).await?.run().await? {
        Moved::Whole { sessions, rows } => terminal::say(format_args!(
            "Moved the server {guild} from {old} to {new} (sessions: {sessions}, rows in all: {rows}). Start its bot on {new} now."
        )),
        Moved::Finished => terminal::say(format_args!(
            "An earlier move of the server {guild} from {old} to {new} is finished now. Start its bot on {new} now."
        )),
        Moved::Before => terminal::say(format_args!(
            "The server {guild} was moved from {old} to {new} before; there is nothing left to do."
        )),
    }
    Ok(())
}
