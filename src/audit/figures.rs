//! Figures and names in a text, so that two that are written differently are found to be the same.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

/// Whole numbers up to this one, without a unit, count things and are no facts.
const SMALL: f64 = 12.0;

static FIGURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x) (?P<money>[$€£¥]\s?)?
        (?P<number>\d{1,3}(?:[.,'’\u{a0}\u{202f}\ ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)
        (?P<unit>\s?(?:%|‰|[$€£¥]|percent\b|Prozent\b|(?i:k|thousand|million|millions|mio\.?|millionen|bn|billion|billions|mrd\.?|milliarden)\b))?",
    )
    .ok()
});

static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\p{Lu}[\p{L}\p{N}&’'-]+(?: (?:of |de |von )?\p{Lu}[\p{L}\p{N}&’'-]+)+").ok()
});

/// A figure, as it is written and by the values that it can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Figure {
    /// As it is written.
    pub shown: String,
    /// Its values: `1.200` may be one and a fifth or twelve hundred.
    pub values: Vec<String>,
    /// Whether it only counts a few things.
    pub small: bool,
}

/// The figures of a text in their order; none that is part of a word or of a mark such as `[3]`.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let Some(pattern) = FIGURE.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    for figure in pattern.captures_iter(text) {
        let (Some(whole), Some(number)) = (figure.get(0), figure.name("number")) else { continue };
        let before = text[..number.start()].chars().next_back();
        let after = text[number.end()..].chars().next();
        let in_mark = before == Some('[') && after == Some(']');
        let unit = figure.name("unit").map(|unit| unit.as_str().trim().to_lowercase()).unwrap_or_default();
        let in_word = before.is_some_and(|c| c.is_alphabetic() || c == '_')
            || (unit.is_empty() && after.is_some_and(|c| c.is_alphabetic() && c.is_ascii()));
        if in_mark || in_word {
            continue;
        }
        let plain = readings(number.as_str());
        let times = multiple(&unit);
        let values = plain.iter().flat_map(|value| [Some(*value), times.map(|times| value * times)]);
        let bare = unit.is_empty() && figure.name("money").is_none();
        let small = bare && plain.iter().all(|value| value.fract() == 0.0 && *value <= SMALL);
        found.push(Figure {
            shown: whole.as_str().trim().to_owned(),
            values: values.flatten().map(key).collect(),
            small,
        });
    }
    found
}

/// The values of all figures of a text.
pub(super) fn values(text: &str) -> BTreeSet<String> {
    figures(text).into_iter().flat_map(|figure| figure.values).collect()
}

/// Names of two words and more in a sentence, whose first word need not be part of one.
pub(super) fn names(sentence: &str) -> Vec<String> {
    let Some(pattern) = NAME.as_ref() else { return Vec::new() };
    let name = |found: regex::Match<'_>| {
        let name = found.as_str();
        if found.start() > 0 {
            return Some(name.to_owned());
        }
        let (_, rest) = name.split_once(' ')?;
        rest.contains(' ').then(|| rest.to_owned())
    };
    pattern.find_iter(sentence).filter_map(name).collect()
}

fn multiple(unit: &str) -> Option<f64> {
    match unit.trim_end_matches('.') {
        "k" | "thousand" => Some(1e3),
        "million" | "millions" | "mio" | "millionen" => Some(1e6),
        "bn" | "billion" | "billions" | "mrd" | "milliarden" => Some(1e9),
        _ => None,
    }
}

/// What a number can mean: its groups of three may be thousands, and what follows its last mark a fraction.
fn readings(number: &str) -> Vec<f64> {
    let marks: Vec<char> = number.chars().filter(|c| !c.is_ascii_digit()).collect();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let whole: Option<f64> = digits(number).parse().ok();
    let fraction: Option<f64> = number
        .rsplit_once(['.', ','])
        .and_then(|(before, after)| format!("{}.{}", digits(before), digits(after)).parse().ok());
    let last_group = number.rsplit(|c: char| !c.is_ascii_digit()).next().map_or(0, str::len);
    let mut readings: Vec<f64> = Vec::new();
    match marks.as_slice() {
        [] => readings.extend(whole),
        [_] if last_group == 3 => readings.extend(whole.into_iter().chain(fraction)),
        [.., last] if last_group < 3 && matches!(last, '.' | ',') => readings.extend(fraction),
        [.., last] if last_group == 3 && marks.iter().all(|mark| mark == last) => readings.extend(whole),
        _ => readings.extend(fraction.into_iter().chain(whole)),
    }
    readings
}

fn key(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_same_however_they_are_written() {
        for (one, other) in [
            ("40,000 people", "40000"),
            ("40.000 Menschen", "40 000"),
            ("€4.50", "4,5 €"),
            ("1.2 million", "1,200,000"),
            ("2,5 Mio. Euro", "2500000"),
            ("30 %", "30 percent"),
            ("1.234,50 €", "1,234.5"),
            ("70k", "70,000"),
        ] {
            let known = values(other);
            let figures = figures(one);
            assert_eq!(figures.len(), 1, "{one}: {figures:?}");
            assert!(
                figures[0].values.iter().any(|value| known.contains(value)),
                "{one} and {other}: {figures:?} {known:?}"
            );
        }
        for (one, other) in [("40,000", "4,000"), ("30 %", "31 %"), ("2019", "2020"), ("4.5", "45")] {
            let known = values(other);
            assert!(!figures(one)[0].values.iter().any(|value| known.contains(value)), "{one} and {other}");
        }
    }

    #[test]
    fn what_is_no_figure_is_none() {
        for none in ["as page [3] says", "CO2 and Q3", "a 2nd B2B deal", "none"] {
            assert_eq!(figures(none), [], "{none}");
        }
        assert!(figures("in 3 steps").iter().all(|figure| figure.small));
        assert!(figures("3 % of 40").iter().all(|figure| !figure.small));
        assert_eq!(figures("from 13 to 30 %, 12–18 months").len(), 4);
    }

    #[test]
    fn names_have_two_words_and_the_first_of_a_sentence_is_none_by_itself() {
        assert_eq!(names("The European Commission asked Graz Messe."), ["European Commission", "Graz Messe"]);
        assert!(names("Most towns of Austria agree.").is_empty());
        assert!(names("Open Sundays").is_empty());
        assert_eq!(names("So says the Bank of England."), ["Bank of England"]);
    }
}
