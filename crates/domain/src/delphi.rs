//! /delphi: a number that nobody knows, as several estimators see it. What each says is checked here once and for all; what
//! they come to together, between what the team then votes, and how each estimator's points follow, is worked out here.
//!
//! What is kept of an estimate has passed [`SaidEstimate::numbers`]: three plain numbers in their order, so no sum of them fails.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Allocation, Basis, Document, Effort, ExpertPoints, Influence, OptionName, Problem, Provenance, Raised,
    Scored, Seat, Solution,
    brief::{SessionBrief, said_alike},
    measured::{Sessions, measured},
    thousands,
};

/// How many rounds there are.
pub const ROUNDS: u8 = 3;

/// A session of it by five estimators, as it was measured.
const SESSIONS: Sessions = Sessions {
    seats: 5,
    each: 3,
    turns: 5,
    brief: measured(17, 35_000, 261_000, 4_000),
    standard: measured(17, 42_000, 269_000, 6_000),
    deep: measured(17, 55_000, 281_000, 10_000),
};

/// What a session is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DelphiBrief {
    /// The question whose answer is a number.
    pub problem: Problem,
    /// A document for everybody.
    pub document: Option<Document>,
    /// In what the number is counted; `None`: a model says it.
    pub unit: Option<String>,
    /// Who estimates, 3 to 7.
    pub estimators: Vec<Seat>,
    /// Who says what the estimators part on.
    pub writer: Seat,
    /// Who asks for the number plainly.
    pub checker: Seat,
    /// The language the answers should be in, as a name; `None`: the question's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it.
    pub today: String,
}

impl SessionBrief for DelphiBrief {
    said_alike!(document);

    fn panel(&self) -> Vec<&Seat> {
        self.estimators.iter().collect()
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.writer, &self.checker]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        self.estimators.iter_mut().chain([&mut self.writer]).collect()
    }

    fn options(&self) -> Vec<(OptionName, String)> {
        vec![
            (OptionName::Unit, self.unit.clone().unwrap_or_default()),
            (OptionName::Estimators, self.estimators.len().to_string()),
        ]
    }

    fn phases(&self) -> u8 {
        ROUNDS + 2
    }

    fn measured(&self) -> &'static Sessions {
        &SESSIONS
    }

    fn takes_a_question(&self) -> bool {
        // Its own first call puts it.
        false
    }
}

/// The number that is looked for, asked for plainly.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NumberAsked {
    /// What number is looked for, as one question that ends with a question mark, with the place, the time and the bounds that belong to it.
    #[schemars(extend("words" = "6-25", "line" = true, "needed" = true))]
    pub question: String,
    /// In what it is counted, such as weeks, or euros a year; no number and no other word.
    #[schemars(extend("words" = "1-4", "line" = true, "needed" = true))]
    pub unit: String,
    /// By what somebody could tell one day what the number was: what counts and what does not; then what the team left open that would move it.
    #[schemars(extend("words" = "10-60", "line" = true, "needed" = true))]
    pub counts: String,
}

/// What an estimator says in a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SaidEstimate {
    /// Why you moved since the round before, and by which argument, or why you did not; and where your middle lies outside the middle half, what the others miss.
    #[serde(default)]
    #[schemars(extend("words" = "15-50 | 20-80 | 30-100", "when" = "again", "label" = "Moved, or not, because"))]
    pub moved: String,
    /// The reasons and the sums: cases like this one and how they ended, then what is different here, each step with its figures.
    #[schemars(extend("words" = "40-90 | 70-160 | 140-300", "needed" = true, "label" = "Reasons and sums"))]
    pub reasons: String,
    /// What it rests on that may turn out otherwise, each in a few words.
    #[schemars(extend("items_asked" = "1-4", "words" = "5-40 | 10-60 | 20-90", "label" = "It assumes"))]
    pub assumes: Vec<String>,
    /// What decides your middle: the one step or case that it rests on most, with its figure, in one or two sentences.
    #[serde(default)]
    #[schemars(extend("words" = "12-30 | 15-40 | 15-50", "when" = "alone", "label" = "In short"))]
    pub because: String,
    /// The number, so low that the chance of less is 10 of 100; digits only, in the unit.
    pub low: f64,
    /// The middle, from your reasons: more is as likely as less.
    pub middle: f64,
    /// So high that the chance of more is 10 of 100.
    pub high: f64,
}

