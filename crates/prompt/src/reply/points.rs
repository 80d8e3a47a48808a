//! A scorer's reply: points by the labels it saw, and at a table how likely each option is to succeed.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, MapAccess, Visitor},
};

use serde_json::Value;

use super::ParseError;
use domain::{Allocation, POINTS_PER_VOTER, Solution};

/// The condition under which a scorer says how likely each option is to succeed, too.
pub const CHANCES: &str = "chances";

/// What a scorer writes: its reasons first, then a whole number for each label. An object with the labels as
/// keys rather than an array, because every strict mode holds a model to an object's keys, and none of the
/// hosted ones to an array's length.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "points")]
pub struct PointsReply {
    /// Your first choice and what decides for it, the strongest rival, and the fact that would swap the two.
    // Verbatim: its marks are those of the memo that it had before it.
    #[schemars(extend("words" = "60-120", "verbatim" = true))]
    pub reasoning: String,
    /// Whole points; together exactly 10.
    #[serde(deserialize_with = "points")]
    #[schemars(extend("each" = "options", "minimum" = 0, "maximum" = 10))]
    pub points: BTreeMap<String, u32>,
    /// The chance, of 100, that the option achieves what the team wants, counted as in your own rounds, all that you know
    /// by now weighed; null for one that you gave no points.
    #[serde(default)]
    #[schemars(
        with = "BTreeMap<String, Option<u8>>",
        extend("each" = "options", "minimum" = 0, "maximum" = 100, "when" = CHANCES)
    )]
    pub success: BTreeMap<String, Value>,
}

impl PointsReply {
    /// The chance of each of the `solutions` that it gave points to, in their order; `None` for one whose chance is no number
    /// from 0 to 100, which nobody makes up. Those are named in the second value.
    #[must_use]
    pub fn chances(&self, solutions: &[Solution]) -> (Vec<Option<u8>>, Vec<String>) {
        let mut unsaid = Vec::new();
        let chances = solutions.iter().map(|solution| {
            let label = solution.id.to_string();
            of(&self.points, &label).filter(|points| **points > 0)?;
            let said = of(&self.success, &label).and_then(Value::as_f64).and_then(chance);
            if said.is_none() {
                unsaid.push(label);
            }
            said
        });
        (chances.collect(), unsaid)
    }

    /// The allocation in the order of the `solutions`, by their numbers. Anything but exactly ten points is [`ParseError::Points`], which holds them in the common
    /// order, so that the caller can ask once more and then scale.
    pub fn into_allocation(self, solutions: &[Solution]) -> Result<Allocation, ParseError> {
        let given = |solution: &Solution| of(&self.points, &solution.id.to_string()).copied();
        let points: Vec<Option<u32>> = solutions.iter().map(given).collect();
        if points.iter().flatten().count() < self.points.len() {
            let labels: Vec<String> = solutions.iter().map(|solution| solution.id.to_string()).collect();
            return Err(ParseError::Shape(format!("the options are {} and no others", labels.join(", "))));
        }
        let points: Vec<u32> = points.into_iter().map(Option::unwrap_or_default).collect();
        Allocation::exact(points.clone(), solutions.len())
            .map_err(|error| ParseError::Points { points, error })
    }
}

/// What stands under a label, however it is written.
fn of<'a, T>(values: &'a BTreeMap<String, T>, label: &str) -> Option<&'a T> {
    values.iter().find(|(name, _)| name.trim().eq_ignore_ascii_case(label)).map(|(_, value)| value)
}

/// A chance of 100, rounded.
fn chance(number: f64) -> Option<u8> {
    format!("{number:.0}").parse().ok().filter(|chance| *chance <= 100)
}

/// `A` for the first place, `B` for the second; ten at most are needed.
pub(crate) fn label(place: usize) -> String {
    let letter = u8::try_from(place % 26).map_or('A', |place| char::from(b'A' + place));
    if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26) }
}

/// Whole numbers by label. A label twice is an error, for nobody can say which was meant; `3.0` is 3.
fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u32>, D::Error> {
    struct Points;

    impl<'de> Visitor<'de> for Points {
        type Value = BTreeMap<String, u32>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with a whole number for each option")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut points = BTreeMap::new();
            while let Some((label, number)) = map.next_entry::<String, f64>()? {
                let whole = whole(number).ok_or_else(|| {
                    A::Error::custom(format!("{number} is not a whole number of points from 0 to 1000"))
                })?;
                if points.insert(label.clone(), whole).is_some() {
                    return Err(A::Error::custom(format!("the option {label} got points twice")));
                }
            }
            Ok(points)
        }
    }

    deserializer.deserialize_map(Points)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole, and from 0 to 1000
