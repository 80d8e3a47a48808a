//! Whether an answer is one of those that count as right.

use super::question::EvalQuestion;

/// How far two numbers may lie apart that are the same but for rounding.
const SAME: f64 = 1e-9;

/// Whether an answer is right: the same words but for case, punctuation at its ends and articles, or the same number.
#[must_use]
pub(super) fn is_right(answer: &str, question: &EvalQuestion) -> bool {
    question.answer.iter().any(|form| same(answer, form))
        || options_chosen(answer, question)
            .is_some_and(|chosen| question.answer.iter().any(|form| same(&chosen, form)))
}

/// Answers that are the same have the same key; so that what most say can be counted.
#[must_use]
pub(super) fn key(answer: &str, question: &EvalQuestion) -> String {
    let answer = options_chosen(answer, question).unwrap_or_else(|| answer.to_owned());
    match number(&answer) {
        Some(number) => format!("{number}"),
        None => plain(&answer),
    }
}

/// The one option that an answer names, where there are options: by its words, or by its letter or place alone.
fn options_chosen(answer: &str, question: &EvalQuestion) -> Option<String> {
    let options = &question.options;
    if let Some(option) = options.iter().find(|option| same(answer, option)) {
        return Some(option.clone());
    }
    let said = plain(answer);
    if let [letter] = said.as_bytes() {
        let place = usize::from(letter.checked_sub(b'a')?);
        return options.get(place).cloned();
    }
    // Said in a sentence, it counts where no other one is said too.
    let padded = format!(" {said} ");
    let mut named = options.iter().filter(|option| padded.contains(&format!(" {} ", plain(option))));
    let first = named.next()?;
    named.next().is_none().then(|| first.clone())
}

fn same(one: &str, other: &str) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => (one - other).abs() <= SAME * one.abs().max(other.abs()).max(1.0),
        (None, None) => plain(one) == plain(other),
        _ => false,
    }
}

/// The words of an answer: small letters and digits, one space between them, no article at its head.
fn plain(text: &str) -> String {
    let letters: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '%' { c } else { ' ' })
        .flat_map(char::to_lowercase)
        .collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    let words = match words.as_slice() {
        ["the" | "a" | "an", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    words.join(" ")
}

/// The number that an answer is, whatever unit stands with it: `$1,250.00`, `12.5 %`, `3/4`, `40 km`. Nothing where it has
/// several, or words that are more than a unit.
fn number(text: &str) -> Option<f64> {
    let text =
        text.trim().trim_end_matches('.').replace('\u{2212}', "-").replace(['\u{a0}', '\u{202f}'], " ");
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let before = text.get(..begin)?.trim();
    let negative = before.ends_with('-');
    let unit_before = before.trim_end_matches('-').trim();
    if !unit_before.is_empty() && !matches!(unit_before, "$" | "€" | "£" | "=" | "≈" | "~" | "USD" | "EUR")
    {
        return None;
    }
    let rest = text.get(begin..)?;
    let end =
        rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '/'))).unwrap_or(rest.len());
    let (figures, after) = rest.split_at(end);
    if after.chars().any(|c| c.is_ascii_digit()) || after.split_whitespace().count() > 2 {
        return None;
    }
    let value = |text: &str| grouped(text)?.parse::<f64>().ok();
    let value = match figures.split_once('/') {
        Some((above, below)) => value(above)? / value(below).filter(|below| *below != 0.0)?,
        None => value(figures)?,
    };
    Some(if negative { -value } else { value })
}

/// A number without commas between its thousands; nothing where commas stand elsewhere.
fn grouped(text: &str) -> Option<String> {
    let text = text.trim_end_matches([',', '.']);
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let thousands = groups.clone().all(|group| group.len() == 3);
    if !thousands
        || (whole.contains(',') && first.len() > 3)
        || rest.is_some_and(|rest| rest.contains([',', '.']))
    {
        return None;
    }
    let whole = whole.replace(',', "");
    Some(rest.map_or(whole.clone(), |rest| format!("{whole}.{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(answer: &[&str], options: &[&str]) -> EvalQuestion {
        let all = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        EvalQuestion {
            id: "a".into(),
            question: "Q".into(),
            answer: all(answer),
            options: all(options),
            facts: Vec::new(),
        }
    }

    #[test]
    fn numbers_count_by_their_value_and_words_by_their_letters() {
        for (given, form) in [
            ("5", "5"),
            ("5 cents", "5"),
            ("$0.05", "0.05"),
            ("1,250", "1250"),
            ("$1,250.00", "1250"),
            ("12.50 %", "12.5"),
            ("3/4", "0.75"),
            ("-3", "−3"),
            ("47 days.", "47"),
            ("≈ 47", "47"),
            ("The Harbour site", "harbour site"),
            ("“Harbour Site.”", "Harbour site"),
        ] {
            assert!(is_right(given, &question(&[form], &[])), "{given} is {form}");
        }
        for (given, form) in [
            ("", "5"),
            ("10", "5"),
            ("5 or 10", "5"),
            ("not 5", "5"),
            ("15", "5"),
            ("5.5", "5"),
            ("1,25", "125"),
            ("1.2.3", "1.2"),
            ("1/0", "0"),
            ("the", "a"),
            ("5", "five"),
            ("Harbour", "Harbour site"),
            ("It is 5 when one looks at it", "5"),
        ] {
            assert!(!is_right(given, &question(&[form], &[])), "{given} is not {form}");
        }
        assert!(is_right("five", &question(&["5", "five"], &[])));
    }

    #[test]
    fn an_option_counts_by_its_words_or_its_letter_if_no_other_is_named() {
        let question = question(&["Site B"], &["Site A", "Site B", "Site C"]);
        for right in ["Site B", "site b", "b", "B.", "Choose Site B, for its dock"] {
            assert!(is_right(right, &question), "{right}");
        }
        for wrong in ["Site A", "a", "d", "Site B or Site A", "Sites", "", "Site BC"] {
            assert!(!is_right(wrong, &question), "{wrong}");
        }
        assert_eq!(key("B", &question), key("I take Site B", &question));
    }

    #[test]
    fn answers_that_are_the_same_have_one_key() {
        let question = question(&["5"], &[]);
        assert_eq!(key("5 cents", &question), key("5.0", &question));
        assert_ne!(key("5", &question), key("10", &question));
    }
}
