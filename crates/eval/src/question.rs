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

/// Reads the questions of a file.
pub(super) fn questions(text: &str) -> Result<Vec<EvalQuestion>, BrokenLine> {
    let mut ids = BTreeSet::new();
    let mut questions = Vec::new();
    for (line, question) in lines::<EvalQuestion>(text)? {
        let why = if question.id.trim().is_empty() {
            Some("has an empty id".to_owned())
        } else if question.question.trim().is_empty() {
            Some("has an empty question".to_owned())
        } else if question.answer.iter().all(|answer| answer.trim().is_empty()) {
            Some("has no answer that counts as right".to_owned())
        } else if !question.options.is_empty()
            && !question.options.iter().any(|option| super::answer::is_right(option, &question))
        {
            Some("has no option that is a right answer".to_owned())
        } else if !ids.insert(question.id.clone()) {
            Some(format!("has the id {} a second time", question.id))
        } else {
            None
        };
        if let Some(why) = why {
            return Err(BrokenLine { line, why });
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(BrokenLine { line: 1, why: "and all others are empty: there is no question".to_owned() });
    }
    Ok(questions)
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
