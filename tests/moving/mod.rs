//! A server moved from one file to another: all of it and nothing else, whenever the move is killed, and never in both.

mod refused;
mod rows;
mod whole;
