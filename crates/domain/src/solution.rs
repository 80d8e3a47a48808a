//! Solutions: what the experts and the team choose between.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MemoOption, Sharper, equal_words};

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
    pub proposed: bool,
    /// How it came about, where there is more to say than who raised it.
    #[serde(default, skip_serializing_if = "Provenance::is_plain")]
    pub provenance: Provenance,
}

/// How a solution came about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// Titles of what a check found to be the same option; it was put together with this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What deep research found out that makes it more specific.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sharper: Vec<Sharper>,
}

impl Provenance {
    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Adds that of a solution which is put together with this one.
    fn take_in(&mut self, other: Self) {
        extend(&mut self.also, other.also);
        extend(&mut self.sharper, other.sharper);
    }
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
    /// What it stands for, or comes from.
    pub provenance: Provenance,
}

impl Raised {
    /// This option of a memo, one of `all`.
    fn option(choice: &MemoOption, all: &[MemoOption]) -> Self {
        Self {
            title: choice.title.clone(),
            description: choice.whole(all),
            by: choice.raised_by.iter().map(|module| module.title().to_owned()).collect(),
            provenance: Provenance::default(),
        }
    }
}

impl Solution {
    /// The distinct ones among the options of a memo, in their order, ten at most. One with the title of an earlier one
    /// adds its modules to it.
    #[must_use]
    pub fn distinct(choices: &[MemoOption]) -> Vec<Self> {
        Self::merged(choices.iter().map(|choice| Raised::option(choice, choices)))
    }

    /// The distinct ones among what was raised, in its order, ten at most. One with the title of an earlier one adds
    /// those who raised it to it.
    #[must_use]
    pub fn merged(raised: impl IntoIterator<Item = Raised>) -> Vec<Self> {
        let mut solutions: Vec<Self> = Vec::new();
        for Raised { title, description, by, provenance } in raised {
            if let Some(earlier) = solutions.iter_mut().find(|earlier| same_title(&earlier.title, &title)) {
                extend(&mut earlier.raised_by, by);
                earlier.provenance.take_in(provenance);
            } else if solutions.len() < MAX_SOLUTIONS && !title.trim().is_empty() {
                let place = u8::try_from(solutions.len() + 1).unwrap_or(u8::MAX);
                solutions.push(Self {
                    id: SolutionId(place),
                    title: title.trim().to_owned(),
                    description: description.trim().to_owned(),
                    raised_by: by,
                    proposed: false,
                    provenance,
                });
            }
        }
        solutions
    }

    /// The solutions with those that are one option twice put together, numbered anew: `pairs` are places, from 0, of
    /// two that are the same. The earlier one stands, with the title of the other. At least two are left, for there is
    /// nothing to choose otherwise: a check that finds all the same is not believed to the end.
    #[must_use]
    pub fn without_duplicates(solutions: Vec<Self>, pairs: &[(usize, usize)]) -> Vec<Self> {
        let mut kept: Vec<Option<Self>> = solutions.into_iter().map(Some).collect();
        for &(one, other) in pairs {
            let (stays, goes) = (one.min(other), one.max(other));
            let left = kept.iter().flatten().count();
            if stays == goes || left <= 2 || kept.get(stays).is_none_or(Option::is_none) {
                continue;
            }
            let Some(gone) = kept.get_mut(goes).and_then(Option::take) else { continue };
            if let Some(Some(stays)) = kept.get_mut(stays) {
                extend(&mut stays.raised_by, gone.raised_by);
                stays.provenance.take_in(gone.provenance);
                extend(&mut stays.provenance.also, [gone.title]);
            }
        }
        let numbered = (1..).zip(kept.into_iter().flatten());
        numbered.map(|(place, solution)| Self { id: SolutionId(place), ..solution }).collect()
    }

    /// The one among `solutions` that has this title, case, spaces and punctuation aside.
    #[must_use]
    pub fn same<'a>(solutions: &'a [Self], title: &str) -> Option<&'a Self> {
        solutions.iter().find(|solution| same_title(&solution.title, title))
    }
}

/// Adds what is not there yet.
fn extend<T: PartialEq>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// Whether two titles are equal, case, spaces and punctuation aside; those without a letter or digit, such as emoji, by
/// their signs. Titles that differ in a word may say the opposite: that is not for code to tell.
pub(crate) fn same_title(one: &str, other: &str) -> bool {
    equal_words(one, other) || one.trim() == other.trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModuleName;

    fn recommendation(title: &str, module: &str) -> MemoOption {
        MemoOption {
            title: title.into(),
            action: format!("{title}, and here is how."),
            raised_by: vec![ModuleName(module.into())],
            ..MemoOption::default()
        }
    }

    #[test]
    fn duplicates_stand_with_both_titles_and_two_are_left() {
        let list = |titles: &[&str]| {
            Solution::distinct(&titles.iter().map(|title| recommendation(title, title)).collect::<Vec<_>>())
        };
        let shown = |solutions: &[Solution]| -> Vec<String> {
            let line = |s: &Solution| format!("{} {} {}", s.id, s.title, s.provenance.also.join("+"));
            solutions.iter().map(|s| line(s).trim_end().to_owned()).collect()
        };
        let merged = Solution::without_duplicates(list(&["a", "b", "c", "d"]), &[(2, 0), (0, 3)]);
        assert_eq!(shown(&merged), ["S1 a c+d", "S2 b"]);
        assert_eq!(merged[0].raised_by.len(), 3);
        // In circles, with itself, to nothing, and all of them.
        let circles = [(0, 1), (1, 0), (2, 2), (1, 2), (0, 9), (0, 2), (0, 3)];
        assert_eq!(
            shown(&Solution::without_duplicates(list(&["a", "b", "c"]), &circles)),
            ["S1 a b", "S2 c"]
        );
        assert_eq!(shown(&Solution::without_duplicates(list(&["a", "b"]), &[(0, 1)])), ["S1 a", "S2 b"]);
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
    fn each_option_says_what_it_goes_with_and_what_it_excludes() {
        let shown = |combines: &[(&str, &[&str])]| -> Vec<String> {
            let option = |(title, with): &(&str, &[&str])| MemoOption {
                title: (*title).into(),
                combines: with.iter().map(|title| (*title).to_owned()).collect(),
                ..MemoOption::default()
            };
            let options: Vec<MemoOption> = combines.iter().map(option).collect();
            Solution::distinct(&options).into_iter().map(|solution| solution.description).collect()
        };
        assert_eq!(shown(&[("Wait", &[])]), [""], "there is nothing else");
        assert_eq!(
            shown(&[("Rent", &[]), ("Buy", &[]), ("Insure", &["rent!", "Sell"])]),
            [
                "**Goes with:** Insure · **Excludes:** Buy",
                "**Excludes:** every other option",
                "**Goes with:** Rent · **Excludes:** Buy"
            ],
            "said by either of two, and never of what does not stand to the vote"
        );
        let all: (&str, &[&str]) = ("Insure", &["Rent", "Buy"]);
        assert_eq!(shown(&[("Rent", &[]), ("Buy", &[]), all])[2], "**Goes with:** every other option");
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
