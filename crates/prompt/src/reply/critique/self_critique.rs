//! What a member makes of its own claims, with labels read back into claims.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    labels::Labels,
    number::{change, confidence},
    segment::{MAX_AREA, MAX_CLAIM, evidence},
    words::says_something,
};
use crate::{
    critique::{MAX_ADJUSTMENTS, MAX_MISSED, MAX_OPPOSITIONS, MAX_SAME},
    reply::{ParseError, words::Cleaner},
};
use domain::{
    Adjustment, Claim, ClaimId, Confidence, Document, DocumentSection, Ended, Opposition, Sameness,
    SectionId, SelfCritique, Severity, Tree, shortened, written::any_case,
};

/// A change of how sure one's own claim is, reasons first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjustmentReply {
    /// The label of one's own claim.
    #[schemars(length(max = 12))]
    pub claim: String,
    /// Why, in a sentence.
    #[schemars(length(max = 260))]
    pub reasoning: String,
    /// What is added to its confidence, -1 to 1.
    #[serde(deserialize_with = "change")]
    #[schemars(range(min = -1.0, max = 1.0))]
    pub confidence_delta: f64,
}

/// Two claims that cannot both hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OppositionReply {
    /// The label of one's own claim.
    #[schemars(length(max = 12))]
    pub own: String,
    /// The label of the other's.
    #[schemars(length(max = 12))]
    pub other: String,
    /// Why both cannot hold.
    #[schemars(length(max = 260))]
    pub why: String,
}

/// A claim of another member that says the same as one's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SamenessReply {
    /// The label of one's own claim.
    #[schemars(length(max = 12))]
    pub own: String,
    /// The label of the other's.
    #[schemars(length(max = 12))]
    pub other: String,
}

/// Something that the text misses.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissedReply {
    /// Words of the text beside which it should stand, copied.
    #[schemars(length(max = 300))]
    pub beside: String,
    /// What is missing, and what follows from it.
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
}

/// What a member says of its own tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelfCritiqueReply {
    /// Bias, misses, overstatements.
    #[schemars(length(max = 600))]
    pub reflection: String,
    /// Others' claims that say the same as one's own.
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub same_as: Vec<SamenessReply>,
    /// Others' claims that contradict one's own.
    #[serde(default)]
    #[schemars(length(max = 3))]
    pub contradictions: Vec<OppositionReply>,
    /// What changes.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub adjustments: Vec<AdjustmentReply>,
    /// What the text misses and no claim says yet.
    #[serde(default)]
    #[schemars(length(max = 2))]
    pub missed: Vec<MissedReply>,
}

impl SelfCritiqueReply {
    /// The self-critique, in which labels have become names; what names no claim there is, is dropped and counted. `order`
    /// and what was read as in the request.
    pub fn into_self_critique(
        self,
        own: &Tree,
        order: &[&Tree],
        (document, sections): (&Document, &[DocumentSection]),
        answered_by: &str,
    ) -> Result<SelfCritique, ParseError> {
        let mut clean = Cleaner::default();
        let labels = Labels { own, order };
        let mut dropped = 0;
        let mut adjustments: Vec<Adjustment> = Vec::new();
        for reply in self.adjustments.into_iter().take(MAX_ADJUSTMENTS) {
            let target = labels.claim(&reply.claim).filter(|id| id.member == own.member);
            match target {
                Some(target) => adjustments.push(Adjustment {
                    target,
                    delta: reply.confidence_delta,
                    reasoning: labels.named(&clean.line(&reply.reasoning)),
                }),
                None => dropped += 1,
            }
        }
        let mut oppositions: Vec<Opposition> = Vec::new();
        for reply in self.contradictions.into_iter().take(MAX_OPPOSITIONS) {
            let mine = labels.claim(&reply.own).filter(|id| id.member == own.member);
            let other = labels.claim(&reply.other).filter(|id| id.member != own.member);
            match (mine, other) {
                (Some(own), Some(other)) => {
                    let again =
                        oppositions.iter().any(|earlier| earlier.own == own && earlier.other == other);
                    if !again {
                        oppositions.push(Opposition {
                            own,
                            other,
                            why: labels.named(&clean.line(&reply.why)),
                        });
                    }
                }
                _ => dropped += 1,
            }
        }
        let mut same: Vec<Sameness> = Vec::new();
        for reply in self.same_as.into_iter().take(MAX_SAME) {
            let mine = labels.claim(&reply.own).filter(|id| id.member == own.member);
            let other = labels.claim(&reply.other).filter(|id| id.member != own.member);
            match mine.zip(other).map(|(own, other)| Sameness { own, other }) {
                Some(pair) if same.contains(&pair) => {}
                Some(pair) => same.push(pair),
                None => dropped += 1,
            }
        }
        let numbers = own.claims.iter().filter_map(|claim| claim.id.path.first().copied());
        let first = numbers.max().unwrap_or(0).saturating_add(1);
        let said = (self.missed.into_iter()).filter(|missed| says_something(&missed.claim)).take(MAX_MISSED);
        let missed: Vec<Claim> = (first..)
            .zip(said)
            .map(|(number, missed)| {
                let id = ClaimId { member: own.member, path: vec![number] };
                missed.into_claim(&mut clean, id, document, sections)
            })
            .collect();
        let reflection = labels.named(&clean.text(&self.reflection));
        if !says_something(&reflection) && adjustments.is_empty() && oppositions.is_empty() && same.is_empty()
        {
            return Err(ParseError::Empty("reflection"));
        }
        Ok(SelfCritique {
            member: own.member,
            reflection,
            adjustments,
            oppositions,
            same,
            missed,
            dropped,
            answered_by: answered_by.to_owned(),
        })
    }
}

impl MissedReply {
    /// The claim. Nothing of it can be quoted, so words that do not stand in the text do not make it less sure.
    fn into_claim(
        self,
        clean: &mut Cleaner,
        id: ClaimId,
        document: &Document,
        sections: &[DocumentSection],
    ) -> Claim {
        let evidence = evidence(document, document.whole(), &self.beside);
        let begins = evidence.found.map_or(0, |span| span.start);
        let section = sections.iter().rfind(|section| section.span.start <= begins);
        let claim = shortened(&clean.line(&self.claim), MAX_CLAIM);
        let area = clean.line(&self.area);
        let area = if says_something(&area) { area } else { "Missing".to_owned() };
        Claim {
            id,
            section: section.map_or(SectionId(1), |section| section.id),
            segment: section.map_or_else(|| document.whole(), |section| section.span),
            area: shortened(&area, MAX_AREA),
            claim,
            evidence,
            confidence: Confidence::new(self.confidence),
            severity: self.severity,
            deeper: None,
            children: Vec::new(),
            ended: Some(Ended::NothingGained),
        }
    }
}
