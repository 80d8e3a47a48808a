//! A member's claims about a segment, held to the text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    number::{change, confidence},
    words::{says_something, unquoted},
};
use crate::{
    critique::Branch,
    reply::{ParseError, words::Cleaner},
};
use domain::{
    Claim, ClaimEvidence, ClaimId, Confidence, Deeper, Document, Grown, Philosopher, Severity, Span,
    equal_words, find_quote, shortened, written::any_case,
};

/// Most characters kept of an area; the card shows it in a line.
pub(super) const MAX_AREA: usize = 60;
/// Most characters kept of a claim.
pub(super) const MAX_CLAIM: usize = 600;
/// Most characters kept of a quotation or a passage.
const MAX_QUOTE: usize = 300;

/// A claim as a model writes it: the words it rests on before what is claimed, and how sure and how grave it is last.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimReply {
    /// The words it rests on, copied from the segment.
    #[schemars(length(max = 300))]
    pub quote: String,
    /// What is wrong or missing, and what follows from it.
    #[schemars(length(max = 400))]
    pub claim: String,
    /// What it is about, in two to four words.
    #[schemars(length(max = 60))]
    pub area: String,
    /// How much it matters to the text.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity")]
    pub severity: Severity,
    /// How sure it is, 0 to 1.
    #[serde(deserialize_with = "confidence")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// Words of the passage that needs a closer look, copied; null where nothing is gained.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub deeper_passage: Option<String>,
    /// What to look at there.
    #[serde(default)]
    #[schemars(length(max = 160))]
    pub deeper_topic: Option<String>,
}

/// What a member says of a segment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SegmentReply {
    /// What the segment sets out to do, and what that hangs on.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub reading: String,
    /// What is wrong or missing; empty where nothing is.
    #[schemars(length(max = 3))]
    pub claims: Vec<ClaimReply>,
    /// What the closer look makes of the claim that was looked into, -1 to 1.
    #[serde(default, deserialize_with = "change")]
    #[schemars(range(min = -1.0, max = 1.0))]
    pub effect_on_claim: f64,
}

impl SegmentReply {
    /// The claims, numbered from `branch.first`, each quotation looked up in the segment: where it is not found, the
    /// confidence is halved and the claim stands as unquoted. What is no claim is dropped: words for nothing, and copies
    /// of the claim that is looked into or of one before. No claims is a fair answer.
    pub fn into_grown(
        self,
        document: &Document,
        member: Philosopher,
        branch: &Branch<'_>,
        answered_by: &str,
    ) -> Result<Grown, ParseError> {
        let mut clean = Cleaner::default();
        let mut claims: Vec<Claim> = Vec::new();
        for reply in self.claims {
            let Some(claim) = reply.into_claim(&mut clean, document, member, branch) else { continue };
            let copy = claims.iter().any(|earlier| equal_words(&earlier.claim, &claim.claim));
            if !copy {
                claims.push(claim);
            }
        }
        claims.sort_by(|a, b| {
            a.severity.cmp(&b.severity).then(b.confidence.get().total_cmp(&a.confidence.get()))
        });
        claims.truncate(branch.most);
        for (claim, number) in claims.iter_mut().zip(branch.first..) {
            claim.id = match branch.parent {
                Some(parent) => parent.id.child(number),
                None => ClaimId { member, path: vec![number] },
            };
        }
        let parent_delta = if branch.parent.is_some() { self.effect_on_claim } else { 0.0 };
        Ok(Grown { claims, parent_delta, answered_by: answered_by.to_owned() })
    }
}

impl ClaimReply {
    /// The claim, without its number; `None` where it is none.
    fn into_claim(
        self,
        clean: &mut Cleaner,
        document: &Document,
        member: Philosopher,
        branch: &Branch<'_>,
    ) -> Option<Claim> {
        let text = clean.line(&self.claim);
        if !says_something(&text) {
            return None;
        }
        if branch.parent.is_some_and(|parent| equal_words(&text, &parent.claim)) {
            return None;
        }
        let mut area = clean.line(&self.area);
        if !says_something(&area) {
            area = text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        }
        let evidence = evidence(document, branch.segment, &self.quote);
        let sure = if evidence.found.is_some() { self.confidence } else { self.confidence / 2.0 };
        let passage = self.deeper_passage.filter(|passage| says_something(passage));
        let deeper = passage.map(|passage| {
            let topic =
                self.deeper_topic.map(|topic| clean.line(&topic)).filter(|topic| says_something(topic));
            Deeper { passage: unquoted(&passage).to_owned(), topic: topic.unwrap_or_else(|| area.clone()) }
        });
        Some(Claim {
            id: ClaimId { member, path: Vec::new() },
            section: branch.section,
            segment: branch.segment,
            area: shortened(&area, MAX_AREA),
            claim: shortened(&text, MAX_CLAIM),
            evidence,
            confidence: Confidence::new(sure),
            severity: self.severity,
            deeper,
            children: Vec::new(),
            ended: None,
        })
    }
}

/// The quotation and where it stands in the segment. Of one that leaves something out, the longest piece that stands
/// there is kept.
pub(super) fn evidence(document: &Document, segment: Span, quote: &str) -> ClaimEvidence {
    let quote: String = unquoted(quote).chars().take(MAX_QUOTE).collect();
    let find = |quote: &str| find_quote(&document.text, segment, quote);
    if let Some(found) = find(&quote) {
        return ClaimEvidence { quote, found: Some(found) };
    }
    let plain = quote.replace("[…]", "…").replace("[...]", "…").replace("...", "…");
    let pieces = plain.split('…').map(unquoted).filter(|piece| piece.split_whitespace().count() >= 3);
    let longest = pieces.filter_map(|piece| Some((piece, find(piece)?))).max_by_key(|(piece, _)| piece.len());
    match longest {
        Some((piece, found)) => ClaimEvidence { quote: piece.to_owned(), found: Some(found) },
        None => ClaimEvidence { quote, found: None },
    }
}
