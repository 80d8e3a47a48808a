//! The day of a review, as people write it: `2027-03-01`, `1.3.2027`, `1 March`, `March 1, 2027`, `in 3 months`; words in
//! the five languages in which Discord's teams mostly write.
//!
//! What can be read in two ways (`1/3/2027` is March in Paris and January in Boston) is not read.

use chrono::{Datelike as _, Days, Months, NaiveDate, NaiveTime};

use super::{super::one_line, DecisionError, short};

/// How far ahead a review may be, in years.
const MAX_YEARS: u32 = 5;

/// The hour of the day, UTC, at which a review is due.
const HOUR: u32 = 9;

/// Shortest beginning of a month's name that stands for it.
const SHORTEST: usize = 3;

/// The months' names from January: English, German, French, Spanish, Portuguese. Signs above letters do not matter.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janner", "janvier", "enero", "janeiro"],
    &["february", "februar", "feber", "fevrier", "febrero", "fevereiro"],
    &["march", "marz", "mars", "marzo", "marco", "maerz"],
    &["april", "avril", "abril"],
    &["may", "mai", "mayo", "maio"],
    &["june", "juni", "juin", "junio", "junho"],
    &["july", "juli", "juillet", "julio", "julho"],
    &["august", "aout", "agosto"],
    &["september", "septembre", "septiembre", "setiembre", "setembro"],
    &["october", "oktober", "octobre", "octubre", "outubro"],
    &["november", "novembre", "noviembre", "novembro"],
    &["december", "dezember", "decembre", "diciembre", "dezembro"],
];

/// How far a unit goes.
#[derive(Clone, Copy)]
enum Unit {
    Days(u64),
    Months(u32),
}

/// When a review is due, in seconds since 1970; nothing where nothing is written. `now` likewise.
///
/// # Errors
/// Where the text is no day, or one that is over or more than five years ahead.
pub(super) fn review(text: &str, now: i64) -> Result<Option<i64>, DecisionError> {
    let text = one_line(text);
    if text.is_empty() {
        return Ok(None);
    }
    let today = chrono::DateTime::from_timestamp(now, 0).unwrap_or_default().date_naive();
    let example = today.checked_add_months(Months::new(3)).unwrap_or(today);
    let furthest = today.checked_add_months(Months::new(MAX_YEARS * 12)).unwrap_or(NaiveDate::MAX);
    let is_ahead = |day: NaiveDate| due(day) > now;
    let day = ahead(&text, today).or_else(|| date(&text)).or_else(|| named(&text, today, is_ahead));
    let day = day.ok_or_else(|| DecisionError::NoDate(short(&text), example))?;
    if day > furthest {
        return Err(DecisionError::Far(furthest));
    }
    if is_ahead(day) { Ok(Some(due(day))) } else { Err(DecisionError::Past(day, example)) }
}

