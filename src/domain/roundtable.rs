//! What a roundtable says: the gatekeeper's proposal, the experts' analyses and rebuttals, the notary's record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Allocation, Basis, ExpertPoints, Solution};

/// Fewest and most experts.
pub const EXPERTS: std::ops::RangeInclusive<usize> = 2..=5;
/// Longest role name, in characters.
pub const MAX_ROLE_NAME: usize = 80;
/// Longest role mission, in characters.
pub const MAX_ROLE_MISSION: usize = 600;

/// An expert's place at the table, from 1. Made by the system; nobody can edit it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExpertId(pub u8);

/// An expert: who it is and what it is for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Role {
    /// Which place.
    pub id: ExpertId,
    /// `Procurement lawyer`.
    pub name: String,
    /// What it looks at and for whom.
    pub mission: String,
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
    /// What the decision hangs on.
    pub dimensions: Vec<String>,
    /// Who should look at it, 2 to 5.
    pub roles: Vec<Role>,
    /// The model that answered; `None`: the gatekeeper failed and these are the stock roles.
    pub answered_by: Option<String>,
}

impl Proposal {
    /// The proposal with the roles as somebody wrote them, in boxes named `name-1`, `mission-1` and so on.
    pub fn edited(&self, written: &BTreeMap<String, String>) -> Result<Self, RoleError> {
        let mut edited = self.clone();
        for role in &mut edited.roles {
            let n = role.id.0;
            let text = |what: &str| written.get(&format!("{what}-{n}")).map_or("", |text| text.trim());
            let (name, mission) = (text("name"), text("mission"));
            let (long_name, long_mission) = (name.chars().count(), mission.chars().count());
            match (long_name, long_mission) {
                (0, _) => return Err(RoleError::NoName(n)),
                (MAX_ROLE_NAME_AND_MORE.., _) => return Err(RoleError::LongName(n, long_name)),
                (_, 0) => return Err(RoleError::NoMission(n)),
                (_, MAX_ROLE_MISSION_AND_MORE..) => return Err(RoleError::LongMission(n, long_mission)),
                _ => {}
            }
            (role.name, role.mission) = (name.to_owned(), mission.to_owned());
        }
        for (place, role) in edited.roles.iter().enumerate() {
            let same = |other: &&Role| other.name.to_lowercase() == role.name.to_lowercase();
            if let Some(twin) = edited.roles[..place].iter().find(same) {
                return Err(RoleError::Twice(twin.id.0, role.id.0));
            }
        }
        Ok(edited)
    }
}

const MAX_ROLE_NAME_AND_MORE: usize = MAX_ROLE_NAME + 1;
const MAX_ROLE_MISSION_AND_MORE: usize = MAX_ROLE_MISSION + 1;

/// Which of an expert's two turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Alone.
    Analysis,
    /// After reading the others.
    Rebuttal,
}

/// What an expert said in one of its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// Who.
    pub expert: ExpertId,
    /// Which turn.
    pub stage: Stage,
    /// What it recommends; in the rebuttal its final stance. Markdown.
    pub stance: String,
    /// The same in a sentence.
    pub summary: String,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
    /// The model the provider says answered.
    pub answered_by: String,
}

/// What the notary wrote down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Minutes {
    /// Where they agree, differ and why. Markdown.
    pub synthesis: String,
    /// The solutions that really appeared, with who raised each (role names).
    pub solutions: Vec<Solution>,
    /// The model that answered; `None`: the notary failed, and this is a plain summary of the experts' own words.
    pub answered_by: Option<String>,
}

/// An expert's points, as journaled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExpertScore {
    /// Who.
    pub expert: ExpertId,
    /// Its ten points.
    pub allocation: Allocation,
    /// Where they come from.
    pub basis: Basis,
    /// What decided between the solutions, in its words.
    pub reasoning: String,
}

/// The whole of a finished roundtable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Roundtable {
    /// The proposal as it was confirmed.
    pub proposal: Proposal,
    /// Analyses, then rebuttals.
    pub statements: Vec<Statement>,
    /// The notary's record.
    pub minutes: Minutes,
    /// The experts' points.
    pub points: Vec<ExpertPoints>,
    /// A sentence for each thing that was degraded.
    pub degraded: Vec<String>,
}
