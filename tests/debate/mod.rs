//! /debate over the wire: what the protocol promises, from the command to the closing line, what becomes of it when a
//! model fails, breaks a rule or takes a side, and what the team brings in.

mod broken;
mod brought;
mod neutral;
mod paper;
mod phases;
mod questions;
mod scene;
mod searched;
mod short;
