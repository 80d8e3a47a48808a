//! Whether the bot can do its work at this moment.

use futures::FutureExt as _;

use super::Sources;
use crate::store::Tally;

/// What keeps the bot from its work, a sentence each; none: it can. `tally` is what the database says, or why it does not.
pub(super) fn wrong(sources: &Sources, tally: Result<&Tally, &String>) -> Vec<String> {
    let Sources { store, connections, stop, .. } = sources;
    let mut wrong = Vec::new();
    if stop.is_cancelled() {
        wrong.push("the bot is stopping".to_owned());
    }
    let (served, wanted) = (connections.served(), connections.wanted());
    if wanted == 0 {
        wrong.push("not connected to Discord yet".to_owned());
    } else if served < wanted {
        wrong.push(format!("not connected to Discord: {served} of {wanted} connections are served"));
    }
    if connections.shared() {
        wrong.push(
            "another process answers for the same servers with the same token; stop one of them".to_owned(),
        );
    }
    if let Some(reason) = store.stopped().now_or_never() {
        wrong.push(format!("nothing can be written any more: {reason}"));
    } else if *store.waits_for_disk().borrow() {
        wrong.push(
            "the database cannot be written now (full, locked or broken); it is tried again".to_owned(),
        );
    }
    match tally {
        Err(problem) => wrong.push(format!("the database cannot be read: {problem}")),
        // The next write would find it out; until then nobody would know.
        Ok(tally) if tally.epoch != store.epoch() => {
            wrong.push("another Quorum process has taken over this database".to_owned());
        }
        Ok(_) => {}
    }
    wrong
}
