//! A ballot that somebody is still filling in. It lives in the buttons of their private panel and nowhere else, so
//! it survives restarts and needs no row; only casting it counts.

use std::fmt::Write as _;

use thiserror::Error;

use super::{Allocation, MAX_SOLUTIONS, POINTS_PER_VOTER, SolutionId};

/// Points spread so far: never more than ten in all, and one solution selected at most.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// The solution that the buttons work on.
    pub selected: Option<SolutionId>,
    /// Points for each solution in their order, together at most ten.
    pub points: Vec<u32>,
}

/// Why a text, or a draft, is no ballot. Each says what is valid and repeats nothing of what was typed but numbers.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DraftError {
    /// A line that is not a solution and its points.
    #[error("Line {0} is not a solution and its points. Write one solution a line, like `S1 3`.")]
    Line(usize),
    /// There is no such solution.
    #[error("Line {line} names a solution that does not exist. {}.", there_are(*solutions))]
    Unknown {
        /// Which line, from 1.
        line: usize,
        /// How many there are.
        solutions: usize,
    },
    /// A solution on two lines.
    #[error("{0} has more than one line. Give each solution one line.")]
    Twice(SolutionId),
    /// Not whole.
    #[error("{0} has a fraction of a point. Points are whole numbers from 0 to 10.")]
    Fraction(SolutionId),
    /// Below zero.
    #[error("{0} has fewer than 0 points. Give it a whole number from 0 to 10.")]
    Negative(SolutionId),
    /// No number.
    #[error("The points of {0} are not a number. Write a whole number from 0 to 10, such as `{0} 3`.")]
    Word(SolutionId),
    /// Above ten.
    #[error("{0} has more than 10 points. You have 10 in all.")]
    Many(SolutionId),
    /// Too few in all.
    #[error("That is {given} of 10 points. Give out exactly 10: {} more.", POINTS_PER_VOTER - given)]
    Few {
        /// How many were given, below ten.
        given: u32,
    },
    /// Too many in all.
    #[error("That is {given} points. Give out exactly 10: {} fewer.", given - POINTS_PER_VOTER)]
    Over {
        /// How many were given, above ten.
        given: u32,
    },
}

fn there_are(solutions: usize) -> String {
    if solutions == 1 { "There is only S1".to_owned() } else { format!("There are S1 to S{solutions}") }
}

impl Draft {
    /// A draft that starts with what somebody voted before.
    #[must_use]
    pub fn of(ballot: Option<&Allocation>, solutions: usize) -> Self {
        let points = ballot.map(|allocation| allocation.points().to_vec()).unwrap_or_default();
        Self { selected: None, points }.over(solutions)
    }

    /// The same with a place for each of so many solutions: others may have been proposed since it was drawn.
    #[must_use]
    pub fn over(mut self, solutions: usize) -> Self {
        self.points.resize(solutions.max(self.points.len()), 0);
        self
    }

