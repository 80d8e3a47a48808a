//! What members claim, held to the text.

use forms::Asked;
use serde::{Deserialize, Serialize};

use super::words::{says_something, unquoted};
use crate::{critique::Branch, reply::ParseError};
use domain::{
    Claim, ClaimEvidence, ClaimId, Confidence, Deeper, Document, Effect, Ended, HoldsUp, Philosopher,
    PlainClaim, SaidClaim, SaidCloser, SaidLook, Span, equal_words, find_quote,
};

/// What a reply is held to.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The text.
    pub document: &'a Document,
    /// Who speaks.
    pub member: Philosopher,
    /// Where it looked.
    pub branch: &'a Branch<'a>,
    /// What was asked for.
    pub asked: &'a Asked,
    /// The first time, a text that is far too long is an error.
    pub first: bool,
    /// The model that answered, as its provider says.
    pub answered_by: &'a str,
}

/// What one look gave: the claims, without children.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Grown {
    /// The claims, the weightiest first, those in a line last.
    pub claims: Vec<Claim>,
    /// What holds up.
    pub holds_up: Vec<HoldsUp>,
    /// What the section states that another could contradict.
    pub stated: Vec<String>,
    /// Of a closer look, what it makes of the claim.
    pub effect: Effect,
    /// Of a closer look, what it saw.
    pub why: String,
    /// Of a closer look, the claim as it should read now.
    pub restated: Option<String>,
    /// The model that answered.
    pub answered_by: String,
}

impl Reading<'_> {
    /// What a look at a section, at the whole text or across its sections gave. Each quotation is looked up: where none of a
    /// claim's is found, its confidence is halved and it stands as unquoted. What is no claim is dropped: words for
    /// nothing, and copies.
    pub fn look(&self, text: &str) -> Result<Grown, ParseError> {
        let said = forms::read::<SaidLook>(text, self.asked, 0, self.first)?.said;
        let holds_up = said
            .holds_up
            .into_iter()
            .map(|holds| HoldsUp { evidence: self.evidence(&holds.quote), why: holds.why });
        let holds_up = holds_up.filter(|holds| holds.evidence.found.is_some()).collect();
        let mut claims = self.claims(said.claims);
        claims.sort_by_key(Claim::weight);
        claims.extend(said.plain.into_iter().map(|plain| self.plain(plain)));
        Ok(Grown {
            claims: self.numbered(claims),
            holds_up,
            stated: said.stated,
            effect: Effect::Nothing,
            why: String::new(),
            restated: None,
            answered_by: self.answered_by.to_owned(),
        })
    }

    /// What a closer look gave.
    pub fn closer(&self, text: &str) -> Result<Grown, ParseError> {
        let said = forms::read::<SaidCloser>(text, self.asked, 0, self.first)?.said;
        let mut claims = self.claims(said.claims);
        claims.sort_by_key(Claim::weight);
        Ok(Grown {
            claims: self.numbered(claims),
            holds_up: Vec::new(),
            stated: Vec::new(),
            effect: said.effect,
            why: said.reading,
            restated: said.restated.filter(|restated| says_something(restated)),
            answered_by: self.answered_by.to_owned(),
        })
    }

    fn claims(&self, said: Vec<SaidClaim>) -> Vec<Claim> {
        let claims = said.into_iter().filter(|claim| says_something(&claim.claim));
        claims
            .map(|said| {
                let passages: Vec<String> =
                    said.closer_at.iter().map(|passage| unquoted(passage).to_owned()).collect();
                let deeper = (says_something(&said.closer) && !passages.is_empty())
                    .then_some(Deeper { passages, topic: said.closer });
                let quotes: Vec<&str> = said.quotes.iter().map(String::as_str).collect();
                Claim {
                    deeper,
                    ended: None,
                    ..self.claim(said.claim, &quotes, said.severity, said.confidence)
                }
            })
            .collect()
    }

    /// A fault in a line; nobody looks into it.
    fn plain(&self, said: PlainClaim) -> Claim {
        self.claim(said.claim, &[&said.quote], said.severity, said.confidence)
    }

    fn claim(&self, claim: String, quotes: &[&str], severity: domain::Severity, sure: u8) -> Claim {
        let quotes = quotes.iter().filter(|quote| says_something(quote));
        let evidence: Vec<ClaimEvidence> = quotes.map(|quote| self.evidence(quote)).collect();
        let found = evidence.iter().find_map(|evidence| evidence.found);
        let sure = Confidence::of_100(sure);
        let holds = |segment: &&Span| found.is_some_and(|found| segment.holds(found));
        let segments = &self.branch.segments;
        Claim {
            id: ClaimId { member: self.member, path: Vec::new() },
            section: self.branch.section,
            segment: *segments.iter().find(holds).or(segments.first()).unwrap_or(&self.document.whole()),
            claim,
            evidence,
            confidence: if found.is_some() { sure } else { Confidence::new(sure.get() / 2.0) },
            severity,
            deeper: None,
            changes: Vec::new(),
            children: Vec::new(),
            ended: Some(Ended::NothingGained),
        }
    }

    /// The claims that say something of their own, with their numbers.
    fn numbered(&self, claims: Vec<Claim>) -> Vec<Claim> {
        let mut kept: Vec<Claim> = Vec::new();
        for claim in claims {
            let parent = self.branch.parent.into_iter();
            if says_something(&claim.claim)
                && !kept.iter().chain(parent).any(|earlier| equal_words(&earlier.claim, &claim.claim))
            {
                kept.push(claim);
            }
        }
        for (claim, number) in kept.iter_mut().zip(self.branch.first..) {
            claim.id = match self.branch.parent {
                Some(parent) => parent.id.child(number),
                None => ClaimId { member: self.member, path: vec![number] },
            };
        }
        kept
    }

    fn evidence(&self, quote: &str) -> ClaimEvidence {
        evidence(self.document, &self.branch.segments, quote)
    }
}

/// The quotation and where it stands in one of the segments. Of one that leaves something out, the longest piece that stands
/// there is kept.
pub(super) fn evidence(document: &Document, segments: &[Span], quote: &str) -> ClaimEvidence {
    let quote = unquoted(quote);
    let find = |quote: &str| segments.iter().find_map(|segment| find_quote(&document.text, *segment, quote));
    if let Some(found) = find(quote) {
        return ClaimEvidence { quote: quote.to_owned(), found: Some(found) };
    }
    let plain = quote.replace("[…]", "…").replace("[...]", "…").replace("...", "…");
    let pieces = plain.split('…').map(unquoted).filter(|piece| piece.split_whitespace().count() >= 3);
    let longest = pieces.filter_map(|piece| Some((piece, find(piece)?))).max_by_key(|(piece, _)| piece.len());
    match longest {
        Some((piece, found)) => ClaimEvidence { quote: piece.to_owned(), found: Some(found) },
        None => ClaimEvidence { quote: quote.to_owned(), found: None },
    }
}
