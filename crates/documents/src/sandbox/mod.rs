//! Runs code that a model wrote, in JavaScript, to find something out by computing it.
//!
//! Invariants:
//! * The code runs in a child process that is shut in (`confine`): it can reach no file, no network, no environment, no
//!   clock of the day and no other process, and has so much memory and so many seconds. The language that it is given has none
//!   of that either: no modules, no timers, dates only by name, and random numbers that are the same in each run.
//! * Whatever the code does is a result with a sentence that a model and a person understand. An error is only that the
//!   child could not be started.
//! * What it prints is untrusted, like the code, and bounded.
//!
//! Called by `steps`. [`run_in_child`] is called by `cli`, in the child.

mod child;
mod interpreter;

use std::{path::PathBuf, sync::Arc};

use thiserror::Error;
use tokio::sync::Semaphore;

pub use interpreter::run_in_child;

use crate::confine::{Bounds, Confine};
use domain::Ran;

/// The hidden subcommand that runs code in a child process.
pub const SUBCOMMAND: &str = "run-code";

/// Most memory of the child and seconds on the processor.
pub const BOUNDS: Bounds = Bounds { memory: 256 << 20, seconds: 5 };

/// Most of what is printed, and of the last expression's value, that is kept, in bytes.
pub const MAX_KEPT: usize = 16 << 10;

/// Longest code, in bytes.
pub const MAX_CODE: usize = 32 << 10;

/// Most that run at the same time.
const AT_ONCE: usize = 2;

/// What is said of code that took too much of it.
fn too_much_memory() -> String {
    format!("It was ended because it needed more than {} MB of memory.", BOUNDS.memory >> 20)
}

/// Code could not be run here at all, whatever it is.
#[derive(Debug, Error)]
#[error("the process that runs code could not be started: {0}")]
pub struct SandboxError(#[from] std::io::Error);

/// Runs code. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sandbox {
    program: PathBuf,
    confine: Confine,
    places: Arc<Semaphore>,
}

impl Sandbox {
    /// `program`: this program's file, which is started anew for each piece of code.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self { program, confine: Confine::default(), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// The same, in a child that is shut in so.
    #[must_use]
    pub fn confined(self, confine: Confine) -> Self {
        Self { confine, ..self }
    }

    /// What comes of a piece of code.
    pub async fn run(&self, code: &str) -> Result<Ran, SandboxError> {
        if code.trim().is_empty() {
            return Ok(Ran::failed("There was no code to run."));
        }
        if code.len() > MAX_CODE {
            return Ok(Ran::failed(format!("The code is longer than {} kB.", MAX_CODE >> 10)));
        }
        // Nobody closes it.
        let _place = self.places.acquire().await.ok();
        Ok(child::run(&self.program, self.confine, code).await?)
    }
}
