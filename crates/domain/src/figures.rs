//! Numbers of a text with the words that they belong to: `300 ms` is another number than `300 connections`.

use std::collections::BTreeSet;

/// Letters of a word from which it says what a sentence is about.
const TELLING: usize = 4;

/// A number as somebody wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Quantity {
    /// Without what groups its digits, its decimals behind a point, and none that say nothing: `84000`, `1.5`.
    pub(crate) number: String,
    /// Of what: the word or sign behind it, or the currency before it; empty where it stands alone.
    unit: String,
}

/// A text's numbers, and what else it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Figures {
    pub(crate) quantities: Vec<Quantity>,
    words: BTreeSet<String>,
}

impl Figures {
    /// Those of a text.
    pub(crate) fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphabetic()).map(stem);
        let words = words.filter(|word| word.chars().count() >= TELLING).collect();
        Self { quantities: quantities(text), words }
    }

    /// Whether one of these is this number: of the same unit, or in a text that speaks of the same.
    pub(crate) fn have(&self, quantity: &Quantity, of: &Self) -> bool {
        self.quantities.iter().any(|own| {
            own.number == quantity.number
                && (is_unit(&own.unit, &quantity.unit) || !self.words.is_disjoint(&of.words))
        })
    }

    /// Whether one of these is this number, of whatever it is said, or gives it when rounded as it is: of 252.39 that
    /// a program printed somebody says 252.4.
    pub(crate) fn name(&self, quantity: &Quantity) -> bool {
        self.quantities
            .iter()
            .any(|own| own.number == quantity.number || rounds_to(&own.number, &quantity.number))
    }
}

/// The numbers that a text works out before its readers, each with what its line speaks of: what stands behind an equals sign
/// and is, within 2 %, what the sum before it comes to.
pub(crate) fn worked_out(text: &str) -> Vec<Figures> {
    let text = text.replace("**", "");
    let lines = text.lines().flat_map(|line| {
        let parts: Vec<&str> = line.split('=').collect();
        let results: Vec<Quantity> =
            parts.windows(2).filter_map(|pair| result_of(pair[0], pair[1])).collect();
        let words = Figures::of(line).words;
        results.into_iter().map(move |result| Figures { quantities: vec![result], words: words.clone() })
    });
    lines.collect()
}

/// The number that `right` begins with, if it is what `left` ends with when it is worked out. A sum with brackets in it, and
/// one that has its own result among its numbers, shows nothing.
fn result_of(left: &str, right: &str) -> Option<Quantity> {
    let right = right.trim_start();
    if !right.starts_with(|c: char| c.is_ascii_digit() || is_currency(c)) {
        return None;
    }
    let result = quantities(right).into_iter().next()?;
    let stated: f64 = result.number.parse().ok()?;
    // What is worked out stands behind the last sign that begins something else.
    let left = left.rsplit([':', ';', '(', '|']).next()?;
    if left.contains(')') {
        return None;
    }
    let (mut terms, mut signs) = (Vec::new(), Vec::new());
    let mut rest = left;
    while let Some(begins) = rest.find(|c: char| c.is_ascii_digit()) {
        let between = &rest[..begins];
        let ends = rest[begins..].find(|c: char| !c.is_ascii_digit() && !separates(c));
        let (written, behind) = rest[begins..].split_at(ends.unwrap_or(rest.len() - begins));
        let number: f64 = read(written.trim_end_matches(separates)).pop()?.parse().ok()?;
        let share = if behind.trim_start().starts_with('%') { 0.01 } else { 1.0 };
        let sign = sign_between(between);
        if sign.is_none() || between.contains([',', '.']) {
            terms.clear();
            signs.clear();
        }
        signs.push(sign.unwrap_or('+'));
        terms.push(number * share);
        rest = behind;
    }
    let mut sum: Vec<f64> = Vec::new();
    for (place, (term, sign)) in terms.iter().zip(&signs).enumerate() {
        match sign {
            _ if place == 0 => sum.push(*term),
            '×' | '*' | '·' | 'x' => *sum.last_mut()? *= term,
            '/' | '÷' => *sum.last_mut()? /= term,
            '+' => sum.push(*term),
            _ => sum.push(-term),
        }
    }
    let total = sum.iter().sum::<f64>() * if result.unit == "%" { 100.0 } else { 1.0 };
    let is_so = (total - stated).abs() <= stated.abs() * 0.02;
    (terms.len() > 1 && is_so && !terms.contains(&stated)).then_some(result)
}

