//! Reads a document as the bot does: in a process of its own, over a pipe.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use documents::{PROCESSOR_SECONDS, SUBCOMMAND};
use serde_json::Value;

/// What the process answered, and what that took.
pub struct Reading {
    /// The text, or why there is none.
    pub text: Result<String, String>,
    /// What is named as not read.
    pub omitted: Vec<String>,
    /// How long it took.
    pub time: Duration,
    /// The most memory that it had, in KiB.
    pub memory: u64,
}

/// Reads a document.
pub fn read(program: &Path, bytes: &[u8]) -> Reading {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args([SUBCOMMAND, &PROCESSOR_SECONDS.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (peak, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let watch = thread::spawn({
        let (status, peak, over) =
            (format!("/proc/{}/status", child.id()), Arc::clone(&peak), Arc::clone(&over));
        move || {
            while !over.load(Ordering::Relaxed) {
                peak.fetch_max(highest(&status), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(2));
            }
        }
    });
    // One that has heard enough hangs up.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let mut answer = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answer).unwrap();
    let status = child.wait().unwrap();
    let time = begun.elapsed();
    over.store(true, Ordering::Relaxed);
    watch.join().unwrap();
    let line = answer.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let said: Value = serde_json::from_slice(line).unwrap_or_default();
    let (text, omitted) = match (&said["Ok"]["text"], &said["Err"]) {
        (Value::String(text), _) => {
            (Ok(text.clone()), said["Ok"]["omitted"].as_array().cloned().unwrap_or_default())
        }
        (_, Value::Null) => (Err(format!("ended: {status}")), Vec::new()),
        (_, fault) => (Err(fault.to_string().replace('"', "")), Vec::new()),
    };
    let omitted = omitted.iter().map(kind).collect();
    Reading { text, omitted, time, memory: peak.load(Ordering::Relaxed) }
}

/// What is omitted, without its pages.
fn kind(omitted: &Value) -> String {
    match omitted {
        Value::Object(kinds) => kinds.keys().next().cloned().unwrap_or_default(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// The most memory that a process has had, in KiB; nothing where the system does not say.
fn highest(status: &str) -> u64 {
    let status = fs::read_to_string(status).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
