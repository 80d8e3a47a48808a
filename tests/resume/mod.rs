//! Killed, cut off, paused, upgraded, taken over: a session goes on in the same thread, nothing twice and
//! nothing lost. The bot is the real one, killed by dropping its runtime or with SIGKILL; Discord, the models
//! and the database file survive it, and what they hold is what is checked.

mod barred;
mod cancelled;
mod changed;
mod clock;
mod controls;
mod critique;
mod critiqued;
mod debate;
mod debate_waits;
mod debated;
mod doing;
pub mod estimated;
pub mod investigated;
mod killed;
mod lost;
mod paused;
mod people;
#[cfg(target_os = "linux")]
mod power;
mod processes;
mod questions;
pub mod scene;
mod sleeping;
mod sweep;
mod table;
mod waiting;
mod whole;
