//! For tests: what charts are drawn of, and every drawing to look at.

use super::super::chart;
use crate::sample::{
    debate::{QUESTION, swing},
    vote::{TEN, pilot, solution, vote, with_proposed},
};
use domain::{Allocation, Basis, ExpertPoints, MODULES, ModuleName, Solution, Tally, Totals, Vote};

/// Solutions of the given titles and the points they got.
pub(crate) fn scored(titles: &[&str], votes: &[(&str, f64, &[u32])]) -> (Vec<Solution>, Vec<ExpertPoints>) {
    let expert = |(name, weight, points): &(&str, f64, &[u32])| ExpertPoints {
        title: ModuleName((*name).to_owned()).expert(),
        weight: *weight,
        influence: domain::Influence::default(),
        allocation: Allocation::scaled(points).unwrap(),
        basis: Basis::Given,
        chances: Vec::new(),
    };
    (
        (1..).zip(titles).map(|(number, title)| solution(number, title)).collect(),
        votes.iter().map(expert).collect(),
    )
}

/// A drawing of points for two solutions, one of the given title.
pub(crate) fn chart_of(title: &str) -> String {
    drawn(&[title, "Partner with the restaurants"], &[("market", 1.0, &[6, 4]), ("cost", 1.0, &[5, 5])])
}

/// Drawings to look at.
pub(crate) fn charts() -> Vec<(&'static str, String)> {
    let points = vec![
        ("two", chart_of("Start with one district")),
        (
            "tie",
            drawn(
                &TEN[..3],
                &[("market", 1.0, &[5, 5, 0]), ("cost", 1.0, &[4, 4, 2]), ("risk", 1.0, &[1, 1, 8])],
            ),
        ),
        (
            "ten",
            drawn(
                &TEN,
                &[
                    ("market", 2.0, &[1, 2, 3, 0, 1, 1, 0, 0, 1, 1]),
                    ("cost", 1.0, &[0, 0, 5, 1, 1, 1, 1, 1, 0, 0]),
                    ("risk", 0.5, &[0, 1, 2, 3, 0, 0, 0, 0, 0, 4]),
                    ("tech", 1.0, &[1; 10]),
                    ("legal", 1.0, &[0, 10, 0, 0, 0, 0, 0, 0, 0, 0]),
                ],
            ),
        ),
        ("twelve-modules", drawn(&TEN[..4], &MODULES.map(|module| (module.name, 1.0, &[3, 2, 4, 1][..])))),
        ("nobody", drawn(&TEN[..2], &[])),
    ];
    [points, votes(), swings()].concat()
}

fn drawn(titles: &[&str], votes: &[(&str, f64, &[u32])]) -> String {
    let (solutions, experts) = scored(titles, votes);
    let counted: Vec<&ExpertPoints> = experts.iter().collect();
    let totals = Totals::count(titles.len(), experts.iter().map(|e| (&e.allocation, e.weight)));
    chart::points(&solutions, &counted, &totals)
}

/// Votes, as their results draw them.
fn votes() -> Vec<(&'static str, String)> {
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
    let draw = |vote: Vote| chart::sides(&vote, &Tally::count(&vote));
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

/// How opinions moved.
fn swings() -> Vec<(&'static str, String)> {
    let draw = |before: &str, after: &str| {
        let swing = swing(before, after);
        chart::swing(QUESTION, &swing, swing.both() > 2)
    };
    vec![
        ("swing-six", draw("fffuua", "ffuuaa")),
        ("swing-all-move", draw("ffuuaa", "uafafu")),
        ("swing-crowd", draw(&"fffuua".repeat(20), &format!("{}uaf", "fffuua".repeat(19)))),
        ("swing-few", draw("fu", "fa")),
        ("swing-nobody-before", draw("", "ffa")),
        ("swing-one-sided", draw("ffff----", "fffffuaa")),
    ]
}
