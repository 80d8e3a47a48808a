//! The one place that speaks to the person at the terminal.

use std::fmt::Display;

/// A line of the answer, on standard output.
#[allow(clippy::print_stdout)] // here, and nowhere else, the program speaks to a person
pub fn say(line: impl Display) {
    println!("{line}");
}

/// A line about the work itself, on standard error.
#[allow(clippy::print_stderr)] // as above
pub fn note(line: impl Display) {
    eprintln!("{line}");
}
