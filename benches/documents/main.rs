//! How much of real documents is read: `cargo bench --bench documents -- FOLDER [PROGRAM]`.
//!
//! Reads every file of a folder as the bot does, in a process of its own, and compares the words with those that a
//! reader of the field finds, where one is installed (`pdftotext` for PDF, `pandoc` for the others). With the file of
//! another build of Quorum as `PROGRAM`, that one is measured.
#![allow(clippy::unwrap_used, clippy::expect_used)] // what cannot be measured fails loudly
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(unreachable_pub)] // its files are its own

mod child;
mod reference;
mod report;
mod words;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use report::Measured;

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let Some(folder) = args.next() else {
        println!("Which folder? cargo bench --bench documents -- FOLDER [PROGRAM]");
        return;
    };
    let program = args.next().map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_quorum")), PathBuf::from);
    let mut files = below(Path::new(&folder));
    files.sort();
    println!("{} files below {folder}, read by {}", files.len(), program.display());
    let waiting = Mutex::new(files.into_iter());
    let measured = Mutex::new(BTreeMap::<String, Vec<Measured>>::new());
    thread::scope(|scope| {
        // As many at once as the bot reads.
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().unwrap().next();
                    let Some(file) = next else { break };
                    let (format, one) = measure(&program, &file);
                    measured.lock().unwrap().entry(format).or_default().push(one);
                }
            });
        }
    });
    for (format, files) in measured.into_inner().unwrap() {
        report::print(&format, files);
    }
}

/// All files of a folder and of those in it.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(below(&path)) } else { files.push(path) }
    }
    files
}

/// A file's format by its name, and what became of it.
fn measure(program: &Path, file: &Path) -> (String, Measured) {
    let format = file.extension().map(|format| format.to_string_lossy().to_lowercase()).unwrap_or_default();
    let bytes = std::fs::read(file).unwrap();
    let reading = child::read(program, &bytes);
    let reference = reference::text(&format, file);
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (format, Measured::of(name, reading, reference.as_deref()))
}
