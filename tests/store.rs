//! The database, by its public functions, on real files: what must never be lost, doubled or exceeded.

mod account;
mod before_critiques;
mod before_debates;
mod before_one_vote;
mod before_votes;
mod constraints;
mod earlier;
mod evidence;
mod fixture;
mod held_vote;
mod inbound;
mod journal;
mod ledger;
mod lost;
mod open;
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