impl SaidEstimate {
    /// Low, middle and high, if they are plain numbers in their order.
    pub fn numbers(&self) -> Result<[f64; 3], &'static str> {
        let numbers = [self.low, self.middle, self.high];
        // Beyond these nobody reads them.
        let is_plain = |number: &f64| *number == 0.0 || (1e-6..=1e15).contains(&number.abs());
        (numbers.iter().all(is_plain) && numbers.is_sorted())
            .then_some(numbers)
            .ok_or("low, middle and high are plain numbers of at most 10^15 and, but for 0, of at least 0.000001, none less than the one before")
    }
}

/// An estimate as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimated {
    /// In which round.
    pub round: u8,
    /// Whose, from 1.
    pub estimator: u8,
    /// What it says.
    pub said: SaidEstimate,
    /// Its low, middle and high.
    pub numbers: [f64; 3],
    /// The model the provider says answered.
    pub answered_by: String,
    /// Citations the code took out because nothing was searched.
    pub dropped_citations: u32,
}

impl Estimated {
    /// As people read it: `Estimator 1`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("Estimator {}", self.estimator)
    }
}

/// What somebody beside them says of all of it; the figures are the code's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Outlook {
    /// On what the estimators part: which different view of which matter makes the low numbers low and the high ones high.
    #[schemars(extend("words" = "20-70", "needed" = true, "label" = "What they part on"))]
    pub parted: String,
    /// What the ranges hang on, the weightiest first: each what would have to be so for the number to come out low, or high.
    #[schemars(extend("items_asked" = "2-4", "words" = "20-80", "label" = "What the range hangs on"))]
    pub hangs_on: Vec<String>,
    /// What the team could find out or try to know it better, the cheapest first: each with what it costs in time or money.
    #[schemars(extend("items_asked" = "1-3", "words" = "15-50", "label" = "What would narrow it cheapest"))]
    pub narrows: Vec<String>,
}

/// What a session has come to so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimates {
    /// The number that is looked for.
    pub number: NumberAsked,
    /// What everybody who could has said, round after round.
    pub all: Vec<Estimated>,
    /// What is said of it in the end.
    pub outlook: Option<Outlook>,
}

impl Estimates {
    /// The last word of everybody who said one, in their order.
    #[must_use]
    pub fn last(&self) -> Vec<Estimated> {
        let last: BTreeMap<u8, &Estimated> = self.all.iter().map(|one| (one.estimator, one)).collect();
        last.into_values().cloned().collect()
    }

    /// What was said in each round.
    pub fn rounds(&self) -> impl Iterator<Item = &[Estimated]> {
        self.all.chunk_by(|one, next| one.round == next.round)
    }
}

/// What a panel comes to, whatever the order of those who sit in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pooled {
    /// The medians of their lows, middles and highs.
    pub numbers: [f64; 3],
    /// Their middles: the lowest, the three quartiles, the highest.
    pub middles: [f64; 5],
    /// How many they are.
    pub estimators: usize,
}

impl Pooled {
    /// Nothing where there is nobody.
    #[must_use]
    pub fn of(all: &[Estimated]) -> Option<Self> {
        let at = |place: usize, quarters| quantile(all.iter().map(|one| one.numbers[place]), quarters);
        let middles = [at(1, 0)?, at(1, 1)?, at(1, 2)?, at(1, 3)?, at(1, 4)?];
        Some(Self { numbers: [at(0, 2)?, middles[2], at(2, 2)?], middles, estimators: all.len() })
    }

    /// What they come to, and how far they part.
    #[must_use]
    pub fn told(&self, unit: &str) -> String {
        let [low, middle, high] = self.numbers.map(figure);
        let [least, first, _, third, most] = self.middles.map(figure);
        if self.estimators == 1 {
            return format!(
                "**{middle} {unit}**, {low} to {high} with 80 % chance, by one estimator alone: no other could answer."
            );
        }
        let parted =
            format!("Their middles lie from {least} to {most}, half of them from {first} to {third}.");
        format!("**{middle} {unit}**, {low} to {high} by the medians of their 80 % ranges. {parted}")
    }

