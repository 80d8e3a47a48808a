//! How what somebody typed for a setting is read.

use std::ops::RangeInclusive;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::SettingError;
use crate::{Effort, ModelName, ModuleName, Money, parse_modules};

/// Most models of a server's panel.
const MAX_MODELS: usize = 10;
/// Longest name of a language, in characters.
const MAX_LANGUAGE: usize = 40;
/// What one types to have a setting as it was before anybody set it.
const DEFAULT: &str = "default";

/// Models by name, commas or spaces between, out of those there are. None: as configured.
pub(super) fn models(text: &str, there: &[ModelName]) -> Result<Vec<ModelName>, SettingError> {
    let mut chosen: Vec<ModelName> = Vec::new();
    if is_default(text) {
        return Ok(chosen);
    }
    for name in text.split([' ', ',', ';', '\n', '\t']).filter(|part| !part.is_empty()) {
        let Some(model) = there.iter().find(|model| model.to_string() == name) else {
            let valid = there.iter().map(|model| format!("`{model}`")).collect::<Vec<_>>().join(", ");
            return wrong(format!(
                "`{}` is not one of the models here: {valid}. `default` takes all of them, as the bot is set up.",
                shown(name)
            ));
        };
        if !chosen.contains(model) {
            chosen.push(model.clone());
        }
    }
    match chosen.len() {
        many if many > MAX_MODELS => {
            wrong(format!("At most 10 models fit a panel, and {many} are named. Leave some out."))
        }
        _ => Ok(chosen),
    }
}

/// One model by name, out of those there are. None: as configured.
pub(super) fn model(text: &str, there: &[ModelName]) -> Result<Option<ModelName>, SettingError> {
    let mut named = models(text, there)?;
    match named.len() {
        0 | 1 => Ok(named.pop()),
        many => wrong(format!("One model fits here, and {many} are named. Name one, or `default`.")),
    }
}

/// Modules by name, commas or spaces between. None: the bot's own defaults.
pub(super) fn modules(text: &str) -> Result<Vec<ModuleName>, SettingError> {
    if is_default(text) {
        return Ok(Vec::new());
    }
    parse_modules(text).or_else(|error| wrong(format!("{error} `default` takes the usual ones.")))
}

/// An effort by its word.
pub(super) fn effort(text: &str) -> Result<Effort, SettingError> {
    if is_default(text) {
        return Ok(Effort::Standard);
    }
    text.trim().to_lowercase().parse().or_else(|_| {
        wrong(format!("`{}` is no effort: write `brief`, `standard` or `deep`.", shown(text.trim())))
    })
}

/// A language's name, in any script. `None`: that of the problem.
pub(super) fn language(text: &str) -> Result<Option<String>, SettingError> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if is_default(&name) || name.eq_ignore_ascii_case("problem") {
        return Ok(None);
    }
    let count = name.chars().count();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let fits = |c: char| c.is_alphabetic() || is_mark(c) || matches!(c, ' ' | '-' | '\'' | '’' | '(' | ')');
    if letters < 2 || count > MAX_LANGUAGE || !name.chars().all(fits) {
        return wrong(format!(
            "`{}` is not the name of a language. Write one in letters (2 to 40), such as `German`, `Deutsch` or `العربية`, or `problem` to answer in the problem's own.",
            shown(&name)
        ));
    }
    Ok(Some(name))
}

/// A number within its range.
pub(super) fn within(
    number: i64,
    range: RangeInclusive<u32>,
    why_not: impl FnOnce(i64) -> String,
) -> Result<u32, SettingError> {
    let fits = u32::try_from(number).ok().filter(|number| range.contains(number));
    fits.ok_or_else(|| SettingError(why_not(number)))
}

/// `5`, `2.50`, `2,5`, `$5`, `5 USD`; cents at the finest. A comma before three digits could mean thousands, so
/// it is refused.
pub(super) fn dollars(text: &str) -> Result<Option<Money>, SettingError> {
    if is_default(text) {
        return Ok(None);
    }
    let typed = shown(text.trim());
    let no_money = || {
        SettingError(format!(
            "`{typed}` is not an amount of money. Write US dollars, such as `5` or `2.50`, or `default`."
        ))
    };
    match cents(text).ok_or_else(no_money)?.0 {
        0 => wrong(format!(
            "`{typed}` would let nothing run. Write US dollars from 0.01 on, such as `5` or `2.50`, or `default`."
        )),
        some => Ok(Some(Money(some))),
    }
}

/// An amount in US dollars as [`dollars`] describes it; `None`: it is none.
pub(crate) fn cents(text: &str) -> Option<Money> {
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_start_matches('$').trim_end_matches("usd").trim_end_matches('$').trim();
    let (whole, cents) = bare.split_once(['.', ',']).unwrap_or((bare, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(cents) || cents.len() > 2 || (whole.is_empty() && cents.is_empty()) {
        return None;
    }
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i64>().ok() };
    let cents = number(&format!("{cents:0<2}"))?;
    number(whole)?.checked_mul(100)?.checked_add(cents)?.checked_mul(10_000).map(Money)
}

/// A number of `what`, such as `calls`. Thousands may be set apart, and `500k` and `2M` are numbers too.
pub(super) fn count(text: &str, what: &str) -> Result<Option<i64>, SettingError> {
    if is_default(text) {
        return Ok(None);
    }
    match whole(text) {
        Some(number) if number > 0 => Ok(Some(number)),
        _ => wrong(format!(
            "`{}` is not a number of {what}. Write a whole number from 1 on, such as `40` or `500k`, or `default`.",
            shown(text.trim())
        )),
    }
}

/// A whole number from 0 on as [`count`] describes it; `None`: it is none.
pub(crate) fn whole(text: &str) -> Option<i64> {
    let typed = text.trim();
    let (digits, times) = match typed.char_indices().last() {
        Some((at, 'k' | 'K')) => (&typed[..at], 1_000),
        Some((at, 'm' | 'M')) => (&typed[..at], 1_000_000),
        _ => (typed, 1),
    };
    let digits: String = digits.chars().filter(|c| !matches!(c, ' ' | ',' | '_' | '’' | '\'')).collect();
    digits.parse::<i64>().ok().filter(|number| *number >= 0)?.checked_mul(times)
}

fn wrong<T>(sentence: String) -> Result<T, SettingError> {
    Err(SettingError(sentence))
}

fn is_default(text: &str) -> bool {
    text.trim().is_empty() || text.trim().eq_ignore_ascii_case(DEFAULT)
}

/// What somebody typed, short, and so that it stays within backticks.
fn shown(text: &str) -> String {
    text.chars().filter(|c| *c != '`').take(60).collect()
}

/// Marks without which names of languages cannot be spelled: accents apart from their letter, and the signs that take
/// the vowel off a letter in the scripts of South and Southeast Asia, and Tibetan's mark between syllables. Not those
/// that only choose a variant or stand for a vowel that is not written, for nobody sees them.
fn is_mark(c: char) -> bool {
    let unseen = matches!(c, '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    c == '\u{f0b}' || (c.general_category_group() == GeneralCategoryGroup::Mark && !unseen)
}
