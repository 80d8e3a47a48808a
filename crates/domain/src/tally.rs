//! Counting a vote: experts and team side by side, never summed.

use serde::{Deserialize, Serialize};

use super::{Ballot, Basis, SolutionId, Totals, Vote};

/// Both sides of a vote, counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// The experts', over their own solutions; points that were only spread evenly are no opinion and not in it.
    pub experts: Totals,
    /// The team's, over all solutions.
    pub team: Totals,
}

/// A solution on which the sides differ.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gap {
    /// The solution that it is about.
    pub solution: SolutionId,
    /// The experts' share of their points, 0 to 1.
    pub experts: f64,
    /// The team's share, 0 to 1.
    pub team: f64,
}

impl Tally {
    /// Counts a vote. The order in which ballots came does not matter.
    #[must_use]
    pub fn count(vote: &Vote) -> Self {
        let scored = vote.solutions.iter().filter(|solution| !solution.proposed).count();
        let opinions = vote.experts.iter().filter(|expert| expert.basis != Basis::Even);
        let experts = Totals::count(scored, opinions.map(|expert| (&expert.allocation, expert.weight)));
        let team = Totals::count(
            vote.solutions.len(),
            vote.ballots.iter().filter_map(Ballot::points).map(|points| (points, 1.0)),
        );
        Self { experts, team }
    }

    /// Where the sides differ most, among what both could give points to: the widest differences of share, all of
    /// them where several are equally wide. Empty if a side has not voted, or nowhere differs.
    #[must_use]
    pub fn widest_gaps(&self, vote: &Vote) -> Vec<Gap> {
        let (experts, team) = (self.experts.shares(), self.team.shares());
        if self.experts.voters == 0 || self.team.voters == 0 {
            return Vec::new();
        }
        let both =
            vote.solutions.iter().zip(&team).zip(&experts).filter(|((solution, _), _)| !solution.proposed);
        let gaps: Vec<Gap> =
            both.map(|((solution, &team), &experts)| Gap { solution: solution.id, experts, team }).collect();
        let width = |gap: &Gap| (gap.experts - gap.team).abs();
        let widest = gaps.iter().map(width).fold(0.0, f64::max);
        gaps.into_iter().filter(|gap| widest > 1e-9 && widest - width(gap) < 1e-9).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Allocation, ExpertPoints, Influence, Solution, sample::vote as sample};

    const BASES: [Basis; 3] = [Basis::Given, Basis::Scaled, Basis::Even];

    /// Ten points, spread in any way over so many solutions.
    fn ten(solutions: usize) -> impl Strategy<Value = Allocation> {
        prop::collection::vec(0..solutions, 10).prop_map(move |places| {
            let mut points = vec![0; solutions];
            for place in places {
                points[place] += 1;
            }
            Allocation::exact(points, solutions).unwrap()
        })
    }

    /// Any vote: some solutions of the experts', some of members', ballots from before and after those.
    fn votes() -> impl Strategy<Value = Vote> {
        (1usize..=7, 0usize..=3).prop_flat_map(|(scored, proposed)| {
            let weights = prop::sample::select(vec![0.5, 1.0, 1.0, 1.0, 2.5, 10.0]);
            let experts = prop::collection::vec((ten(scored), weights, prop::sample::select(&BASES)), 0..6);
            let ballots = prop::collection::vec(prop_oneof![ten(scored), ten(scored + proposed)], 0..9);
            (experts, ballots).prop_map(move |(experts, ballots)| vote(scored, proposed, experts, ballots))
        })
    }

    fn vote(
        scored: usize,
        proposed: usize,
        experts: Vec<(Allocation, f64, Basis)>,
        ballots: Vec<Allocation>,
    ) -> Vote {
        let solution = |at: usize| Solution {
            proposed: at >= scored,
            ..sample::solution(u8::try_from(at + 1).unwrap(), &format!("Plan {at}"))
        };
        let expert = |(allocation, weight, basis)| ExpertPoints {
            title: "Market".into(),
            weight,
            influence: Influence::default(),
            allocation,
            basis,
            chances: Vec::new(),
        };
        let ballot = |(voter, points)| sample::ballot(voter, points);
        Vote {
            question: "Which plan?".into(),
            solutions: (0..scored + proposed).map(solution).collect(),
            experts: experts.into_iter().map(expert).collect(),
            ballots: (1..).zip(ballots).map(ballot).collect(),
            ..Vote::default()
        }
    }

    fn points(points: &[u32]) -> Allocation {
        Allocation::exact(points.to_vec(), points.len()).unwrap()
    }

