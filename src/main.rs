//! The `quorum` program.

fn main() {}
