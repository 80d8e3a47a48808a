//! Passages with known verdicts, and how often a check is wrong about them.

use serde::{Deserialize, Serialize};

use super::{
    interval::Share,
    question::{BrokenLine, cases},
    score::aligned,
};

/// A text of a moderator's, and whether it takes a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NeutralityCase {
    /// Its name, once in a file.
    pub id: String,
    /// What is debated.
    pub proposition: String,
    /// The text.
    pub text: String,
    /// Whether it takes a side.
    pub takes_a_side: bool,
}

/// A sentence that cites a page, and what that page says of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CitationCase {
    /// Its name, once in a file.
    pub id: String,
    /// The page's text.
    pub page: String,
    /// The sentence, without its mark.
    pub sentence: String,
    /// What the page says of it.
    pub verdict: Known,
}

/// What is known of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Known {
    /// The page says it.
    Supported,
    /// It says some of it.
    Partial,
    /// It does not say it.
    Unsupported,
}

impl NeutralityCase {
    fn parts(&self) -> Vec<(&'static str, &str)> {
        vec![("id", &self.id), ("proposition", &self.proposition), ("text", &self.text)]
    }

    /// Reads a file of them.
    pub(super) fn all(text: &str) -> Result<Vec<Self>, BrokenLine> {
        cases(text, Self::parts, |_| None, NOTHING)
    }
}

impl CitationCase {
    fn parts(&self) -> Vec<(&'static str, &str)> {
        vec![("id", &self.id), ("page", &self.page), ("sentence", &self.sentence)]
    }

    /// Reads a file of them.
    pub(super) fn all(text: &str) -> Result<Vec<Self>, BrokenLine> {
        cases(text, Self::parts, |_| None, NOTHING)
    }
}

/// What is said of a file without a case.
const NOTHING: &str = "there is nothing to check";

/// How a check fares: for each case whether something is wrong with it, and whether the check says so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    /// Fine, and so judged.
    clear: usize,
    /// Names of those that are fine and were held for wrong.
    alarms: Vec<String>,
    /// Wrong, and so judged.
    caught: usize,
    /// Names of those that are wrong and passed.
    missed: Vec<String>,
    /// Names of those on which it gave no verdict.
    silent: Vec<String>,
}

impl Tally {
    /// Counts a case; `found` is nothing where the check gives no verdict.
    pub(super) fn add(&mut self, id: &str, wrong: bool, found: Option<bool>) {
        match (wrong, found) {
            (_, None) => self.silent.push(id.to_owned()),
            (false, Some(false)) => self.clear += 1,
            (false, Some(true)) => self.alarms.push(id.to_owned()),
            (true, Some(true)) => self.caught += 1,
            (true, Some(false)) => self.missed.push(id.to_owned()),
        }
    }

    /// Whether it was wrong about none.
    #[must_use]
    pub(super) fn is_clean(&self) -> bool {
        self.alarms.is_empty() && self.missed.is_empty()
    }
}

/// A table of checks, and below it which cases they were wrong about.
#[must_use]
pub(super) fn told(tallies: &[(String, Tally)]) -> String {
    let head = ["check", "false alarms [95 %]", "misses [95 %]", "no verdict"].map(str::to_owned);
    let rows = tallies.iter().map(|(name, tally)| {
        let share = |wrong: usize, right: usize| Share::of(wrong, wrong + right).told();
        vec![
            name.clone(),
            share(tally.alarms.len(), tally.clear),
            share(tally.missed.len(), tally.caught),
            tally.silent.len().to_string(),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(rows).collect();
    let mut lines = vec![aligned(&rows)];
    for (name, tally) in tallies {
        for (what, ids) in
            [("false alarms", &tally.alarms), ("misses", &tally.missed), ("no verdict", &tally.silent)]
        {
            if !ids.is_empty() && ids.len() < 25 {
                lines.push(format!("  {name}, {what}: {}", ids.join(", ")));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_read_and_what_is_wrong_is_named_by_its_line() {
        let good = r#"{"id":"a","proposition":"P","text":"T","takes_a_side":true}"#;
        assert_eq!(NeutralityCase::all(good).unwrap().len(), 1);
        for (second, told) in [
            (good, "line 2 has the id a a second time"),
            (r#"{"id":"b","proposition":"P","text":" ","takes_a_side":true}"#, "line 2 has an empty text"),
            (
                r#"{"id":"b","proposition":"P","text":"T","takes_a_side":"no"}"#,
                "line 2 cannot be read: invalid type",
            ),
        ] {
            let error = NeutralityCase::all(&format!("{good}\n{second}")).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(NeutralityCase::all("").unwrap_err().to_string().contains("nothing to check"));
    }

    #[test]
    fn false_alarms_are_shares_of_what_is_fine_and_misses_of_what_is_not() {
        let mut tally = Tally::default();
        for (id, wrong, found) in [
            ("fine", false, Some(false)),
            ("fine-too", false, Some(false)),
            ("alarm", false, Some(true)),
            ("caught", true, Some(true)),
            ("missed", true, Some(false)),
            ("silent", true, None),
        ] {
            tally.add(id, wrong, found);
        }
        assert!(!tally.is_clean() && Tally::default().is_clean());
        insta::assert_snapshot!(
            "told",
            told(&[("phrases".to_owned(), tally), ("judge".to_owned(), Tally::default())])
        );
    }
}
