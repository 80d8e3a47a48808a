//! The numbers that Quorum promises, measured and printed beside what is allowed: `cargo bench`.
//!
//! Everything is real but the outside: the binary itself in a process of its own, TCP, a `SQLite` file on the
//! disk, the stand-in with Discord's rate limits on, and a model server that answers after a fixed time.
//! Measurements share the machine with whatever else runs on it, so the load is printed beside them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // what cannot be measured fails loudly
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(unreachable_pub)] // its files are its own

mod large;
mod load;
#[path = "../../tests/support/loopback.rs"]
mod loopback;
#[path = "../../tests/support/model.rs"]
mod model;
mod scene;
mod sleeping;
mod speed;
mod start;
mod table;

use table::Table;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let only = std::env::args().nth(1).filter(|name| !name.starts_with('-'));
        let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
        let mut table = Table::begin();
        if wanted("one") {
            speed::one_session(&mut table).await;
        }
        if wanted("first-card") {
            speed::first_card(&mut table).await;
        }
        if wanted("fifty") {
            speed::fifty_sessions(&mut table).await;
        }
        if wanted("start") {
            start::start_and_idle(&mut table).await;
        }
        if wanted("hundred") {
            load::hundred_sessions(&mut table).await;
        }
        if wanted("large") {
            large::large_journal(&mut table).await;
        }
        if wanted("sleeping") {
            sleeping::sleeping_sessions(&mut table).await;
        }
        table.print();
    });
}
