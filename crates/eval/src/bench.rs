//! Questions with known answers, by several methods at equal budgets.
//!
//! Invariants:
//! * A question that was answered is never asked again: each answer is on the disk before the next one is asked for.
//! * Every method has the same tokens for a question. What it used of them is told beside what it got right.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use domain::ModelName;
use indicatif::{ProgressBar, ProgressStyle};
use quorum::{
    app::terminal,
    config::{Config, Models},
};
use sha2::{Digest as _, Sha256};

use super::{
    answer,
    ask::{Asker, asker},
    method::Method,
    question::{self, EvalQuestion, read},
    record::{Answered, Record, beside},
    score,
    scouts::{self, Found},
    sitting::Hall,
};

/// Tokens that every method has for a question, unless it is said.
pub(super) const TOKENS: u64 = 60_000;

/// Minutes that a session has for a question, unless it is said. A model on one's own machine may need more.
pub(super) const MINUTES: u64 = 30;

/// How a benchmark is run.
#[derive(Clone, Debug)]
pub(super) struct EvalOptions {
    /// The ways that are compared.
    pub methods: Vec<Method>,
    /// Tokens that each has for a question.
    pub tokens: u64,
    /// Most time that a session has for a question.
    pub patience: Duration,
}

/// Has every question answered by every method that was not yet, and says what they come to.
pub(super) async fn run(config: Config, file: &Path, options: &EvalOptions) -> anyhow::Result<()> {
    let questions = read(file, question::questions).await?;
    let kept = beside(file);
    ensure!(kept != file, "the answers would be kept in {} itself; name it otherwise", file.display());
    let mut record = Record::open(&kept)?;
    let (models, asker) = asker(&config).await?;
    let panel: Vec<String> = models.panel.iter().map(ToString::to_string).collect();
    let bench = Bench { config: &config, models: &models, asker: &asker, options };
    let mut hall = None;
    let mut all = Vec::new();
    let bar = progress(questions.len() * options.methods.len());
    let mut now = 0;
    for question in &questions {
        for &method in &options.methods {
            let version = bench.version(question, method);
            bar.set_message(format!("{} by {}", question.id, method.name()));
            let done = record.find(&question.id, method, &panel, &version).cloned();
            let answered = if let Some(done) = done {
                done
            } else {
                now += 1;
                let begun = Instant::now();
                let found = bench.answer(question, method, (&mut hall, &kept)).await?;
                let Found { answer, note, took } = found;
                let answered = Answered {
                    id: question.id.clone(),
                    method,
                    models: panel.clone(),
                    version,
                    right: answer.as_ref().is_some_and(|answer| answer::is_right(answer, question)),
                    answer,
                    note,
                    calls: took.calls,
                    tokens: took.tokens,
                    money: took.money,
                    seconds: begun.elapsed().as_secs_f64(),
                };
                record.keep(answered.clone())?;
                answered
            };
            all.push(answered);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if let Some(hall) = hall {
        Hall::close(hall).await;
        sweep(&kept);
    }
    terminal::say(format_args!(
        "{} questions of {}, at most {} tokens each. Models: {}. Answered now: {now}; before: {}.\n",
        questions.len(),
        file.display(),
        options.tokens,
        panel.join(", "),
        all.len() - now,
    ));
    terminal::say(score::table(&score::scores(&all)));
    for answered in all.iter().filter(|answered| answered.note.is_some()) {
        let note = answered.note.as_deref().unwrap_or_default();
        terminal::say(format_args!("  {} by {}: {note}", answered.id, answered.method.name()));
    }
    terminal::say(format_args!("\nEvery answer is in {}.", kept.display()));
    Ok(())
}

/// What all questions are answered with.
struct Bench<'a> {
    config: &'a Config,
    models: &'a Models,
    asker: &'a Asker,
    options: &'a EvalOptions,
}

impl Bench<'_> {
    /// Of the question and how it is asked. A session that had too little time may be given more.
    fn version(&self, question: &EvalQuestion, method: Method) -> String {
        let mut hash = Sha256::new();
        hash.update(serde_json::to_vec(question).unwrap_or_default());
        hash.update(self.asker.prompts.version().0.as_bytes());
        hash.update(self.options.tokens.to_le_bytes());
        if method.sitting().is_some() {
            hash.update(self.options.patience.as_secs().to_le_bytes());
        }
        format!("{:x}", hash.finalize()).chars().take(12).collect()
    }

    async fn answer(
        &self,
        question: &EvalQuestion,
        method: Method,
        (hall, kept): (&mut Option<Hall>, &Path),
    ) -> anyhow::Result<Found> {
        let panel: &[ModelName] = &self.models.panel;
        let first = panel.first().context("no model is configured")?;
        let Some(sitting) = method.sitting() else {
            return Ok(match method {
                Method::Majority => scouts::majority(self.asker, panel, question, self.options.tokens).await,
                _ => scouts::single(self.asker, first, question).await,
            });
        };
        let hall = match hall {
            Some(hall) => hall,
            none => {
                sweep(kept);
                let opened = Hall::open(self.config, self.models, &database(kept), self.options).await;
                none.insert(opened.context("no session can be held")?)
            }
        };
        hall.answer(sitting, question, self.asker, &self.models.cheap).await
    }
}

/// The sessions' database, which is of no use once they are over.
fn database(kept: &Path) -> PathBuf {
    kept.with_extension("sessions.db")
}

fn sweep(kept: &Path) {
    for ending in ["", "-wal", "-shm", ".lock"] {
        let mut left = database(kept).into_os_string();
        left.push(ending);
        // Not there is as good as taken away.
        let _ = std::fs::remove_file(left);
    }
}

/// How far it is; nobody sees it where this is no terminal.
pub(super) fn progress(of: usize) -> ProgressBar {
    let bar = ProgressBar::new(of as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}, {eta} left: {msg}") {
        bar.set_style(style);
    }
    bar
}