    /// Reads [`Self::arg`], with or without a tag after a slash. `None` for anything that is not a draft, such as
    /// one of more than ten points.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.split_once('/').map_or(text, |(draft, _)| draft);
        let mut numbers = text.split('.').map(|part| {
            let plain = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            part.parse::<u8>().ok().filter(|_| plain)
        });
        let selected = numbers.next()??;
        let points: Vec<u32> = numbers.map(|number| number.map(u32::from)).collect::<Option<_>>()?;
        let fits = (1..=MAX_SOLUTIONS).contains(&points.len())
            && usize::from(selected) <= points.len()
            && points.iter().sum::<u32>() <= POINTS_PER_VOTER;
        fits.then(|| Self { selected: (selected > 0).then_some(SolutionId(selected)), points })
    }

    /// As a button carries it, at most 32 characters: `<selected or 0>.<p1>.<p2>…`. Two buttons that lead to the
    /// same draft are told apart by a tag after a slash, which reading it back ignores.
    #[must_use]
    pub fn arg(&self) -> String {
        let mut text = self.selected.map_or(0, |id| id.0).to_string();
        for points in &self.points {
            let _ = write!(text, ".{points}");
        }
        text
    }

    /// Points that are not given to anything yet.
    #[must_use]
    pub fn left(&self) -> u32 {
        POINTS_PER_VOTER.saturating_sub(self.points.iter().sum())
    }

    /// With another solution selected; as it is if there is no such solution.
    #[must_use]
    pub fn pick(&self, id: SolutionId) -> Self {
        let known = self.place(id).is_some();
        Self { selected: if known { Some(id) } else { self.selected }, ..self.clone() }
    }

    /// One point more for the selected solution, if one is left.
    #[must_use]
    pub fn plus(&self) -> Self {
        self.changed(|points, left| points + left.min(1))
    }

    /// One point less for the selected solution, if it has any.
    #[must_use]
    pub fn minus(&self) -> Self {
        self.changed(|points, _| points.saturating_sub(1))
    }

    /// All that is left to the selected solution.
    #[must_use]
    pub fn rest(&self) -> Self {
        self.changed(|points, left| points + left)
    }

    fn changed(&self, change: impl FnOnce(u32, u32) -> u32) -> Self {
        let mut draft = self.clone();
        if let Some(place) = self.selected.and_then(|id| self.place(id)) {
            draft.points[place] = change(draft.points[place], self.left());
        }
        draft
    }

    fn place(&self, id: SolutionId) -> Option<usize> {
        usize::from(id.0).checked_sub(1).filter(|place| *place < self.points.len())
    }

    /// The ballot it makes, once all ten points are given.
    pub fn allocation(&self) -> Result<Allocation, DraftError> {
        let given = POINTS_PER_VOTER - self.left();
        Allocation::exact(self.points.clone(), self.points.len()).map_err(|_| DraftError::Few { given })
    }

    /// As somebody would type it, a line for each solution that has points: `S1 3`.
    #[must_use]
    pub fn lines(&self) -> String {
        let given = (1..).map(SolutionId).zip(&self.points).filter(|(_, points)| **points > 0);
        given.map(|(id, points)| format!("{id} {points}")).collect::<Vec<_>>().join("\n")
    }

    /// Reads what somebody typed: a solution and its points a line (`S1 3`), exactly ten in all. Whoever writes
    /// `s1: 3`, `1 3`, or several on a line with `;` or `, ` between is understood as well.
    pub fn typed(text: &str, solutions: usize) -> Result<Self, DraftError> {
        let mut points: Vec<Option<u32>> = vec![None; solutions];
        for (number, line) in (1..).zip(text.lines()) {
            for entry in line.replace(", ", ";").split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
                let (id, given) = entry_of(entry, number, solutions)?;
                let place = &mut points[usize::from(id.0) - 1];
                if place.replace(given).is_some() {
                    return Err(DraftError::Twice(id));
                }
            }
        }
        let points: Vec<u32> = points.into_iter().map(Option::unwrap_or_default).collect();
        match points.iter().sum::<u32>() {
            given if given > POINTS_PER_VOTER => Err(DraftError::Over { given }),
            given if given < POINTS_PER_VOTER => Err(DraftError::Few { given }),
            _ => Ok(Self { selected: None, points }),
        }
    }
}

/// A solution and its points.
fn entry_of(entry: &str, line: usize, solutions: usize) -> Result<(SolutionId, u32), DraftError> {
    let plain = entry.trim_end_matches(',').replace([':', '='], " ");
    let mut words = plain.split_whitespace();
    let (Some(name), Some(points), None) = (words.next(), words.next(), words.next()) else {
        return Err(DraftError::Line(line));
    };
    let number = name.strip_prefix(['s', 'S']).unwrap_or(name);
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return Err(DraftError::Line(line));
    }
    let unknown = DraftError::Unknown { line, solutions };
    let id = match number.parse::<u8>() {
        Ok(id) if id > 0 && usize::from(id) <= solutions => SolutionId(id),
        _ => return Err(unknown),
    };
    Ok((id, points_of(points, id)?))
}

