//! Cards with whatever text anybody could write, and as much of it as there can be: they fit, mention nobody, and leave
//! no fence open.

use proptest::prelude::*;

use super::{super::super::support::hostile, *};
use domain::{
    Adjustment, Assessment, CallPlan, Claim, ClaimEvidence, ClaimId, Confidence, Contradiction, Document,
    DocumentSection, Ended, Estimate, Finding, FindingId, Landmark, Look, MAX_FINDINGS, ModelName, Money,
    Opposition, Post, Reading, SectionId, SelfCritique, Severity, Span, Tree, TreeDepth, Triage, Unit,
    UserId,
};

const SEVERITIES: [Severity; 4] = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];
const ENDED: [Ended; 7] = [
    Ended::Depth,
    Ended::TooSmall,
    Ended::Unsure,
    Ended::NothingGained,
    Ended::NotFound,
    Ended::Budget,
    Ended::Failed,
];

fn texts(count: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(hostile(), 1..count)
}

/// Two files, both of that name and text.
fn document_of(name: &str, text: &str) -> Document {
    let text = format!("{text}\nlast words");
    let file = |name: &str| Landmark::File { name: name.to_owned(), unit: Unit::Paragraph };
    let second = text.len() - "last words".len();
    Document {
        name: name.to_owned(),
        sha256: name.to_owned(),
        landmarks: vec![(0, file(name)), (second, file(name))],
        omissions: Vec::new(),
        text,
    }
}

/// Fifteen, of these titles.
fn sections_of(document: &Document, titles: &[String]) -> Vec<DocumentSection> {
    let section = |(id, title): (u16, &String)| DocumentSection {
        id: SectionId(id),
        title: title.clone(),
        span: document.whole(),
    };
    (1..=15).zip(titles.iter().cycle()).map(section).collect()
}

fn evidence_of(document: &Document, quote: &str, found: bool) -> ClaimEvidence {
    ClaimEvidence {
        quote: quote.to_owned(),
        found: found.then(|| Span { start: document.text.len() - 5, end: document.text.len() }),
    }
}

/// A tree of three levels, with every severity and every reason to end.
fn tree_of(document: &Document, a: &str, list: &[String]) -> Tree {
    fn grow(path: &[u16], level: usize, (document, a, list): (&Document, &str, &[String])) -> Claim {
        let number = path.iter().map(|place| usize::from(*place)).sum::<usize>();
        let child = |place: u16| grow(&[path, &[place]].concat(), level + 1, (document, a, list));
        let children: Vec<Claim> = if level < 3 { (1..=2).map(child).collect() } else { vec![] };
        Claim {
            id: ClaimId { member: Philosopher::Kant, path: path.to_vec() },
            section: SectionId((path[0] - 1) / 3 + 1),
            segment: document.whole(),
            area: list[number % list.len()].clone(),
            claim: a.to_owned(),
            evidence: evidence_of(document, &list[(number + 1) % list.len()], number.is_multiple_of(2)),
            confidence: Confidence::new(0.5),
            severity: SEVERITIES[number % 4],
            deeper: None,
            ended: children.is_empty().then_some(ENDED[number % 7]),
            children,
        }
    }
    Tree {
        member: Philosopher::Kant,
        claims: (1..=4).map(|place| grow(&[place], 1, (document, a, list))).collect(),
        failed: (1..=15).map(SectionId).collect(),
        failed_branches: u32::MAX,
        answered_by: list.to_vec(),
    }
}

fn finding_of(place: u8, document: &Document, a: &str, list: &[String]) -> Finding {
    Finding {
        id: FindingId(place),
        area: list[usize::from(place) % list.len()].clone(),
        critique: a.to_owned(),
        severity: SEVERITIES[usize::from(place) % 4],
        confidence: Confidence::new(f64::from(place) / 10.0),
        held_by: Philosopher::ALL.to_vec(),
        evidence: list
            .iter()
            .enumerate()
            .map(|(at, quote)| evidence_of(document, quote, at % 2 == 0))
            .collect(),
        claims: (1..=50)
            .map(|place| ClaimId { member: Philosopher::Russell, path: vec![place, 2, 2] })
            .collect(),
    }
}

fn assessment_of(document: &Document, a: &str, list: &[String]) -> Assessment {
    let contradiction = |text: &String| Contradiction {
        first: ClaimId { member: Philosopher::Kant, path: vec![1] },
        second: ClaimId { member: Philosopher::Popper, path: vec![1] },
        findings: vec![FindingId(1), FindingId(2)],
        claims: (text.clone(), a.to_owned()),
        why: text.clone(),
    };
    let most = u8::try_from(MAX_FINDINGS).unwrap();
    Assessment {
        text: a.to_owned(),
        findings: (1..=most).map(|place| finding_of(place, document, a, list)).collect(),
        contradictions: list.iter().map(contradiction).collect(),
        unread: (1..=15).map(SectionId).collect(),
        missing: Philosopher::ALL.to_vec(),
        skipped: Vec::new(),
        claims: u32::MAX,
        below_floor: u32::MAX,
        merged: u32::MAX,
        lesser: u32::MAX,
        marked: u32::MAX,
        answered_by: Some(a.to_owned()),
    }
}

