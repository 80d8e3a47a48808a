//! The numbers that headings, clauses and items of lists are shown with. The file does not hold them: a program counts
//! them anew each time, and so has to be counted here, or "only under clause 2.1" leads nowhere.

use std::collections::HashMap;

/// Levels that a list may have.
pub(super) const LEVELS: usize = 9;

/// Longest label, in characters; a longer one is no number.
const LONGEST: usize = 40;

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Figures {
    /// `1`.
    #[default]
    Decimal,
    /// `01`.
    TwoDigits,
    /// `a`, or `A`.
    Letters {
        /// As capitals.
        upper: bool,
    },
    /// `iv`, or `IV`.
    Roman {
        /// As capitals.
        upper: bool,
    },
    /// A sign that counts nothing, such as a dot.
    Sign,
    /// Nothing.
    None,
}

impl Figures {
    /// By the name that it has in Word and `PowerPoint`, in HTML or in `OpenDocument`.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "bullet" | "disc" | "circle" | "square" => Self::Sign,
            "none" => Self::None,
            "decimalZero" | "decimal-leading-zero" => Self::TwoDigits,
            "lowerLetter" | "a" | "lower-alpha" | "lower-latin" => Self::Letters { upper: false },
            "upperLetter" | "A" | "upper-alpha" | "upper-latin" => Self::Letters { upper: true },
            "lowerRoman" | "i" | "lower-roman" => Self::Roman { upper: false },
            "upperRoman" | "I" | "upper-roman" => Self::Roman { upper: true },
            _ => Self::Decimal,
        }
    }

    /// A number written so.
    pub(super) fn write(self, number: i64) -> String {
        match self {
            Self::Letters { upper } if (1..=26 * 30).contains(&number) => {
                let letter = b'a' + u8::try_from((number - 1) % 26).unwrap_or_default();
                let times = usize::try_from((number - 1) / 26 + 1).unwrap_or(1);
                capitals(char::from(letter).to_string().repeat(times), upper)
            }
            Self::Roman { upper } if (1..4_000).contains(&number) => capitals(roman(number), upper),
            Self::TwoDigits => format!("{number:02}"),
            Self::Sign | Self::None => String::new(),
            _ => number.to_string(),
        }
    }
}

fn capitals(text: String, upper: bool) -> String {
    if upper { text.to_uppercase() } else { text }
}

fn roman(mut number: i64) -> String {
    const SIGNS: [(i64, &str); 13] = [
        (1_000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut text = String::new();
    for (worth, sign) in SIGNS {
        while number >= worth {
            text.push_str(sign);
            number -= worth;
        }
    }
    text
}

/// A level of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    /// The number of its first item.
    pub(super) start: i64,
    /// How its number is written.
    pub(super) figures: Figures,
    /// The label: `%1` stands for the number of the first level.
    pub(super) label: String,
    /// Its count begins anew behind an item of this level or of one above it, from 1; 0: never.
    pub(super) restart: Option<usize>,
    /// Numbers of the levels above it are written in figures, however those write them.
    pub(super) legal: bool,
}

impl Default for Stage {
    fn default() -> Self {
        Self { start: 1, figures: Figures::Decimal, label: String::new(), restart: None, legal: false }
    }
}

/// The levels of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Scheme {
    stages: HashMap<usize, Stage>,
}

impl Scheme {
    /// The level of this number, from 0.
    pub(super) fn stage(&mut self, level: usize) -> &mut Stage {
        self.stages.entry(level.min(LEVELS - 1)).or_default()
    }

    /// Whether items of a level have a number.
    pub(super) fn counts(&self, level: usize) -> bool {
        self.stages.get(&level).is_some_and(|stage| stage.figures != Figures::Sign && !stage.label.is_empty())
    }
}

/// The items of a list so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    numbers: [Option<i64>; LEVELS],
}

impl Count {
    /// Begins anew.
    pub(super) fn restart(&mut self, level: usize) {
        if let Some(number) = self.numbers.get_mut(level) {
            *number = None;
        }
    }

    /// The next item of a level has this number, whatever came before it.
    pub(super) fn begin_at(&mut self, level: usize, number: i64) {
        if let Some(last) = self.numbers.get_mut(level) {
            *last = number.checked_sub(1);
        }
    }

