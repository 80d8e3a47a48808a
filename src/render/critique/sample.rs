//! For tests: a document, and a council that has read it.

use crate::domain::{
    Adjustment, Assessment, CallPlan, Claim, ClaimEvidence, ClaimId, Confidence, Contradiction, Deeper,
    Document, DocumentSection, Effort, Ended, Estimate, Finding, FindingId, Landmark, Money, Omission,
    Omitted, Opposition, Philosopher, Reading, SectionId, SelfCritique, Severity, Skipped, Span, Tree,
    TreeDepth, Triage, TriageVerdict, UserId,
};

/// Two pages of a plan.
const TEXT: &str = "# A delivery service for the town\n\nThe town needs a delivery service of its own.\nEverybody will \
                    order twice a week.\n\n# Costs\n\nThe first year costs *at most* 80,000.\nRiders are paid by the \
                    order, so wages cost nothing.\nAny shortfall is covered by the reserve.\n";

pub(super) fn document() -> Document {
    let costs = TEXT.find("# Costs").unwrap();
    Document {
        name: "delivery_plan.pdf".into(),
        text: TEXT.into(),
        sha256: "9f86d081884c7d65".into(),
        landmarks: vec![(0, Landmark::Page(1)), (costs, Landmark::Page(2))],
        omissions: [Omitted::Pages(vec![3, 4]), Omitted::Comments]
            .map(|what| Omission { file: "delivery_plan.pdf".into(), what })
            .to_vec(),
    }
}

pub(super) fn sections() -> Vec<DocumentSection> {
    let costs = TEXT.find("# Costs").unwrap();
    let section = |(id, title, start, end): (u16, &str, usize, usize)| DocumentSection {
        id: SectionId(id),
        title: title.into(),
        span: Span { start, end },
    };
    [(1, "A delivery service for the town", 0, costs), (2, "Costs", costs, TEXT.len())].map(section).to_vec()
}

pub(super) fn estimate(asked: bool) -> Estimate {
    let depth = |levels| TreeDepth::new(levels).unwrap();
    let mut sections = sections();
    sections.push(DocumentSection {
        id: SectionId(3),
        title: "Annex: letters".into(),
        ..sections[1].clone()
    });
    if !asked {
        sections.truncate(1);
    }
    let plan = CallPlan {
        wanted: depth(if asked { 3 } else { 2 }),
        depth: depth(2),
        branches: 2,
        read: sections.iter().map(|section| section.id).take(2).collect(),
        unread: sections.iter().map(|section| section.id).skip(2).collect(),
        stages: if asked { vec![12, 24, 6, 1, 6] } else { vec![6, 12, 6, 1, 6] },
    };
    let estimate = Estimate {
        reading: Some(Reading { plan, sections }),
        calls: if asked { 49 } else { 31 },
        tokens: if asked { 212_000 } else { 64_000 },
        cost: (!asked).then_some(Money(312_000)),
        minutes: if asked { 9 } else { 4 },
        measured: asked,
        effort: Some(Effort::Standard),
        without: Vec::new(),
        smaller: None,
    };
    let smaller = asked.then(|| Box::new(Estimate { effort: Some(Effort::Brief), ..estimate.clone() }));
    Estimate { smaller, ..estimate }
}

/// The words, found where they stand in the plan, or not.
pub(super) fn evidence(quote: &str) -> ClaimEvidence {
    let found = TEXT.find(quote).map(|start| Span { start, end: start + quote.len() });
    ClaimEvidence { quote: quote.into(), found }
}

pub(super) fn id(member: Philosopher, path: &[u16]) -> ClaimId {
    ClaimId { member, path: path.to_vec() }
}

fn claim(
    path: &[u16],
    section: u16,
    (severity, confidence): (Severity, f64),
    area: &str,
    claim: &str,
    quote: &str,
) -> Claim {
    Claim {
        id: id(Philosopher::Popper, path),
        section: SectionId(section),
        segment: sections()[usize::from(section) - 1].span,
        area: area.into(),
        claim: claim.into(),
        evidence: evidence(quote),
        confidence: Confidence::new(confidence),
        severity,
        deeper: None,
        children: vec![],
        ended: Some(Ended::NothingGained),
    }
}

