//! How a sheet shows its numbers: as a date, with so many decimals, in per cent. What a format asks for beyond that (colours,
//! conditions, fractions, thousands left out) is not followed: then the number itself is shown, which is never wrong.

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta};

/// How numbers of a cell are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Format {
    /// As they are.
    #[default]
    General,
    /// As a decimal number.
    Decimal(Decimal),
    /// As a moment.
    Moment(Moment),
    /// As how long something takes.
    Duration,
    /// Not at all.
    Hidden,
}

/// A decimal number and what stands around it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Decimal {
    /// Fewest digits before the point.
    whole: usize,
    /// Decimals: those that are always shown, and the most.
    decimals: (usize, usize),
    thousands: bool,
    percent: bool,
    before: String,
    after: String,
}

/// What of a moment is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Moment {
    date: bool,
    time: bool,
    seconds: bool,
}

impl Format {
    /// One of the formats that are known by their numbers (ECMA-376, part 1, 18.8.30).
    pub(super) fn known(id: u32) -> Self {
        let code = match id {
            1 => "0",
            2 | 39 | 40 => "0.00",
            3 | 37 | 38 => "#,##0",
            4 => "#,##0.00",
            9 => "0%",
            10 => "0.00%",
            14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => "yyyy-mm-dd",
            18 | 20 | 32 | 34 | 55 => "hh:mm",
            19 | 21 | 33 | 35 | 56 => "hh:mm:ss",
            22 => "yyyy-mm-dd hh:mm",
            45..=47 => "[h]:mm:ss",
            _ => return Self::General,
        };
        Self::of(code)
    }

    /// By its code, such as `#,##0.00 [$€-407]`, of which the part for positive numbers counts.
    pub(super) fn of(code: &str) -> Self {
        if code.trim() == ";;;" {
            return Self::Hidden;
        }
        let Some(tokens) = tokens(code) else { return Self::General };
        let has = |wanted: fn(char) -> bool| {
            tokens.iter().any(|token| matches!(token, Token::Sign(c) if wanted(c.to_ascii_lowercase())))
        };
        if tokens.contains(&Token::Elapsed) {
            return Self::Duration;
        }
        if has(|c| matches!(c, 'y' | 'm' | 'd' | 'h' | 's')) {
            let time = has(|c| matches!(c, 'h' | 's'));
            let date = has(|c| matches!(c, 'y' | 'd')) || !time;
            return Self::Moment(Moment { date, time, seconds: has(|c| c == 's') });
        }
        decimal(&tokens).map_or(Self::General, Self::Decimal)
    }

    /// A number in this format; `since_1904`: days are counted from then.
    pub(super) fn show(&self, raw: &str, since_1904: bool) -> String {
        let Ok(number) = raw.trim().parse::<f64>() else { return raw.to_owned() };
        let shown = match self {
            Self::General => None,
            Self::Decimal(decimal) => decimal.show(number),
            Self::Moment(moment) => moment.show(number, since_1904),
            Self::Duration => duration(number),
            Self::Hidden => Some(String::new()),
        };
        shown.unwrap_or_else(|| general(raw.trim(), number))
    }
}

/// A piece of a format's code.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A sign with a meaning.
    Sign(char),
    /// What is shown as it stands.
    Literal(String),
    /// Hours, minutes or seconds beyond a day.
    Elapsed,
}

/// The pieces of a format's part for positive numbers; nothing where numbers are shown by conditions.
fn tokens(code: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        match c {
            ';' => break,
            '"' => tokens.push(Token::Literal(rest.by_ref().take_while(|&c| c != '"').collect())),
            '\\' => tokens.push(Token::Literal(rest.next().into_iter().collect())),
            '_' => {
                rest.next();
                tokens.push(Token::Literal(" ".to_owned()));
            }
            '*' => drop(rest.next()),
            '[' => {
                let inside: String = rest.by_ref().take_while(|&c| c != ']').collect();
                if let Some(money) = inside.strip_prefix('$') {
                    tokens.push(Token::Literal(money.split('-').next().unwrap_or_default().to_owned()));
                } else if inside.starts_with(['<', '>', '=']) {
                    return None;
                } else if inside.to_lowercase().chars().all(|c| matches!(c, 'h' | 'm' | 's')) {
                    tokens.push(Token::Elapsed);
                }
            }
            '€' | '$' | '£' | '¥' | ' ' | '(' | ')' | '+' | '-' => {
                tokens.push(Token::Literal(c.to_string()));
            }
            c => tokens.push(Token::Sign(c)),
        }
    }
    Some(tokens)
}

