//! For tests: votes to draw and to read.

use crate::domain::{
    Allocation, Ballot, BallotChoice, Basis, ExpertPoints, Solution, SolutionId, UserId, Vote,
};

/// When all of them close.
pub(in crate::render) const DEADLINE: i64 = 1_790_000_000;

/// Titles in many scripts, lengths and tempers.
pub(in crate::render) const TEN: [&str; 10] = [
    "Start with one district and grow from there",
    "Partner with local restaurants on a revenue share instead of a fixed fee, so that they carry part of the risk and have a reason to promote it in their own rooms, on their menus and at the door, with a yearly review of what each side earns from it",
    "Run a 90-day pilot",
    "مشروع تجريبي مع مطاعم محلية في حي واحد قبل التوسع إلى المدينة كلها",
    "先在一个城区试点，再决定是否扩大到整个城市，并与本地餐馆分享收入",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsverordnung",
    "🚲 Do <nothing> & \"wait\"",
    "Продать всё и открыть пекарню",
    "Lease two vans",
    "Do not build it",
];

/// An open vote: experts as title, weight, points and basis; ballots as points.
pub(in crate::render) fn vote(
    titles: &[&str],
    experts: &[(&str, f64, &[u32], Basis)],
    ballots: &[&[u32]],
) -> Vote {
    let solution = |(at, title): (usize, &&str)| Solution {
        id: SolutionId(u8::try_from(at + 1).unwrap()),
        title: (*title).to_owned(),
        description: format!("{title}, step by step."),
        raised_by: vec!["Market".to_owned(), "Risk".to_owned()],
        proposed: false,
        provenance: crate::domain::Provenance::default(),
    };
    let expert = |(title, weight, points, basis): &(&str, f64, &[u32], Basis)| ExpertPoints {
        title: (*title).to_owned(),
        weight: *weight,
        allocation: Allocation::scaled(points).unwrap(),
        basis: *basis,
    };
    let ballot = |(voter, points): (u64, &&[u32])| Ballot {
        voter: UserId(voter),
        voter_name: format!("Voter {voter}"),
        choice: BallotChoice::Points(Allocation::scaled(points).unwrap()),
    };
    Vote {
        question: "Should the town start its own food delivery, and how?".to_owned(),
        solutions: titles.iter().enumerate().map(solution).collect(),
        experts: experts.iter().map(expert).collect(),
        deadline: Some(DEADLINE),
        ballots: (1..).zip(ballots).map(ballot).collect(),
        ..Vote::default()
    }
}

/// The same vote with its last solutions proposed by members.
pub(in crate::render) fn with_proposed(mut vote: Vote, proposed: usize) -> Vote {
    let scored = vote.solutions.len() - proposed;
    for solution in &mut vote.solutions[scored..] {
        solution.proposed = true;
        solution.raised_by = vec!["Ada".to_owned()];
    }
    for expert in &mut vote.experts {
        expert.allocation = Allocation::scaled(&expert.allocation.points()[..scored]).unwrap();
    }
    vote
}

/// A vote of three solutions, of which a member proposed the last.
pub(in crate::render) fn pilot() -> Vote {
    let titles =
        ["Pilot in one district", "A co-operative of restaurants", "Do not build it", "Lease two vans"];
    let experts: [(&str, f64, &[u32], Basis); 3] = [
        ("📈 Market", 1.0, &[6, 4, 0, 0], Basis::Given),
        ("💰 Cost", 1.0, &[3, 6, 1, 0], Basis::Given),
        ("⚠️ Risk", 1.0, &[8, 0, 2, 0], Basis::Given),
    ];
    let ballots: [&[u32]; 4] = [&[2, 8, 0, 0], &[0, 10, 0, 0], &[4, 4, 0, 2], &[0, 0, 3, 7]];
    with_proposed(vote(&titles, &experts, &ballots), 1)
}

/// Drawings to look at.
pub(in crate::render) fn charts() -> Vec<(&'static str, String)> {
    let given = Basis::Given;
    let tie = vote(
        &TEN[..3],
        &[("Market", 1.0, &[5, 5, 0], given), ("Cost", 1.0, &[5, 5, 0], given)],
        &[&[3, 3, 4], &[5, 5, 0], &[2, 2, 6]],
    );
    let ten = with_proposed(
        vote(
            &TEN,
            &[
                ("Market", 2.0, &[1, 2, 3, 0, 1, 1, 0, 2, 0, 0], given),
                ("Cost", 1.0, &[0, 0, 5, 1, 1, 1, 1, 1, 0, 0], given),
                ("Risk", 0.5, &[0, 1, 2, 3, 0, 0, 0, 4, 0, 0], Basis::Scaled),
                ("Tech", 1.0, &[1; 10], Basis::Even),
            ],
            &[
                &[1; 10],
                &[0, 10, 0, 0, 0, 0, 0, 0, 0, 0],
                &[0, 2, 0, 0, 0, 0, 0, 0, 8, 0],
                &[5, 5, 0, 0, 0, 0, 0, 0, 0, 0],
            ],
        ),
        2,
    );
    let long = Vote {
        question: TEN[1].repeat(2),
        ..vote(&[TEN[1], TEN[3], TEN[4]], &[("Market", 1.0, &[5, 4, 1], given)], &[])
    };
    let all = vote(&TEN[..2], &[("Market", 1.0, &[10, 0], given)], &[&[0, 10], &[0, 10]]);
    let even = vote(&TEN[..2], &[("Market", 1.0, &[5, 5], Basis::Even)], &[&[9, 1]]);
    let nobody = vote(&TEN[..2], &[], &[]);
    let draw = |vote: Vote| super::super::chart::sides(&vote, &crate::domain::Tally::count(&vote));
    vec![
        ("vote-pilot", draw(pilot())),
        ("vote-tie", draw(tie)),
        ("vote-ten", draw(ten)),
        ("vote-long", draw(long)),
        ("vote-all", draw(all)),
        ("vote-even", draw(even)),
        ("vote-nobody", draw(nobody)),
    ]
}
