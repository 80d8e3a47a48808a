//! Triage: what the team makes of each finding.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::{Finding, FindingId};
use crate::UserId;

/// What somebody said of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TriageVerdict {
    /// It holds, and something will be done.
    Accepted,
    /// It does not hold, or does not matter.
    Rejected,
    /// It was done.
    Fixed,
    /// What was said before is taken back.
    Open,
}

impl TriageVerdict {
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
}

/// Who said what of a finding, last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Triage {
    /// Of which.
    pub finding: FindingId,
    /// What the member decided.
    pub verdict: TriageVerdict,
    /// Who decided it.
    pub by: UserId,
    /// The name they went by.
    pub by_name: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A finding with what the team made of it.
#[derive(Clone, PartialEq, Debug)]
pub struct TriagedFinding<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// What was said last; `None`: nothing, or it was taken back.
    pub triage: Option<&'a Triage>,
}

impl<'a> TriagedFinding<'a> {
    /// Every finding with what was said of it last.
    #[must_use]
    pub fn all(findings: &'a [Finding], triage: &'a [Triage]) -> Vec<Self> {
        let said = |finding: &Finding| {
            let last = triage.iter().rfind(|said| said.finding == finding.id)?;
            (last.verdict != TriageVerdict::Open).then_some(last)
        };
        findings.iter().map(|finding| Self { finding, triage: said(finding) }).collect()
    }
}