fn whole(number: f64) -> Option<u32> {
    let most = f64::from(POINTS_PER_VOTER) * 100.0;
    (number.fract() == 0.0 && (0.0..=most).contains(&number)).then_some(number as u32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parse;
    use domain::{PointsError, Provenance, SolutionId};

    fn solutions(count: u8) -> Vec<Solution> {
        let solution = |n| Solution {
            id: SolutionId(n),
            title: format!("Way {n}"),
            description: String::new(),
            raised_by: Vec::new(),
            proposed: false,
            provenance: Provenance::default(),
        };
        (1..=count).map(solution).collect()
    }

    fn read(points: &str, count: u8) -> Result<Allocation, ParseError> {
        let reply = format!(r#"{{"reasoning":"r","points":{points}}}"#);
        parse::<PointsReply>(&reply)?.into_allocation(&solutions(count))
    }

    #[test]
    fn numbers_go_back_to_the_order_of_the_solutions() {
        assert_eq!(read(r#"{"S3":5,"S1":3,"S2":2}"#, 3).unwrap().points(), [3, 2, 5]);
        assert_eq!(read(r#"{"s2":2,"s3":5.0,"s1":3}"#, 3).unwrap().points(), [3, 2, 5]);
        assert_eq!(read(r#"{"S3":10}"#, 3).unwrap().points(), [0, 0, 10], "an option not named got nothing");
    }

    #[test]
    fn anything_but_ten_is_told_with_the_points_that_were_given() {
        let error = read(r#"{"S3":5,"S1":3,"S2":5}"#, 3).unwrap_err();
        assert_eq!(error, ParseError::Points { points: vec![3, 5, 5], error: PointsError::Sum(13) });
        assert!(error.to_string().contains("add up to 13"), "{error}");
        let none = read(r#"{"S1":0}"#, 2).unwrap_err();
        assert_eq!(none, ParseError::Points { points: vec![0, 0], error: PointsError::Empty });
    }

    #[test]
    fn a_chance_is_for_what_got_points_and_nobody_makes_one_up() {
        let chances = |success: &str| {
            let reply =
                format!(r#"{{"reasoning":"r","points":{{"S1":7,"S2":3,"S3":0}},"success":{success}}}"#);
            parse::<PointsReply>(&reply).unwrap().chances(&solutions(3))
        };
        let none: [String; 0] = [];
        assert_eq!(chances(r#"{"S1":60,"s2":40.4,"S3":90}"#), (vec![Some(60), Some(40), None], none.into()));
        for wrong in
            [r#"{"S1":60,"S2":140}"#, r#"{"S1":60,"S2":-1}"#, r#"{"S1":60,"S2":"high"}"#, r#"{"S1":60}"#]
        {
            assert_eq!(chances(wrong), (vec![Some(60), None, None], vec!["S2".to_owned()]), "{wrong}");
        }
    }

    #[test]
    fn what_nobody_can_read_is_refused() {
        for wrong in [
            r#"{"S1":5,"S2":5,"S4":0}"#,
            r#"{"A":10}"#,
            r#"{"S1":5,"S1":5}"#,
            r#"{"S1":-1}"#,
            r#"{"S1":2.5}"#,
            r#"{"S1":1e99}"#,
            r#"{"S1":"ten"}"#,
            r#"{"S1":null}"#,
            "[5, 5]",
            "10",
        ] {
            assert!(matches!(read(wrong, 3), Err(ParseError::Shape(_))), "{wrong}");
        }
    }

    #[test]
    fn labels_are_letters() {
        assert_eq!([0, 1, 9, 25, 26].map(label), ["A", "B", "J", "Z", "A1"]);
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn each_solution_gets_its_own_points(count in 1u8..10, first in 0u32..11) {
            let mut given = vec![0; usize::from(count)];
            given[0] = if count == 1 { 10 } else { first };
            given[usize::from(count) - 1] = 10 - if count == 1 { 0 } else { first };
            let shown: Vec<String> =
                given.iter().enumerate().rev().map(|(at, points)| format!("\"S{}\":{points}", at + 1)).collect();
            let allocation = read(&format!("{{{}}}", shown.join(",")), count).unwrap();
            prop_assert_eq!(allocation.points(), &given);
        }
    }
}
