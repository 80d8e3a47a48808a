//! A benchmark that anybody can run: questions with known answers, by several methods at equal budgets; and passages with
//! known verdicts, through the checks of the bot.
//!
//! Invariants: a share is told with the interval in which the true one lies, for so few questions say little, and that
//! shows; the exit code says how it ended: 0 done, 1 failed or a check was wrong, 2 wrong usage, settings or file.

mod answer;
mod ask;
mod bench;
mod citations;
mod debate;
mod interval;
mod method;
mod passage;
mod question;
mod record;
mod score;
mod scouts;
mod sitting;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use quorum::{
    app::terminal,
    cli,
    config::{Config, ConfigError},
};

use self::{bench::EvalOptions, method::Method, question::UnusableFile};

const FAILED: u8 = 1;
const WRONG: u8 = 1;
const UNUSABLE: u8 = 2;

/// Run questions with known answers by several methods, or passages with known verdicts through the checks.
#[derive(Debug, Parser)]
#[command(
    name = "eval",
    version,
    about,
    after_help = "Settings come from the environment and from .env, as those of quorum do."
)]
struct Arguments {
    /// The file: a JSON object a line, {"id", "question", "answer", "options", "facts"}
    file: PathBuf,
    /// The methods: single, majority, structured, adaptive, roundtable
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "single,majority,structured,adaptive,roundtable",
        value_parser = method
    )]
    methods: Vec<Method>,
    /// Tokens that each method has for a question
    #[arg(long, default_value_t = bench::TOKENS)]
    tokens: u64,
    /// Most minutes that a session has for a question
    #[arg(long, default_value_t = bench::MINUTES, value_parser = clap::value_parser!(u64).range(1..=1440))]
    minutes: u64,
    /// The file has passages, `{"id", "proposition", "text", "takes_a_side"}`: run the check of neutrality
    #[arg(long, conflicts_with = "citations")]
    neutrality: bool,
    /// The file has cited sentences, {"id", "page", "sentence", "verdict"}: run the audit's grounding
    #[arg(long)]
    citations: bool,
}

fn method(name: &str) -> Result<Method, String> {
    name.trim()
        .parse()
        .map_err(|_| format!("a method is one of {}", Method::ALL.map(Method::name).join(", ")))
}

fn main() -> ExitCode {
    // Sessions start this program's own file for each piece of code that is run.
    match cli::child().unwrap_or_else(|| run(Arguments::parse())) {
        Ok(code) => code,
        Err(error) => {
            terminal::note(format_args!("eval: {error:#}"));
            let unusable = error.is::<ConfigError>() || error.is::<UnusableFile>();
            ExitCode::from(if unusable { UNUSABLE } else { FAILED })
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    cli::serve(Config::load()?, async |config| {
        let file = &arguments.file;
        let clean = if arguments.neutrality {
            debate::neutrality(config, file).await?
        } else if arguments.citations {
            citations::citations(config, file).await?
        } else {
            let Arguments { methods, tokens, minutes, .. } = &arguments;
            let patience = Duration::from_mins(*minutes);
            let options = EvalOptions { methods: methods.clone(), tokens: *tokens, patience };
            bench::run(config, file, &options).await?;
            true
        };
        Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
    })
}
