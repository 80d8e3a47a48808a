//! Sessions that begin in two steps: a command without its text, and *Ask the panel about this message*. What was chosen
//! and typed outlives a kill, starts one session, and is given back where it cannot be taken.

mod form;
mod message;
mod refused;
pub mod scene;
