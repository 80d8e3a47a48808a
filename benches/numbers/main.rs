//! The numbers that Quorum promises, measured and printed beside what is aimed at and what is allowed: `cargo bench`.
//!
//! Everything is real but the outside: the binary itself in a process of its own, TCP, a `SQLite` file on the
//! disk, the stand-in with Discord's rate limits on, and a model server that answers after a fixed time.
//! Measurements share the machine with whatever else runs on it, so the load is printed beside them.
//!
//! `cargo bench --bench numbers -- fifty one` measures these rows alone; `--latency 10` has models answer after 10 ms
//! instead of a second; `build`, the whole program built from nothing, is measured only by its name; `--record` keeps what was measured as the last recorded run.
#![allow(clippy::unwrap_used, clippy::expect_used)] // what cannot be measured fails loudly
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(unreachable_pub)] // its files are its own

mod binary;
mod building;
mod large;
mod load;
#[path = "../../tests/support/loopback.rs"]
mod loopback;
mod machine;
#[path = "../../tests/support/model.rs"]
mod model;
mod scene;
mod sleeping;
mod speed;
mod start;
mod table;

use std::time::Duration;

use table::Table;

/// What can be measured, in this order.
const ROWS: [&str; 10] =
    ["one", "first-card", "fifty", "two-hundred", "start", "hundred", "large", "sleeping", "binary", "build"];
/// What takes too long to be measured each time.
const BY_NAME: &str = "build";

/// What a model takes to answer, where nothing else is asked for.
const LATENCY: Duration = Duration::from_secs(1);

fn main() {
    let (mut only, mut latency, mut record) = (Vec::new(), LATENCY, false);
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        match word.as_str() {
            // Cargo's own.
            "--bench" => {}
            "--record" => record = true,
            "--latency" => {
                let millis = given.next().and_then(|millis| millis.parse().ok());
                latency = Duration::from_millis(millis.expect("--latency takes milliseconds"));
            }
            name if ROWS.contains(&name) => only.push(word),
            _ => panic!("{word} is none of {}, --latency MILLISECONDS, --record", ROWS.join(", ")),
        }
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut table = Table::begin();
        for name in ROWS {
            let wanted = if only.is_empty() { name != BY_NAME } else { only.iter().any(|only| only == name) };
            if !wanted {
                continue;
            }
            match name {
                "one" => speed::one_session(&mut table, latency).await,
                "first-card" => speed::first_card(&mut table).await,
                "fifty" => speed::many_sessions(&mut table, 50, latency).await,
                "two-hundred" => speed::many_sessions(&mut table, 200, latency).await,
                "start" => start::start_and_idle(&mut table).await,
                "hundred" => load::hundred_sessions(&mut table).await,
                "large" => large::large_journal(&mut table).await,
                "sleeping" => sleeping::sleeping_sessions(&mut table).await,
                "binary" => binary::binary(&mut table),
                _ => building::building(&mut table),
            }
        }
        table.print(record);
    });
}
