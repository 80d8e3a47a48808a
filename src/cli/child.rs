//! The children that a program starts of its own file: for each document that is read, and each piece of code that is run.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use documents::{Confine, sandbox};

#[derive(Debug, Parser)]
struct ChildArguments {
    #[command(subcommand)]
    child: Child,
}

#[derive(Debug, Subcommand)]
enum Child {
    /// Read a document from standard input; the bot starts this for each one
    #[command(name = documents::SUBCOMMAND)]
    ReadDocument {
        /// Most time on the processor
        #[arg(default_value_t = documents::PROCESSOR_SECONDS)]
        seconds: u64,
        /// Say what it could do besides reading
        #[arg(long)]
        probe: bool,
        /// Read also where the system does not shut it in
        #[arg(long = documents::WEAK)]
        weak: bool,
        /// Hand over what has no text as pictures
        #[arg(long = documents::PICTURES)]
        pictures: bool,
    },
    /// Run code from standard input; the bot starts this for each piece
    #[command(name = sandbox::SUBCOMMAND)]
    RunCode {
        /// Run also where the system does not shut it in
        #[arg(long = documents::WEAK)]
        weak: bool,
    },
}

/// Does a child's work where the arguments of this process name one; gives nothing where they do not. Each program of which
/// sessions are part calls it before anything else: what reads untrusted bytes has no settings, no log and no threads.
#[must_use]
pub fn child() -> Option<anyhow::Result<ExitCode>> {
    // Anything else is for the program's own arguments, also what cannot be understood.
    let ended = match ChildArguments::try_parse().ok()?.child {
        Child::ReadDocument { probe: true, .. } => documents::probe_in_child(),
        Child::ReadDocument { seconds, weak, pictures, .. } => {
            documents::read_in_child(seconds, how(weak), pictures)
        }
        Child::RunCode { weak } => sandbox::run_in_child(how(weak)),
    };
    Some(ended.map(|()| ExitCode::SUCCESS))
}

fn how(weak: bool) -> Confine {
    if weak { Confine::Weakly } else { Confine::Strictly }
}
