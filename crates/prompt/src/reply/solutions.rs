//! What a cheap model says of solutions: which are one option twice, and which were not said. It shows what it goes
//! by before it judges, and a verdict that goes against what it shows counts for nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::is_said;
use domain::equal_words;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

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
}
