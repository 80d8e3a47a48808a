//! What was measured, as a table and a list of the worst.

use std::{collections::BTreeMap, time::Duration};

use crate::{child::Reading, words::Words};

/// A file with fewer words says little of how well it was read.
const FEW: usize = 50;

/// So many of the worst are listed.
const WORST: usize = 25;

/// Where more than this share of the words is nowhere in the reference, they may be nonsense.
const FOREIGN: f64 = 0.2;

/// A file.
pub struct Measured {
    name: String,
    reading: Reading,
    /// Words of the reference.
    words: Option<usize>,
    /// Which share of them was found.
    recall: f64,
    /// Which share of what was found the reference does not have.
    foreign: f64,
    /// Which share of the characters stands for unknown ones.
    unknown: f64,
}

impl Measured {
    /// A file that was read, beside what the reference makes of it.
    #[allow(clippy::cast_precision_loss)] // shares
    pub fn of(name: String, reading: Reading, reference: Option<&str>) -> Self {
        let text = reading.text.as_deref().unwrap_or_default();
        let own = Words::of(text);
        let other = reference.map(Words::of);
        let unknown = text.chars().filter(|&one| one == '\u{fffd}').count() as f64;
        Self {
            recall: other.as_ref().map_or(1.0, |other| other.found_in(&own)),
            foreign: other.as_ref().map_or(0.0, |other| 1.0 - own.found_in(other)),
            unknown: unknown / text.chars().count().max(1) as f64,
            words: other.map(|other| other.total),
            name,
            reading,
        }
    }

    fn counts(&self) -> bool {
        self.words.is_some_and(|words| words > FEW)
    }
}

/// Prints what became of the files of a format.
pub fn print(format: &str, mut files: Vec<Measured>) {
    println!("\n== {} ==", if format.is_empty() { "no extension" } else { format });
    let of = |what: &dyn Fn(&&Measured) -> bool| files.iter().filter(what).count();
    let read = of(&|file| file.reading.text.is_ok());
    println!("files {}, read {read}, refused {}", files.len(), files.len() - read);
    let mut kinds = BTreeMap::<&str, (usize, usize)>::new();
    for file in &files {
        if let Err(fault) = &file.reading.text {
            let (all, with_words) = kinds.entry(fault).or_default();
            *all += 1;
            *with_words += usize::from(file.counts());
        }
    }
    for (fault, (all, with_words)) in kinds {
        println!("  {fault}: {all}, of which the reference finds words in {with_words}");
    }
    let mut omitted = BTreeMap::<&str, usize>::new();
    for kind in files.iter().flat_map(|file| &file.reading.omitted) {
        *omitted.entry(kind).or_default() += 1;
    }
    for (kind, count) in omitted {
        println!("  named as not read, {kind}: {count} files");
    }
    let counted = of(&|file| file.counts());
    if counted > 0 {
        let words: usize = files.iter().filter(|file| file.counts()).filter_map(|file| file.words).sum();
        let mut recalls: Vec<f64> =
            files.iter().filter(|file| file.counts()).map(|file| file.recall).collect();
        recalls.sort_by(f64::total_cmp);
        #[allow(clippy::cast_precision_loss)] // a share
        let lost: f64 = files
            .iter()
            .filter(|file| file.counts())
            .map(|file| (1.0 - file.recall) * file.words.unwrap_or(0) as f64)
            .sum();
        println!("files with more than {FEW} words in the reference: {counted}, {words} words");
        println!("  recall at the median {:.4}, mean {:.4}", middle(&recalls), mean(&recalls));
        #[allow(clippy::cast_precision_loss)] // a share
        let share = lost / words as f64;
        println!("  words lost {:.2} %", share * 100.0);
        println!(
            "  below 0.9: {}, below half: {}, nothing: {}",
            of(&|file| file.counts() && file.recall < 0.9),
            of(&|file| file.counts() && file.recall < 0.5),
            of(&|file| file.counts() && file.recall == 0.0)
        );
        println!(
            "  more than {:.0} % of the words read are not in the reference: {}",
            FOREIGN * 100.0,
            of(&|file| file.counts() && file.foreign > FOREIGN)
        );
    }
    println!("  with unknown characters: {}", of(&|file| file.unknown > 0.0));
    let mut times: Vec<Duration> = files.iter().map(|file| file.reading.time).collect();
    times.sort();
    let mut memory: Vec<u64> = files.iter().map(|file| file.reading.memory).collect();
    memory.sort_unstable();
    println!(
        "  time p50 {:?}, p95 {:?}, most {:?}; memory p50 {} MiB, p95 {} MiB, most {} MiB",
        at(&times, 50),
        at(&times, 95),
        at(&times, 100),
        at(&memory, 50) / 1_024,
        at(&memory, 95) / 1_024,
        at(&memory, 100) / 1_024
    );
    files.sort_by(|one, other| one.recall.total_cmp(&other.recall));
    println!("  worst recall:");
    for file in files.iter().filter(|file| file.counts() && file.recall < 0.95).take(WORST) {
        let said = file.reading.text.as_ref().err().map_or("", |fault| fault.as_str());
        println!(
            "    {:.3} of {} words, {:.2} foreign, {:.2} unknown: {} {said} {}",
            file.recall,
            file.words.unwrap_or(0),
            file.foreign,
            file.unknown,
            file.name,
            file.reading.omitted.join(" ")
        );
    }
    files.sort_by(|one, other| other.foreign.total_cmp(&one.foreign));
    println!("  most foreign words:");
    for file in files.iter().filter(|file| file.counts() && file.foreign > FOREIGN).take(WORST) {
        println!("    {:.3} foreign, recall {:.3}: {}", file.foreign, file.recall, file.name);
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.reading.memory));
    println!("  most memory:");
    for file in files.iter().take(5) {
        println!("    {} MiB, {:?}: {}", file.reading.memory / 1_024, file.reading.time, file.name);
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.reading.time));
    println!("  most time:");
    for file in files.iter().take(5) {
        println!("    {:?}: {}", file.reading.time, file.name);
    }
}

fn at<T: Copy>(sorted: &[T], percent: usize) -> T {
    sorted[(sorted.len() - 1) * percent / 100]
}

fn middle(sorted: &[f64]) -> f64 {
    at(sorted, 50)
}

#[allow(clippy::cast_precision_loss)] // a mean
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
