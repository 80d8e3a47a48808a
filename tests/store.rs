//! The database, by its public functions, on real files: what must never be lost, doubled or exceeded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // tests, and what serves them

#[path = "store/account.rs"]
mod account;
#[path = "store/before_critiques.rs"]
mod before_critiques;
#[path = "store/before_debates.rs"]
mod before_debates;
#[path = "store/before_votes.rs"]
mod before_votes;
#[path = "store/constraints.rs"]
mod constraints;
#[path = "store/earlier.rs"]
mod earlier;
#[path = "store/evidence.rs"]
mod evidence;
#[path = "store/fixture.rs"]
mod fixture;
#[path = "store/inbound.rs"]
mod inbound;
#[path = "store/journal.rs"]
mod journal;
#[path = "store/ledger.rs"]
mod ledger;
#[path = "store/lost.rs"]
mod lost;
#[path = "store/open.rs"]
mod open;
#[path = "store/opinion.rs"]
mod opinion;
#[path = "store/outbox.rs"]
mod outbox;
#[path = "store/question.rs"]
mod question;
#[path = "store/retention.rs"]
mod retention;
#[path = "store/session.rs"]
mod session;
#[path = "store/settings.rs"]
mod settings;
#[path = "store/state.rs"]
mod state;
#[path = "store/triage.rs"]
mod triage;
#[path = "store/upgrade.rs"]
mod upgrade;
#[path = "store/vote.rs"]
mod vote;
#[path = "store/wait.rs"]
mod wait;
#[path = "store/writer.rs"]
mod writer;