/// What the pieces say of a decimal number; nothing where they say something else.
fn decimal(tokens: &[Token]) -> Option<Decimal> {
    let mut decimal = Decimal::default();
    let (mut begun, mut ended, mut point, mut comma) = (false, false, false, false);
    for token in tokens {
        match token {
            Token::Sign('0' | '#' | '?') if ended => return None,
            Token::Sign(digit @ ('0' | '#' | '?')) => {
                begun = true;
                decimal.thousands |= comma;
                let always = usize::from(*digit == '0');
                if point {
                    decimal.decimals.0 += always;
                    decimal.decimals.1 += 1;
                } else {
                    decimal.whole += always;
                }
            }
            Token::Sign(',') if begun && !point && !ended => comma = true,
            Token::Sign('.') if !point && !ended => (begun, point) = (true, true),
            Token::Sign('%') => {
                decimal.percent = true;
                decimal.after.push('%');
                ended |= begun;
            }
            Token::Literal(text) if begun => {
                ended = true;
                decimal.after.push_str(text);
            }
            Token::Literal(text) => decimal.before.push_str(text),
            _ => return None,
        }
    }
    // A comma behind the last digit leaves thousands out.
    let scaled = comma && !decimal.thousands;
    (begun && !scaled).then_some(decimal)
}

impl Decimal {
    fn show(&self, number: f64) -> Option<String> {
        let number = if self.percent { number * 100.0 } else { number };
        // Beyond this a number has digits that nobody gave it.
        if !number.is_finite() || number.abs() >= 1e15 {
            return None;
        }
        let (least, most) = self.decimals;
        // As it is written in fewest digits, so that 0.615 is not the 0.61499999… that it is to a computer.
        let mut digits = rounded(number.abs(), most.min(30))?;
        if most > least && digits.contains('.') {
            let keep = digits.len() - (most - least).min(digits.len());
            let trimmed = digits.trim_end_matches('0').len().max(keep);
            digits.truncate(trimmed);
            digits = digits.trim_end_matches('.').to_owned();
        }
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = format!("{whole:0>width$}", width = self.whole);
        let whole = if self.thousands { in_thousands(&whole) } else { whole };
        let point = if decimals.is_empty() { "" } else { "." };
        let nothing = whole.bytes().chain(decimals.bytes()).all(|digit| matches!(digit, b'0' | b','));
        let sign = if number < 0.0 && !nothing { "-" } else { "" };
        // What shows that a number is not negative is not shown of one that is.
        let before = if sign.is_empty() { self.before.clone() } else { self.before.replace('+', "") };
        Some(format!("{sign}{before}{whole}{point}{decimals}{}", self.after).trim().to_owned())
    }
}

/// A number that is not negative with so many decimals, half of the last one rounded up as people do it.
fn rounded(number: f64, decimals: usize) -> Option<String> {
    let exact = significant(number);
    if exact.contains('e') {
        return None;
    }
    let (whole, rest) = exact.split_once('.').unwrap_or((&exact, ""));
    if rest.len() <= decimals {
        let point = if decimals == 0 { "" } else { "." };
        return Some(format!("{whole}{point}{rest:0<decimals$}"));
    }
    let mut digits: Vec<u8> = whole.bytes().chain(rest.bytes().take(decimals)).collect();
    if rest.as_bytes().get(decimals).is_some_and(|digit| *digit >= b'5') {
        let nines = digits.iter().rev().take_while(|&&digit| digit == b'9').count();
        let end = digits.len();
        digits[end - nines..].fill(b'0');
        match (end - nines).checked_sub(1) {
            Some(at) => digits[at] += 1,
            None => digits.insert(0, b'1'),
        }
    }
    let digits = String::from_utf8(digits).ok()?;
    let (whole, rest) = digits.split_at_checked(digits.len() - decimals)?;
    Some(if decimals == 0 { whole.to_owned() } else { format!("{whole}.{rest}") })
}

/// A number in the fifteen digits that sheets work with, without those that nobody gave it.
fn significant(number: f64) -> String {
    let fifteen = format!("{number:.14e}").parse::<f64>().unwrap_or(number);
    format!("{fifteen}")
}

