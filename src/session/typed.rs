//! What members type and bring: refused with a sentence where it is longer, or more, than it may be.

use crate::{error::UserError, store::StoreError};
use domain::thousands;

/// Refuses a text of more than `most` characters; `what` names it in the sentence.
pub(super) fn fits(what: &str, text: &str, most: usize) -> anyhow::Result<()> {
    let count = text.chars().count();
    if count <= most {
        return Ok(());
    }
    let most = thousands(most as u64);
    UserError::of(format!(
        "The {what} has {count} characters; at most {most} fit. Shorten it and send it again; nothing was added."
    ))
}

/// An error of the store as one for whoever did it, where they did too much.
pub(super) fn told(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Quota(quota) => UserError(quota.to_string()).into(),
        other => other.into(),
    }
}