/// The last day still ahead that a text names, such as that of an option's stop sign: `2027-03-01`. In prose far less reads as a
/// day than in a box that holds nothing else: dates in digits, and a day beside a month's whole name. "May" is a verb, too,
/// and counts only with a year.
#[must_use]
pub fn last_day_named(text: &str, now: i64) -> Option<String> {
    let today = chrono::DateTime::from_timestamp(now, 0)?.date_naive();
    let furthest = today.checked_add_months(Months::new(MAX_YEARS * 12))?;
    let is_ahead = |day: NaiveDate| due(day) > now && day <= furthest;
    let is_between = |sign: char| sign.is_whitespace() || "()*,;:\"'“”„«»–—".contains(sign);
    let words: Vec<&str> = text
        .split(is_between)
        .map(|word| word.trim_end_matches(['.', '!', '?']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_whole = |word: &&str| {
        let word = plain(word);
        MONTHS.iter().any(|names| names.contains(&word.as_str()))
    };
    let in_words = |words: &[&str]| {
        let whole = words.iter().find(|word| is_whole(word))?;
        let has_year = words.last().and_then(|last| number(last, 4)).is_some_and(|year| year >= 1_000);
        let day = named(&words.join(" "), today, is_ahead)?;
        let is_verb = plain(whole) == "may" && !has_year;
        (!is_verb && (!has_year || is_ahead(day))).then_some(day)
    };
    let (mut last, mut at) = (None, 0);
    while at < words.len() {
        // Four words have room for `1 de marzo 2027`; the longest that reads as a day, for a year may follow.
        let found = (1..=4).rev().find_map(|length| {
            let words = words.get(at..at + length)?;
            Some((length, date(&words.join(" ")).or_else(|| in_words(words))?))
        });
        at += found.map_or(1, |(length, _)| length);
        last = found.map(|(_, day)| day).filter(|day| is_ahead(*day)).or(last);
    }
    last.map(|day| day.format("%Y-%m-%d").to_string())
}

/// When a day's reviews are due.
fn due(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::from_hms_opt(HOUR, 0, 0).unwrap_or_default()).and_utc().timestamp()
}

/// `2027-03-01`, or with dots, which stand only between a day and what follows it: `1.3.2027`.
fn date(text: &str) -> Option<NaiveDate> {
    let by = |sign: char| -> Option<[&str; 3]> { text.split(sign).collect::<Vec<_>>().try_into().ok() };
    let [year, month, day] = match (by('-'), by('.')) {
        (Some(parts), None) => parts,
        (None, Some([day, month, year])) => [year, month, day],
        _ => return None,
    };
    day_of(year_of(year)?, number(month, 2)?, number(day, 2)?)
}

/// `1 March 2027`, `March 1st`, `el 1 de marzo`: without a year the next such day.
fn named(text: &str, today: NaiveDate, is_ahead: impl Fn(NaiveDate) -> bool) -> Option<NaiveDate> {
    let text = plain(text);
    let words: Vec<&str> = text
        .split([' ', ',', '.'])
        .filter(|word| !matches!(*word, "" | "de" | "of" | "the" | "on" | "am" | "le" | "el" | "em" | "del"))
        .collect();
    let (month, day, year) = match words[..] {
        [one, two] => either(one, two).map(|(month, day)| (month, day, None))?,
        [one, two, year] => either(one, two).map(|(month, day)| (month, day, Some(year)))?,
        _ => return None,
    };
    match year {
        Some(year) => day_of(year_of(year)?, month, day),
        // A leap day is eight years away at most.
        None => (0..=8)
            .filter_map(|later| NaiveDate::from_ymd_opt(today.year() + later, month, day))
            .find(|day| is_ahead(*day)),
    }
}

/// The month and the day of two words, whichever comes first.
fn either(one: &str, two: &str) -> Option<(u32, u32)> {
    let read = |name: &str, day: &str| Some((month(name)?, ordinal(day)?));
    read(two, one).or_else(|| read(one, two))
}

/// The month that a name or its beginning stands for, if it is one alone.
fn month(name: &str) -> Option<u32> {
    let begins = |names: &&[&str]| names.iter().any(|known| known.starts_with(name));
    let mut found = (1..).zip(&MONTHS).filter(|(_, names)| begins(names)).map(|(number, _)| number);
    let only = found.next().filter(|_| name.len() >= SHORTEST)?;
    found.next().is_none().then_some(only)
}

/// `1`, `1st`, `1er`, `1º`.
fn ordinal(day: &str) -> Option<u32> {
    let end = day.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(day.len());
    let (digits, rest) = day.split_at(end);
    matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er" | "º" | "°").then(|| number(digits, 2)).flatten()
}

/// `in 3 weeks`; the calendar's last day for what it does not reach.
fn ahead(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    let text = plain(text);
    let words: Vec<&str> = text.split(' ').collect();
    let (["in" | "dans" | "en" | "em" | "daqui", "a", count, word]
    | ["in" | "dans" | "en" | "em", count, word]
    | [count, word]) = words[..]
    else {
        return matches!(words[..], ["tomorrow" | "morgen" | "demain" | "manana" | "amanha"])
            .then(|| today.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX));
    };
    let count = match count {
        "a" | "an" | "one" | "ein" | "eine" | "einem" | "einer" | "un" | "une" | "una" | "um" | "uma" => 1,
        digits if is_digits(digits) => digits.parse::<u32>().unwrap_or(u32::MAX),
        _ => return None,
    };
    let day = match unit(word)? {
        Unit::Days(each) => today.checked_add_days(Days::new(u64::from(count) * each)),
        Unit::Months(each) => {
            count.checked_mul(each).and_then(|months| today.checked_add_months(Months::new(months)))
        }
    };
    Some(day.unwrap_or(NaiveDate::MAX))
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "day" | "days" | "tag" | "tage" | "tagen" | "jour" | "jours" | "dia" | "dias" => Unit::Days(1),
        "week" | "weeks" | "woche" | "wochen" | "semaine" | "semaines" | "semana" | "semanas" => {
            Unit::Days(7)
        }
        "month" | "months" | "monat" | "monate" | "monaten" | "mois" | "mes" | "meses" => Unit::Months(1),
        "year" | "years" | "jahr" | "jahre" | "jahren" | "an" | "ans" | "annee" | "annees" | "ano"
        | "anos" => Unit::Months(12),
        _ => return None,
    })
}

fn day_of(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year.cast_signed(), month, day)
}

fn year_of(text: &str) -> Option<u32> {
    number(text, 4).filter(|year| *year >= 1_000)
}

