//! /critique over the wire: what the protocol promises, from the command to the closing line, on a short text and on a
//! long one, what becomes of it when a model fails, makes quotations up or praises, and what the team makes of it.

mod asked;
mod broken;
mod course;
mod estimated;
mod evidence;
mod put_together;
pub mod scene;
mod sections;
mod several;
mod triaged;
mod ways_in;
mod worded;
