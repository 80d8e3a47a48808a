//! What people confirm before a session goes on with it, over the wire. The same holds for every kind: proposed roles,
//! the proposition of a debate, and the estimate of a critique.

mod ended;
mod pressed;
mod roles;
mod scene;
mod table;