/// A number of so many digits at most.
fn number(text: &str, most: usize) -> Option<u32> {
    ((1..=most).contains(&text.len()) && is_digits(text)).then(|| text.parse().ok()).flatten()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Small letters without signs above or below them, as people type them on phones.
fn plain(text: &str) -> String {
    let base = |sign: char| match sign {
        'à' | 'á' | 'â' | 'ã' | 'ä' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' => 'e',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        other => other,
    };
    text.to_lowercase().chars().map(base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 22 November 2026, 08:00 UTC.
    const NOW: i64 = 1_795_334_400;

    fn day(text: &str) -> Option<String> {
        let at = review(text, NOW).ok()??;
        Some(chrono::DateTime::from_timestamp(at, 0)?.format("%Y-%m-%d %H").to_string())
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        for (given, read) in [
            ("2027-03-01", "2027-03-01"),
            ("1.3.2027", "2027-03-01"),
            ("01.03.2027", "2027-03-01"),
            ("1 March", "2027-03-01"),
            ("March 1", "2027-03-01"),
            ("march 1st, 2028", "2028-03-01"),
            ("the 2nd of December", "2026-12-02"),
            ("1 Dec", "2026-12-01"),
            ("22 November", "2026-11-22"),
            ("21 November", "2027-11-21"),
            ("29 February", "2028-02-29"),
            ("1. März", "2027-03-01"),
            ("am 3. Dez. 2026", "2026-12-03"),
            ("1er août", "2027-08-01"),
            ("le 2 février 2027", "2027-02-02"),
            ("el 5 de enero de 2027", "2027-01-05"),
            ("1º de março", "2027-03-01"),
            ("in 3 months", "2027-02-22"),
            ("in 3 Monaten", "2027-02-22"),
            ("dans un mois", "2026-12-22"),
            ("en 2 semanas", "2026-12-06"),
            ("daqui a 2 anos", "2028-11-22"),
            ("tomorrow", "2026-11-23"),
            ("mañana", "2026-11-23"),
        ] {
            assert_eq!(day(given), Some(format!("{read} 09")), "{given}");
        }
    }

    #[test]
    fn the_last_day_ahead_of_a_text_is_found() {
        for (text, day) in [
            ("**Stop when:** fewer than 30 orders by 28 February, 6 of them new", Some("2027-02-28")),
            ("Start on 1 December 2026; stop on March 1, 2027, if 40 % are late.", Some("2027-03-01")),
            ("Abbruch, wenn am 1. März weniger als 12 kommen", Some("2027-03-01")),
            ("Stop on 2027-03-01 (not 2040-01-01, nor 2 May 2020)", Some("2027-03-01")),
            ("Stop after 3 months, when 5 of 9 leave", None),
            ("Stop when 6 out of 10 couriers leave", None),
            ("Stop by 1 March if 9 out of 10 customers leave", Some("2027-03-01")),
            ("Stop if more than 3 may cancel or fewer than 5 set menus are sold", None),
            ("Stop if by 1 March, 1500 orders have not come", Some("2027-03-01")),
            ("Stop on 5 May 2027, or on “1 March”–if late", Some("2027-03-01")),
            ("", None),
        ] {
            assert_eq!(last_day_named(text, NOW).as_deref(), day, "{text}");
        }
    }

    #[test]
    fn what_is_no_day_or_could_be_two_is_not_read() {
        for given in [
            "1/3/2027",
            "3-1",
            "1 Ma",
            "1 ju",
            "March",
            "March 32",
            "30 February",
            "30 February 2028",
            "1 March 27",
            "1 March 2027 9:00",
            "1.3",
            "1.3.27",
            "1st",
            "in March",
            "0 March",
            "March March",
            "1 1",
            "x y z",
        ] {
            assert!(
                matches!(review(given, NOW), Err(DecisionError::NoDate(..))),
                "{given}: {:?}",
                day(given)
            );
        }
        assert!(matches!(review("1 March 2020", NOW), Err(DecisionError::Past(..))));
        assert!(matches!(review("1 March 2040", NOW), Err(DecisionError::Far(..))));
        assert_eq!(review(" \n", NOW), Ok(None));
    }

    #[test]
    fn every_name_of_a_month_is_its_own_and_so_are_its_first_letters() {
        for (number, names) in (1..).zip(&MONTHS) {
            for name in *names {
                assert_eq!(month(name), Some(number), "{name}");
            }
        }
        for (short, number) in
            [("jan", 1), ("feb", 2), ("mar", 3), ("abr", 4), ("mai", 5), ("jun", 6), ("jul", 7)]
        {
            assert_eq!(month(short), Some(number), "{short}");
        }
    }
}
