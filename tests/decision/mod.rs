//! Decisions: recorded from a closed vote, posted and pinned, found again, reviewed; with the real bot, killed and
//! started again where that is the point.

mod carded;
mod found;
mod killed;
mod listed;
mod pinned;
mod recorded;
mod refused;
mod reviewed;
pub mod scene;