/// The sign between two numbers: one that stands alone. That of a unit (`euros/month`) or of a word (`5-year`) is none.
fn sign_between(between: &str) -> Option<char> {
    let alone = between.split_whitespace().rev().filter_map(|word| {
        let mut signs = word.chars();
        signs.next().filter(|sign| signs.next().is_none() && "×*·x/÷+-−–".contains(*sign))
    });
    alone.into_iter().next()
}

/// Whether a number with more decimals gives one with fewer, but at least one: 12 may be another thing than 12.3.
fn rounds_to(exact: &str, rounded: &str) -> bool {
    let decimals = |number: &str| number.split_once('.').map_or(0, |(_, behind)| behind.len());
    let fewer = decimals(rounded);
    (1..decimals(exact)).contains(&fewer)
        && exact.parse::<f64>().is_ok_and(|exact| format!("{exact:.fewer$}") == rounded)
}

/// `weeks` and `week`, `month` and `monthly`.
fn is_unit(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && (one.starts_with(other) || other.starts_with(one))
}

/// A word in the form in which it is compared.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let long = word.chars().count() > 3;
    word.strip_suffix('s').filter(|_| long).map(str::to_owned).unwrap_or(word)
}

fn quantities(text: &str) -> Vec<Quantity> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        if !chars[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let begins = at;
        // Digits, and single signs between digits.
        while chars.get(at).is_some_and(char::is_ascii_digit)
            || (chars.get(at).is_some_and(|c| separates(*c))
                && chars.get(at + 1).is_some_and(char::is_ascii_digit))
        {
            at += 1;
        }
        let written: String = chars[begins..at].iter().collect();
        let before = begins.checked_sub(1).map(|place| chars[place]).filter(|c| is_currency(*c));
        let unit = before.map_or_else(|| unit_behind(&chars[at..]), String::from);
        found.extend(read(&written).into_iter().map(|number| Quantity { number, unit: unit.clone() }));
    }
    found
}

