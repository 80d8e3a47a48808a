//! The questions of a benchmark: one a line, each with the answers that count as right.

use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A question with a known answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvalQuestion {
    /// Its name, once in a file.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// The forms of the right answer: `["12.5", "12 1/2"]`, or one alone.
    #[serde(deserialize_with = "one_or_more")]
    pub answer: Vec<String>,
    /// What may be answered, where that is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What is known besides, of which each expert knows one piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
}

impl EvalQuestion {
    fn parts(&self) -> Vec<(&'static str, &str)> {
        vec![("id", &self.id), ("question", &self.question)]
    }

    /// What the expert at a place knows besides the question, where each knows one piece.
    #[must_use]
    pub(super) fn known_to(&self, place: usize) -> &[String] {
        match self.facts.len() {
            0 => &[],
            facts => {
                let at = place % facts;
                self.facts.get(at..=at).unwrap_or_default()
            }
        }
    }
}

/// Largest file, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// A file that cannot be used, as a sentence.
#[derive(Debug, Error)]
#[error("{} cannot be used: {why}", .file.display())]
pub(super) struct UnusableFile {
    file: PathBuf,
    why: String,
}

/// A line of a file that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) struct BrokenLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BrokenLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} {}", self.line, self.why)
    }
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        More(Vec<String>),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::One(one) => vec![one],
        Given::More(more) => more,
    })
}

/// Reads a file of one JSON object a line.
pub(super) async fn read<T>(file: &Path, parse: impl Fn(&str) -> Result<T, BrokenLine>) -> anyhow::Result<T> {
    let unusable = |why: String| UnusableFile { file: file.to_owned(), why };
    let size = tokio::fs::metadata(file).await.map_err(|error| unusable(error.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(unusable(format!("it is larger than {} MB", MOST_BYTES >> 20)).into());
    }
    let bytes = tokio::fs::read(file).await.map_err(|error| unusable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unusable("it is no text in UTF-8".to_owned()))?;
    Ok(parse(&text).map_err(|broken| unusable(broken.to_string()))?)
}

/// Reads the lines of such a file; empty ones are passed over.
pub(super) fn lines<T: serde::de::DeserializeOwned>(text: &str) -> Result<Vec<(usize, T)>, BrokenLine> {
    let full =
        (1..).zip(text.trim_start_matches('\u{feff}').lines()).filter(|(_, text)| !text.trim().is_empty());
    full.map(|(line, text)| match serde_json::from_str(text) {
        Ok(value) => Ok((line, value)),
        Err(error) => Err(BrokenLine { line, why: format!("cannot be read: {}", told(&error)) }),
    })
    .collect()
}

/// What serde says, without its own count of lines.
fn told(error: &serde_json::Error) -> String {
    let told = error.to_string();
    match told.rfind(" at line ") {
        Some(at) => format!("{} (column {})", told.get(..at).unwrap_or_default(), error.column()),
        None => told,
    }
}

/// Reads a file of cases, each with a name of its own, which is its first part, no part of it empty, and nothing else
/// wrong with it. `none` says what there is not where there is no case.
pub(super) fn cases<T: serde::de::DeserializeOwned>(
    text: &str,
    parts: impl Fn(&T) -> Vec<(&'static str, &str)>,
    wrong: impl Fn(&T) -> Option<&'static str>,
    none: &str,
) -> Result<Vec<T>, BrokenLine> {
    let (mut ids, mut cases) = (BTreeSet::new(), Vec::new());
    for (line, case) in lines::<T>(text)? {
        let parts = parts(&case);
        let id = parts.first().map(|(_, id)| (*id).to_owned()).unwrap_or_default();
        let empty = parts.iter().find(|(_, text)| text.trim().is_empty());
        let empty = empty.map(|(name, _)| format!("has an empty {name}"));
        let why = empty.or_else(|| wrong(&case).map(str::to_owned));
        if let Some(why) = why {
            return Err(BrokenLine { line, why });
        }
        if !ids.insert(id.clone()) {
            return Err(BrokenLine { line, why: format!("has the id {id} a second time") });
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(BrokenLine { line: 1, why: format!("and all others are empty: {none}") });
    }
    Ok(cases)
}

/// Reads the questions of a file.
pub(super) fn questions(text: &str) -> Result<Vec<EvalQuestion>, BrokenLine> {
    let wrong = |question: &EvalQuestion| {
        let right = |option: &String| super::answer::is_right(option, question);
        if question.answer.iter().all(|answer| answer.trim().is_empty()) {
            Some("has no answer that counts as right")
        } else if !question.options.is_empty() && !question.options.iter().any(right) {
            Some("has no option that is a right answer")
        } else {
            None
        }
    };
    cases(text, EvalQuestion::parts, wrong, "there is no question")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_read_and_what_is_wrong_is_named_by_its_line() {
        let good = r#"{"id":"a","question":"Q","answer":"1"}"#;
        let read = questions(&format!("\u{feff}{good}\n\n{{\"id\":\"b\",\"question\":\"Q\",\"answer\":[\"x\",\"y\"],\"options\":[\"X\",\"Z\"],\"facts\":[\"f\",\"g\"]}}\r\n")).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].answer, ["1"]);
        assert_eq!(
            (read[1].known_to(0), read[1].known_to(3)),
            (&["f".to_owned()][..], &["g".to_owned()][..])
        );
        assert!(read[0].known_to(2).is_empty());
        for (second, told) in [
            ("{", "line 3 cannot be read: EOF while parsing an object (column 1)"),
            ("[]", "line 3 cannot be read: "),
            (r#"{"id":"b","question":"Q"}"#, "missing field `answer`"),
            (r#"{"id":"b","question":"Q","answer":"1","anwser":"2"}"#, "unknown field `anwser`"),
            (r#"{"id":" ","question":"Q","answer":"1"}"#, "line 3 has an empty id"),
            (r#"{"id":"b","question":"","answer":"1"}"#, "line 3 has an empty question"),
            (r#"{"id":"b","question":"Q","answer":[]}"#, "line 3 has no answer that counts as right"),
            (r#"{"id":"b","question":"Q","answer":[" "]}"#, "line 3 has no answer that counts as right"),
            (
                r#"{"id":"b","question":"Q","answer":"x","options":["y"]}"#,
                "has no option that is a right answer",
            ),
            (good, "line 3 has the id a a second time"),
        ] {
            let error = questions(&format!("{good}\n\n{second}\n")).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(questions("\n \n").unwrap_err().to_string().contains("there is no question"));
    }
}
