//! What has been answered, in a file beside the questions: a line for each answer, so that none is asked for twice, whatever
//! ends the program.

use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use domain::Money;
use serde::{Deserialize, Serialize};

use super::{method::Method, question};

/// What came of a question by one method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Answered {
    /// The question's name.
    pub id: String,
    /// How it was answered.
    pub method: Method,
    /// By which models.
    pub models: Vec<String>,
    /// Of the question and how it was asked; another one is asked anew.
    pub version: String,
    /// The answer; nothing where none came within the budget.
    pub answer: Option<String>,
    /// Whether it is right.
    pub right: bool,
    /// Why there is none, or what was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Calls that were made.
    pub calls: u32,
    /// Tokens, in and out; nothing where a provider did not say.
    pub tokens: Option<u64>,
    /// What it cost; nothing where that is not known.
    pub money: Option<Money>,
    /// How long it took.
    pub seconds: f64,
}

/// The file of what was answered.
#[derive(Debug)]
pub(super) struct Record {
    file: File,
    path: PathBuf,
    done: Vec<Answered>,
}

/// Where answers to the questions of a file are kept: `questions.jsonl` has `questions.answers.jsonl`.
#[must_use]
pub(super) fn beside(questions: &Path) -> PathBuf {
    questions.with_extension("answers.jsonl")
}

/// A process that is being started holds what was open a moment longer, and the lock with it: so the lock is given back, not
/// only dropped.
impl Drop for Record {
    fn drop(&mut self) {
        // The file is closed in any case.
        let _ = self.file.unlock();
    }
}

impl Record {
    /// Opens the file, or begins it. A last line that was cut off when the program ended is taken away.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let told = || format!("the answers cannot be kept in {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(told)?;
        file.try_lock()
            .map_err(|_| anyhow::anyhow!("{} is in use: another `eval` writes to it", path.display()))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(told)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).with_context(told)?;
        }
        file.seek(SeekFrom::End(0)).with_context(told)?;
        let done = question::lines::<Answered>(text.get(..whole).unwrap_or_default()).map_err(|broken| {
            anyhow::anyhow!(
                "{}, {broken}. Mend that line, or move the file away to ask everything anew.",
                path.display()
            )
        })?;
        let done = done.into_iter().map(|(_, answered)| answered).collect();
        Ok(Self { file, path: path.to_owned(), done })
    }

    /// What was answered before and counts still. What brought no answer is asked for again.
    #[must_use]
    pub(super) fn find(
        &self,
        id: &str,
        method: Method,
        models: &[String],
        version: &str,
    ) -> Option<&Answered> {
        self.done.iter().rev().find(|done| {
            let same = done.id == id && done.method == method && done.models == models;
            same && done.version == version && done.answer.is_some()
        })
    }

    /// Keeps an answer; it is on the disk when this returns.
    pub(super) fn keep(&mut self, answered: Answered) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(&answered)?;
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("the answer cannot be kept in {}", self.path.display()))?;
        self.done.push(answered);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(id: &str) -> Answered {
        Answered {
            id: id.to_owned(),
            method: Method::Single,
            models: vec!["openai/alpha".to_owned()],
            version: "v".to_owned(),
            answer: Some("5".to_owned()),
            right: true,
            note: None,
            calls: 1,
            tokens: Some(90),
            money: None,
            seconds: 1.5,
        }
    }

    #[test]
    fn what_was_answered_is_found_again_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = beside(&folder.path().join("questions.jsonl"));
        assert!(path.ends_with("questions.answers.jsonl"));
        let mut record = Record::open(&path).unwrap();
        record.keep(answered("a")).unwrap();
        assert!(Record::open(&path).unwrap_err().to_string().contains("is in use"));
        drop(record);
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"id\":\"b\",\"met").unwrap();
        let mut record = Record::open(&path).unwrap();
        let models = ["openai/alpha".to_owned()];
        let found = |record: &Record, id: &str| record.find(id, Method::Single, &models, "v").cloned();
        assert_eq!(found(&record, "a"), Some(answered("a")));
        assert_eq!(found(&record, "b"), None);
        assert_eq!(record.find("a", Method::Majority, &models, "v"), None);
        assert_eq!(record.find("a", Method::Single, &models, "w"), None);
        record.keep(answered("b")).unwrap();
        drop(record);
        assert_eq!(found(&Record::open(&path).unwrap(), "b"), Some(answered("b")));
        std::fs::write(&path, "{}\n").unwrap();
        let error = Record::open(&path).unwrap_err().to_string();
        assert!(error.contains("line 1 cannot be read: missing field `id`"), "{error}");
    }
}
