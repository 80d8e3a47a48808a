//! The table: what was measured beside the goal, what is allowed at most, and what was measured when it was last recorded.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::machine::Machine;

/// Where the last recorded run stands; `--record` writes it.
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/numbers/recorded.json");

/// Rows in the order measured.
pub struct Table {
    machine: Machine,
    rows: Vec<Row>,
    recorded: BTreeMap<String, Recorded>,
}

struct Row {
    what: String,
    measured: String,
    goal: String,
    limit: String,
    verdict: String,
}

/// What a row was when it was last recorded.
#[derive(Serialize, Deserialize)]
struct Recorded {
    measured: String,
    /// `2026-11-25`.
    day: String,
}

/// A measured value, what is aimed at, and what is allowed, in one unit.
#[derive(Clone, Copy)]
pub struct Measured {
    /// What was measured.
    pub value: f64,
    /// What is aimed at, at most.
    pub goal: f64,
    /// What is allowed at most.
    pub limit: f64,
    /// `ms`, `%`, `MB`, …
    pub unit: &'static str,
}

impl Table {
    /// An empty table; looks at how busy the machine is, and how fast its disk.
    pub fn begin() -> Self {
        let recorded = fs::read_to_string(RECORDED).ok();
        let recorded = recorded.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let machine = Machine::look();
        machine.print();
        Self { machine, rows: Vec::new(), recorded }
    }

    /// Adds a row that has a goal and a limit.
    pub fn check(&mut self, what: &str, measured: Measured) {
        let Measured { value, goal, limit, unit } = measured;
        let verdict = match () {
            () if value <= goal => "reached".to_owned(),
            () if value <= limit => "holds".to_owned(),
            () => format!("misses by {}", show(value - limit, unit)),
        };
        println!("  {what}: {} ({verdict})", show(value, unit));
        let measured = show(value, unit);
        let (goal, limit) = (show(goal, unit), show(limit, unit));
        self.rows.push(Row { what: what.to_owned(), measured, goal, limit, verdict });
    }

    /// Adds a row that says more about the one above it.
    pub fn note(&mut self, what: &str, measured: String) {
        println!("  {what}: {measured}");
        let (what, goal, limit, verdict) = (format!("  {what}"), String::new(), String::new(), String::new());
        self.rows.push(Row { what, measured, goal, limit, verdict });
    }

    /// Prints all of it; `record`: and keeps it as the last recorded run.
    pub fn print(mut self, record: bool) {
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        println!("\n{:width$}  {:>20}  {:>9}  {:>9}  last recorded", "what", "measured", "goal", "at most");
        let (mut above, mut measured_now) = (String::new(), BTreeSet::new());
        for row in &self.rows {
            let key =
                if row.what.starts_with(' ') { format!("{above} ·{}", row.what) } else { row.what.clone() };
            if !row.what.starts_with(' ') {
                above.clone_from(&row.what);
            }
            let before = self.recorded.get(&key);
            let before = before.map_or_else(String::new, |last| format!("{} on {}", last.measured, last.day));
            let Row { what, measured, goal, limit, verdict } = row;
            println!("{what:width$}  {measured:>20}  {goal:>9}  {limit:>9}  {before}  {verdict}");
            if record {
                let now = Recorded { measured: measured.clone(), day: self.machine.day() };
                measured_now.insert(key.clone());
                self.recorded.insert(key, now);
            }
        }
        self.machine.print_end();
        if record {
            // What said more about a row and is measured no longer.
            self.recorded.retain(|key, _| {
                let of = key.split(" ·  ").next().unwrap_or_default();
                measured_now.contains(key) || !measured_now.contains(of)
            });
            let text = serde_json::to_string_pretty(&self.recorded).unwrap() + "\n";
            fs::write(Path::new(RECORDED), text).unwrap();
            println!("Recorded in {RECORDED}.");
        }
    }
}

fn show(value: f64, unit: &str) -> String {
    match unit {
        "" => format!("{value:.0}"),
        "ms" => format!("{value:.0} ms"),
        unit => format!("{value:.1} {unit}"),
    }
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
