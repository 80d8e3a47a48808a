//! Ten points: every voter, expert or member, spreads exactly ten over the solutions.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Basis;

/// Points each voter allocates.
pub const POINTS_PER_VOTER: u32 = 10;

/// Why points are not an allocation.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PointsError {
    /// As many entries as solutions are needed.
    #[error("{given} entries for {wanted} solutions")]
    Count {
        /// Entries given.
        given: usize,
        /// Solutions there are.
        wanted: usize,
    },
    /// They do not add up.
    #[error("the points add up to {0}, not to 10")]
    Sum(u64),
    /// Nothing was given to anything.
    #[error("no solution got any points")]
    Empty,
}

/// Exactly ten whole points over the solutions, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct Allocation(Vec<u32>);

impl Allocation {
    /// Takes the points as they are.
    pub fn exact(points: Vec<u32>, solutions: usize) -> Result<Self, PointsError> {
        if points.len() != solutions {
            return Err(PointsError::Count { given: points.len(), wanted: solutions });
        }
        match points.iter().map(|&p| u64::from(p)).sum() {
            0 => Err(PointsError::Empty),
            sum if sum == u64::from(POINTS_PER_VOTER) => Ok(Self(points)),
            sum => Err(PointsError::Sum(sum)),
        }
    }

    /// Scales any points to ten in proportion: whole parts first, then one more to each of the largest
    /// remainders, the earlier solution first among equals (largest remainder method, Hamilton's).
    pub fn scaled(points: &[u32]) -> Result<Self, PointsError> {
        let sum: u64 = points.iter().map(|&p| u64::from(p)).sum();
        if sum == 0 {
            return Err(PointsError::Empty);
        }
        let share = |p: u32| u64::from(p) * u64::from(POINTS_PER_VOTER);
        let mut whole: Vec<u64> = points.iter().map(|&p| share(p) / sum).collect();
        let left = u64::from(POINTS_PER_VOTER) - whole.iter().sum::<u64>();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(share(points[i]) % sum));
        for &i in order.iter().take(usize::try_from(left).unwrap_or_default()) {
            whole[i] += 1;
        }
        Ok(Self(whole.into_iter().map(|p| u32::try_from(p).unwrap_or(POINTS_PER_VOTER)).collect()))
    }

    /// The points, in the order of the solutions.
    #[must_use]
    pub fn points(&self) -> &[u32] {
        &self.0
    }
}

impl TryFrom<Vec<u32>> for Allocation {
    type Error = PointsError;

    fn try_from(points: Vec<u32>) -> Result<Self, Self::Error> {
        let count = points.len();
        Self::exact(points, count)
    }
}

impl From<Allocation> for Vec<u32> {
    fn from(allocation: Allocation) -> Self {
        allocation.0
    }
}

/// A scorer's points, as journaled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Who, as its step spells it.
    pub scorer: String,
    /// Its ten points.
    pub allocation: Allocation,
    /// Where they come from.
    pub basis: Basis,
    /// What decided between the solutions, in its words.
    pub reasoning: String,
    /// The chance, of 100, that it sees for each solution in their order; `None` for one that it gave no points or for which
    /// it said none. Empty where nobody asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Option<u8>>,
}

/// What the solutions got in all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Totals {
    /// Points as given; they add up to ten times the voters.
    pub points: Vec<u32>,
    /// Points times the voter's weight.
    pub weighted: Vec<f64>,
    /// How many gave at least one point.
    pub approvals: Vec<u32>,
    /// Voters counted.
    pub voters: u32,
}

