//! Votes on solutions: ten of any script and temper, and one that is like a session's.

use domain::{
    Allocation, Ballot, BallotChoice, Basis, ExpertPoints, Influence, Provenance, Solution, SolutionId,
    UserId, Vote,
};

/// When all of them close.
pub(crate) const DEADLINE: i64 = 1_790_000_000;

/// Titles in many scripts, lengths and tempers.
pub(crate) const TEN: [&str; 10] = [
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

/// A solution of this number, scored by the experts and raised by nobody in particular.
pub(crate) fn solution(number: u8, title: &str) -> Solution {
    Solution {
        id: SolutionId(number),
        title: title.to_owned(),
        description: format!("{title}, step by step."),
        raised_by: Vec::new(),
        proposed: false,
        provenance: Provenance::default(),
    }
}

/// How a member spread the ten points.
pub(crate) fn ballot(voter: u64, points: Allocation) -> Ballot {
    Ballot {
        voter: UserId(voter),
        voter_name: format!("Voter {voter}"),
        choice: BallotChoice::Points(points),
    }
}

/// An open vote: experts as title, weight, points and basis; ballots as points.
pub(crate) fn vote(titles: &[&str], experts: &[(&str, f64, &[u32], Basis)], ballots: &[&[u32]]) -> Vote {
    let solution = |(number, title): (u8, &&str)| Solution {
        raised_by: vec!["Market".to_owned(), "Risk".to_owned()],
        ..solution(number, title)
    };
    let expert = |(title, weight, points, basis): &(&str, f64, &[u32], Basis)| ExpertPoints {
        title: (*title).to_owned(),
        weight: *weight,
        influence: Influence::default(),
        allocation: Allocation::scaled(points).unwrap(),
        basis: *basis,
        chances: Vec::new(),
    };
    let ballot = |(voter, points): (u64, &&[u32])| ballot(voter, Allocation::scaled(points).unwrap());
    Vote {
        question: "Should the town start its own food delivery, and how?".to_owned(),
        solutions: (1..).zip(titles).map(solution).collect(),
        experts: experts.iter().map(expert).collect(),
        deadline: Some(DEADLINE),
        ballots: (1..).zip(ballots).map(ballot).collect(),
        ..Vote::default()
    }
}

/// The same vote with its last solutions proposed by members.
pub(crate) fn with_proposed(mut vote: Vote, proposed: usize) -> Vote {
    let scored = vote.solutions.len() - proposed;
    for solution in &mut vote.solutions[scored..] {
        solution.proposed = true;
        solution.raised_by = vec!["Ada".to_owned()];
    }
    for expert in &mut vote.experts {
        let points = expert.allocation.points();
        expert.allocation = Allocation::scaled(&points[..scored.min(points.len())]).unwrap();
    }
    vote
}

/// A vote of three solutions, of which a member proposed the last.
pub(crate) fn pilot() -> Vote {
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
