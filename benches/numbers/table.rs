//! The table: what was measured beside what is allowed.

use std::{fs, time::Duration};

/// Rows in the order measured.
pub struct Table {
    load: String,
    rows: Vec<Row>,
}

struct Row {
    what: String,
    measured: String,
    limit: String,
    verdict: String,
}

/// A measured value and its limit, in one unit.
#[derive(Clone, Copy)]
pub struct Measured {
    /// What was measured.
    pub value: f64,
    /// What is allowed at most.
    pub limit: f64,
    /// `ms`, `%`, `MB`, …
    pub unit: &'static str,
}

impl Table {
    /// An empty table; notes how busy the machine is.
    pub fn begin() -> Self {
        Self { load: load(), rows: Vec::new() }
    }

    /// Adds a row that has a limit.
    pub fn check(&mut self, what: &str, measured: Measured) {
        let Measured { value, limit, unit } = measured;
        let verdict = if value <= limit {
            "holds".to_owned()
        } else {
            format!("misses by {}", show(value - limit, unit))
        };
        println!("  {what}: {} ({verdict})", show(value, unit));
        self.rows.push(Row {
            what: what.to_owned(),
            measured: show(value, unit),
            limit: show(limit, unit),
            verdict,
        });
    }

    /// Adds a row that says more about the one above it.
    pub fn note(&mut self, what: &str, measured: String) {
        println!("  {what}: {measured}");
        self.rows.push(Row {
            what: format!("  {what}"),
            measured,
            limit: String::new(),
            verdict: String::new(),
        });
    }

    /// Prints all of it.
    pub fn print(&self) {
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        println!("\n{:width$}  {:>20}  {:>9}", "what", "measured", "at most");
        for row in &self.rows {
            println!("{:width$}  {:>20}  {:>9}  {}", row.what, row.measured, row.limit, row.verdict);
        }
        let profile = if cfg!(debug_assertions) { "a debug build; figures mean little" } else { "release" };
        println!("\nLoad average {} at the start, {} at the end; {profile}.", self.load, load());
    }
}

fn show(value: f64, unit: &str) -> String {
    match unit {
        "" => format!("{value:.0}"),
        "ms" => format!("{value:.0} ms"),
        unit => format!("{value:.1} {unit}"),
    }
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(2).collect::<Vec<_>>().join(", ")
}

/// Milliseconds with their fraction.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The value below which so many per cent of all lie.
pub fn percentile(values: &[f64], per_cent: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let place = (sorted.len() as f64 * per_cent / 100.0).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}
