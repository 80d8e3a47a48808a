//! /critique over the wire: what the protocol promises, from the command to the closing line, on a short text and on a
//! long one, what becomes of it when a model fails, makes quotations up or praises, and what the team makes of it.
#![allow(unreachable_pub)] // a program of its own
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests

#[path = "../support/mod.rs"]
mod support;

mod asked;
mod broken;
mod confirmed;
mod course;
mod estimated;
mod evidence;
mod put_together;
mod scene;
mod sections;
mod triaged;
mod ways_in;
mod worded;
