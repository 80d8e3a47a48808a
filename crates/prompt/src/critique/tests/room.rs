//! What is sent where there is more than a small model can take in.

use super::*;
use crate::critique::material::{Shown, beside};
use domain::{Claim, Confidence, Severity, Tree};

/// A tree of so many claims of usual length, of which one is grave.
fn long_tree(member: Philosopher, claims: u16) -> Tree {
    let one = |n| {
        let claim = sample::claim(member, &[n], Some("demand is certain"));
        let severity = if n == claims / 2 { Severity::Critical } else { Severity::Low };
        let said = "It rests on a year that nobody has counted, and falls with it. ".repeat(3);
        Claim { severity, claim: said, confidence: Confidence::new(0.5), ..claim }
    };
    Tree { claims: (1..=claims).map(one).collect(), ..sample::tree(member) }
}

#[test]
fn trees_that_are_too_long_lose_their_lesser_claims_and_say_so() {
    let (prompts, session) = (Prompts::embedded(), sample::session());
    let trees = Philosopher::ALL.map(|member| long_tree(member, 30));
    let order: Vec<&Tree> = trees.iter().skip(1).collect();
    let prompt = self_critique(&prompts, session.document_plan(), Look::First, &trees[0], &order, &[]);
    assert!(prompt.task.contains("Y15. "), "the grave one stays");
    assert!(prompt.task.contains("A15. ") && prompt.task.contains("E15. "));
    let said = prompt.task.matches("lesser claims are left out here").count();
    assert_eq!(said, 6, "{}", prompt.task);
    assert!(!prompt.task.contains("Y30. "));
    let schema = prompt.schema.unwrap().json;
    let labels = &schema["properties"]["adjustments"]["items"]["properties"]["claim"]["enum"];
    let labels: Vec<&str> = labels.as_array().unwrap().iter().filter_map(|label| label.as_str()).collect();
    assert!(labels.contains(&"Y15") && !labels.contains(&"Y30"), "what is not shown cannot be adjusted");
    let few = self_critique(&prompts, session.document_plan(), Look::First, &sample::tree(POPPER), &[], &[]);
    assert!(!few.task.contains("left out"));
}

#[test]
fn the_text_goes_along_as_long_as_there_is_room() {
    let mut session = sample::session();
    let whole = sample::TEXT.chars().count();
    session.brief.at_once = 400;
    assert_eq!(beside(session.document_plan(), 600 - whole), Shown::Whole);
    assert_eq!(beside(session.document_plan(), 601 - whole), Shown::Map);
    // The text in sections is shown whole where it has room beside what was found, else its map.
    let mut session = sample::in_sections();
    let own = sample::tree(POPPER);
    let prompts = Prompts::embedded();
    let critique = |session: &sample::Session| {
        self_critique(&prompts, session.document_plan(), Look::First, &own, &[], &[])
    };
    let map = critique(&session);
    assert!(map.shared.contains("3. Success (not read)") && !map.shared.contains("demand is certain"));
    session.brief.at_once = 6_000;
    let whole = critique(&session);
    assert!(whole.shared.contains("demand is certain") && whole.shared.contains("numbers will grow"));
}

/// Texts as long as a small model reads at once, with the fullest trees and findings, fit a context of 8,192 tokens.
/// Four characters a token is usual for English.
#[test]
fn a_small_context_holds_every_request() {
    let mut session = sample::session();
    let text = format!("{}{}", sample::TEXT, "A sentence of the plan that says little. ".repeat(200));
    session.brief.document.text = text.chars().take(6_000).collect();
    session.sections[0].span = session.brief.document.whole();
    let (prompts, reading) = (Prompts::embedded(), session.document_plan());
    let trees = Philosopher::ALL.map(|member| long_tree(member, 60));
    let order: Vec<&Tree> = trees.iter().skip(1).collect();
    let mut consolidated = sample::consolidated();
    let mut finding = consolidated.findings[0].clone();
    finding.critique = finding.critique.repeat(6);
    finding.evidence = vec![finding.evidence[0].clone(); 6];
    consolidated.findings = vec![finding; 10];
    let ten: Vec<Solution> =
        (0..10).map(|_| Solution { description: "word ".repeat(90), ..solutions().remove(0) }).collect();
    let order_of_ten: Vec<usize> = (0..10).collect();
    let mut all = one_of_each(&session);
    all.extend([
        ("long self-critique", self_critique(&prompts, reading, Look::First, &trees[0], &order, &[])),
        ("long assessment", assessment(&prompts, reading, &consolidated, &[], &[])),
        (
            "long scoring",
            scoring(&prompts, reading, &trees[0], Some("The order loses money."), &ten, &order_of_ten),
        ),
    ]);
    for (name, prompt) in all {
        let chars = prompt.rules.len() + prompt.shared.len() + prompt.task.len();
        let tokens = chars / 4 + usize::try_from(prompt.max_tokens).unwrap();
        assert!(tokens < 7_900, "{name}: {tokens} tokens");
    }
}
