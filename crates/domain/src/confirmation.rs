//! Confirmations: what people read, may change and let begin while the session waits for them, for at most a day.
//!
//! A new one is a case of [`WaitKind`] and of [`Confirmation`], its [`Terms`] beside its type, its card and form in
//! `render::confirmation`, and its buttons. Nothing else knows what is confirmed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{EnumString, IntoStaticStr};

use super::{Estimate, Proposal, Proposition, StepKey, TeamQuestion};

/// What a session that waits is to begin with once somebody confirms it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WaitKind {
    /// With the experts that were proposed.
    Roles,
    /// With a question to debate.
    Proposition,
    /// With what takes more than is taken without asking.
    Estimate,
    /// With the team's answer to a question, or without.
    Team,
}

/// What is said around a confirmation, and what can be done with it beside confirming it.
#[derive(Debug)]
pub struct Terms {
    /// The button that confirms it: `Go`.
    pub button: &'static str,
    /// What that button stands under: `the proposed roles`.
    pub under: &'static str,
    /// The phase that the live card shows meanwhile, by its number and title.
    pub phase: (u8, &'static str),
    /// What not everybody may do: `change or confirm these roles`.
    pub decide: &'static str,
    /// Said about it where a session has none.
    pub absent: &'static str,
    /// Said to whoever confirmed it.
    pub begins: &'static str,
    /// Stands on the card before the name of whoever confirmed it: `Confirmed`.
    pub confirmed: &'static str,
    /// Said to whoever comes after that, behind the name of whoever confirmed it.
    pub fixed: &'static str,
    /// How it can be changed first, if it can.
    pub edit: Option<Editing>,
}

/// What is said around the editing of a confirmation.
#[derive(Debug)]
pub struct Editing {
    /// The button that opens the form: `Edit roles`.
    pub button: &'static str,
    /// What it changes: `the roles`.
    pub what: &'static str,
    /// Said to whoever edited it.
    pub saved: &'static str,
    /// Said to whoever sent a form that a newer one has overtaken.
    pub late: &'static str,
    /// Said, behind the reason, to whoever wrote what cannot be taken.
    pub kept: &'static str,
}

impl WaitKind {
    /// As the database spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the database's spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// The step in which it is confirmed, and the panel that shows it.
    #[must_use]
    pub fn key(self) -> StepKey {
        StepKey::from(self.as_str())
    }

    /// What is said around it.
    #[must_use]
    pub fn terms(self) -> &'static Terms {
        match self {
            Self::Roles => &Proposal::TERMS,
            Self::Proposition => &Proposition::TERMS,
            Self::Estimate => &Estimate::TERMS,
            Self::Team => &TeamQuestion::TERMS,
        }
    }
}

/// What is confirmed, as it stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Confirmation {
    /// The question and who looks at it.
    Roles(Proposal),
    /// What is debated.
    Proposition(Proposition),
    /// What the session takes.
    Estimate(Estimate),
    /// What the team is asked.
    Team(TeamQuestion),
}

impl Confirmation {
    /// Reads what the database keeps of one.
    pub fn read(kind: WaitKind, draft: Value) -> serde_json::Result<Self> {
        Ok(match kind {
            WaitKind::Roles => Self::Roles(serde_json::from_value(draft)?),
            WaitKind::Proposition => Self::Proposition(serde_json::from_value(draft)?),
            WaitKind::Estimate => Self::Estimate(serde_json::from_value(draft)?),
            WaitKind::Team => Self::Team(serde_json::from_value(draft)?),
        })
    }

    /// The same as somebody wrote it into its form, by the names of the form's boxes; else why not, which says what is
    /// valid. An estimate has no form: it gets smaller.
    pub fn edited(&self, written: &BTreeMap<String, String>, by: &str) -> Result<Self, String> {
        match self {
            Self::Roles(proposal) => proposal.edited(written).map(Self::Roles).map_err(|why| why.to_string()),
            Self::Proposition(proposition) => {
                proposition.edited(written, by).map(Self::Proposition).map_err(|why| why.to_string())
            }
            Self::Estimate(estimate) => estimate.made_smaller().map(Self::Estimate),
            Self::Team(asked) => asked.edited(written, by).map(Self::Team).map_err(|why| why.to_string()),
        }
    }

    /// Why it cannot be confirmed as it stands, with what to do about it.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        match self {
            Self::Proposition(proposition) => proposition.cannot_start(),
            Self::Roles(_) | Self::Estimate(_) | Self::Team(_) => None,
        }
    }

    /// The question on which the team votes until it is confirmed. When it becomes another one, everybody votes again.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        match self {
            Self::Proposition(proposition) => Some(&proposition.question),
            Self::Roles(_) | Self::Estimate(_) | Self::Team(_) => None,
        }
    }
}

/// What became of what people were asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WaitOutcome {
    /// Nobody has answered yet.
    #[default]
    Open,
    /// Somebody of this name has.
    Answered(String),
    /// Nobody has in time.
    Expired,
    /// The session ended before.
    Ended,
}

/// How a confirmation stands, as far as its card shows it; by default as it is posted first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// What became of it.
    pub outcome: WaitOutcome,
    /// The edit that it shows; 0 before the first.
    pub revision: i64,
    /// How many have voted on its question.
    pub voted: usize,
    /// Who answered each open point of a proposed table, in their order.
    pub answered: Vec<Option<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_as_it_is_spelled_and_anything_else_is_none() {
        for kind in [WaitKind::Roles, WaitKind::Proposition, WaitKind::Estimate, WaitKind::Team] {
            assert_eq!(WaitKind::parse(kind.as_str()), Some(kind));
            assert_eq!(kind.key().as_str(), kind.as_str());
        }
        for other in ["", "pause", "Roles", "roles/1"] {
            assert_eq!(WaitKind::parse(other), None, "{other}");
        }
    }
}
