//! What is wrong with the settings, all of it at once.

use std::fmt;

/// One setting that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The variable, or the line of `.env`.
    pub setting: String,
    /// What is wrong with it, as the rest of a sentence that begins with its name; never a secret's value.
    pub what: String,
    /// What to write instead.
    pub remedy: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}. {}", self.setting, self.what, self.remedy)
    }
}

/// Every problem found, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// In the order of the settings.
    pub problems: Vec<Problem>,
}

impl ConfigError {
    /// An error of one problem.
    #[must_use]
    pub fn one(setting: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            problems: vec![Problem { setting: setting.to_owned(), what: what.into(), remedy: remedy.into() }],
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => write!(f, "{only}"),
            all => {
                write!(f, "{} settings cannot be used:", all.len())?;
                all.iter().try_for_each(|problem| write!(f, "\n  * {problem}"))
            }
        }
    }
}

impl std::error::Error for ConfigError {}
