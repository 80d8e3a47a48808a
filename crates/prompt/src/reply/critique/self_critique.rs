//! What a member makes of its own claims, with numbers read back into claims.

use forms::Asked;

use super::{look::evidence, words::says_something};
use crate::{critique::Labels, reply::ParseError};
use domain::{
    Adjustment, Claim, ClaimId, Confidence, Document, DocumentSection, Ended, Opposition, PlainClaim,
    SaidOfItself, SectionId, SelfCritique, Tree,
};

/// The self-critique, in whose texts numbers have become names; what names no claim there is, is dropped and counted.
pub fn read_self_critique(
    text: &str,
    (asked, first): (&Asked, bool),
    own: &Tree,
    labels: &Labels,
    (document, sections): (&Document, &[DocumentSection]),
) -> Result<SelfCritique, ParseError> {
    let said = forms::read::<SaidOfItself>(text, asked, 0, first)?.said;
    let member = own.member;
    let mut dropped = 0;
    let mut keep = |known: Option<ClaimId>| {
        dropped += u32::from(known.is_none());
        known
    };
    let mine = |written: &str| labels.claim(written).filter(|id| id.member == member).cloned();

    let mut adjustments = Vec::new();
    for said in said.adjustments {
        let Some(target) = keep(mine(&said.claim)) else { continue };
        adjustments.push(Adjustment {
            target,
            confidence: Confidence::of_100(said.confidence),
            severity: said.severity,
            restated: said.restated.filter(|restated| says_something(restated)),
            reasoning: labels.named(&said.reasoning),
        });
    }
    let mut same: Vec<(ClaimId, ClaimId)> = Vec::new();
    for said in &said.same {
        let other = mine(&said.own).and_then(|own| {
            let other = labels.claim(&said.other).filter(|other| **other != own)?;
            same.push((own, other.clone()));
            Some(other.clone())
        });
        keep(other);
    }
    same.dedup();
    let mut oppositions: Vec<Opposition> = Vec::new();
    for said in said.contradictions {
        let other = labels.claim(&said.other).cloned();
        let both = mine(&said.own).zip(other).filter(|(own, other)| own != other);
        let Some((own, other)) = both else {
            keep(None);
            continue;
        };
        let (why, settles) = (labels.named(&said.why), labels.named(&said.settles));
        oppositions.push(Opposition { own, other, why, settles });
    }
    let missed = said.missed.into_iter().filter(|missed| says_something(&missed.claim));
    let missed = (own.next()..).zip(missed).map(|(number, missed)| {
        let id = ClaimId { member, path: vec![number] };
        self::missed(missed, id, document, sections)
    });
    Ok(SelfCritique {
        member,
        reflection: labels.named(&said.reflection),
        adjustments,
        same,
        oppositions,
        missed: missed.collect(),
        dropped,
        answered_by: String::new(),
        stand_in: None,
    })
}

/// What is missing can rest on nothing, so words that do not stand in the text do not make it less sure.
fn missed(said: PlainClaim, id: ClaimId, document: &Document, sections: &[DocumentSection]) -> Claim {
    let evidence = Some(evidence(document, &[document.whole()], &said.quote));
    let evidence = evidence.filter(|evidence| says_something(&evidence.quote));
    let begins = evidence.as_ref().and_then(|evidence| evidence.found).map_or(0, |span| span.start);
    let section = sections.iter().rfind(|section| section.span.start <= begins);
    Claim {
        id,
        section: section.map_or(SectionId(1), |section| section.id),
        segment: section.map_or_else(|| document.whole(), |section| section.span),
        claim: said.claim,
        evidence: evidence.into_iter().collect(),
        confidence: Confidence::of_100(said.confidence),
        severity: said.severity,
        deeper: None,
        changes: Vec::new(),
        children: Vec::new(),
        ended: Some(Ended::NothingGained),
    }
}
