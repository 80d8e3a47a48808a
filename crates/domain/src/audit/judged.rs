//! What a model says where code cannot be certain.

use serde::{Deserialize, Serialize};

use super::ClaimVerdict;

/// What a model says of a sentence that cites a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Grounded {
    /// The sentence's number, from 1, among those that it was shown.
    pub claim: usize,
    /// Words of the page that the verdict goes by, as the model gives them.
    pub quotation: String,
    /// The verdict.
    pub verdict: ClaimVerdict,
}

/// What a model says of a figure or a name that nobody had before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// It is a fact that nothing before gives.
    New,
    /// It follows from what was known: a sum, a share, another unit.
    Follows,
    /// It asserts nothing: a proposal, a threshold, an assumption that is called one, a way of speaking.
    NoFact,
    /// The model passed over it.
    Unsaid,
}
