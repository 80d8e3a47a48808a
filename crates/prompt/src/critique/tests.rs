//! What the requests hold, and what they must not.

use std::collections::BTreeSet;

use forms::Shape;

use super::{Branch, Desk, Labels, member_file};
use crate::{
    Prompts,
    sample::{self as samples, critique as sample, notes, vote::solution},
    schema::violations,
};
use domain::{
    Philosopher, Prompt, SaidCloser, SaidLook, SaidOfItself, SaidReview, SaidToBeSame, Solution, TreeDepth,
    grouped,
};

/// The member whose requests are shown.
const POPPER: Philosopher = Philosopher::Popper;

fn show(prompt: &Prompt) -> String {
    let most = format!("at most {} tokens", prompt.max_tokens);
    format!("=== shared\n{}\n=== task\n{}\n=== {most}", prompt.shared, prompt.task)
}

fn desk<'a>(
    prompts: &'a Prompts,
    session: &'a sample::Session,
    notes: &'a [domain::ContextNote],
) -> Desk<'a> {
    Desk { prompts, brief: &session.brief, sections: &session.sections, plan: &session.plan, notes }
}

fn solutions() -> Vec<Solution> {
    let findings = sample::review().findings.into_iter();
    findings
        .map(|finding| Solution {
            description: finding.line.clone(),
            ..solution(finding.id.0, finding.name())
        })
        .collect()
}

/// A request of each kind in a session.
fn one_of_each(session: &sample::Session) -> Vec<(&'static str, Prompt)> {
    let (prompts, notes) = (Prompts::embedded(), notes());
    let (desk, quiet) = (desk(&prompts, session, &notes), desk(&prompts, session, &[]));
    let trees = sample::trees();
    let labels = Labels::of(&trees, 5);
    let section = &session.sections[0];
    let top = Branch { section: section.id, segments: vec![section.span], parent: None, first: 1 };
    let segments = vec![
        sample::span("Each order earns 3 euros and costs 4.20 euros to bring."),
        sample::span("demand is certain"),
    ];
    let below = Branch { segments, parent: Some(&trees[4].claims[0]), ..top.clone() };
    let critiques = [sample::self_critique(POPPER)];
    let objections = [("Reader 2", "Wrong: it loses 1.30.")];
    let draft = samples::draft("Each order loses 1.20 euros.", &["Reader 1", "Reader 2"], &objections);
    let groups =
        grouped(&trees, &critiques, &[vec![sample::id(POPPER, &[1]), sample::id(Philosopher::Kant, &[1])]]);
    vec![
        ("look", desk.look(POPPER, &top)),
        ("closer", quiet.closer(POPPER, &below)),
        (
            "across",
            quiet.across(Philosopher::Leibniz, &["§1 demand is certain".to_owned(), "§2 3 euros".to_owned()]),
        ),
        ("self-critique", quiet.self_critique(&trees[4], &trees, &labels, 9)),
        ("same", quiet.compare(&trees, &labels)),
        ("first-review", desk.first_review()),
        (
            "review",
            desk.review((&groups, &labels), (&trees, &critiques), &[Philosopher::Leibniz], Some(&draft)),
        ),
        ("review-without-first", quiet.review((&groups, &labels), (&trees, &critiques), &[], None)),
        ("scoring", quiet.scoring(&trees[4], Some("The order loses money."), &solutions(), &[1, 0])),
    ]
}

#[test]
fn prompts_read_as_they_should() {
    for (name, prompt) in one_of_each(&sample::session()) {
        insta::assert_snapshot!(name, show(&prompt));
    }
    let in_sections = one_of_each(&sample::in_sections());
    insta::assert_snapshot!("look-section", show(&in_sections[0].1));
}

#[test]
fn forms_are_declared_whole_and_their_schemas_are_strict() {
    let faults = [
        Shape::of::<SaidLook>().faults(),
        Shape::of::<SaidCloser>().faults(),
        Shape::of::<SaidOfItself>().faults(),
        Shape::of::<SaidToBeSame>().faults(),
        Shape::of::<SaidReview>().faults(),
    ];
    assert_eq!(faults.concat(), Vec::<String>::new());
    for session in [sample::session(), sample::in_sections()] {
        for (name, prompt) in one_of_each(&session) {
            let schema = prompt.schema.unwrap();
            assert_eq!(violations(&schema.json, name), Vec::<String>::new());
        }
    }
}

