use super::*;
use crate::{
    domain::{Claim, Confidence, Consolidated, Deeper, FindingId, Span, Tree, TreeDepth},
    prompt::critique::{DocumentPlan, tokens_per_call},
};

/// A session of a text of so many words, which is read in one or more sections.
fn of_words(words: usize, at_once: usize, depth: u8) -> sample::Session {
    let mut session = sample::session();
    let ended = |n| if n % 12 == 11 { format!("word{n}.\n") } else { format!("word{n} ") };
    let text = (0..words).map(ended).collect::<Vec<_>>().concat();
    session.brief.at_once = at_once;
    session.plan.depth = TreeDepth::new(depth).unwrap();
    let mut start = 0;
    let mut sections = Vec::new();
    while start < text.len() {
        let end = (start + at_once).min(text.len());
        let id = crate::domain::SectionId(u16::try_from(sections.len() + 1).unwrap());
        sections.push(crate::domain::DocumentSection {
            id,
            title: format!("Part {id}"),
            span: Span { start, end },
        });
        start = end;
    }
    session.plan.read = sections.iter().map(|section| section.id).collect();
    let read = u32::try_from(sections.len()).unwrap();
    let mut stages = vec![6 * read];
    stages.extend((1..depth).map(|level| 6 * read * 2_u32.pow(u32::from(level))));
    stages.extend([6, 1, 6]);
    session.plan.stages = stages;
    session.sections = sections;
    session.brief.document.text = text;
    session
}

/// A tree as full as the plan allows, of claims of usual length.
fn full_tree(session: &sample::Session, member: Philosopher) -> Tree {
    fn grow(session: &sample::Session, claim: &mut Claim, level: u8) {
        let depth = session.plan.depth.levels();
        claim.deeper = Some(Deeper { passage: "word1 word2".into(), topic: "what word1 stands for".into() });
        if level < depth && claim.id.path.last().is_some_and(|n| n % 3 != 0) {
            claim.children =
                (1..=2).map(|n| one(member_of(claim), &[&claim.id.path[..], &[n]].concat())).collect();
            for child in &mut claim.children {
                grow(session, child, level + 1);
            }
        }
    }
    fn member_of(claim: &Claim) -> Philosopher {
        claim.id.member
    }
    fn one(member: Philosopher, path: &[u16]) -> Claim {
        let mut claim = sample::claim(member, path, Some("demand is certain"));
        claim.claim = "The first year carries the whole plan, and nothing is said of what happens when fewer come than are counted on, so that the sum falls.".into();
        claim.evidence.quote = "word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11".into();
        claim.area = "First year of the plan".into();
        claim.confidence = Confidence::new(0.5);
        claim
    }
    let count = u16::try_from(session.plan.read.len()).unwrap() * 3;
    let mut claims: Vec<Claim> = (1..=count).map(|n| one(member, &[n])).collect();
    for claim in &mut claims {
        grow(session, claim, 1);
    }
    Tree { claims, ..sample::tree(member) }
}

/// Tokens that a request sends, as budgets count them.
fn sent(prompt: &Prompt) -> u64 {
    let schema = prompt.schema.as_ref().map_or(0, |schema| schema.json.to_string().len());
    (prompt.rules.len() + prompt.shared.len() + prompt.task.len() + schema) as u64 / 3 + 64
}

/// The requests of each stage.
fn requests(session: &sample::Session) -> Vec<Vec<Prompt>> {
    let (prompts, reading) = (Prompts::embedded(), session.document_plan());
    let trees = Philosopher::ALL.map(|member| full_tree(session, member));
    let depth = usize::from(session.plan.depth.levels());
    let mut stages: Vec<Vec<Prompt>> = vec![Vec::new(); depth];
    for tree in &trees {
        for section in &session.sections {
            let top = Branch { section: section.id, segment: section.span, parent: None, first: 1, most: 3 };
            stages[0].push(assess(&prompts, reading, tree.member, &top, &[]));
            let mut parent = &tree.claims[0];
            let mut segment = section.span;
            for stage in stages.iter_mut().skip(1) {
                segment.end = segment.start + (segment.end - segment.start) / 2;
                let below = Branch { segment, parent: Some(parent), most: 2, ..top };
                stage.push(assess(&prompts, reading, tree.member, &below, &[]));
                parent = parent.children.first().unwrap_or(parent);
            }
        }
    }
    let order: Vec<&Tree> = trees.iter().skip(1).collect();
    stages.push(vec![self_critique(&prompts, reading, Look::First, &trees[0], &order, &[])]);
    stages.push(vec![assessment(&prompts, reading, &findings(reading, 10), &[], &[])]);
    stages.push(vec![scoring(
        &prompts,
        reading,
        &trees[2],
        Some("The order loses money."),
        &ten(),
        &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    )]);
    stages
}

fn findings(reading: DocumentPlan<'_>, count: u8) -> Consolidated {
    let one = sample::consolidated();
    let finding = |n| {
        let mut finding = one.findings[0].clone();
        finding.id = FindingId(n);
        finding.evidence[0].found = Some(reading.sections[0].span);
        finding.evidence = vec![finding.evidence[0].clone(); 3];
        finding.critique = finding.critique.repeat(3);
        finding
    };
    Consolidated { findings: (1..=count).map(finding).collect(), ..one }
}

fn ten() -> Vec<Solution> {
    let one = solutions().remove(0);
    let titled =
        |n: u8| Solution { id: SolutionId(n), description: one.description.repeat(3), ..one.clone() };
    (1..=10).map(titled).collect()
}

#[test]
fn the_estimate_is_at_least_what_is_sent_and_not_twice_as_much() {
    for (words, at_once, depth) in
        [(300, 6_000, 1), (800, 6_000, 2), (2_500, 6_000, 2), (7_000, 60_000, 3), (16_000, 60_000, 1)]
    {
        let session = of_words(words, at_once, depth);
        let told = tokens_per_call(session.document_plan());
        let stages = requests(&session);
        assert_eq!(told.len(), session.plan.stages.len());
        for (stage, (requests, (most, received))) in stages.iter().zip(told).enumerate() {
            let sum: u64 = requests.iter().map(sent).sum();
            let most = most * requests.len() as u64;
            let place = format!("{words} words, stage {stage}: {sum} of {most}");
            assert!(sum <= most, "{place}");
            assert!(most <= sum * 2, "{place}");
            assert!(requests.iter().all(|request| u64::from(request.max_tokens) == received), "{place}");
        }
    }
}
