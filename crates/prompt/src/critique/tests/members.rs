use super::*;
use crate::critique::member_file;

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
fn a_members_method_stands_in_its_requests_and_in_their_version() {
    let session = sample::session();
    let branch = Branch {
        section: session.sections[0].id,
        segment: session.sections[0].span,
        parent: None,
        first: 1,
        most: 3,
    };
    let file = member_file(Philosopher::Kant);
    let own = std::collections::BTreeMap::from([(file, "Ask {{ whether }} it could be a rule.".to_owned())]);
    let changed = Prompts::overridden(own).unwrap();
    let ask = |prompts: &Prompts, member| assess(prompts, session.document_plan(), member, &branch, &[]);
    let kant = ask(&changed, Philosopher::Kant);
    assert!(kant.task.contains("Ask {{ whether }} it could be a rule."), "taken as it is written");
    assert_ne!(kant.version, ask(&Prompts::embedded(), Philosopher::Kant).version);
    assert_eq!(ask(&changed, POPPER).version, ask(&Prompts::embedded(), POPPER).version);
}
