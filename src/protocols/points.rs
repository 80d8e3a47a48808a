//! Ten points from a scorer, the same in every protocol: each sees the solutions in an order of its own, is asked
//! once more where they are not ten, and what is still not ten is scaled.

use crate::{
    domain::{Allocation, Basis, Reply, Scored},
    prompt::{self, ParseError, reply::PointsReply},
    render::{self, points::Reasoned},
    steps::Try,
};

/// What a scorer gave.
pub(super) struct Given {
    /// Its points, in the common order of the solutions.
    pub(super) allocation: Allocation,
    /// As they were, or scaled.
    pub(super) basis: Basis,
    /// What decided it, in its words.
    pub(super) reasoning: String,
}

/// The order in which a scorer sees so many solutions.
pub(super) fn order(solutions: usize, seed: u64, scorer: &str) -> Vec<usize> {
    prompt::shuffled(solutions, prompt::seed(&[&seed.to_string(), scorer]))
}

/// Reads a scorer's reply, which names the solutions by letters in `order`.
pub(super) fn read(reply: &Reply, order: &[usize], attempt: Try) -> Result<Given, ParseError> {
    let said = prompt::parse::<PointsReply>(&reply.text)?.value;
    let reasoning = said.reasoning.clone();
    let (allocation, basis) = allocation(said.into_allocation(order), attempt)?;
    Ok(Given { allocation, basis, reasoning })
}

/// Ten points as given; once asked to correct them, what is not ten is scaled to it.
fn allocation(read: Result<Allocation, ParseError>, attempt: Try) -> Result<(Allocation, Basis), ParseError> {
    match (read, attempt) {
        (Ok(allocation), _) => Ok((allocation, Basis::Given)),
        (Err(ParseError::Points { points, error }), Try::Repaired) => Allocation::scaled(&points)
            .map(|allocation| (allocation, Basis::Scaled))
            .map_err(|_| ParseError::Points { points, error }),
        (Err(error), _) => Err(error),
    }
}

/// Every expert's points with its reasons: title and text.
pub(super) fn full_text(scored: &Scored) -> (String, String) {
    let reasoned = scored.experts.iter().zip(&scored.reasons).map(|(expert, reasoning)| Reasoned {
        title: &expert.title,
        allocation: &expert.allocation,
        basis: expert.basis,
        reasoning,
    });
    let reasoned: Vec<_> = reasoned.collect();
    ("All points".to_owned(), render::points::all_points(&scored.solutions, &reasoned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PointsError;

    #[test]
    fn points_are_scaled_only_after_the_repair_turn_and_never_made_up() {
        let wrong = |points: Vec<u32>| Err(ParseError::Points { points, error: PointsError::Sum(20) });
        assert!(allocation(wrong(vec![15, 5]), Try::First).is_err());
        let (scaled, basis) = allocation(wrong(vec![15, 5]), Try::Repaired).unwrap();
        assert_eq!((scaled.points(), basis), (&[8, 2][..], Basis::Scaled));
        assert!(allocation(wrong(vec![0, 0]), Try::Repaired).is_err());
    }
}
