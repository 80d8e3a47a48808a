//! How a sheet shows its numbers: as a date, with so many decimals, in per cent, in thousands, with a unit or a word. What a
//! format asks for beyond that (colours, conditions, fractions) is not followed: then the number itself is shown.

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta};

/// How numbers of a cell are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Format {
    /// As they are.
    #[default]
    General,
    /// As a decimal number.
    Decimal(Decimal),
    /// Otherwise above nought, below it and at it, as far as there are so many.
    BySign(Vec<Part>),
    /// As a moment.
    Moment(Moment),
    /// As how long something takes.
    Duration,
    /// Not at all.
    Hidden,
}

/// How numbers on one side of nought are shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// As a decimal number.
    Decimal(Decimal),
    /// As a word in their place, such as `paid`.
    Word(String),
}

/// A decimal number and what stands around it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Decimal {
    /// Fewest digits before the point.
    whole: usize,
    /// Decimals: those that are always shown, and the most.
    decimals: (usize, usize),
    thousands: bool,
    /// So many times three digits before the point are left out.
    scale: i32,
    percent: bool,
    before: String,
    after: String,
}

/// What of a moment is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Moment {
    date: Option<Date>,
    time: bool,
    seconds: bool,
}

/// What of a date is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Date {
    Day,
    Month,
    Year,
}

impl Format {
    /// One of the formats that are known by their numbers (ECMA-376, part 1, 18.8.30).
    pub(super) fn known(id: u32) -> Self {
        let code = match id {
            1 => "0",
            2 | 39 | 40 => "0.00",
            3 | 37 | 38 | 41 => "#,##0",
            4 | 43 => "#,##0.00",
            9 => "0%",
            10 => "0.00%",
            17 => "yyyy-mm",
            14..=16 | 27..=31 | 36 | 50..=54 | 57 | 58 => "yyyy-mm-dd",
            18 | 20 | 32 | 34 | 55 => "hh:mm",
            19 | 21 | 33 | 35 | 56 => "hh:mm:ss",
            22 => "yyyy-mm-dd hh:mm",
            45..=47 => "[h]:mm:ss",
            _ => return Self::General,
        };
        Self::of(code)
    }

    /// By its code, such as `#,##0.00 [$€-407]`. The part for positive numbers counts, unless another one says something else.
    pub(super) fn of(code: &str) -> Self {
        if code.trim() == ";;;" {
            return Self::Hidden;
        }
        let Some(sections) = sections(code) else { return Self::General };
        let Some(tokens) = sections.first() else { return Self::General };
        if tokens.contains(&Token::Elapsed) {
            return Self::Duration;
        }
        if let Some(moment) = moment(tokens) {
            return Self::Moment(moment);
        }
        if let Some(parts) = by_sign(&sections) {
            return Self::BySign(parts);
        }
        match tokens[..] {
            [Token::General] => Self::General,
            _ => decimal(tokens).map_or(Self::General, Self::Decimal),
        }
    }

    /// A number in this format; `since_1904`: days are counted from then.
    pub(super) fn show(&self, raw: &str, since_1904: bool) -> String {
        let Ok(number) = raw.trim().parse::<f64>() else { return raw.to_owned() };
        let shown = match self {
            Self::General => None,
            Self::Decimal(decimal) => decimal.show(number),
            Self::BySign(parts) => of_sign(parts, number),
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
    /// The number as it is.
    General,
}

impl Token {
    fn literal(&self) -> Option<&str> {
        if let Self::Literal(text) = self { Some(text) } else { None }
    }
}

/// The pieces of a format's parts for numbers above nought, below it and at it; nothing where numbers are shown by
/// conditions.
fn sections(code: &str) -> Option<Vec<Vec<Token>>> {
    let mut sections = Vec::new();
    let mut tokens = Vec::new();
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        match c {
            ';' => sections.push(std::mem::take(&mut tokens)),
            'G' | 'g' | 'S' | 's' if is_general(c, &mut rest) => tokens.push(Token::General),
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
                } else if !inside.is_empty() && inside.to_lowercase().chars().all(|c| "hms".contains(c)) {
                    tokens.push(Token::Elapsed);
                }
            }
            '€' | '$' | '£' | '¥' | ' ' | '(' | ')' | '+' | '-' => {
                tokens.push(Token::Literal(c.to_string()));
            }
            c => tokens.push(Token::Sign(c)),
        }
    }
    sections.push(tokens);
    sections.truncate(3);
    Some(sections)
}

/// Whether the word for a number as it is goes on here, in English or, as some programs write it, in German. It is passed
/// over then.
fn is_general(first: char, rest: &mut std::str::Chars<'_>) -> bool {
    let word = if first.eq_ignore_ascii_case(&'g') { "eneral" } else { "tandard" };
    let text = rest.as_str();
    let is = text.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    if is {
        *rest = text[word.len()..].chars();
    }
    is
}