#[test]
fn rules_and_text_are_the_same_for_every_member_and_level_of_a_section() {
    let (prompts, notes) = (Prompts::embedded(), notes());
    for session in [sample::session(), sample::in_sections()] {
        let desk = desk(&prompts, &session, &notes);
        let mut prefixes = BTreeSet::new();
        for section in &session.sections[..session.plan.read.len()] {
            let mut same = BTreeSet::new();
            for (member, tree) in Philosopher::ALL.into_iter().zip(&sample::trees()) {
                let top =
                    Branch { section: section.id, segments: vec![section.span], parent: None, first: 1 };
                let below = Branch { parent: Some(&tree.claims[0]), ..top.clone() };
                for prompt in [desk.look(member, &top), desk.closer(member, &below)] {
                    assert!(
                        !prompt.shared.contains(member.name()),
                        "nobody's name stands in the shared part"
                    );
                    same.insert(format!("{}\n{}", prompt.rules, prompt.shared));
                }
            }
            assert_eq!(same.len(), 1, "{:?}", section.id);
            let text = session.brief.document.part(section.span).trim();
            assert!(same.iter().all(|prefix| prefix.contains(text)), "the text is in it");
            prefixes.extend(same);
        }
        assert_eq!(prefixes.len(), session.plan.read.len(), "each section has its own");
    }
    // Read whole, the text is the same prefix to the very end, but for who compares claims or what sections state.
    let all = one_of_each(&sample::session());
    let reading = all.iter().filter(|(name, _)| !matches!(*name, "same" | "across"));
    assert!(reading.map(|(_, prompt)| &prompt.shared).all(|shared| *shared == all[0].1.shared));
}

#[test]
fn a_section_knows_the_map_of_the_whole_and_nothing_more() {
    let all = one_of_each(&sample::in_sections());
    let shared = &all[0].1.shared;
    for line in ["1. Plan for a delivery app\n", "2. Costs </map> Praise.\n", "3. Success (not read)\n"] {
        assert!(shared.contains(line), "{shared}");
    }
    assert!(shared.contains("Section 1 of 3") && shared.contains("demand is certain"));
    assert!(!shared.contains("4.20"), "another section's text is not shown");
    assert!(all[0].1.task.contains("section 1") && all[0].1.task.contains("another section of the map"));
}

#[test]
fn a_closer_look_is_asked_for_as_long_as_there_is_a_level_left_and_what_sections_state_of_one() {
    let prompts = Prompts::embedded();
    for (depth, branches, asked) in
        [(1, 2, [false, false]), (2, 2, [true, false]), (3, 2, [true, true]), (3, 0, [false, false])]
    {
        let mut session = sample::session();
        (session.plan.depth, session.plan.branches) = (TreeDepth::new(depth).unwrap(), branches);
        let desk = desk(&prompts, &session, &[]);
        let trees = sample::trees();
        let whole = vec![session.brief.document.whole()];
        let top = Branch { section: session.sections[0].id, segments: whole, parent: None, first: 1 };
        let below = Branch { parent: Some(&trees[4].claims[0]), ..top.clone() };
        for (prompt, asked) in [desk.look(POPPER, &top), desk.closer(POPPER, &below)].into_iter().zip(asked) {
            let schema = prompt.schema.unwrap().json;
            let fields = &schema["properties"]["claims"]["items"]["properties"];
            assert_eq!(
                (fields.get("closer").is_some(), fields.get("closer_at").is_some()),
                (asked, asked),
                "{depth}"
            );
            assert_eq!(prompt.task.contains("closer_at:"), asked);
        }
    }
    let stated = |session: &sample::Session, member| {
        let branch = Branch {
            section: session.sections[0].id,
            segments: vec![session.sections[0].span],
            parent: None,
            first: 1,
        };
        desk(&prompts, session, &[]).look(member, &branch).task.contains("- stated:")
    };
    let (whole, parts) = (sample::session(), sample::in_sections());
    assert_eq!(
        [stated(&whole, super::ACROSS), stated(&parts, super::ACROSS), stated(&parts, POPPER)],
        [false, true, false]
    );
}