    /// Points of a place, counted the long way.
    fn recount<'a>(allocations: impl Iterator<Item = &'a Allocation>, place: usize) -> (u32, u32) {
        let given: Vec<u32> = allocations.map(|a| a.points().get(place).copied().unwrap_or(0)).collect();
        (given.iter().sum(), u32::try_from(given.iter().filter(|points| **points > 0).count()).unwrap())
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn a_tally_is_what_a_recount_says_and_sums_to_ten_a_voter(vote in votes()) {
            let tally = Tally::count(&vote);
            let with_opinion = || vote.experts.iter().filter(|e| e.basis != Basis::Even);
            let scored = vote.solutions.iter().filter(|s| !s.proposed).count();
            prop_assert_eq!(tally.experts.voters as usize, with_opinion().count());
            prop_assert_eq!(tally.team.voters as usize, vote.ballots.len());
            for side in [&tally.experts, &tally.team] {
                prop_assert_eq!(side.points.iter().sum::<u32>(), 10 * side.voters);
                let whole = if side.voters == 0 { 0.0 } else { 1.0 };
                prop_assert!((side.shares().iter().sum::<f64>() - whole).abs() < 1e-9);
            }
            // What members proposed is no part of the experts' side.
            prop_assert_eq!(tally.experts.points.len(), scored);
            prop_assert_eq!(tally.team.points.len(), vote.solutions.len());
            for place in 0..vote.solutions.len() {
                let team = recount(vote.ballots.iter().filter_map(Ballot::points), place);
                prop_assert_eq!((tally.team.points[place], tally.team.approvals[place]), team);
                if place < scored {
                    let experts = recount(with_opinion().map(|e| &e.allocation), place);
                    prop_assert_eq!((tally.experts.points[place], tally.experts.approvals[place]), experts);
                    let weighted: f64 =
                        with_opinion().map(|e| f64::from(e.allocation.points()[place]) * e.weight).sum();
                    prop_assert!((tally.experts.weighted[place] - weighted).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn the_order_in_which_ballots_came_changes_nothing(vote in votes(), turn in 0usize..9) {
            let mut other = vote.clone();
            other.ballots.reverse();
            let turn = turn % other.ballots.len().max(1);
            other.ballots.rotate_left(turn);
            prop_assert_eq!(Tally::count(&other), Tally::count(&vote));
            let gaps = Tally::count(&vote).widest_gaps(&vote);
            prop_assert_eq!(Tally::count(&other).widest_gaps(&other), gaps);
        }

        #[test]
        fn points_that_were_only_spread_evenly_are_no_opinion(vote in votes()) {
            let mut without = vote.clone();
            without.experts.retain(|expert| expert.basis != Basis::Even);
            prop_assert_eq!(Tally::count(&without), Tally::count(&vote));
        }

        #[test]
        fn the_widest_gaps_are_those_of_a_search_in_whole_numbers(mut vote in votes()) {
            vote.experts.iter_mut().for_each(|expert| expert.weight = 1.0);
            let tally = Tally::count(&vote);
            let (experts, team) = (i64::from(tally.experts.voters), i64::from(tally.team.voters));
            // Shares on a common denominator, so that nothing is rounded.
            let width = |place: usize| {
                (i64::from(tally.experts.points[place]) * team - i64::from(tally.team.points[place]) * experts).abs()
            };
            let scored = tally.experts.points.len();
            let widest = (0..scored).map(width).max().unwrap_or(0);
            let expected: Vec<SolutionId> = (0..scored)
                .filter(|&place| widest > 0 && width(place) == widest)
                .map(|place| vote.solutions[place].id)
                .collect();
            let found: Vec<SolutionId> = tally.widest_gaps(&vote).iter().map(|gap| gap.solution).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn a_rank_is_how_many_have_more_and_ties_share_it(vote in votes()) {
            let team = Tally::count(&vote).team;
            for (place, rank) in team.ranks().into_iter().enumerate() {
                let above = team.points.iter().filter(|points| **points > team.points[place]).count();
                prop_assert_eq!(rank, above + 1);
            }
        }
    }

    #[test]
    fn weights_move_shares_and_ranks_but_not_the_points_as_given() {
        let given = vec![(points(&[10, 0]), 1.0, Basis::Given), (points(&[0, 10]), 3.0, Basis::Scaled)];
        let tally = Tally::count(&vote(2, 0, given, vec![]));
        assert_eq!(tally.experts.points, [10, 10]);
        assert_eq!(tally.experts.shares(), [0.25, 0.75]);
        assert_eq!(tally.experts.ranks(), [2, 1]);
    }

    #[test]
    fn totals_that_differ_only_by_how_floats_round_are_a_tie() {
        // 0.1 + 0.2 is not 0.3 in floats.
        let given = [(&[1, 0, 9], 0.1), (&[1, 0, 9], 0.2), (&[0, 1, 9], 0.3)];
        let given = given.map(|(p, weight)| (points(p), weight, Basis::Given)).to_vec();
        assert_eq!(Tally::count(&vote(3, 0, given, vec![])).experts.ranks(), [2, 2, 1]);
    }

    #[test]
    fn nowhere_differing_or_a_side_that_has_not_voted_gives_no_gap() {
        let expert = vec![(points(&[4, 6]), 1.0, Basis::Given)];
        for ballots in [vec![], vec![points(&[4, 6])], vec![points(&[3, 7]), points(&[5, 5])]] {
            let vote = vote(2, 0, expert.clone(), ballots);
            assert_eq!(Tally::count(&vote).widest_gaps(&vote), []);
        }
        let even = vec![(points(&[5, 5]), 1.0, Basis::Even)];
        let vote = vote(2, 0, even, vec![points(&[0, 10])]);
        assert_eq!(Tally::count(&vote).widest_gaps(&vote), []);
    }
}
