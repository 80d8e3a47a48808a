//! What a team does in a critique: says what it makes of each finding, and looks behind the cards.
//!
//! Invariants: every press is applied once, however often it is delivered; of what members say of a finding the newest
//! press counts, in whatever order they arrive, and every word is kept; whoever may not do something, or does it too
//! early or too late, is told when and by whom it can be done and has changed nothing. Called by `bot`.

mod triage;

use super::{Sessions, brief};
use crate::store::SessionRow;
use domain::Protocol;

/// Whether a session is a critique.
pub(super) fn is_critique(row: &SessionRow) -> bool {
    row.protocol == Protocol::Critique
}
