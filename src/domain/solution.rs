//! Solutions: what the experts and the team choose between.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Recommendation, equal_words};

/// Most solutions a vote offers.
pub const MAX_SOLUTIONS: usize = 10;

/// A solution's place in its session, from 1; shown as `S1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SolutionId(pub u8);

impl fmt::Display for SolutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}", self.0)
    }
}

/// Something that can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// Its place.
    pub id: SolutionId,
    /// In a few words.
    pub title: String,
    /// What, how and why.
    pub description: String,
    /// The titles of the experts who raised it, or the name of the member who proposed it.
    pub raised_by: Vec<String>,
    /// A member proposed it while the vote was open; the experts have not scored it.
    #[serde(default)]
    pub proposed: bool,
}

/// Something that was recommended, before what has the same title is put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raised {
    /// In a few words.
    pub title: String,
    /// What, how and why.
    pub description: String,
    /// The titles of the experts who raised it.
    pub by: Vec<String>,
}

impl From<&Recommendation> for Raised {
    fn from(recommendation: &Recommendation) -> Self {
        Self {
            title: recommendation.title.clone(),
            description: recommendation.description.clone(),
            by: recommendation.raised_by.iter().map(|module| module.title().to_owned()).collect(),
        }
    }
}

impl Solution {
    /// The distinct ones among the recommendations, in their order, ten at most. One with the title of an earlier one
    /// adds its modules to it.
    #[must_use]
    pub fn distinct(recommendations: &[Recommendation]) -> Vec<Self> {
        Self::merged(recommendations.iter().map(Raised::from))
    }

    /// The distinct ones among what was raised, in its order, ten at most. One with the title of an earlier one adds
    /// those who raised it to it.
    #[must_use]
    pub fn merged(raised: impl IntoIterator<Item = Raised>) -> Vec<Self> {
        let mut solutions: Vec<Self> = Vec::new();
        for Raised { title, description, by } in raised {
            if let Some(earlier) = solutions.iter_mut().find(|earlier| same_title(&earlier.title, &title)) {
                for name in by {
                    if !earlier.raised_by.contains(&name) {
                        earlier.raised_by.push(name);
                    }
                }
            } else if solutions.len() < MAX_SOLUTIONS && !title.trim().is_empty() {
                let place = u8::try_from(solutions.len() + 1).unwrap_or(u8::MAX);
                solutions.push(Self {
                    id: SolutionId(place),
                    title: title.trim().to_owned(),
                    description: description.trim().to_owned(),
                    raised_by: by,
                    proposed: false,
                });
            }
        }
        solutions
    }

    /// The one among `solutions` that has this title, case, spaces and punctuation aside.
    #[must_use]
    pub fn same<'a>(solutions: &'a [Self], title: &str) -> Option<&'a Self> {
        solutions.iter().find(|solution| same_title(&solution.title, title))
    }
}

/// Whether two titles are equal, case, spaces and punctuation aside; those without a letter or digit, such as emoji, by
/// their signs. Titles that differ in a word may say the opposite: that is not for code to tell.
fn same_title(one: &str, other: &str) -> bool {
    equal_words(one, other) || one.trim() == other.trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ModuleName;

    fn recommendation(title: &str, module: &str) -> Recommendation {
        Recommendation {
            title: title.into(),
            description: format!("{title}, and here is how."),
            raised_by: vec![ModuleName(module.into())],
        }
    }

    #[test]
    fn what_says_the_same_is_one_solution_with_both_who_raised_it() {
        let solutions = Solution::distinct(&[
            recommendation("Start with one district", "market"),
            recommendation("start with ONE district!", "cost"),
            recommendation("Partner with local restaurants", "risk"),
            recommendation("  ", "risk"),
        ]);
        let titles: Vec<&str> = solutions.iter().map(|s| s.title.as_str()).collect();
        assert_eq!(titles, ["Start with one district", "Partner with local restaurants"]);
        assert_eq!(solutions[0].raised_by.len(), 2);
        assert_eq!(solutions[1].id.to_string(), "S2");
    }

    #[test]
    fn what_differs_in_a_word_is_never_put_together() {
        for (one, other) in [
            ("Renew the lease for two years", "Renew the lease for five years"),
            ("Accept the offer", "Reject the offer"),
            ("Raise prices by 5 percent", "Raise prices by 50 percent"),
        ] {
            let both = [recommendation(one, "market"), recommendation(other, "cost")];
            assert_eq!(Solution::distinct(&both).len(), 2, "{one} / {other}");
            assert_eq!(Solution::same(&Solution::distinct(&both[..1]), other), None);
        }
    }

    #[test]
    fn titles_without_a_word_are_told_apart_by_their_signs() {
        let solutions = Solution::distinct(&[recommendation("Start with one district", "market")]);
        let pizza = Solution { title: "🍕".into(), description: String::new(), ..solutions[0].clone() };
        assert_eq!(Solution::same(std::slice::from_ref(&pizza), "🚲"), None);
        assert!(Solution::same(&[pizza], " 🍕 ").is_some());
    }

    #[test]
    fn there_are_ten_at_most() {
        let many: Vec<_> =
            (0..30).map(|i| recommendation(&format!("plan{i} way{i} step{i}"), "market")).collect();
        assert_eq!(Solution::distinct(&many).len(), MAX_SOLUTIONS);
    }
}
