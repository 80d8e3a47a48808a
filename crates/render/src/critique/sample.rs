//! For tests: the sample of a critique with all that a card can show, of a document with pages.

use crate::sample::critique;
pub(super) use critique::{evidence, id};
use domain::{
    Adjustment, Assessment, Brief, CallPlan, Claim, Confidence, Contradiction, CritiqueBrief, Deeper,
    Document, DocumentSection, Effort, Ended, Estimate, Finding, FindingId, Landmark, Money, Omission,
    Omitted, Philosopher, Reading, SectionId, SelfCritique, Severity, Skipped, Tree, TreeDepth, Triage,
    TriageVerdict, UserId,
};

const POPPER: Philosopher = Philosopher::Popper;

/// The plan on two pages, and what of its file is no text.
pub(super) fn document() -> Document {
    let omission = |what| Omission { file: "delivery_plan.pdf".into(), what };
    Document {
        name: "delivery_plan.pdf".into(),
        landmarks: vec![(0, Landmark::Page(1)), (sections()[1].span.start, Landmark::Page(2))],
        omissions: [
            Omitted::Pages(vec![3, 4]),
            Omitted::Comments,
            Omitted::Changes,
            Omitted::ReadAs("windows-1252".into()),
        ]
        .map(omission)
        .to_vec(),
        ..critique::document()
    }
}

pub(super) fn sections() -> Vec<DocumentSection> {
    critique::in_sections().sections
}

/// What a critique of such a document is asked.
pub(super) fn brief_on(document: &Document) -> Brief {
    Brief::Critique(CritiqueBrief { document: document.clone(), ..critique::session().brief })
}

pub(super) fn estimate(asked: bool) -> Estimate {
    let session = if asked { critique::in_sections() } else { critique::session() };
    let wanted = TreeDepth::new(if asked { 3 } else { 2 }).unwrap();
    let plan = CallPlan { wanted, ..session.plan };
    let estimate = Estimate {
        reading: Some(Reading { plan, sections: session.sections }),
        calls: if asked { 49 } else { 31 },
        tokens: if asked { 212_000 } else { 64_000 },
        cost: (!asked).then_some(Money(312_000)),
        minutes: if asked { 9 } else { 4 },
        measured: asked,
        effort: Some(Effort::Standard),
        without: Vec::new(),
        usual_modules: false,
        wished: false,
        smaller: None,
    };
    let smaller = asked.then(|| Box::new(Estimate { effort: Some(Effort::Brief), ..estimate.clone() }));
    Estimate { smaller, ..estimate }
}

/// A claim of Popper's; `None`: on words that are not there.
fn claim(
    path: &[u16],
    section: u16,
    (severity, confidence): (Severity, f64),
    area: &str,
    words: &str,
    on: Option<&str>,
) -> Claim {
    Claim {
        section: SectionId(section),
        segment: sections()[usize::from(section) - 1].span,
        area: area.into(),
        claim: words.into(),
        confidence: Confidence::new(confidence),
        severity,
        ended: Some(Ended::NothingGained),
        ..critique::claim(POPPER, path, on)
    }
}

/// Popper's, with claims of every severity that ended for many a reason.
pub(super) fn tree() -> Tree {
    use Severity::{Critical, High, Low, Medium};
    let demand = "No number could prove the expected demand wrong.";
    let cost = "That it pays for itself contradicts that each order loses 1.20 euros.";
    let pay = "Pay by the order is still **pay**, so it is a cost.";
    let insurance = "Insurance of couriers is not mentioned.";
    let budget = "Where the budget comes from, is not said.";
    let earns = "Each order earns 3 euros and costs 4.20 euros to bring.";
    let hired = "Couriers are hired when orders come in.";
    let children = vec![
        Claim {
            ended: Some(Ended::Depth),
            ..claim(&[4, 1], 2, (High, 0.7), "Pay by the order", pay, Some(hired))
        },
        Claim { ended: Some(Ended::TooSmall), ..claim(&[4, 2], 2, (Low, 0.4), "Insurance", insurance, None) },
    ];
    let deeper = Deeper { passage: "costs 4.20 euros to bring".into(), topic: "pay".into() };
    let claims = vec![
        claim(&[1], 1, (Medium, 0.6), "Demand", demand, Some("because demand is certain.")),
        Claim {
            deeper: Some(deeper),
            ended: None,
            children,
            ..claim(&[4], 2, (Critical, 0.9), "Unit cost", cost, Some(earns))
        },
        Claim {
            ended: Some(Ended::Unsure),
            ..claim(&[5], 2, (Low, 0.2), "Budget", budget, Some("The budget is 50,000 euros."))
        },
    ];
    Tree { claims, ..critique::tree(POPPER) }
}

/// Popper's, and one of somebody who found nothing.
pub(super) fn self_critiques() -> Vec<SelfCritique> {
    let adjusted = |path: &[u16], delta, reasoning: &str| Adjustment {
        target: id(POPPER, path),
        delta,
        reasoning: reasoning.into(),
    };
    let popper = SelfCritique {
        adjustments: vec![
            adjusted(&[1], -0.2, "A plan is no study."),
            adjusted(&[4], 0.05, "Two others found the same."),
        ],
        dropped: 1,
        ..critique::self_critique(POPPER)
    };
    let quiet = SelfCritique {
        reflection: "No bias was found.".into(),
        adjustments: vec![],
        oppositions: vec![],
        ..critique::self_critique(Philosopher::Russell)
    };
    vec![popper, quiet]
}

/// The first is held by three on two quotations, any other by one on words that are not there.
pub(super) fn finding(place: u8) -> Finding {
    let mut found = critique::consolidated().findings;
    let (measure, cost) = (found.remove(1), found.remove(0));
    match place {
        1 => Finding {
            confidence: Confidence::new(0.95),
            held_by: vec![Philosopher::Descartes, POPPER, Philosopher::Russell],
            evidence: vec![cost.evidence[0].clone(), evidence("It pays for itself in the first year")],
            claims: vec![id(POPPER, &[4]), id(Philosopher::Russell, &[2])],
            ..cost
        },
        _ => Finding {
            id: FindingId(place),
            critique: "Nothing is named that would count as failure.".into(),
            confidence: Confidence::new(0.5),
            held_by: vec![Philosopher::Kant],
            evidence: vec![evidence("people dislike it")],
            claims: vec![id(Philosopher::Kant, &[2])],
            ..measure
        },
    }
}

pub(super) fn assessment() -> Assessment {
    let contradiction = critique::consolidated().contradictions.remove(0);
    Assessment {
        text: "The plan rests on **one** contradiction: it pays for itself, and each order loses money."
            .into(),
        findings: vec![finding(1), finding(2)],
        contradictions: vec![Contradiction { findings: vec![FindingId(1), FindingId(2)], ..contradiction }],
        unread: vec![SectionId(1)],
        missing: vec![Philosopher::Leibniz],
        skipped: vec![Skipped { member: POPPER, sections: vec![SectionId(2)] }],
        claims: 14,
        below_floor: 3,
        merged: 8,
        lesser: 1,
        marked: 2,
        answered_by: Some("qwen3:8b".into()),
    }
}

/// Without any finding.
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
        marked: 0,
        answered_by: None,
    }
}

pub(super) fn said(finding: u8, verdict: TriageVerdict) -> Triage {
    Triage { finding: FindingId(finding), verdict, by: UserId(2), by_name: "Ada".into(), at: 1_790_000_000 }
}