/// What the pieces show of a moment; nothing where they show none.
fn moment(tokens: &[Token]) -> Option<Moment> {
    let has = |wanted: &str| {
        tokens.iter().any(|token| matches!(token, Token::Sign(c) if wanted.contains(c.to_ascii_lowercase())))
    };
    if !has("ymdhs") {
        return None;
    }
    let time = has("hs");
    let date = has("yd") || !time;
    // Some programs write it in German, where T is a day.
    let part = date && !time && !has("dt");
    let date = date.then_some(match (part, has("m")) {
        (false, _) => Date::Day,
        (true, true) => Date::Month,
        (true, false) => Date::Year,
    });
    Some(Moment { date, time, seconds: has("s") })
}

/// The parts of a format where one shows a word instead of a number, or where numbers below nought have other words beside
/// them; nothing else.
fn by_sign(sections: &[Vec<Token>]) -> Option<Vec<Part>> {
    let part = |tokens: &Vec<Token>| {
        let word: Option<String> = tokens.iter().map(Token::literal).collect();
        word.map(Part::Word).or_else(|| decimal(tokens).map(Part::Decimal))
    };
    let parts = sections.iter().map(part).collect::<Option<Vec<Part>>>()?;
    let worded = parts.iter().any(|part| matches!(part, Part::Word(word) if has_letters(word)));
    let named = match &parts[..] {
        [Part::Decimal(above), Part::Decimal(below), ..] => below.says_more_than(above),
        _ => false,
    };
    (worded || named).then_some(parts)
}

fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

/// A number as the part for its sign shows it. What shows no number and no word does not hide that there is one.
fn of_sign(parts: &[Part], number: f64) -> Option<String> {
    let above = parts.first()?;
    let (part, own) = match parts {
        [_, below, ..] if number < 0.0 => (below, true),
        [_, _, nought, ..] if number == 0.0 => (nought, false),
        _ => (above, false),
    };
    match (part, above) {
        (Part::Word(word), _) => has_letters(word).then(|| word.trim().to_owned()),
        (Part::Decimal(below), Part::Decimal(above)) if own && below.says_more_than(above) => {
            below.show(number.abs())
        }
        (Part::Decimal(decimal), _) if own => decimal.without_signs().show(number),
        (Part::Decimal(decimal), _) => decimal.show(number),
    }
}

/// What the pieces say of a decimal number; nothing where they say something else.
fn decimal(tokens: &[Token]) -> Option<Decimal> {
    let mut decimal = Decimal::default();
    let (mut begun, mut ended, mut point, mut commas) = (false, false, false, 0);
    for token in tokens {
        match token {
            Token::Sign('0' | '#' | '?') if ended || (point && commas > 0) => return None,
            Token::General if begun => return None,
            // In as many digits as it has.
            Token::General => (begun, point, decimal.decimals) = (true, true, (0, 12)),
            Token::Sign(digit @ ('0' | '#' | '?')) => {
                begun = true;
                decimal.thousands |= std::mem::take(&mut commas) > 0;
                let always = usize::from(*digit == '0');
                if point {
                    decimal.decimals.0 += always;
                    decimal.decimals.1 += 1;
                } else {
                    decimal.whole += always;
                }
            }
            Token::Sign(',') if begun && !ended => commas += 1,
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
    // Commas behind the last digit leave thousands out: whoever reads `in thousands` above such a number reads it so.
    decimal.scale = commas.min(5);
    begun.then_some(decimal)
}

impl Decimal {
    /// Whether it has a word that another one does not have.
    fn says_more_than(&self, other: &Self) -> bool {
        let words = |of: &Self| {
            let Self { before, after, .. } = of.without_signs();
            (before.trim().to_owned(), after.trim().to_owned())
        };
        let letters = |(before, after): (String, String)| has_letters(&before) || has_letters(&after);
        letters(words(self)) && words(self) != words(other)
    }

    /// The same without what shows that a number is negative.
    fn without_signs(&self) -> Self {
        let plain = |text: &str| text.replace(['(', ')', '-', '−'], "");
        Self { before: plain(&self.before), after: plain(&self.after), ..self.clone() }
    }

    fn show(&self, number: f64) -> Option<String> {
        let number = if self.percent { number * 100.0 } else { number };
        let number = number / 1_000_f64.powi(self.scale);
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
        let before = if sign.is_empty() {
            self.before.clone()
        } else {
            self.before.replace('+', "").trim_start().to_owned()
        };
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
            (None, ..) => None,
            (Some(_), true, days) => Some(NaiveDate::from_ymd_opt(1904, 1, 1)? + Days::new(days)),
            // The calendar of sheets has a 29 February 1900, and nothing that it could be.
            (Some(_), false, 0 | 60) => return None,
            (Some(_), false, 1..60) => Some(NaiveDate::from_ymd_opt(1899, 12, 31)? + Days::new(days)),
            (Some(_), false, days) => Some(NaiveDate::from_ymd_opt(1899, 12, 30)? + Days::new(days)),
        };
        let time = self.time.then(|| {
            let time = NaiveTime::MIN + TimeDelta::seconds(seconds.into());
            time.format(if self.seconds { "%H:%M:%S" } else { "%H:%M" }).to_string()
        });
        let how = match self.date {
            Some(Date::Month) => "%Y-%m",
            Some(Date::Year) => "%Y",
            _ => "%Y-%m-%d",
        };
        let parts: Vec<String> =
            date.map(|date| date.format(how).to_string()).into_iter().chain(time).collect();
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
mod tests;
