//! What a session gave and said, for whoever audits it.

use domain::{Searching, Speech};

/// What an audit holds against what is cited and new.
pub(super) struct Said {
    /// Whether the session searched the web.
    pub(super) searching: Searching,
    /// What people gave it beside the problem, their notes and a document.
    pub(super) given: Vec<String>,
    /// What was said, in the order in which it came about, with the pages that it cites.
    pub(super) speeches: Vec<Speech>,
}