/// Popper's.
pub(super) fn tree() -> Tree {
    use Severity::{Critical, High, Low, Medium};
    let deeper = Deeper { passage: "wages cost nothing".into(), topic: "pay".into() };
    let wages = Claim {
        deeper: Some(deeper),
        ended: None,
        children: vec![
            Claim {
                ended: Some(Ended::Depth),
                ..claim(
                    &[4, 1],
                    2,
                    (High, 0.7),
                    "Pay by the order",
                    "Pay by the order is still **pay**, so it is a cost.",
                    "Riders are paid by the order",
                )
            },
            Claim {
                ended: Some(Ended::TooSmall),
                ..claim(
                    &[4, 2],
                    2,
                    (Low, 0.4),
                    "Insurance",
                    "Insurance of riders is not mentioned.",
                    "riders are insured",
                )
            },
        ],
        ..claim(
            &[4],
            2,
            (Critical, 0.9),
            "Wages",
            "That wages cost nothing contradicts that riders are paid.",
            "so wages cost nothing",
        )
    };
    Tree {
        member: Philosopher::Popper,
        claims: vec![
            claim(
                &[1],
                1,
                (Medium, 0.6),
                "Demand",
                "No number could prove the expected demand wrong.",
                "Everybody will order twice a week.",
            ),
            wages,
            Claim {
                ended: Some(Ended::Unsure),
                ..claim(
                    &[5],
                    2,
                    (Low, 0.2),
                    "Reserve",
                    "How large the reserve is, is not said.",
                    "Any shortfall is covered by the reserve.",
                )
            },
        ],
        failed: vec![],
        failed_branches: 0,
        answered_by: vec!["qwen3:8b".into()],
    }
}

pub(super) fn self_critiques() -> Vec<SelfCritique> {
    let adjusted = |path: &[u16], delta, reasoning: &str| Adjustment {
        target: id(Philosopher::Popper, path),
        delta,
        reasoning: reasoning.into(),
    };
    let popper = SelfCritique {
        member: Philosopher::Popper,
        reflection:
            "The claim on demand asked for more than a plan can give; the claim on wages was understated."
                .into(),
        adjustments: vec![
            adjusted(&[1], -0.2, "A plan is no study."),
            adjusted(&[4], 0.05, "Two others found the same."),
        ],
        oppositions: vec![Opposition {
            own: id(Philosopher::Popper, &[4]),
            other: id(Philosopher::Kant, &[2]),
            why: "Either wages are a cost, or they are not.".into(),
        }],
        same: vec![],
        missed: vec![],
        dropped: 1,
        answered_by: "qwen3:8b".into(),
    };
    let quiet = SelfCritique {
        member: Philosopher::Russell,
        reflection: "No bias was found.".into(),
        adjustments: vec![],
        oppositions: vec![],
        same: vec![],
        missed: vec![],
        dropped: 0,
        answered_by: "qwen3:8b".into(),
    };
    vec![popper, quiet]
}

pub(super) fn finding(place: u8) -> Finding {
    let wages = Finding {
        id: FindingId(1),
        area: "Wages".into(),
        critique: "The plan counts wages as nothing although riders are paid by the order.".into(),
        severity: Severity::Critical,
        confidence: Confidence::new(0.95),
        held_by: vec![Philosopher::Descartes, Philosopher::Popper, Philosopher::Russell],
        evidence: vec![evidence("so wages cost nothing"), evidence("Riders are paid by the order")],
        claims: vec![id(Philosopher::Popper, &[4]), id(Philosopher::Russell, &[2])],
    };
    match place {
        1 => wages,
        _ => Finding {
            id: FindingId(place),
            area: "Insurance".into(),
            critique: "Nothing is said of who insures the riders.".into(),
            severity: Severity::Medium,
            confidence: Confidence::new(0.5),
            held_by: vec![Philosopher::Kant],
            evidence: vec![evidence("riders are insured")],
            claims: vec![id(Philosopher::Kant, &[2])],
        },
    }
}

pub(super) fn assessment() -> Assessment {
    Assessment {
        text: "The plan's cost rests on **one** contradiction: riders are paid, and wages are counted as nothing.".into(),
        findings: vec![finding(1), finding(2)],
        contradictions: vec![Contradiction {
            first: id(Philosopher::Popper, &[4]),
            second: id(Philosopher::Kant, &[2]),
            findings: vec![FindingId(1), FindingId(2)],
            claims: ("Wages are a cost.".into(), "Riders are no employees, so there are no wages.".into()),
            why: "Either wages are a cost, or there are none.".into(),
        }],
        unread: vec![SectionId(1)],
        missing: vec![Philosopher::Leibniz],
        skipped: vec![Skipped { member: Philosopher::Popper, sections: vec![SectionId(2)] }],
        claims: 14,
        below_floor: 3,
        merged: 8,
        lesser: 1,
        removed: 2,
        marked: 0,
        answered_by: Some("qwen3:8b".into()),
    }
}

pub(super) fn clean() -> Assessment {
    Assessment {
        text: String::new(),
        findings: vec![],
        contradictions: vec![],
        unread: vec![],
        missing: vec![],
        skipped: vec![],
        claims: 2,
        below_floor: 2,
        merged: 0,
        lesser: 0,
        removed: 0,
        marked: 0,
        answered_by: None,
    }
}

pub(super) fn said(finding: u8, verdict: TriageVerdict) -> Triage {
    Triage { finding: FindingId(finding), verdict, by: UserId(2), by_name: "Ada".into(), at: 1_790_000_000 }
}
