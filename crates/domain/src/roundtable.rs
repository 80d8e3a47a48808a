//! What a roundtable begins with: the gatekeeper's proposal of who sits at the table.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ContextNote, ExpertPoints, ModelName, Solution, problem::is_blank};

/// Fewest and most experts.
pub const EXPERTS: std::ops::RangeInclusive<usize> = 2..=5;
/// Longest role name, in characters.
pub const MAX_ROLE_NAME: usize = 80;
/// Longest restated question, in characters.
pub const MAX_RESTATED: usize = 2_000;
/// Longest role mission, in characters.
pub const MAX_ROLE_MISSION: usize = 600;

/// An expert's place at the table, from 1. Made by the system; nobody can edit it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExpertId(pub u8);

/// As messages about a proposal spell it: `expert-1`.
impl fmt::Display for ExpertId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expert-{}", self.0)
    }
}

/// An expert: who it is and what it is for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Role {
    /// Which place.
    pub id: ExpertId,
    /// `Procurement lawyer`.
    pub name: String,
    /// What it looks at and for whom.
    pub mission: String,
    /// Which model plays it. Chosen by the system; nobody can edit it.
    pub model: ModelName,
}

/// Why a text is not a role; each says what is valid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RoleError {
    /// No name.
    #[error("Expert {0} has no name. Give it one of 1 to 80 characters, such as `Procurement lawyer`.")]
    NoName(u8),
    /// No mission.
    #[error("Expert {0} has no mission. Say in 1 to 600 characters what it should look at.")]
    NoMission(u8),
    /// Name too long.
    #[error("Expert {0}'s name has {1} characters; at most 80 fit.")]
    LongName(u8, usize),
    /// Mission too long.
    #[error("Expert {0}'s mission has {1} characters; at most 600 fit.")]
    LongMission(u8, usize),
    /// One line where a name and a mission below it were asked for.
    #[error(
        "Expert {0} has one line, and I cannot tell whether it is the name or the mission. Write the name on the first line, such as `Procurement lawyer`, and below it what the expert looks at."
    )]
    OneLine(u8),
    /// Nothing to decide.
    #[error("The question is empty. Say in a sentence or more what has to be decided.")]
    NoQuestion,
    /// Too long a question.
    #[error("The question has {0} characters; at most 2,000 fit.")]
    LongQuestion(usize),
    /// A line that names no expert and no model.
    #[error("`{0}` is no line of the table. Write an expert's number and a model, such as `1 openai/gpt-5`.")]
    Line(String),
    /// A model that this session may not use.
    #[error("`{0}` is no model of this session. It may use: {1}.")]
    UnknownModel(String, String),
    /// Too few experts, or too many.
    #[error("There would be {0} experts; a roundtable has 2 to 5.")]
    Seats(usize),
    /// Two experts of one name.
    #[error(
        "Experts {0} and {1} have the same name. Give each its own, so that everyone can tell them apart."
    )]
    Twice(u8, u8),
}

/// What the gatekeeper made of the problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// The problem, without ambiguity.
    pub restated: String,
    /// What only the team can say, and could turn the choice.
    #[serde(default)]
    pub open: Vec<String>,
    /// What the decision hangs on.
    pub dimensions: Vec<String>,
    /// Who should look at it, 2 to 5.
    pub roles: Vec<Role>,
    /// The models that experts may be given; empty until its session says which it has.
    pub models: Vec<ModelName>,
    /// The model that answered; `None`: the gatekeeper failed and these are the stock roles.
    pub answered_by: Option<String>,
}

impl Proposal {
    /// What somebody answered to its open points, each behind its question; nothing where nothing was answered. `answers` are
    /// in the order of the points.
    #[must_use]
    pub fn answered<'a>(&self, answers: impl Fn(usize) -> &'a str) -> Option<String> {
        let said = self.open.iter().enumerate().filter_map(|(place, point)| {
            let answer = answers(place).trim();
            (!is_blank(answer)).then(|| format!("{}{answer}", asked(point)))
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join("\n\n"))
    }

    /// Who answered each of its open points last, by their `notes`, oldest first; in the order of the points.
    #[must_use]
    pub fn answerers(&self, notes: &[ContextNote]) -> Vec<Option<String>> {
        let last = |point: &String| {
            let begins = asked(point);
            let answers = |note: &&ContextNote| note.text.split("\n\n").any(|part| part.starts_with(&begins));
            notes.iter().rev().find(answers).map(|note| note.author_name.clone())
        };
        self.open.iter().map(last).collect()
    }
}

/// How a note begins that answers an open point.
fn asked(point: &str) -> String {
    format!("Asked “{point}”: ")
}

/// All that was scored, as journaled with the points' card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scored {
    /// What was scored.
    pub solutions: Vec<Solution>,
    /// What each expert gave.
    pub experts: Vec<ExpertPoints>,
    /// What decided it for each, in the same order; empty where it gave no points.
    pub reasons: Vec<String>,
}
