//! The form of a decision record: what somebody wrote, and what it says once it is read.

mod picked;
mod review;
mod sides;

pub use picked::{Chosen, IN_OWN_WORDS, OWN_WORDS, Owner};
pub use review::last_day_named;
pub use sides::{MAX_OWN_WORDS, sides};

use chrono::NaiveDate;
use thiserror::Error;

use super::{SolutionId, Tally, Vote, one_line};

/// Longest reason, in characters.
pub const MAX_RATIONALE: usize = 1_000;
/// Longest dissent, in characters.
pub const MAX_DISSENT: usize = 700;
/// Longest sentence about how it turned out, in characters.
pub const MAX_OUTCOME: usize = 500;

/// What somebody wrote into the form, as it came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecisionDraft {
    /// One of the vote's solutions, or something else.
    pub chosen: Chosen,
    /// Why it is decided so. Where something else is chosen, its first line says what.
    pub rationale: String,
    /// Who sees to it.
    pub owner: Owner,
    /// `2027-03-01`, `1 March` or `in 3 weeks`; may be empty.
    pub review: String,
    /// Who disagrees and why; may be empty.
    pub dissent: String,
}

/// What the form says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// One of the vote's solutions.
    pub chosen: SolutionId,
    /// Not empty.
    pub rationale: String,
    /// Who sees to it, mentioned; may be empty.
    pub owner: String,
    /// When to ask how it turned out, seconds since 1970; in the future.
    pub review: Option<i64>,
    /// Who disagrees and why; may be empty.
    pub dissent: String,
}

/// Why a form cannot be taken. Each says what is valid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DecisionError {
    /// Not one of them.
    #[error("“{given}” is none of the solutions. Write a number, {valid}, or a solution's exact title.")]
    Unknown {
        /// What was written, short.
        given: String,
        /// `S1 to S4`.
        valid: String,
    },
    /// Not in the form's list, such as a solution of another vote.
    #[error(
        "What was chosen is none of this vote's solutions ({0}). Open the form again and choose one in its list, or “{IN_OWN_WORDS}”."
    )]
    NotListed(String),
    /// Something else, and not said what, or not why.
    #[error(
        "“{IN_OWN_WORDS}” is chosen. Write in the first line of “Why” what is decided, and below it the reason."
    )]
    NoOwnWords,
    /// Nobody that can be mentioned.
    #[error(
        "Who sees to it is no member that I know of. Open the form again and choose somebody, or nobody."
    )]
    NoMember,
    /// A title that several have.
    #[error("Several solutions have that title: {0}. Write the number of the one you mean.")]
    Ambiguous(String),
    /// No reason.
    #[error("The reason is empty. Write in a sentence or more why this was chosen.")]
    NoRationale,
    /// Too long.
    #[error("“{what}” has {given} characters; at most {most} fit. Shorten it.")]
    Long {
        /// The box.
        what: &'static str,
        /// Characters written.
        given: usize,
        /// Characters that fit.
        most: usize,
    },
    /// No date.
    #[error(
        "“{0}” is no date I can read. Write the day of the review as year-month-day, such as {1}, or as `1 March`, `in 3 weeks` or `in 2 months`, or leave it empty."
    )]
    NoDate(String, NaiveDate),
    /// A day that is over, or whose hour is.
    #[error(
        "{0} is not in the future. The review is asked for at 09:00 UTC of its day: write a later day, such as {1}, or leave it empty."
    )]
    Past(NaiveDate, NaiveDate),
    /// A day too far ahead.
    #[error("That review is more than five years ahead. Write a day up to {0}, or leave it empty.")]
    Far(NaiveDate),
}

impl DecisionDraft {
    /// Reads the form against the vote it is about. `now` is in seconds since 1970.
    ///
    /// # Errors
    /// Where something is missing, too long, or not to be understood.
    pub fn read(&self, vote: &Vote, now: i64) -> Result<Choice, DecisionError> {
        let chosen = match &self.chosen {
            Chosen::Named(text) => chosen(text, vote)?,
            Chosen::Picked(value) => picked::among(value, vote)?,
        };
        let rationale = within("Why", &self.rationale, MAX_RATIONALE)?;
        if rationale.is_empty() {
            return Err(DecisionError::NoRationale);
        }
        Ok(Choice {
            chosen,
            rationale,
            owner: self.owner.line()?,
            dissent: within("Who disagrees and why", &self.dissent, MAX_DISSENT)?,
            review: review::review(&self.review, now)?,
        })
    }
}

/// The solution to which the team gave most points, if there is exactly one.
#[must_use]
pub fn leading(vote: &Vote) -> Option<SolutionId> {
    let team = Tally::count(vote).team;
    let ranks = team.ranks();
    let mut first = vote.solutions.iter().zip(ranks).filter(|(_, rank)| *rank == 1);
    match (first.next(), first.next()) {
        (Some((only, _)), None) if team.voters > 0 => Some(only.id),
        _ => None,
    }
}

/// The numbers a vote's solutions have: `S1 to S4`.
#[must_use]
pub fn numbers(vote: &Vote) -> String {
    match &vote.solutions[..] {
        [] => "of which there are none".to_owned(),
        [only] => only.id.to_string(),
        [first, .., last] => format!("{} to {}", first.id, last.id),
    }
}

/// A text whose boxes were trimmed, if it is not too long.
fn within(what: &'static str, text: &str, most: usize) -> Result<String, DecisionError> {
    let text = text.trim();
    match text.chars().count() {
        given if given > most => Err(DecisionError::Long { what, given, most }),
        _ if text.chars().all(|c| c.is_whitespace() || c.is_control() || c == '\u{200b}') => {
            Ok(String::new())
        }
        _ => Ok(text.to_owned()),
    }
}

fn chosen(text: &str, vote: &Vote) -> Result<SolutionId, DecisionError> {
    let text = one_line(text);
    let digits = text.strip_prefix(['S', 's']).unwrap_or(&text).trim_start();
    let number: Option<u8> = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    if let Some(found) = vote.solutions.iter().find(|solution| Some(solution.id.0) == number) {
        return Ok(found.id);
    }
    let exact = |title: &str| one_line(title) == text;
    let alike = |title: &str| one_line(title).to_lowercase() == text.to_lowercase();
    for same in [&exact as &dyn Fn(&str) -> bool, &alike] {
        let found: Vec<SolutionId> =
            vote.solutions.iter().filter(|solution| same(&solution.title)).map(|s| s.id).collect();
        match &found[..] {
            [] => {}
            [only] => return Ok(*only),
            several => {
                let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
                return Err(DecisionError::Ambiguous(ids.join(", ")));
            }
        }
    }
    Err(DecisionError::Unknown { given: short(&text), valid: numbers(vote) })
}

/// So much of a text as an error quotes.
fn short(text: &str) -> String {
    let quoted: String = text.chars().take(60).collect();
    if quoted.len() < text.len() { format!("{quoted}…") } else { quoted }
}

#[cfg(test)]
mod tests;
