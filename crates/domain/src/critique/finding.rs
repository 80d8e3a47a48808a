//! Findings: what is left of the trees once code has put them together, and the assessment of the whole.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ClaimEvidence, ClaimId, Confidence, Philosopher, SectionId};
use crate::{MAX_SOLUTIONS, Severity, StepKey};

/// Most findings that are put to the vote, the weightiest: as many as a vote can offer.
pub const MAX_FINDINGS: usize = MAX_SOLUTIONS;

/// A finding's place in its session, from 1, the weightiest first; shown as `F1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingId(pub u8);

impl FindingId {
    /// The key of its card: `finding/3`.
    #[must_use]
    pub fn key(self) -> StepKey {
        StepKey::new(format!("finding/{}", self.0))
    }

    /// The finding whose card has this key; nothing for a key that is not exactly one.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        let id = Self(key.strip_prefix("finding/")?.parse().ok()?);
        (id.0 > 0 && id.key().as_str() == key).then_some(id)
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}", self.0)
    }
}

/// What is wrong or missing in the text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Its place.
    pub id: FindingId,
    /// What it is about, in a few words.
    pub area: String,
    /// What is wrong or missing.
    pub critique: String,
    /// How much it matters: the highest among the claims it was merged from.
    pub severity: Severity,
    /// How sure it is: the highest among them.
    pub confidence: Confidence,
    /// Who holds it, each once, in the order of the council.
    pub held_by: Vec<Philosopher>,
    /// The passages it rests on, those that stand in the text first, each once.
    pub evidence: Vec<ClaimEvidence>,
    /// The claims it was merged from.
    pub claims: Vec<ClaimId>,
}

impl Finding {
    /// Whether none of its quotations stands in the text.
    #[must_use]
    pub fn is_unquoted(&self) -> bool {
        self.evidence.iter().all(|evidence| evidence.found.is_none())
    }
}

/// Two findings, or claims within them, of different members that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contradiction {
    /// The claim of the member who said so.
    pub first: ClaimId,
    /// The other's.
    pub second: ClaimId,
    /// The findings they went into, where they did.
    pub findings: Vec<FindingId>,
    /// What each claims, in their words.
    pub claims: (String, String),
    /// Why both cannot hold.
    pub why: String,
}

/// What code made of the trees.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Consolidated {
    /// The weightiest first; the first [`MAX_FINDINGS`] are put to the vote.
    pub findings: Vec<Finding>,
    /// Between members.
    pub contradictions: Vec<Contradiction>,
    /// Claims in all.
    pub claims: u32,
    /// Claims that fell below the floor.
    pub below_floor: u32,
    /// Claims that went into another's finding.
    pub merged: u32,
    /// Findings for which there is no number, beyond the first 255; they stay in the trees.
    pub lesser: u32,
}

impl Consolidated {
    /// The findings that matter most: those that are put to the vote, and worded for it.
    #[must_use]
    pub fn voted(&self) -> &[Finding] {
        voted(&self.findings)
    }
}

fn voted(findings: &[Finding]) -> &[Finding] {
    findings.get(..MAX_FINDINGS).unwrap_or(findings)
}

/// Sections that a member did not read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Skipped {
    /// The member who skipped something.
    pub member: Philosopher,
    /// Which, in their order.
    pub sections: Vec<SectionId>,
}

/// The assessment that people read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Assessment {
    /// In a few sentences of Markdown, impersonal.
    pub text: String,
    /// The findings, worded for the whole; what they rest on is as code made it.
    pub findings: Vec<Finding>,
    /// Between members.
    pub contradictions: Vec<Contradiction>,
    /// Sections that nobody read, and why not is in the plan or in the trees.
    pub unread: Vec<SectionId>,
    /// Members for whom no model answered.
    pub missing: Vec<Philosopher>,
    /// What single members did not read though others did, because the calls for it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Counts for the card.
    pub claims: u32,
    /// Claims below the floor.
    pub below_floor: u32,
    /// Claims that went into another's finding.
    pub merged: u32,
    /// Findings that stay in the trees.
    pub lesser: u32,
    /// Sentences that are personal, praise or advice, and stand all the same.
    pub marked: u32,
    /// The model that worded it; `None`: none could, or nothing was to be worded, and the words are code's and members'.
    pub answered_by: Option<String>,
}

impl Assessment {
    /// The findings that are put to the vote: those that matter most. The others are triaged and exported alike.
    #[must_use]
    pub fn voted(&self) -> &[Finding] {
        voted(&self.findings)
    }

    /// How many members read the text.
    #[must_use]
    pub fn readers(&self) -> usize {
        Philosopher::ALL.len() - self.missing.len().min(Philosopher::ALL.len())
    }

    /// Whether there is nothing to say against the text.
    #[must_use]
    pub fn no_findings(&self) -> bool {
        self.findings.is_empty()
    }
}
