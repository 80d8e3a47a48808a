//! The database, by its public functions, on real files: what must never be lost, doubled or exceeded.

mod account;
mod before_critiques;
mod before_debates;
mod before_votes;
mod constraints;
mod degraded;
mod earlier;
mod evidence;
mod fixture;
mod inbound;
mod journal;
mod ledger;
mod lost;
mod open;
mod opinion;
mod outbox;
mod question;
mod retention;
mod session;
mod settings;
mod state;
mod triage;
mod upgrade;
mod vote;
mod wait;
mod writer;
