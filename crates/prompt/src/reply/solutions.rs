//! What a cheap model says of solutions: which are one option twice, and which were not said. It shows what it goes
//! by before it judges, and a verdict that goes against what it shows counts for nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::is_said;
use domain::{Solution, equal_words, one_line, shortened};

/// Longest quotation of words that nobody said, in characters.
const QUOTED: usize = 200;

/// Which options are one and the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DuplicatesReply {
    /// Pairs that are nearly the same, or the same.
    #[schemars(length(max = 10))]
    pub pairs: Vec<PairReply>,
}

/// Two options side by side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairReply {
    /// The number of one option.
    pub one: usize,
    /// The number of the other.
    pub other: usize,
    /// What differs between them in what is done; the word none if nothing does.
    pub difference: String,
    /// Whether they are one and the same option.
    pub same: bool,
}

impl DuplicatesReply {
    /// The places, from 0, of two that are the same. Where a difference is named, they are not.
    #[must_use]
    pub fn into_pairs(self, solutions: usize) -> Vec<(usize, usize)> {
        let place = |number: usize| number.checked_sub(1).filter(|&place| place < solutions);
        let same = |pair: &PairReply| {
            pair.same && (!is_said(&[&pair.difference]) || equal_words(&pair.difference, "none"))
        };
        let pairs = self.pairs.into_iter().filter(same);
        pairs.filter_map(|pair| Some((place(pair.one)?, place(pair.other)?))).collect()
    }
}

/// Whether solutions were said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidReply {
    /// The solutions, each once.
    #[schemars(length(max = 10))]
    pub solutions: Vec<SaidSolution>,
}

/// Whether one was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidSolution {
    /// The number of the option.
    pub solution: usize,
    /// Words of the option that none of its statements says, word for word; the word none if they say it all.
    pub unsaid: String,
    /// Whether the statements say the option.
    pub said: bool,
}

impl SaidReply {
    /// For each solution the words that nobody said. Words that do not stand in it prove nothing.
    #[must_use]
    pub fn into_unsaid(self, solutions: &[Solution]) -> Vec<Option<String>> {
        let mut unsaid = vec![None; solutions.len()];
        for reply in self.solutions.into_iter().filter(|reply| !reply.said) {
            let place = reply.solution.checked_sub(1);
            let Some((solution, slot)) =
                place.and_then(|place| Some((solutions.get(place)?, unsaid.get_mut(place)?)))
            else {
                continue;
            };
            let words = one_line(&reply.unsaid);
            let words = words.trim_matches(['"', '“', '”', '„', '«', '»', '\'', ' ']);
            if is_said(&[words]) && stands_in(words, solution) {
                *slot = Some(shortened(words, QUOTED));
            }
        }
        unsaid
    }
}

/// Whether words stand in a solution, case and white space aside.
fn stands_in(words: &str, solution: &Solution) -> bool {
    let plain = |text: &str| one_line(text).to_lowercase();
    plain(&format!("{}\n{}", solution.title, solution.description)).contains(&plain(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, sample};

    #[test]
    fn two_are_the_same_only_where_no_difference_is_named() {
        let reply = r#"{"pairs":[
            {"one":1,"other":3,"difference":"none","same":true},
            {"one":1,"other":2,"difference":"for two years, for five years","same":true},
            {"one":2,"other":3,"difference":"","same":false},
            {"one":0,"other":3,"difference":"","same":true},
            {"one":2,"other":9,"difference":"","same":true}]}"#;
        assert_eq!(parse::<DuplicatesReply>(reply).unwrap().into_pairs(3), [(0, 2)]);
    }

    #[test]
    fn words_that_nobody_said_must_stand_in_the_solution() {
        let solutions = sample::mediate::solutions();
        let reply = r#"{"solutions":[
            {"solution":1,"unsaid":"“Ten restaurants,  EIGHT weeks”","said":false},
            {"solution":2,"unsaid":"zeppelins","said":false},
            {"solution":3,"unsaid":"Do nothing yet","said":true},
            {"solution":7,"unsaid":"Do nothing yet","said":false}]}"#;
        let unsaid = parse::<SaidReply>(reply).unwrap().into_unsaid(&solutions);
        assert_eq!(unsaid, [Some("Ten restaurants, EIGHT weeks".to_owned()), None, None]);
    }
}