impl Totals {
    /// Counts allocations with the weights of their voters.
    pub fn count<'a>(solutions: usize, votes: impl IntoIterator<Item = (&'a Allocation, f64)>) -> Self {
        let mut totals = Self {
            points: vec![0; solutions],
            weighted: vec![0.0; solutions],
            approvals: vec![0; solutions],
            voters: 0,
        };
        for (allocation, weight) in votes {
            totals.voters += 1;
            for (i, &points) in allocation.points().iter().take(solutions).enumerate() {
                totals.points[i] += points;
                totals.weighted[i] += f64::from(points) * weight;
                totals.approvals[i] += u32::from(points > 0);
            }
        }
        totals
    }

    /// Each solution's part of all weighted points, 0 to 1; all 0 while there are none.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let all: f64 = self.weighted.iter().sum();
        self.weighted.iter().map(|points| if all > 0.0 { points / all } else { 0.0 }).collect()
    }

    /// Places from 1, by weighted points; equal totals share a place, so that a tie shows as a tie.
    #[must_use]
    pub fn ranks(&self) -> Vec<usize> {
        let above = |x: f64| self.weighted.iter().filter(|&&y| y > x + 1e-9).count();
        self.weighted.iter().map(|&x| above(x) + 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exact_takes_ten_and_nothing_else() {
        assert_eq!(Allocation::exact(vec![7, 3, 0], 3).unwrap().points(), [7, 3, 0]);
        assert_eq!(Allocation::exact(vec![7, 3], 3), Err(PointsError::Count { given: 2, wanted: 3 }));
        assert_eq!(Allocation::exact(vec![7, 4], 2), Err(PointsError::Sum(11)));
        assert_eq!(Allocation::exact(vec![0, 0], 2), Err(PointsError::Empty));
    }

    #[test]
    fn the_largest_remainders_get_what_is_left() {
        assert_eq!(Allocation::scaled(&[1, 1, 1]).unwrap().points(), [4, 3, 3]);
        assert_eq!(Allocation::scaled(&[50, 30, 20]).unwrap().points(), [5, 3, 2]);
        assert_eq!(Allocation::scaled(&[0, u32::MAX]).unwrap().points(), [0, 10]);
        assert_eq!(Allocation::scaled(&[0]), Err(PointsError::Empty));
    }

    #[test]
    fn ties_share_a_rank() {
        let totals = Totals::count(3, [(&Allocation(vec![4, 4, 2]), 1.0)]);
        assert_eq!(totals.ranks(), [1, 1, 3]);
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn scaling_sums_to_ten_and_is_never_off_by_a_whole_point(points in prop::collection::vec(0u32..1000, 1..11)) {
            prop_assume!(points.iter().any(|&p| p > 0));
            let sum: f64 = points.iter().map(|&p| f64::from(p)).sum();
            let scaled = Allocation::scaled(&points).unwrap();
            prop_assert_eq!(scaled.points().iter().sum::<u32>(), POINTS_PER_VOTER);
            for (given, got) in points.iter().zip(scaled.points()) {
                prop_assert!((f64::from(*given) * 10.0 / sum - f64::from(*got)).abs() < 1.0);
            }
        }

        #[test]
        fn scaling_is_exact_and_fair(points in prop::collection::vec(prop_oneof![0u32..12, Just(u32::MAX), any::<u32>()], 1..11)) {
            prop_assume!(points.iter().any(|&p| p > 0));
            let sum: u64 = points.iter().map(|&p| u64::from(p)).sum();
            let scaled = Allocation::scaled(&points).unwrap();
            let exact = |p: u32| u64::from(p) * 10;
            let parts = || points.iter().zip(scaled.points());
            for (&p, &got) in parts() {
                // The whole part of the exact share, or one more where it is not whole: compared in whole numbers.
                let whole = exact(p) / sum;
                let extra = u64::from(got).checked_sub(whole);
                prop_assert!(extra == Some(0) || (extra == Some(1) && exact(p) % sum > 0), "{points:?} {scaled:?}");
                for (&q, &other) in parts() {
                    prop_assert!(p != q || got.abs_diff(other) <= 1, "equals are treated alike");
                    prop_assert!(p <= q || got >= other, "more never gets less");
                    // Whoever has the larger remainder is served first.
                    let served = |p: u32, got: u32| u64::from(got) > exact(p) / sum;
                    let first = exact(p) % sum > exact(q) % sum;
                    prop_assert!(!(first && served(q, other) && !served(p, got)), "{points:?} {scaled:?}");
                }
            }
        }

        #[test]
        fn what_is_ten_already_stays_as_it_is(places in prop::collection::vec(0usize..10, 10)) {
            let mut points = vec![0; 10];
            for place in places {
                points[place] += 1;
            }
            prop_assert_eq!(Allocation::scaled(&points), Allocation::exact(points, 10));
        }

        #[test]
        fn totals_equal_a_naive_recount_in_any_order(votes in prop::collection::vec(prop::collection::vec(0u32..50, 4), 0..20)) {
            let votes: Vec<Allocation> = votes.iter().filter_map(|v| Allocation::scaled(v).ok()).collect();
            let totals = Totals::count(4, votes.iter().map(|v| (v, 1.0)));
            let backwards = Totals::count(4, votes.iter().rev().map(|v| (v, 1.0)));
            prop_assert_eq!(&totals.points, &backwards.points);
            prop_assert_eq!(totals.points.iter().sum::<u32>(), POINTS_PER_VOTER * totals.voters);
            for i in 0..4 {
                prop_assert_eq!(totals.points[i], votes.iter().map(|v| v.points()[i]).sum::<u32>());
            }
        }
    }
}
