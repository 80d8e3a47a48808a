//! Findings, and the review of the whole.

use std::{cmp::Reverse, collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

use super::{
    Claim, ClaimId, Confidence, Grouped, Opposition, Philosopher, SectionId, group::count, tree::Evidence,
};
use crate::{MAX_SOLUTIONS, Severity, StepKey};

/// Most findings that are put to the vote, the weightiest: as many as a vote can offer.
pub const MAX_FINDINGS: usize = MAX_SOLUTIONS;

/// A finding's place in its session, from 1, the weightiest first; shown as `F1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingId(pub u8);

impl FindingId {
    /// How it is spelled where it is chosen: `finding/3`.
    #[must_use]
    pub fn key(self) -> StepKey {
        StepKey::new(format!("finding/{}", self.0))
    }

    /// The finding that is spelled so; nothing for a text that is not exactly one.
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

/// What is wrong or missing in the text. Words, severity and confidence are those of one of its claims.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Its place.
    pub id: FindingId,
    /// What it belongs to, in a few words; empty where nobody wrote a review.
    pub theme: String,
    /// In a few words; empty where nobody wrote a review.
    pub title: String,
    /// In a sentence, as the review tells it.
    pub line: String,
    /// The claims it was made of, the one whose words it has first.
    pub claims: Vec<Claim>,
}

impl Finding {
    /// A finding in the words of its first claim.
    #[must_use]
    pub fn plain(claims: Vec<Claim>) -> Self {
        let line = claims.first().map(|claim| claim.claim.clone()).unwrap_or_default();
        let (theme, title) = Default::default();
        Self { id: FindingId(0), theme, title, line, claims }
    }

    /// The same with the words of another of its claims; as it is, if that is none of them.
    #[must_use]
    pub fn led_by(mut self, best: Option<&ClaimId>) -> Self {
        if let Some(at) = self.claims.iter().position(|claim| Some(&claim.id) == best) {
            let claim = self.claims.remove(at);
            self.claims.insert(0, claim);
        }
        self
    }

    /// What is wrong or missing, in the words of the claim that says it best.
    #[must_use]
    pub fn critique(&self) -> &str {
        self.claims.first().map_or("", |claim| &claim.claim)
    }

    /// What it is called: its title, else the beginning of what it says.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.title.trim().is_empty() { self.critique() } else { &self.title }
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.claims.first().map_or(Severity::Low, |claim| claim.severity)
    }

    /// How sure it is.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.claims.first().map_or_else(Confidence::default, |claim| claim.confidence)
    }

    /// Who holds it, each once, in the order of the council.
    #[must_use]
    pub fn held_by(&self) -> Vec<Philosopher> {
        let holds = |member: &Philosopher| self.claims.iter().any(|claim| claim.id.member == *member);
        Philosopher::ALL.into_iter().filter(holds).collect()
    }

    /// The passages it rests on, those that stand in the text first, each once; a passage within another is that one.
    #[must_use]
    pub fn evidence(&self) -> Vec<&Evidence> {
        let mut kept: Vec<&Evidence> = Vec::new();
        for evidence in self.claims.iter().flat_map(|claim| &claim.evidence) {
            let same = |other: &&Evidence| match (evidence.found, other.found) {
                (Some(a), Some(b)) => a.holds(b) || b.holds(a),
                _ => evidence.quote.trim().eq_ignore_ascii_case(other.quote.trim()),
            };
            if !evidence.quote.trim().is_empty() && !kept.iter().any(same) {
                kept.push(evidence);
            }
        }
        kept.sort_by_key(|evidence| evidence.found.is_none());
        kept
    }

    /// What it is ranked by, the weightiest first.
    fn weight(&self) -> impl Ord + use<> {
        let places = self.evidence().into_iter().filter_map(|evidence| evidence.found);
        let place = places.map(|span| span.start).min().unwrap_or(usize::MAX);
        let sure = Reverse(self.confidence().thousandths());
        (self.severity(), sure, Reverse(self.held_by().len()), place)
    }
}