proptest! {
    #![proptest_config(properties::cases(6))]

    #[test]
    fn estimates_are_one_message(a in hostile(), b in hostile(), list in texts(6), numbers in any::<(u32, u64, i64, u32)>(), measured in any::<bool>(), split in 0usize..=15) {
        let document = document_of(&a, &b);
        let sections = sections_of(&document, &list);
        let (read, unread) = sections.split_at(split);
        let ids = |sections: &[DocumentSection]| sections.iter().map(|section| section.id).collect::<Vec<_>>();
        let plan = CallPlan { wanted: TreeDepth::new(3).unwrap(), depth: TreeDepth::new(1).unwrap(), branches: 3, read: ids(read), unread: ids(unread), stages: vec![1] };
        let (calls, tokens, cost, minutes) = numbers;
        let known = Estimate { reading: Some(Reading { plan, sections: sections.clone() }), calls, tokens, cost: measured.then_some(Money(cost)), minutes, measured, effort: None, without: Vec::new(), usual_modules: false,
        wished: false, smaller: None };
        let stands = [WaitOutcome::Open, WaitOutcome::Answered(a.clone()), WaitOutcome::Ended].map(stands);
        let asks = stands.map(|standing| estimate(&session(), &brief_on(&document), &known, &standing));
        for post in asks.into_iter().chain([told(Some(&document), &known)]) {
            prop_assert!(post.embeds.iter().map(|embed| embed.fields.len()).sum::<usize>() > 0);
            assert_fit(&[post], OWN);
        }
        let waiting = estimate(&session(), &brief_on(&document), &known, &Standing::default());
        let last = waiting.embeds.last().and_then(|embed| embed.fields.last()).map(|field| field.name.clone());
        prop_assert_eq!(last.as_deref(), Some("What now"), "one post holds all of it");
        prop_assert_eq!(buttons(&waiting).len(), 3);
    }

    #[test]
    fn trees_fit(a in hostile(), b in hostile(), list in texts(6)) {
        let document = document_of(&a, &b);
        let sections = sections_of(&document, &list);
        let tree = tree_of(&document, &b, &list);
        assert_fit(&tree_card(&session(), &StepKey::new(&a), &tree, &document, &sections, &vec![ModelName { model: a.clone(), ..model() }; 6]), OWN);
        assert_fit(&missing_card(Philosopher::Kant, &b), OWN);
        let (title, whole) = whole_tree(&tree, &document, &sections);
        let posts = inspect::whole(&title, &whole, &[]);
        assert_fit(&posts, OWN);
        let text: String = posts.iter().flat_map(|post| &post.embeds).map(|embed| embed.description.as_str()).collect();
        for claim in tree.all() {
            prop_assert!(text.contains(&format!("- **{} · ", claim.id)), "{} is an item of the list", claim.id);
        }
    }

    #[test]
    fn self_critiques_fit(a in hostile(), b in hostile(), list in texts(6)) {
        let document = document_of(&a, &b);
        let tree = tree_of(&document, &b, &list);
        let own = tree.claims[0].id.clone();
        let of = |member| SelfCritique {
            member, reflection: b.clone(),
            adjustments: list.iter().map(|text| Adjustment { target: own.clone(), delta: -0.4, reasoning: text.clone() }).collect(),
            oppositions: list.iter().map(|text| Opposition { own: own.clone(), other: own.clone(), why: text.clone() }).collect(),
            same: vec![], missed: tree.claims.clone(), dropped: u32::MAX / 6, answered_by: a.clone(),
        };
        let all = Philosopher::ALL.map(of);
        assert_fit(&self_critique_card(&session(), Look::Second, &all, &Philosopher::ALL), OWN);
        let (title, whole) = whole_self_critiques(Look::First, &all, &[tree]);
        assert_fit(&inspect::whole(&title, &whole, &[]), OWN);
    }

    #[test]
    fn assessments_fit(a in hostile(), b in hostile(), list in texts(6)) {
        let document = document_of(&a, &b);
        let sections = sections_of(&document, &list);
        let full = assessment_of(&document, &b, &list);
        let none = Assessment { findings: vec![], ..full.clone() };
        for assessment in [full, none] {
            assert_fit(&assessment_cards(&session(), &StepKey::new(&b), &assessment, &document, &sections), OWN);
            let (title, whole) = whole_assessment(&assessment, &document, &sections);
            assert_fit(&inspect::whole(&title, &whole, &[]), OWN);
        }
    }

    #[test]
    fn findings_and_the_triage_are_one_message(a in hostile(), b in hostile(), list in texts(6)) {
        let document = document_of(&a, &b);
        let full = assessment_of(&document, &b, &list);
        let say = |of: &Finding| Triage { finding: of.id, verdict: TriageVerdict::Accepted, by: UserId(1), by_name: a.clone(), at: 1_790_000_000 };
        let said: Vec<Triage> = full.findings.iter().map(say).collect();
        for (of, said) in full.findings.iter().zip(&said) {
            let post = finding(&session(), &sample::assessment(), of, &document, Some(said));
            prop_assert_eq!(buttons(&post).len(), 4, "one post holds all of it");
            prop_assert!(post.embeds.last().unwrap().description.contains("✅ **Accepted** by"), "the state is shown");
            assert_fit(&[post], OWN);
        }
        let panel = triage(&session(), &full, &said);
        let lines = panel.embeds[0].description.lines();
        let told = lines.filter(|line| line.starts_with("✅ **F") && line.contains("**Accepted** by"));
        prop_assert_eq!(told.count(), MAX_FINDINGS);
        prop_assert_eq!(buttons(&panel).len(), 1);
        assert_fit(&[panel], OWN);
        let files = triage_export(&a, &document, &full, &said);
        assert_fit(&[Post { files, ..Post::default() }], OWN);
    }
}
