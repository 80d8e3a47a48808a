//! What a session came to, for whoever reads nothing but its card.

use serde::{Deserialize, Serialize};

use super::{Decision, Vote};

/// What a session came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CameOut {
    /// In a few sentences, in the words of whoever wrote them; empty where nobody did.
    pub said: String,
    /// The vote on it. While it is open nobody's ballot is in it.
    pub vote: Vote,
    /// What was decided last, and how that turned out.
    pub decision: Option<Decision>,
}
