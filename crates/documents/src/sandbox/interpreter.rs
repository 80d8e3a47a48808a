//! The child process in which code runs: it limits itself first, reads code, writes what comes of it.
//!
//! It writes what the code prints as it is printed, so that it is there whatever ends the child; a zero byte where the rest
//! is left out; and after one more, what came of it as JSON.

use std::{
    borrow::Cow,
    io::{Read as _, Write as _, stdin, stdout},
};

use monty::MontyRun;
use monty_types::{
    CompileOptions, ExcType, MontyException, MontyObject, PrintWriter, PrintWriterCallback, ResourceTracker,
};
use serde::{Deserialize, Serialize};

use super::{BOUNDS, MAX_CODE, MAX_KEPT};
use crate::confine;

/// How deep calls may nest.
const DEPTH: usize = 500;

/// What came of some code, besides what it printed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub value: Option<String>,
    pub error: Option<String>,
    /// Bytes that were printed and not written.
    pub left_out: u64,
}

/// What the hidden subcommand does: limits its own memory, time and files, reads code from standard input, runs it, and
/// writes what comes of it to standard output.
pub fn run_in_child() -> anyhow::Result<()> {
    confine::shut_in(BOUNDS)?;
    let mut code = String::new();
    stdin().lock().take(MAX_CODE as u64 + 1).read_to_string(&mut code)?;
    let mut page = Page::default();
    let outcome = match run(code, &mut page) {
        Ok(value) => Outcome { value, error: None, left_out: page.left_out },
        Err(error) => Outcome { value: None, error: Some(sentence(&error)), left_out: page.left_out },
    };
    let mut out = stdout().lock();
    out.write_all(b"\0")?;
    serde_json::to_writer(&mut out, &outcome)?;
    out.flush()?;
    Ok(())
}

/// The value of the last line.
fn run(code: String, page: &mut Page) -> Result<Option<String>, MontyException> {
    let limits = monty_types::ResourceLimits { max_recursion_depth: DEPTH, ..Default::default() };
    let program = MontyRun::new(code, "code.py", Vec::new(), CompileOptions::default())?;
    let value = program.run(Vec::new(), ResourceTracker::new(limits), PrintWriter::Callback(page))?;
    Ok(match value {
        MontyObject::None => None,
        value => Some(begin_of(&value.py_repr(), MAX_KEPT)),
    })
}

/// What went wrong, as a sentence: Python's own words, with the line.
fn sentence(error: &MontyException) -> String {
    let line = error.traceback().last().map(|frame| frame.start.line);
    let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
    let message = error.message().unwrap_or_default();
    match error.exc_type() {
        ExcType::SyntaxError => format!("The code is no Python that can be run here{place}: {message}"),
        ExcType::ModuleNotFoundError | ExcType::ImportError => {
            format!("The code asks for a module that is not here{place}: {message}")
        }
        ExcType::RecursionError => {
            format!("The code was ended{place} because its calls nest deeper than {DEPTH}.")
        }
        ExcType::NotImplementedError if message.starts_with("OS function") => format!(
            "The code was ended{place}: it can reach no files, no network, no environment and no clock of this computer."
        ),
        _ => format!("The code failed{place}: {}", begin_of(&error.summary(), 500)),
    }
}

/// The beginning of a text, in bytes, with a sign where it is cut.
fn begin_of(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

/// Where the code prints: on standard output, until that is full.
#[derive(Default)]
struct Page {
    written: usize,
    left_out: u64,
}

impl Page {
    fn print(&mut self, text: &str) {
        let room = if self.left_out == 0 { MAX_KEPT - self.written } else { 0 };
        let fits = text.floor_char_boundary(room);
        // What is separated by zero bytes holds none.
        let (now, rest) = text.split_at(fits);
        let mut out = stdout().lock();
        // A parent that is gone reads nothing, and this process ends with it.
        let _ = out.write_all(now.replace('\0', "\u{fffd}").as_bytes());
        self.written += now.len();
        if !rest.is_empty() {
            if self.left_out == 0 {
                let _ = out.write_all(b"\0").and_then(|()| out.flush());
            }
            self.left_out = self.left_out.saturating_add(rest.len() as u64);
        }
    }
}

impl PrintWriterCallback for Page {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.print(&output);
        Ok(())
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.print(end.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}
