//! Quorum: a Discord bot with which teams decide things well.

pub mod playground;
