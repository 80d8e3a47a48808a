//! The child process in which code runs: it limits itself first, reads code, writes what comes of it.
//!
//! It writes what the code prints as it is printed, so that it is there whatever ends the child; a zero byte where the rest
//! is left out; and after one more, what came of it as JSON.

use std::{
    cell::RefCell,
    io::{Read as _, Write as _, stdin, stdout},
    mem::ManuallyDrop,
    rc::Rc,
};

use rquickjs::{
    Coerced, Context, Ctx, Error, Function, Result, Runtime, Value,
    context::{EvalOptions, intrinsic as part},
};
use serde::{Deserialize, Serialize};

use super::{BOUNDS, MAX_CODE, MAX_KEPT, too_much_memory};
use crate::confine::{self, Confine};

/// Most of the stack that the interpreter takes, in bytes: half of what the system gives a program, some thousand calls.
const STACK: usize = if cfg!(windows) { 512 << 10 } else { 4 << 20 };

/// What the places in the code are named by where it fails.
const FILE: &str = "code.js";

/// What the code finds beside the language itself.
const PRELUDE: &str = include_str!("prelude.js");

/// The parts of the language that are there. Not among them: what measures time.
type Language = (
    part::Eval,
    part::Date,
    part::RegExpCompiler,
    part::RegExp,
    part::Json,
    part::Proxy,
    part::MapSet,
    part::TypedArrays,
    part::Promise,
);

/// What came of some code, besides what it printed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub value: Option<String>,
    pub error: Option<String>,
    /// Bytes that were printed and not written.
    pub left_out: u64,
}

/// Why nothing is run where the system does not shut the process in.
const UNCONFINED: &str =
    "Code is not run on this machine: its system cannot shut in the process that would run it.";

/// What the hidden subcommand does: limits its own memory, time and files, reads code from standard input, runs it, and
/// writes what comes of it to standard output.
pub fn run_in_child(how: Confine) -> anyhow::Result<()> {
    let shut_in = confine::shut_in(BOUNDS, how)?;
    let mut code = String::new();
    stdin().lock().take(MAX_CODE as u64 + 1).read_to_string(&mut code)?;
    if !shut_in {
        return tell(&Outcome { value: None, error: Some(UNCONFINED.to_owned()), left_out: 0 });
    }
    let page = Rc::new(RefCell::new(Page::default()));
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(STACK);
    // Not cleared up: the process ends with it, and clearing up would count towards its seconds.
    let context = ManuallyDrop::new(Context::custom::<Language>(&runtime)?);
    let (value, error) = context.with(|ctx| match run(&ctx, code, &page) {
        Ok(value) => (value, None),
        Err(error) => (None, Some(sentence(&ctx, &error))),
    });
    let left_out = page.borrow().left_out;
    tell(&Outcome { value, error, left_out })
}

fn tell(outcome: &Outcome) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    out.write_all(b"\0")?;
    serde_json::to_writer(&mut out, outcome)?;
    out.flush()?;
    Ok(())
}

/// The value of the last expression.
fn run(ctx: &Ctx<'_>, code: String, page: &Rc<RefCell<Page>>) -> Result<Option<String>> {
    let page = page.clone();
    let write = Function::new(ctx.clone(), move |text: String| page.borrow_mut().print(&text))?;
    let show: Function = ctx.eval::<Function, _>(PRELUDE)?.call((write,))?;
    let mut options = EvalOptions::default();
    // As a program is read that asks for nothing else.
    options.strict = false;
    options.filename = Some(FILE.to_owned());
    let mut value: Value = ctx.eval_with_options(code, options)?;
    if let Some(promise) = value.as_promise() {
        value = match promise.finish() {
            // Nothing is left that could keep it.
            Err(Error::WouldBlock) => Value::new_undefined(ctx.clone()),
            kept => kept?,
        };
    }
    while ctx.execute_pending_job() {}
    if value.is_undefined() {
        return Ok(None);
    }
    Ok(Some(begin_of(&show.call::<_, String>((value,))?, MAX_KEPT)))
}

/// What went wrong, as a sentence: JavaScript's own words, with the line.
fn sentence(ctx: &Ctx<'_>, error: &Error) -> String {
    if !error.is_exception() {
        return format!("The code failed: {}", begin_of(&error.to_string(), 500));
    }
    if !ctx.has_exception() {
        // There was no room even for the error.
        return too_much_memory();
    }
    let thrown = ctx.catch();
    let words = match thrown.get::<Coerced<String>>() {
        Ok(words) => words.0,
        Err(_) => "it threw what cannot be shown".to_owned(),
    };
    let stack = thrown.as_exception().and_then(rquickjs::Exception::stack).unwrap_or_default();
    let place = line(&stack).map_or_else(String::new, |line| format!(" in line {line}"));
    // What was not even begun has no function on its stack.
    let unread = stack.trim_start().starts_with(&format!("at {FILE}:"));
    match words.split_once(": ") {
        Some(("InternalError", "out of memory")) => too_much_memory(),
        Some(("RangeError", "Maximum call stack size exceeded")) => {
            format!("The code was ended{place} because it nests or recurses too deep.")
        }
        Some(("SyntaxError", message)) if unread => {
            format!("The code is no JavaScript that can be run here{place}: {message}")
        }
        _ => format!("The code failed{place}: {}", begin_of(&words, 500)),
    }
}

/// The line of the code in which something was thrown, by its innermost call that is no part of the language itself.
fn line(stack: &str) -> Option<&str> {
    let (_, at) = stack.split_once(&format!("{FILE}:"))?;
    at.split(|c: char| !c.is_ascii_digit()).next().filter(|line| !line.is_empty())
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
