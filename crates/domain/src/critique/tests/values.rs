//! Ids, spellings, trees, triage, and what is stored.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use super::{
    grouping::{claim, tree},
    *,
};
use crate::{Severity, UserId, sample::critique as sample};

fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
}

#[test]
fn ids_read_as_people_say_them() {
    let id = ClaimId { member: Philosopher::Popper, path: vec![1] };
    assert_eq!(id.child(2).child(10).to_string(), "Popper 1.2.10");
    assert_eq!(id.child(2).number(), "1.2");
    assert_eq!((FindingId(3).to_string(), SectionId(4).to_string()), ("F3".to_owned(), "§4".to_owned()));
}

#[test]
fn confidence_is_held_to_0_to_1() {
    for (value, held) in [(-1.0, 0.0), (0.4, 0.4), (7.0, 1.0), (f64::NAN, 0.0), (f64::INFINITY, 1.0)] {
        assert!((Confidence::new(value).get() - held).abs() < f64::EPSILON, "{value}");
    }
}

#[test]
fn the_council_has_six_members_with_spellings_of_their_own() {
    let mut spellings: Vec<&str> = Philosopher::ALL.iter().map(|member| member.as_str()).collect();
    for member in Philosopher::ALL {
        assert_eq!(serde_json::to_string(&member).unwrap(), format!("\"{}\"", member.as_str()));
        assert_eq!(member.to_string().to_lowercase(), member.as_str());
    }
    assert!(spellings.is_sorted());
    spellings.dedup();
    assert_eq!(spellings.len(), 6);
}

fn grown() -> Tree {
    let at = |path: &[u16]| claim(Philosopher::Kant, path, "It is missing.", Severity::High, 0.5);
    let mut first = at(&[1]);
    first.children = vec![at(&[1, 1]), at(&[1, 2])];
    first.children[1].children = vec![at(&[1, 2, 1])];
    first.ended = None;
    first.deeper = Some(Deeper { passages: vec!["the cost".to_owned()], topic: "Where from?".to_owned() });
    tree(Philosopher::Kant, vec![first, at(&[2])])
}

#[test]
fn a_tree_knows_its_claims_parents_first() {
    let tree = grown();
    let numbers: Vec<String> = tree.all().iter().map(|claim| claim.id.number()).collect();
    assert_eq!(numbers, ["1", "1.1", "1.2", "1.2.1", "2"]);
    assert_eq!((tree.next(), Tree::new(Philosopher::Kant).next()), (3, 1));
    let there = |member, path: &[u16]| tree.claim(&ClaimId { member, path: path.to_vec() }).is_some();
    assert!(
        there(Philosopher::Kant, &[1, 2, 1])
            && !there(Philosopher::Kant, &[3])
            && !there(Philosopher::Popper, &[1])
    );
}

#[test]
fn what_is_stored_comes_back_as_it_was() {
    round_trips(&grown());
    round_trips(&sample::tree(Philosopher::Popper));
    round_trips(&Review {
        unread: vec![SectionId(2)],
        missing: vec![Philosopher::Russell],
        skipped: vec![Skipped { member: Philosopher::Kant, sections: vec![SectionId(2)] }],
        marked: 1,
        ..sample::review()
    });
    round_trips(&sections(&document("# A\n\nText."), 5));
    round_trips(&sample::self_critique(Philosopher::Leibniz));
}

fn said(finding: u8, verdict: TriageVerdict, at: i64) -> Triage {
    Triage { finding: FindingId(finding), verdict, by: UserId(7), by_name: "Ada".to_owned(), at }
}

#[test]
fn of_a_finding_the_last_word_counts_and_it_may_be_taken_back() {
    let finding = |id| Finding { id: FindingId(id), ..sample::review().findings.remove(0) };
    let findings = [finding(1), finding(2), finding(3)];
    let triage = [
        said(1, TriageVerdict::Accepted, 1),
        said(2, TriageVerdict::Rejected, 2),
        said(1, TriageVerdict::Fixed, 3),
        said(2, TriageVerdict::Open, 4),
        said(9, TriageVerdict::Fixed, 5),
    ];
    let triaged = TriagedFinding::all(&findings, &triage);
    let verdicts: Vec<_> = triaged.iter().map(|one| one.triage.map(|said| said.verdict)).collect();
    assert_eq!(verdicts, [Some(TriageVerdict::Fixed), None, None]);
    assert!(triaged.iter().zip(&findings).all(|(one, finding)| one.finding == finding));
    round_trips(&triage.to_vec());
    for verdict in
        [TriageVerdict::Accepted, TriageVerdict::Rejected, TriageVerdict::Fixed, TriageVerdict::Open]
    {
        assert_eq!(TriageVerdict::parse(verdict.as_str()), Some(verdict));
    }
    assert_eq!(TriageVerdict::parse("done"), None);
}