fn separates(c: char) -> bool {
    matches!(c, ',' | '.' | '\'' | '’' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹')
}

/// The sign or the word behind a number, little words left out: `7,000 a month` is of a month.
fn unit_behind(rest: &[char]) -> String {
    const LITTLE: [&str; 12] = ["a", "an", "the", "of", "in", "per", "for", "pro", "im", "von", "de", "par"];
    let rest: String = rest.iter().take(40).collect();
    let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-', '*', '`']);
    if let Some(sign) = rest.chars().next().filter(|c| is_currency(*c) || matches!(c, '%' | '°')) {
        return sign.to_string();
    }
    // What stands behind a full stop, a comma or the edge of a cell belongs to something else.
    let same = rest.split(['.', ',', ';', ':', '|', '(', ')', '\n']).next().unwrap_or_default();
    let mut words = same.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
    words
        .find(|word| !word.is_empty() && !LITTLE.contains(&word.to_lowercase().as_str()))
        .map(stem)
        .unwrap_or_default()
}

/// The number of digits and signs between them; several where the signs are those of an address or a version.
fn read(written: &str) -> Vec<String> {
    let mut parts: Vec<(char, &str)> = Vec::new();
    let (mut sign, mut from) = (' ', 0);
    for (place, c) in written.char_indices().filter(|(_, c)| separates(*c)) {
        parts.push((sign, &written[from..place]));
        (sign, from) = (c, place + c.len_utf8());
    }
    parts.push((sign, &written[from..]));
    let grouped = |(_, part): &(char, &str)| part.len() == 3;
    let first = parts[0].1;
    let is_grouped = |parts: &[(char, &str)]| {
        (1..=3).contains(&first.len()) && first != "0" && parts.iter().skip(1).all(grouped)
    };
    let joined = |parts: &[(char, &str)]| parts.iter().map(|(_, part)| *part).collect::<String>();
    if is_grouped(&parts) || parts.len() == 1 {
        return vec![joined(&parts)];
    }
    let (last, whole) = (parts[parts.len() - 1], &parts[..parts.len() - 1]);
    let other_sign = whole.iter().skip(1).all(|(sign, _)| *sign != last.0);
    if matches!(last.0, '.' | ',') && other_sign && (whole.len() == 1 || is_grouped(whole)) {
        let decimals = last.1.trim_end_matches('0');
        let whole = joined(whole);
        return vec![if decimals.is_empty() { whole } else { format!("{whole}.{decimals}") }];
    }
    parts.iter().map(|(_, part)| (*part).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_however_they_are_grouped() {
        let numbers = |text: &str| -> Vec<String> {
            quantities(text).into_iter().map(|quantity| quantity.number).collect()
        };
        assert_eq!(numbers("84,000 € in 2027, 1.5 %; 7."), ["84000", "2027", "1.5", "7"]);
        assert_eq!(numbers("1,5 and 1.50 and 15"), ["1.5", "1.5", "15"]);
        assert_eq!(numbers("1.234.567,80 or 1'234'567.8 or 1 234"), ["1234567.8", "1234567.8", "1", "234"]);
        assert_eq!(numbers("0.125 s, 10.0.0.7"), ["0.125", "10", "0", "0", "7"]);
        assert!(numbers("none").is_empty());
    }

    #[test]
    fn a_number_is_named_by_one_that_is_more_exact() {
        let printed = Figures::of("old inverter: 252.39 V, 4.14 V, 12.25 s");
        let named = |said: &str| printed.name(&Figures::of(said).quantities[0]);
        for said in ["252.4 V", "252.39 V"] {
            assert!(named(said), "{said}");
        }
        // To whole numbers nothing is rounded, and nothing away from what is nearest.
        for said in ["252 V", "252.3 V", "4.2", "12 weeks"] {
            assert!(!named(said), "{said}");
        }
    }

    #[test]
    fn what_is_worked_out_before_its_readers_is_known() {
        let results = |text: &str| -> Vec<String> {
            worked_out(text).into_iter().map(|found| found.quantities[0].number.clone()).collect()
        };
        for (text, shown) in [
            ("20.3 % × 47,000 = 9,500 euros", vec!["9500"]),
            ("14,000 / 47,000 = 30 %, so 240 × 11.5 minutes = 2,760", vec!["30", "2760"]),
            ("Together 5,700 + 1,900 - 600 = 7,000 (assumed).", vec!["7000"]),
            ("(9,500 − 5,700 = 3,800)", vec!["3800"]),
            ("**9,500** − **5,700** = 3,800", vec!["3800"]),
            ("7,000 euros/month × 12 = 84,000", vec!["84000"]),
            ("a 5-year cost of 3 x 4 = 12", vec!["12"]),
            // Nothing comes of it, or something else does.
            ("A grant = 31,500", vec![]),
            ("2 × 3 = 31,500", vec![]),
            ("3 × 105 = 31,500", vec![]),
            ("100 × (3 + 4) = 7", vec![]),
            ("4 + 7 = about a dozen; a grant of 11", vec![]),
            ("31,500 × 1 = 31,500", vec![]),
            ("x = 4", vec![]),
        ] {
            assert_eq!(results(text), shown, "{text}");
        }
    }

    #[test]
    fn a_number_is_one_of_something() {
        let same = |one: &str, other: &str| {
            let (one, other) = (Figures::of(one), Figures::of(other));
            one.have(&other.quantities[0], &other)
        };
        for (one, other) in [
            ("It takes 12 weeks.", "12 weeks"),
            ("7,000 a month", "7.000 monthly"),
            ("A grant of 31,500 pays a part", "The grant, 31,500, covers it"),
            ("$40 each", "$40"),
        ] {
            assert!(same(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("It takes 12 weeks.", "12 months"),
            ("| p99 | 300 ms |", "The pool has 300 connections"),
            ("1.5 %", "15 %"),
            ("$40 each", "40 days"),
        ] {
            assert!(!same(one, other), "{one} / {other}");
        }
    }
}