/// The findings in their order, numbered, and how many there is no number for: by severity, then by how sure, then by
/// holders; and within a severity no theme twice before each had its turn.
#[must_use]
pub fn ranked(mut findings: Vec<Finding>) -> (Vec<Finding>, u32) {
    findings.sort_by_cached_key(Finding::weight);
    let mut ordered: Vec<Finding> = Vec::new();
    while let Some(first) = findings.first() {
        let severity = first.severity();
        let mut had: BTreeSet<String> = BTreeSet::new();
        let mut rest = Vec::new();
        for finding in findings {
            let theme = finding.theme.trim().to_lowercase();
            // What has no theme is a theme of its own.
            let turn = finding.severity() == severity && (theme.is_empty() || had.insert(theme));
            if turn { ordered.push(finding) } else { rest.push(finding) }
        }
        findings = rest;
    }
    let lesser = ordered.len().saturating_sub(usize::from(u8::MAX));
    ordered.truncate(usize::from(u8::MAX));
    for (finding, id) in ordered.iter_mut().zip(1..=u8::MAX) {
        finding.id = FindingId(id);
    }
    (ordered, count(lesser))
}

/// Sections that a member did not read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Skipped {
    /// The member who skipped something.
    pub member: Philosopher,
    /// Which, in their order.
    pub sections: Vec<SectionId>,
}

/// The review that people read.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Review {
    /// What somebody should know who reads nothing else; empty where no model wrote it.
    pub verdict: String,
    /// The review itself, in Markdown, each fault with the numbers of its findings; empty where no model wrote it.
    pub text: String,
    /// The findings that the text tells.
    pub told: Vec<FindingId>,
    /// The weightiest first; the first [`MAX_FINDINGS`] are put to the vote.
    pub findings: Vec<Finding>,
    /// What holds up.
    pub holds_up: Vec<String>,
    /// Between claims that both stayed.
    pub oppositions: Vec<Opposition>,
    /// Sections that nobody read.
    pub unread: Vec<SectionId>,
    /// Members for whom no model answered.
    pub missing: Vec<Philosopher>,
    /// What single members did not read though others did.
    pub skipped: Vec<Skipped>,
    /// Claims in all.
    pub claims: u32,
    /// Claims that fell below the floor.
    pub below_floor: u32,
    /// Findings for which there is no number; they stay in the trees.
    pub lesser: u32,
    /// Sentences that are personal, praise or advice, and stand all the same.
    pub marked: u32,
    /// Quotations that stand nowhere in the text, and stand in the review all the same.
    pub misquoted: u32,
    /// The model that wrote it; `None`: none could, or nothing was to be written.
    pub answered_by: Option<String>,
}

impl Review {
    /// One in the members' own words.
    #[must_use]
    pub fn plain(grouped: Grouped) -> Self {
        let (findings, lesser) = ranked(grouped.groups.into_iter().map(Finding::plain).collect());
        Self {
            findings,
            lesser,
            oppositions: grouped.oppositions,
            claims: grouped.claims,
            below_floor: grouped.below_floor,
            ..Self::default()
        }
    }

    /// Whether it found nothing.
    #[must_use]
    pub fn no_findings(&self) -> bool {
        self.findings.is_empty()
    }

    /// How many members read.
    #[must_use]
    pub fn readers(&self) -> usize {
        Philosopher::ALL.len().saturating_sub(self.missing.len())
    }

    /// Whether its text tells the finding of this number, and so needs no line for it.
    #[must_use]
    pub fn tells(&self, id: FindingId) -> bool {
        self.told.contains(&id)
    }

    /// The finding of this number.
    #[must_use]
    pub fn finding(&self, id: FindingId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }

    /// The finding that a claim went into.
    #[must_use]
    pub fn holding(&self, claim: &ClaimId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.claims.iter().any(|one| one.id == *claim))
    }
}
