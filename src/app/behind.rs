//! Whether a database is older than what stands on Discord, for `doctor`: before anybody starts a bot on a file that was
//! restored. Nothing is changed, here or there.

use std::path::Path;

use tokio::time::timeout;

use super::doctor::{ANSWERS_WITHIN, where_to_look};
use crate::{
    config::Config,
    steps::{self, Behind, Lost},
    store::{KnownPosts, OpenThread, StoreError},
};
use discord::Discord;
use domain::{Pace, SessionId};

/// Most sessions whose threads are looked at.
const MOST: u32 = 50;

/// Most of them that are named.
const MOST_NAMED: usize = 10;

/// What was found in the threads.
#[derive(Default)]
struct Found {
    behind: Vec<(SessionId, Behind)>,
    /// Threads with nothing that the file does not know.
    known: usize,
    /// Threads that Discord does not show.
    hidden: usize,
    /// Whether there are more sessions than were looked at.
    more: bool,
}

/// Whether the threads of the sessions that are not over have posts that the database does not know. `None`: there are no
/// such sessions, or another check has said already why nobody can look.
pub(super) async fn threads(config: &Config) -> Option<Result<String, String>> {
    let token = config.token().ok()?.clone();
    let discord = Discord::new(config.discord.api.clone(), token, Pace::REAL).ok()?;
    let (known, mut open) = match open_threads(&config.database).await {
        Ok(open) => open,
        Err(error) => return Some(Err(format!("{} cannot be read: {error}", config.database.display()))),
    };
    if open.is_empty() {
        return None;
    }
    let mut found = Found { more: open.len() > MOST as usize, ..Found::default() };
    open.truncate(MOST as usize);
    for thread in open {
        let look = || where_to_look(&config.discord.api, config.discord.rest);
        match timeout(ANSWERS_WITHIN, steps::behind(&discord, &known, &thread)).await {
            Ok(Ok(Some(behind))) => found.behind.push((thread.session, behind)),
            Ok(Ok(None)) => found.known += 1,
            // It was deleted, or the bot may not read it.
            Ok(Err(Lost::Discord(error))) if error.is_final() => found.hidden += 1,
            Ok(Err(error)) => return Some(Err(format!("{error}. {}", look()))),
            Err(_) => {
                return Some(Err(format!(
                    "no answer came within {} s. {}",
                    ANSWERS_WITHIN.as_secs(),
                    look()
                )));
            }
        }
    }
    Some(told(&config.database, &found))
}

async fn open_threads(path: &Path) -> Result<(KnownPosts, Vec<OpenThread>), StoreError> {
    let known = KnownPosts::of_file(path).await?;
    let open = known.open_threads(MOST + 1).await?;
    Ok((known, open))
}

fn told(path: &Path, found: &Found) -> Result<String, String> {
    let Found { behind, known, hidden, more } = found;
    let hidden = match hidden {
        0 => String::new(),
        hidden => format!("; {hidden} more are deleted, or the bot may not read them"),
    };
    let more = match more {
        false => String::new(),
        true => format!("; only the {MOST} newest sessions that are not over were looked at"),
    };
    let aside = hidden + &more;
    let path = path.display();
    if behind.is_empty() {
        return Ok(format!(
            "nothing of ours that {path} does not know stands in threads of sessions that are not over (looked at: {known}){aside}"
        ));
    }
    let mut named: Vec<String> = behind
        .iter()
        .take(MOST_NAMED)
        .map(|(session, behind)| format!("session {session}: {behind}"))
        .collect();
    if let Some(others) = behind.len().checked_sub(MOST_NAMED).filter(|others| *others > 0) {
        named.push(format!("and {others} more"));
    }
    Err(format!(
        "{path} is behind: it is older than what stands in its sessions' threads ({} of {}). {}{aside}. End whatever else runs with this \
         bot's token. Then restore a newer copy, if there is one, or start with this one: what is there is recognised and \
         not posted again, what was asked of models since is asked and paid for again, and votes and notes given since \
         have to be given again",
        behind.len(),
        behind.len() + known,
        named.join(". ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::MessageId;

    #[test]
    fn what_was_not_looked_at_is_said_and_who_is_named_has_an_end() {
        let path = Path::new("quorum.db");
        let found = Found { known: 50, hidden: 2, more: true, ..Found::default() };
        assert_eq!(
            told(path, &found).unwrap(),
            "nothing of ours that quorum.db does not know stands in threads of sessions that are not over (looked at: 50); 2 more \
             are deleted, or the bot may not read them; only the 50 newest sessions that are not over were looked at"
        );
        let second = |n: u64| MessageId((n * 1000) << 22);
        let behind = Behind { posts: 3, known: second(1), newest: second(62) };
        let all = |n: u64| (0..n).map(|n| (SessionId::from_bits(n), behind)).collect();
        let said = told(path, &Found { behind: all(1), known: 4, ..Found::default() }).unwrap_err();
        assert!(
            said.starts_with(
                "quorum.db is behind: it is older than what stands in its sessions' threads (1 of 5)."
            ),
            "{said}"
        );
        assert!(
            said.contains(
                "is of 2015-01-01 00:00:01, the newest in the thread of 2015-01-01 00:01:02 (UTC). End"
            ),
            "{said}"
        );
        let said = told(path, &Found { behind: all(12), ..Found::default() }).unwrap_err();
        assert_eq!(said.matches("3 posts stand").count(), 10, "{said}");
        assert!(said.contains(". and 2 more. End"), "{said}");
    }
}
