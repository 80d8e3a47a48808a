//! The stand-in for Discord over the wire: its rules, its gateway, its rate limits, its faults, its page's API.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests, and what serves them

mod files;
mod forums;
mod gateway;
mod interactions;
mod messages;
mod page;
mod pins;
mod roles;
mod threads;
mod wire;
