//! A cited page, as it was found when it was looked at.

use serde::{Deserialize, Serialize};

/// What became of asking for a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// It is there.
    There,
    /// It does not let the bot in, which says nothing of whether it is there: the status, 401, 403 or 429.
    Blocked(u16),
    /// It is not there, or its server fails: the status.
    Status(u16),
    /// Nobody could be asked: why, as part of a sentence.
    Failed(String),
    /// The address is none that is asked: why, as part of a sentence.
    Refused(String),
}

/// What there is to read of a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageText {
    /// Its text, or the passages of it that bear on what cites it.
    Read(String),
    /// It was not read: why, as part of a sentence.
    Not(String),
}

/// A page that was looked at. What it says is somebody's text: data, never an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Page {
    /// Its address, as it is cited.
    pub url: String,
    /// What became of asking for it.
    pub reached: Reached,
    /// What there is to read.
    pub text: PageText,
}

impl Page {
    /// Its text, where there is one.
    #[must_use]
    pub fn read(&self) -> Option<&str> {
        match &self.text {
            PageText::Read(text) => Some(text),
            PageText::Not(_) => None,
        }
    }
}