fn in_thousands(whole: &str) -> String {
    let first = whole.len() % 3;
    let (head, tail) = whole.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    (!head.is_empty()).then(|| head.to_owned()).into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// A number as it is, unless it has digits that nobody gave it.
fn general(raw: &str, number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() || (size != 0.0 && !(1e-9..1e15).contains(&size)) {
        return raw.to_owned();
    }
    significant(number)
}

impl Moment {
    fn show(self, number: f64, since_1904: bool) -> Option<String> {
        // The last day that sheets know is that of the year 9999.
        if !(0.0..2_958_466.0).contains(&number) {
            return None;
        }
        let seconds = whole((number * 86_400.0).round())?;
        let (days, seconds) = (seconds / 86_400, u32::try_from(seconds % 86_400).ok()?);
        let date = match (self.date, since_1904, days) {
            (false, ..) => None,
            (true, true, days) => Some(NaiveDate::from_ymd_opt(1904, 1, 1)? + Days::new(days)),
            // The calendar of sheets has a 29 February 1900, and nothing that it could be.
            (true, false, 0 | 60) => return None,
            (true, false, 1..60) => Some(NaiveDate::from_ymd_opt(1899, 12, 31)? + Days::new(days)),
            (true, false, days) => Some(NaiveDate::from_ymd_opt(1899, 12, 30)? + Days::new(days)),
        };
        let time = self.time.then(|| {
            let time = NaiveTime::MIN + TimeDelta::seconds(seconds.into());
            time.format(if self.seconds { "%H:%M:%S" } else { "%H:%M" }).to_string()
        });
        let parts: Vec<String> = date.map(|date| date.to_string()).into_iter().chain(time).collect();
        Some(parts.join(" "))
    }
}

/// `27:30:00`.
fn duration(number: f64) -> Option<String> {
    let seconds = whole((number.abs() * 86_400.0).round())?;
    let sign = if number < 0.0 { "-" } else { "" };
    Some(format!("{sign}{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60))
}

/// A number without decimals that is not too large, as one.
fn whole(number: f64) -> Option<u64> {
    (0.0..1e15).contains(&number).then(|| format!("{number:.0}").parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_format_says() {
        for (code, raw, shown) in [
            ("General", "0.30000000000000004", "0.3"),
            ("General", "1234567.5", "1234567.5"),
            ("General", "12345678901234567890", "12345678901234567890"),
            ("General", "1E-10", "1E-10"),
            ("General", "1.5E3", "1500"),
            ("0", "2.5", "3"),
            ("0.00", "0.615", "0.62"),
            ("0.00", "-0.001", "0.00"),
            ("0.00", "9.999", "10.00"),
            ("0.00", "1.005", "1.01"),
            ("#,##0", "1234567.8", "1,234,568"),
            ("#,##0.00 [$€-407]", "-1234.5", "-1,234.50 €"),
            ("\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)", "1200", "$1,200"),
            ("0%", "0.256", "26%"),
            ("0.0%", "0.07", "7.0%"),
            ("0.##", "1.5", "1.5"),
            ("0.##", "3", "3"),
            ("00000", "1067", "01067"),
            ("0.0,,\"M\"", "1234567", "1234567"),
            ("# ?/?", "0.5", "0.5"),
            ("0.00E+00", "1234.5", "1234.5"),
            ("000\\-00\\-0000", "123456789", "123456789"),
            ("[>999]#,##0;0", "5", "5"),
            ("@", "5", "5"),
            ("#,##0 \"pieces\"", "1200", "1,200 pieces"),
            ("0", "none", "none"),
            ("#,##0;(#,##0)", "-1200", "-1,200"),
            ("#,##0.00_);[Red]\\(#,##0.00\\)", "-3.5", "-3.50"),
            ("+0%;-0%", "-0.05", "-5%"),
            ("+0%;-0%", "0.05", "+5%"),
            (";;;", "1200", ""),
        ] {
            assert_eq!(Format::of(code).show(raw, false), shown, "{raw} as {code}");
        }
    }

    #[test]
    fn moments_are_shown_in_an_order_that_nobody_takes_for_another() {
        for (code, raw, shown) in [
            ("d.m.yyyy", "46145", "2026-05-03"),
            ("m/d/yy h:mm", "46145.5", "2026-05-03 12:00"),
            ("[$-409]h:mm:ss AM/PM", "0.75", "18:00:00"),
            ("hh:mm", "0.999999", "00:00"),
            ("mmm yy", "46145", "2026-05-03"),
            ("yyyy", "1", "1900-01-01"),
            ("yyyy", "60", "60"),
            ("yyyy", "61", "1900-03-01"),
            ("yyyy", "-1", "-1"),
            ("yyyy", "1e9", "1000000000"),
            ("[h]:mm", "1.25", "30:00:00"),
            ("\"day\" 0", "3", "day 3"),
        ] {
            assert_eq!(Format::of(code).show(raw, false), shown, "{raw} as {code}");
        }
        assert_eq!(Format::known(14).show("44683", true), "2026-05-03");
        assert_eq!(Format::known(49).show("7", false), "7");
    }

    proptest::proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn no_code_and_no_number_breaks_it(code in ".{0,30}", number in proptest::num::f64::ANY) {
            let shown = Format::of(&code).show(&number.to_string(), false);
            proptest::prop_assert!(!shown.contains('\n') || code.contains('\n'));
        }

        #[test]
        fn what_is_shown_with_enough_decimals_is_the_number(cents in -1_000_000_000_i64..1_000_000_000) {
            let raw = format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100);
            let shown = Format::of("0.00").show(&raw, false);
            proptest::prop_assert_eq!(shown, raw.replace("-0.00", "0.00"));
        }
    }
}
