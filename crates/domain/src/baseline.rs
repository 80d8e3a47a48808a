//! The baseline: what one plain call says of a problem, and what becomes of that in a deliberation which has not seen it.
//! Whether a deliberation was worth its price can only be said beside what there would have been without it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ledger, equal_words, is_blank, written::any_case};

/// What one model says that is asked alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlainAnswer {
    /// The whole answer, in Markdown.
    #[schemars(length(max = 1700))]
    pub answer: String,
    /// Two to six things the team could do, to choose between, the first one first.
    #[schemars(length(min = 2, max = 6))]
    pub recommendations: Vec<PlainOption>,
    /// The model that answered, as its provider says.
    #[serde(default)]
    #[schemars(skip)]
    pub answered_by: String,
}

/// Something that a plain answer recommends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlainOption {
    /// What to do, in at most ten words, starting with a verb.
    #[schemars(length(max = 100))]
    pub title: String,
    /// Why, in one or two sentences.
    #[schemars(length(max = 320))]
    pub why: String,
}

/// What became of a recommendation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Becomes {
    /// An option does the same.
    Kept,
    /// An option does it otherwise.
    Changed,
    /// An option does the opposite.
    Reversed,
    /// No option has anything of it.
    Dropped,
}

/// What became of one recommendation of the plain answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    /// Its number, from 1.
    pub plain: usize,
    /// The option that comes nearest, from 1; 0 for none.
    pub nearest: usize,
    /// What differs in what is done, in a sentence.
    #[schemars(length(max = 260))]
    pub how: String,
    /// What became of it.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Becomes")]
    pub becomes: Becomes,
}

/// What a deliberation made of a plain answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Every recommendation once.
    #[schemars(length(max = 6))]
    pub fates: Vec<Fate>,
}

impl Fate {
    /// Whether it names no difference.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        is_blank(&self.how) || ["nothing", "none"].iter().any(|word| equal_words(&self.how, word))
    }
}

impl Comparison {
    /// Held to what there is to compare: each recommendation once, by its number, and a verdict only where it fits what it
    /// goes by. Without an option nothing is kept, changed or reversed, and where nothing differs nothing is changed.
    #[must_use]
    pub fn held_to(mut self, recommendations: usize, options: usize) -> Self {
        let mut seen = BTreeSet::new();
        self.fates.retain_mut(|fate| {
            let named = (1..=options).contains(&fate.nearest);
            let fits = match fate.becomes {
                Becomes::Kept => named,
                Becomes::Changed | Becomes::Reversed => named && !fate.says_nothing(),
                Becomes::Dropped => true,
            };
            if fate.becomes == Becomes::Dropped {
                fate.nearest = 0;
            }
            fits && (1..=recommendations).contains(&fate.plain) && seen.insert(fate.plain)
        });
        self.fates.sort_by_key(|fate| fate.plain);
        self
    }

    /// The options that no recommendation came near, from 0: the deliberation alone has them. Nothing where not every
    /// recommendation was compared, for what one of them came to may be any of these.
    #[must_use]
    pub fn added(&self, recommendations: usize, options: usize) -> Vec<usize> {
        if self.fates.len() < recommendations {
            return Vec::new();
        }
        let near: BTreeSet<usize> = self.fates.iter().map(|fate| fate.nearest).collect();
        (0..options).filter(|place| !near.contains(&(place + 1))).collect()
    }
}

/// What a deliberation came to beside its baseline, and what each took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Worth {
    /// What it made of the plain answer; `None` where no model could compare them.
    pub comparison: Option<Comparison>,
    /// What the plain call took, with its repeats.
    pub plain: Ledger,
    /// What all else of the session took until then.
    pub deliberation: Ledger,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(plain: usize, nearest: usize, how: &str, becomes: Becomes) -> Fate {
        Fate { plain, nearest, how: how.to_owned(), becomes }
    }

    #[test]
    fn a_verdict_that_does_not_fit_what_it_goes_by_counts_for_nothing() {
        let told = vec![
            fate(3, 0, "", Becomes::Dropped),
            fate(1, 2, "nothing", Becomes::Kept),
            fate(1, 1, "again", Becomes::Reversed),
            fate(2, 0, "no option", Becomes::Kept),
            fate(4, 1, "Nothing.", Becomes::Changed),
            fate(5, 9, "an option there is not", Becomes::Changed),
            fate(6, 3, "two years instead of five", Becomes::Changed),
            fate(7, 1, "a recommendation there is not", Becomes::Reversed),
        ];
        let held = Comparison { fates: told }.held_to(6, 3);
        let kept: Vec<_> = held.fates.iter().map(|fate| (fate.plain, fate.nearest, fate.becomes)).collect();
        assert_eq!(kept, [(1, 2, Becomes::Kept), (3, 0, Becomes::Dropped), (6, 3, Becomes::Changed)]);
        assert_eq!(held.added(6, 3), Vec::<usize>::new(), "what of the others is not known");
        assert_eq!(held.added(3, 3), [0]);
    }
}
