//! Counting a vote: experts and team side by side, never summed.

use serde::{Deserialize, Serialize};

use super::{Basis, SolutionId, Totals, Vote};

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
    /// Which.
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
        let team = Totals::count(vote.solutions.len(), vote.ballots.iter().map(|b| (&b.allocation, 1.0)));
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