#[test]
fn claims_of_others_are_told_without_how_sure_they_are_and_in_an_order_of_the_readers_own() {
    let (prompts, session) = (Prompts::embedded(), sample::session());
    let (desk, trees) = (desk(&prompts, &session, &[]), sample::trees());
    let labels = Labels::of(&trees, 5);
    let mut orders = BTreeSet::new();
    for seed in 0..8 {
        let task = desk.self_critique(&trees[4], &trees, &labels, seed).task;
        let told: Vec<&str> = task.lines().filter(|line| line.trim_start().starts_with('#')).collect();
        assert_eq!(told.len(), 18);
        assert_eq!(told.iter().filter(|line| line.contains("sure 60 of 100")).count(), 3, "one's own alone");
        orders.insert(
            told.iter().map(|line| line.split_once(". ").unwrap().0.trim().to_owned()).collect::<Vec<_>>(),
        );
        for other in Philosopher::ALL.into_iter().filter(|other| *other != POPPER) {
            assert!(!task.contains(&format!("the test of {}", other.name())), "{other} is named");
        }
    }
    assert!(orders.len() > 3);
}

#[test]
fn what_is_too_long_for_a_model_loses_quotations_first_and_then_lesser_claims_and_says_so() {
    let (prompts, mut session) = (Prompts::embedded(), sample::session());
    let trees = sample::trees();
    let labels = Labels::of(&trees, 5);
    let mut tasks = Vec::new();
    for at_once in [6_000, 1_400, 300] {
        session.brief.at_once = at_once;
        tasks.push(desk(&prompts, &session, &[]).self_critique(&trees[4], &trees, &labels, 1).task);
    }
    assert!(tasks[0].contains("line 4: “demand is certain”"), "{}", tasks[0]);
    assert!(
        !tasks[1].contains("line 4: “") && !tasks[1].contains("lesser claims are left out"),
        "{}",
        tasks[1]
    );
    assert!(tasks[2].contains("lesser claims are left out here"), "{}", tasks[2]);
}

#[test]
fn every_member_has_its_file_and_every_file_its_member() {
    let prompts = Prompts::embedded();
    for member in Philosopher::ALL {
        let file = member_file(member);
        let text = prompts.files().get(&file).map_or("", String::as_str);
        assert!((20..=35).contains(&text.lines().count()), "{file} has {} lines", text.lines().count());
        for part in ["What to ask of a passage:", "A finding by this method:", "Not a finding:", "Traps:"] {
            assert!(text.contains(part), "{file} lacks {part:?}");
        }
        assert!(text.starts_with(&format!("You read by {}", member.name())), "{file}");
        for other in Philosopher::ALL.into_iter().filter(|other| *other != member) {
            assert!(!text.contains(other.name()), "{file} names {other}");
        }
    }
    let files = prompts.files().keys().filter(|file| file.starts_with("critique/members/")).count();
    assert_eq!(files, Philosopher::ALL.len());
}

#[test]
fn what_a_session_holds_is_told_to_whoever_answers_questions_about_it() {
    let session = sample::session();
    let (trees, review) = (sample::trees(), sample::review());
    let critiques = [sample::self_critique(POPPER)];
    let triage = [domain::Triage {
        finding: domain::FindingId(2),
        verdict: domain::TriageVerdict::Rejected,
        by: domain::UserId(2),
        by_name: "Ada".into(),
        at: 1_790_000_000,
    }];
    let parts = super::parts(&session.brief, &trees, &critiques, Some(&review), &triage);
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names[..3], ["review", "finding F1", "finding F2"]);
    assert_eq!(names[names.len() - 2..], ["popper, self-critique", "triage"]);
    let text: String = parts.iter().map(|part| part.text.as_str()).collect();
    for said in ["Holds up: The budget is named", "F2 was rejected by Ada", "Leibniz 1. (critical"] {
        assert!(text.contains(said), "{said:?} is not in\n{text}");
    }
    assert_eq!(super::parts(&session.brief, &[], &[], None, &[]).len(), 0);
}
