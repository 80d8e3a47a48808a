//! Solutions: what the experts and the team choose between.

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

use super::Recommendation;

/// Most solutions a vote offers.
pub const MAX_SOLUTIONS: usize = 10;

/// Two texts whose words overlap by at least this much (Jaccard) say the same.
const SAME: f64 = 0.75;

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

/// Something that was recommended, before what says the same is put together.
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
    /// The distinct ones among the recommendations, in their order, ten at most. One that says the same as an
    /// earlier one adds its modules to it.
    #[must_use]
    pub fn distinct(recommendations: &[Recommendation]) -> Vec<Self> {
        Self::merged(recommendations.iter().map(Raised::from))
    }

    /// The distinct ones among what was raised, in its order, ten at most. One that says the same as an earlier
    /// one adds those who raised it to it.
    #[must_use]
    pub fn merged(raised: impl IntoIterator<Item = Raised>) -> Vec<Self> {
        let mut solutions: Vec<Self> = Vec::new();
        for Raised { title, description, by } in raised {
            let (heading, whole) = (words(&title), words(&format!("{title} {description}")));
            let same = |s: &&mut Self| {
                alike(&words(&s.title), &heading)
                    || alike(&words(&format!("{} {}", s.title, s.description)), &whole)
            };
            if let Some(earlier) = solutions.iter_mut().find(same) {
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

    /// The one among `solutions` that says the same as this title and description.
    #[must_use]
    pub fn same<'a>(solutions: &'a [Self], title: &str, description: &str) -> Option<&'a Self> {
        let (title, whole) = (words(title), words(&format!("{title} {description}")));
        solutions.iter().find(|solution| {
            alike(&words(&solution.title), &title)
                || alike(&words(&format!("{} {}", solution.title, solution.description)), &whole)
        })
    }
}

/// The words of a text; of one that has none, such as emoji, its signs.
fn words(text: &str) -> BTreeSet<String> {
    let plain = text.to_lowercase();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: BTreeSet<String> = words.map(str::to_owned).collect();
    if words.is_empty() { plain.split_whitespace().map(str::to_owned).collect() } else { words }
}

#[allow(clippy::cast_precision_loss)] // word counts are small
fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    if a.is_empty() || b.is_empty() {
        return a == b;
    }
    let shared = a.intersection(b).count() as f64;
    shared / (a.union(b).count() as f64) >= SAME
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
    fn titles_without_a_word_are_told_apart_by_their_signs() {
        let solutions = Solution::distinct(&[recommendation("Start with one district", "market")]);
        let pizza = Solution { title: "🍕".into(), description: String::new(), ..solutions[0].clone() };
        assert_eq!(Solution::same(std::slice::from_ref(&pizza), "🚲", ""), None);
        assert!(Solution::same(&[pizza], " 🍕 ", "").is_some());
    }

    #[test]
    fn there_are_ten_at_most() {
        let many: Vec<_> =
            (0..30).map(|i| recommendation(&format!("plan{i} way{i} step{i}"), "market")).collect();
        assert_eq!(Solution::distinct(&many).len(), MAX_SOLUTIONS);
    }
}
