//! What a session of /delphi may be asked, and what five estimators say of it.

use super::seat;
use domain::{DelphiBrief, Effort, Estimated, Estimates, NumberAsked, Outlook, Problem, SaidEstimate};

pub(crate) fn brief(estimators: usize) -> DelphiBrief {
    DelphiBrief {
        problem: Problem::new("How many weeks will the move to the new billing take?").unwrap(),
        document: None,
        unit: Some("weeks".to_owned()),
        estimators: (0..estimators).map(|_| seat()).collect(),
        writer: seat(),
        checker: seat(),
        language: None,
        effort: Effort::Brief,
        today: "30 November 2026".to_owned(),
    }
}

pub(crate) fn asked() -> NumberAsked {
    NumberAsked {
        question: "How many weeks will pass from 1 January 2027 until the last invoice comes from the new billing?".to_owned(),
        unit: "weeks".to_owned(),
        counts: "Weeks of the calendar until no invoice is written by the old system any more; tests do not count.".to_owned(),
    }
}

/// An estimate in the first round.
pub(crate) fn estimate(estimator: u8, numbers: [f64; 3]) -> Estimated {
    let [low, middle, high] = numbers;
    let said = SaidEstimate {
        moved: String::new(),
        reasons: format!("Moves of {} tables took about {middle} weeks each.", 40 + estimator),
        assumes: vec!["Nobody falls ill".to_owned(), "The old system stays until then".to_owned()],
        because: format!("Such moves took about {middle} weeks."),
        low,
        middle,
        high,
    };
    Estimated { round: 1, estimator, said, numbers, answered_by: "alpha".to_owned(), dropped_citations: 0 }
}

/// What five have come to after so many rounds, in which they come nearer to one another.
pub(crate) fn estimates(rounds: u8) -> Estimates {
    let numbers = [
        [[4.0, 6.0, 9.0], [8.0, 11.0, 16.0], [9.0, 12.0, 18.0], [7.0, 10.0, 13.0], [16.0, 24.0, 40.0]],
        [[6.0, 8.0, 11.0], [8.0, 11.0, 16.0], [9.0, 12.0, 18.0], [8.0, 11.0, 14.0], [13.0, 19.0, 30.0]],
        [[7.0, 9.0, 13.0], [8.0, 11.0, 15.0], [9.0, 12.0, 17.0], [8.0, 11.0, 14.0], [12.0, 17.0, 26.0]],
    ];
    let round = |(round, numbers): (u8, [[f64; 3]; 5])| {
        (1..).zip(numbers).map(move |(who, numbers)| Estimated { round, ..estimate(who, numbers) })
    };
    let all = (1..=rounds).zip(numbers).flat_map(round).collect();
    Estimates { number: asked(), all, outlook: (rounds == 3).then(outlook) }
}

pub(crate) fn outlook() -> Outlook {
    Outlook {
        parted: "The highest counts the freeze before the yearly accounts; the others let the work go on through it.".to_owned(),
        hangs_on: vec![
            "Low: the old data can be read as it is.".to_owned(),
            "High: the freeze before the accounts holds.".to_owned(),
        ],
        narrows: vec!["Move one customer by hand: two days.".to_owned()],
    }
}
