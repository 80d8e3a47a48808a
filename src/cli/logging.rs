//! Where the log goes: standard error, as text or as a JSON object a line.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::{EnvFilter, fmt};

use crate::config::LogSettings;

/// Starts the log. Called once; a second call changes nothing.
pub(super) fn start(settings: &LogSettings) {
    let filter = EnvFilter::try_new(&settings.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let log = fmt().with_env_filter(filter).with_writer(stderr).with_ansi(stderr().is_terminal());
    // An error says that a log was started before, by a test for instance.
    let _ = if settings.json {
        log.json().flatten_event(true).with_current_span(true).try_init()
    } else {
        log.with_target(false).compact().try_init()
    };
}