    /// The label of the next item of a level, from 0; nothing where items of that level have none.
    pub(super) fn next(&mut self, scheme: &Scheme, level: usize) -> Option<String> {
        let level = level.min(LEVELS - 1);
        let start = |level: usize| scheme.stages.get(&level).map_or(1, |stage| stage.start);
        let number = self.numbers[level].map_or_else(|| start(level), |number| number.saturating_add(1));
        self.numbers[level] = Some(number);
        for deeper in level + 1..LEVELS {
            let restart = scheme.stages.get(&deeper).and_then(|stage| stage.restart);
            if restart.is_none_or(|from| from > 0 && level < from) {
                self.numbers[deeper] = None;
            }
        }
        if !scheme.counts(level) {
            return None;
        }
        let stage = scheme.stages.get(&level)?;
        let mut label = String::new();
        let mut signs = stage.label.chars();
        while let Some(sign) = signs.next() {
            let of = (sign == '%').then(|| signs.clone().next()).flatten();
            let Some(of) = of.and_then(|of| of.to_digit(10)).filter(|of| (1..=9).contains(of)) else {
                label.push(sign);
                continue;
            };
            signs.next();
            let of = usize::try_from(of).unwrap_or(1) - 1;
            let figures = scheme.stages.get(&of).map_or(Figures::Decimal, |stage| stage.figures);
            let figures = match figures {
                Figures::Letters { .. } | Figures::Roman { .. } if stage.legal => Figures::Decimal,
                figures => figures,
            };
            // A level that was passed over counts as begun, as programs show it.
            label.push_str(&figures.write(self.numbers[of].unwrap_or_else(|| start(of))));
        }
        let label = label.trim();
        (!label.is_empty() && label.chars().count() <= LONGEST).then(|| label.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheme(stages: &[(Figures, &str)]) -> Scheme {
        let mut scheme = Scheme::default();
        for (level, (figures, label)) in stages.iter().enumerate() {
            *scheme.stage(level) =
                Stage { figures: *figures, label: (*label).to_owned(), ..Stage::default() };
        }
        scheme
    }

    #[test]
    fn clauses_are_counted_as_programs_show_them() {
        let clauses = scheme(&[
            (Figures::Decimal, "%1."),
            (Figures::Decimal, "%1.%2"),
            (Figures::Letters { upper: false }, "(%3)"),
        ]);
        let mut count = Count::default();
        let labels = [0, 1, 1, 0, 1, 2, 2, 1].map(|level| count.next(&clauses, level).unwrap());
        assert_eq!(labels, ["1.", "1.1", "1.2", "2.", "2.1", "(a)", "(b)", "2.2"]);
        let mut count = Count::default();
        assert_eq!(count.next(&clauses, 1).unwrap(), "1.1", "a level that was passed over");
        count.restart(1);
        assert_eq!(count.next(&clauses, 1).unwrap(), "1.1");
    }

    #[test]
    fn levels_may_go_on_counting_and_say_where_they_begin() {
        let mut articles = scheme(&[
            (Figures::Roman { upper: true }, "Article %1"),
            (Figures::Decimal, "%1.%2"),
            (Figures::Sign, "·"),
        ]);
        articles.stage(0).start = 4;
        articles.stage(1).restart = Some(0);
        articles.stage(1).legal = true;
        let mut count = Count::default();
        let labels = [0, 1, 0, 1, 2].map(|level| count.next(&articles, level));
        let labels = labels.map(Option::unwrap_or_default);
        assert_eq!(labels, ["Article IV", "4.1", "Article V", "5.2", ""]);
    }

    #[test]
    fn figures_are_those_that_people_count_with() {
        let letters = Figures::Letters { upper: true };
        assert_eq!([1, 26, 27, 53].map(|number| letters.write(number)), ["A", "Z", "AA", "AAA"]);
        let roman = Figures::Roman { upper: false };
        assert_eq!([1, 4, 9, 1994].map(|number| roman.write(number)), ["i", "iv", "ix", "mcmxciv"]);
        assert_eq!(
            [letters.write(0), roman.write(4_000), letters.write(i64::MAX)],
            ["0", "4000", &i64::MAX.to_string()]
        );
        assert_eq!(Figures::TwoDigits.write(7), "07");
    }

    #[test]
    fn no_number_and_no_label_breaks_it() {
        let mut wild = scheme(&[(Figures::Decimal, "%1%9%%0%"), (Figures::None, "%2")]);
        wild.stage(0).start = i64::MAX;
        let mut count = Count::default();
        for _ in 0..3 {
            assert!(count.next(&wild, 0).is_some_and(|label| label.starts_with("9223372036854775807")));
        }
        assert_eq!(count.next(&wild, 1), None);
        assert_eq!(count.next(&Scheme::default(), 500), None);
        let long = scheme(&[(Figures::Decimal, &"x".repeat(100))]);
        assert_eq!(count.next(&long, 0), None);
    }
}
