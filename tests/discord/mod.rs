//! The outbound door to Discord, over the wire, against small servers written for each test.

mod interactions;
mod limits;
mod messages;
mod playground;
pub(crate) mod server;
mod wire;
