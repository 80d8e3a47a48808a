//! Small rules of wording that hold wherever sentences are made of names and titles.

use std::fmt::Display;

use super::is_blank;

/// `Market`, `Market and Cost`, `Market, Cost and Risk`; nothing for none.
#[must_use]
pub fn enumerated<T: Display>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(ToString::to_string).collect();
            format!("{} and {last}", most.join(", "))
        }
    }
}

/// `40,000`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// At most `most` characters of a text, cut between words where it is not much shorter for that, with an ellipsis
/// where it is cut.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    let words =
        cut.rfind(char::is_whitespace).filter(|&at| at > cut.len() / 2).map_or(&*cut, |at| &cut[..at]);
    format!("{}…", words.trim_end())
}

/// The text on one line, its words a space apart.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Trimmed and without control characters, which nobody can read and databases cut texts at; empty where there is
/// nothing to read.
#[must_use]
pub fn readable(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    if is_blank(&seen) { String::new() } else { seen.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_a_row() {
        assert_eq!(enumerated::<String>(&[]), "");
        assert_eq!(enumerated(&["a"]), "a");
        assert_eq!(enumerated(&["a", "b"]), "a and b");
        assert_eq!(enumerated(&[1, 2, 3]), "1, 2 and 3");
    }

    #[test]
    fn what_is_too_long_is_cut_between_words() {
        for (text, most, cut) in [
            (" A plan. ", 7, "A plan."),
            ("We want to build an app", 21, "We want to build an…"),
            ("We want to build an app", 20, "We want to build…"),
            ("Incomprehensibilities", 8, "Incompr…"),
            ("a Incomprehensibilities", 8, "a Incom…"),
            ("éééé", 3, "éé…"),
        ] {
            assert_eq!(shortened(text, most), cut, "{text} in {most}");
            assert!(shortened(text, most).chars().count() <= most.max(1));
        }
    }
}
