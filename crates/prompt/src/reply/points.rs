//! A scorer's reply: points by the labels it saw.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, MapAccess, Visitor},
};

use super::ParseError;
use domain::{Allocation, POINTS_PER_VOTER};

/// What a scorer writes: its reasons first, then a whole number for each label. An object with the labels as
/// keys rather than an array, because every strict mode holds a model to an object's keys, and none of the
/// hosted ones to an array's length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsReply {
    /// In two or three sentences: what decides between the options for you.
    #[schemars(length(max = 400))]
    pub reasoning: String,
    /// Whole points for each option; together exactly 10.
    #[serde(deserialize_with = "points")]
    pub points: BTreeMap<String, u32>,
}

impl PointsReply {
    /// The allocation in the common order of the solutions. `order[k]` is the solution shown as the k-th
    /// label. Anything but exactly ten points is [`ParseError::Points`], which holds them in the common
    /// order, so that the caller can ask once more and then scale.
    pub fn into_allocation(self, order: &[usize]) -> Result<Allocation, ParseError> {
        let mut points = vec![0; order.len()];
        let mut known = 0;
        for (place, &solution) in order.iter().enumerate() {
            let given = self.points.iter().find(|(name, _)| name.trim().eq_ignore_ascii_case(&label(place)));
            if let (Some((_, &given)), Some(slot)) = (given, points.get_mut(solution)) {
                *slot = given;
                known += 1;
            }
        }
        if known < self.points.len() {
            let labels: Vec<String> = (0..order.len()).map(label).collect();
            return Err(ParseError::Shape(format!("the options are {} and no others", labels.join(", "))));
        }
        Allocation::exact(points.clone(), order.len()).map_err(|error| ParseError::Points { points, error })
    }
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
    use crate::{parse, shuffled};
    use domain::PointsError;

    fn read(points: &str, order: &[usize]) -> Result<Allocation, ParseError> {
        let reply = format!(r#"{{"reasoning":"r","points":{points}}}"#);
        parse::<PointsReply>(&reply)?.into_allocation(order)
    }

    #[test]
    fn labels_go_back_to_the_common_order() {
        let order = [2, 0, 1];
        assert_eq!(read(r#"{"A":5,"B":3,"C":2}"#, &order).unwrap().points(), [3, 2, 5]);
        assert_eq!(read(r#"{"c":2,"a":5.0,"b":3}"#, &order).unwrap().points(), [3, 2, 5]);
        assert_eq!(
            read(r#"{"A":10}"#, &order).unwrap().points(),
            [0, 0, 10],
            "an option not named got nothing"
        );
    }

    #[test]
    fn anything_but_ten_is_told_with_the_points_that_were_given() {
        let error = read(r#"{"A":5,"B":3,"C":5}"#, &[2, 0, 1]).unwrap_err();
        assert_eq!(error, ParseError::Points { points: vec![3, 5, 5], error: PointsError::Sum(13) });
        assert!(error.to_string().contains("add up to 13"), "{error}");
        let none = read(r#"{"A":0}"#, &[0, 1]).unwrap_err();
        assert_eq!(none, ParseError::Points { points: vec![0, 0], error: PointsError::Empty });
    }

    #[test]
    fn what_nobody_can_read_is_refused() {
        for wrong in [
            r#"{"A":5,"B":5,"D":0}"#,
            r#"{"A":5,"A":5}"#,
            r#"{"A":-1}"#,
            r#"{"A":2.5}"#,
            r#"{"A":1e99}"#,
            r#"{"A":"ten"}"#,
            r#"{"A":null}"#,
            "[5, 5]",
            "10",
        ] {
            assert!(matches!(read(wrong, &[0, 1, 2]), Err(ParseError::Shape(_))), "{wrong}");
        }
    }

    #[test]
    fn labels_are_letters() {
        assert_eq!([0, 1, 9, 25, 26].map(label), ["A", "B", "J", "Z", "A1"]);
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn every_order_gives_each_solution_its_own_points(count in 1usize..10, seed in any::<u64>(), first in 0u32..11) {
            let order = shuffled(count, seed);
            let mut given = vec![0; count];
            given[0] = if count == 1 { 10 } else { first };
            given[count - 1] = 10 - if count == 1 { 0 } else { first };
            let shown: Vec<String> =
                order.iter().enumerate().map(|(place, &at)| format!("\"{}\":{}", label(place), given[at])).collect();
            let allocation = read(&format!("{{{}}}", shown.join(",")), &order).unwrap();
            prop_assert_eq!(allocation.points(), &given);
        }
    }
}