    /// Where one range that is voted on ends and the next begins: the pooled numbers, rounded to what their distance deserves.
    /// Two or three.
    fn cuts(&self) -> Vec<f64> {
        let [low, middle, high] = self.numbers;
        if figure(low) == figure(high) {
            let near = if middle == 0.0 { 1.0 } else { middle.abs() / 20.0 };
            return vec![middle - near, middle + near];
        }
        // By whole steps, so that large numbers stay whole.
        let step = 10_f64.powf((high - low).log10().floor() - 1.0);
        let rounded = |number: f64| {
            if step < 1.0 { (number / step).round() / step.recip() } else { (number / step).round() * step }
        };
        let mut cuts = [low, middle, high].map(rounded).to_vec();
        cuts.dedup_by_key(|cut| figure(*cut));
        cuts
    }

    /// The ranges that are voted on, three or four, each with how likely the pooled numbers hold it, and the ten points of each
    /// estimator as they follow from its own.
    #[must_use]
    pub fn scored(&self, unit: &str, last: &[Estimated]) -> Scored {
        let cuts = self.cuts();
        let ends: Vec<String> = cuts.iter().copied().map(figure).collect();
        let mut titles = vec![format!("Under {} {unit}", ends[0])];
        titles.extend(ends.windows(2).map(|two| format!("{} to under {} {unit}", two[0], two[1])));
        titles.push(format!("{} {unit} or more", ends[ends.len() - 1]));
        let raised = titles.into_iter().zip(parts(self.numbers, &cuts)).map(|(title, parts)| {
            let description = format!("By the pooled numbers, about {} chances of 100.", (parts + 5) / 10);
            Raised { title, description, by: Vec::new(), provenance: Provenance::default() }
        });
        let expert = |one: &Estimated| {
            let (title, weight, influence, basis) = (one.title(), 1.0, Influence::default(), Basis::Given);
            let allocation = Allocation::scaled(&parts(one.numbers, &cuts)).ok()?;
            Some(ExpertPoints { title, weight, influence, allocation, basis, chances: Vec::new() })
        };
        let reasons = last.iter().map(|one| format!("By code, from {}.", figures(one.numbers))).collect();
        let experts = last.iter().filter_map(expert).collect();
        Scored { solutions: Solution::merged(raised), experts, reasons }
    }
}

/// How likely the number is below the first of these, between each and the next, and above the last, in a thousand parts, by an
/// estimate: likely straight from each of the three to the next, and beyond them as steep as beside them, until there is nothing left.
fn parts([low, middle, high]: [f64; 3], cuts: &[f64]) -> Vec<u32> {
    let mut parts = vec![0; cuts.len() + 1];
    for part in 0..1_000 {
        let from_middle = (f64::from(part) + 0.5) / 1e3 - 0.5;
        let side = if from_middle < 0.0 { middle - low } else { high - middle };
        let number = middle + from_middle / 0.4 * side;
        parts[cuts.iter().filter(|cut| **cut <= number).count()] += 1;
    }
    parts
}

/// So many quarters of the way through the numbers in their order; between two, halves of halves of their distance, so that
/// rounding never changes an order.
fn quantile(numbers: impl Iterator<Item = f64>, quarters: usize) -> Option<f64> {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    let place = quarters * sorted.len().checked_sub(1)?;
    let (below, above) = (sorted[place / 4], sorted[place.div_ceil(4)]);
    let half = f64::midpoint(below, above);
    Some([below, f64::midpoint(below, half), half, f64::midpoint(half, above)][place % 4])
}

/// A number as people read it: `9`, `12.5`, `25,560`; years have no comma.
fn figure(number: f64) -> String {
    let places = if number.abs() < 1.0 { 10 } else { 4 };
    let sign = if number < 0.0 { "-" } else { "" };
    let text = format!("{:.places$}", number.abs());
    let (whole, rest) = text.trim_end_matches('0').split_once('.').unwrap_or_default();
    let large = whole.parse().ok().filter(|whole| *whole >= 10_000).map(thousands);
    let whole = large.as_deref().unwrap_or(whole);
    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Low, middle and high: `7 · 9 · 14`.
#[must_use]
pub fn figures(numbers: [f64; 3]) -> String {
    numbers.map(figure).join(" · ")
}

#[cfg(test)]
mod tests;
