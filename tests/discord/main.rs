//! The outbound door to Discord, over the wire, against small servers written for each test.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, its servers too")]

mod interactions;
mod limits;
mod messages;
mod playground;
mod server;
mod wire;