fn points_of(text: &str, id: SolutionId) -> Result<u32, DraftError> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let plain = text.strip_prefix('+').unwrap_or(text);
    if digits(plain) {
        let points = plain.parse().ok().filter(|points| *points <= POINTS_PER_VOTER);
        return points.ok_or(DraftError::Many(id));
    }
    let unsigned = plain.strip_prefix(['-', '−', '–']);
    let broken = |text: &str| text.contains(['½', '¼', '¾']) || text.split(['.', ',', '/']).all(digits);
    Err(match unsigned {
        Some(rest) if digits(rest) || broken(rest) => DraftError::Negative(id),
        _ if broken(plain) => DraftError::Fraction(id),
        _ => DraftError::Word(id),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{CustomId, Does, SessionId};

    fn draft() -> impl Strategy<Value = Draft> {
        (prop::collection::vec(0_u32..=10, 1..=MAX_SOLUTIONS), 0_u8..=10).prop_map(|(wanted, selected)| {
            let mut left = POINTS_PER_VOTER;
            let take = |wanted: u32| {
                let points = wanted.min(left);
                left -= points;
                points
            };
            let points: Vec<u32> = wanted.into_iter().map(take).collect();
            let known = selected > 0 && usize::from(selected) <= points.len();
            Draft { selected: known.then_some(SolutionId(selected)), points }
        })
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn whatever_is_pressed_nothing_falls_below_zero_or_rises_above_ten(
            start in draft(), presses in prop::collection::vec((0_u8..5, 0_u8..12), 0..60)
        ) {
            let mut draft = start;
            for (button, pick) in presses {
                let before = draft.clone();
                draft = match button {
                    0 => draft.plus(),
                    1 => draft.minus(),
                    2 => draft.rest(),
                    _ => draft.pick(SolutionId(pick)),
                };
                let sum: u32 = draft.points.iter().sum();
                prop_assert!(sum <= POINTS_PER_VOTER);
                prop_assert_eq!(draft.left(), POINTS_PER_VOTER - sum);
                prop_assert_eq!(draft.points.len(), before.points.len());
                // Only the selected solution changes, and a step leads back.
                let others = |draft: &Draft| {
                    let place = before.selected.map(|id| usize::from(id.0) - 1);
                    let points = draft.points.iter().enumerate();
                    points.filter(|(at, _)| Some(*at) != place).map(|(_, points)| *points).collect::<Vec<_>>()
                };
                prop_assert_eq!(others(&draft), others(&before));
                if button == 0 && draft != before {
                    prop_assert_eq!(draft.minus(), before);
                }
                prop_assert_eq!(Draft::parse(&draft.arg()), Some(draft.clone()));
            }
        }

        #[test]
        fn a_draft_reads_back_and_fits_a_button(draft in draft()) {
            prop_assert_eq!(Draft::parse(&draft.arg()), Some(draft.clone()));
            prop_assert_eq!(Draft::parse(&format!("{}/minus", draft.arg())), Some(draft.clone()));
            let session = SessionId::from_bits(7);
            prop_assert!(CustomId::new(&session, Does::SpreadTyped(draft)).to_string().len() <= 90);
        }

        #[test]
        fn what_is_typed_is_what_is_shown(draft in draft()) {
            let typed = Draft::typed(&draft.lines(), draft.points.len());
            if draft.left() == 0 {
                prop_assert_eq!(typed, Ok(Draft { selected: None, ..draft.clone() }));
                let cast = draft.allocation();
                prop_assert_eq!(cast.as_ref().map(Allocation::points), Ok(&draft.points[..]));
                prop_assert_eq!(Draft::of(cast.ok().as_ref(), draft.points.len()).points, draft.points);
            } else {
                let few = DraftError::Few { given: POINTS_PER_VOTER - draft.left() };
                prop_assert_eq!(typed, Err(few));
                prop_assert!(draft.allocation().is_err());
            }
        }

        #[test]
        fn nothing_that_can_be_typed_is_more_or_less_than_ten_points_or_is_repeated(text in "\\PC{0,80}|([sS]?[0-9]{1,3}[ :=]?[-+]?[0-9.,]{0,4}[;, \n]?){0,12}", solutions in 1_usize..=10) {
            match Draft::typed(&text, solutions) {
                Ok(draft) => {
                    prop_assert_eq!(draft.points.len(), solutions);
                    prop_assert_eq!(draft.left(), 0);
                }
                Err(error) => {
                    let said = error.to_string();
                    prop_assert!(said.is_ascii() && !said.contains(['@', '<', '#']), "{}", said);
                }
            }
        }

        #[test]
        fn no_argument_of_any_form_makes_a_draft_that_is_none(text in "\\PC{0,40}|[0-9./]{0,40}") {
            if let Some(draft) = Draft::parse(&text) {
                prop_assert!(draft.points.iter().sum::<u32>() <= POINTS_PER_VOTER);
                prop_assert!((1..=MAX_SOLUTIONS).contains(&draft.points.len()));
                prop_assert!(draft.selected.is_none_or(|id| usize::from(id.0) <= draft.points.len()));
            }
        }
    }

    #[test]
    fn every_wrong_form_has_a_sentence_of_its_own() {
        let s = SolutionId;
        for (text, expected) in [
            ("", DraftError::Few { given: 0 }),
            ("S1 3\nS2 6", DraftError::Few { given: 9 }),
            ("S1 6\nS2 6", DraftError::Over { given: 12 }),
            ("S1 2.5\nS2 7.5", DraftError::Fraction(s(1))),
            ("S1 2,5", DraftError::Fraction(s(1))),
            ("S1 5\nS2 ½", DraftError::Fraction(s(2))),
            ("S1 1/2", DraftError::Fraction(s(1))),
            ("S1 11\nS2 -1", DraftError::Many(s(1))),
            ("S1 99999999999999999999", DraftError::Many(s(1))),
            ("S1 -1", DraftError::Negative(s(1))),
            ("S1 −1", DraftError::Negative(s(1))),
            ("S2 ten", DraftError::Word(s(2))),
            ("S2 NaN", DraftError::Word(s(2))),
            ("S2 1e1", DraftError::Word(s(2))),
            ("S2 --3", DraftError::Word(s(2))),
            ("S3 10", DraftError::Unknown { line: 1, solutions: 2 }),
            ("S1 5\nS0 5", DraftError::Unknown { line: 2, solutions: 2 }),
            ("S999 10", DraftError::Unknown { line: 1, solutions: 2 }),
            ("S1 5\nS1 5", DraftError::Twice(s(1))),
            ("S1", DraftError::Line(1)),
            ("\n\nall of it to @everyone", DraftError::Line(3)),
            ("Ada 10", DraftError::Line(1)),
            ("S1 10 points", DraftError::Line(1)),
        ] {
            assert_eq!(Draft::typed(text, 2), Err(expected), "{text:?}");
        }
        for text in ["S1 3\nS2 7", "s2: 7; s1=3", "1 3, 2 7", "S1 +3,\n\n  S2   7  ", "S1 3\r\nS2 7\r\n"] {
            assert_eq!(Draft::typed(text, 2).map(|draft| draft.points), Ok(vec![3, 7]), "{text:?}");
        }
        assert_eq!(
            DraftError::Unknown { line: 2, solutions: 1 }.to_string(),
            "Line 2 names a solution that does not exist. There is only S1."
        );
        assert_eq!(
            DraftError::Over { given: 12 }.to_string(),
            "That is 12 points. Give out exactly 10: 2 fewer."
        );
    }

    #[test]
    fn a_solution_proposed_since_has_a_place_and_no_points() {
        let before = Draft::parse("1.10").map(|draft| draft.over(3));
        assert_eq!(before.map(|draft| draft.points), Some(vec![10, 0, 0]));
        for wrong in
            ["", "1", "2.10", "1.11", "0.5.6", "0.-1", "0.1.1.1.1.1.1.1.1.1.1.0", "0.+5", "0.005", "x.1"]
        {
            assert_eq!(Draft::parse(wrong), None, "{wrong}");
        }
    }
}
