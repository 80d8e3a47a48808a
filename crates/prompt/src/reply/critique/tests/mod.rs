//! Replies as models write them, and what is made of them.

mod assessment;
mod segment;
mod self_critique;
