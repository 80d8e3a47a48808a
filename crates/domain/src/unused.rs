//! What somebody gave with a figure and an answer never takes up: a limit among it is easily lost.

use std::collections::BTreeSet;

use crate::figures::Figures;

/// Most figures that one answer is reminded of; a table of measurements would fill the page.
const MOST: usize = 16;
/// Words before and behind a figure by which one knows what it is of.
const BEFORE: usize = 3;
const BEHIND: usize = 4;

/// The figures that stand in what was given and nowhere in the answer, each with the words around it, in their order: the first 16.
/// It compares digits alone: an answer that writes "three years" for `36 months` is reminded of it for nothing.
#[must_use]
pub fn unused_figures(given: &str, answer: &str) -> Vec<String> {
    let mut known = numbers(answer);
    let words: Vec<&str> = given.split_whitespace().collect();
    let mut is_unused = |word: &str| {
        let own = numbers(word);
        let is_used = own.is_empty() || own.iter().any(|number| known.contains(number));
        known.extend(own);
        !is_used
    };
    let unused: Vec<usize> = (0..words.len()).filter(|place| is_unused(words[*place])).take(MOST).collect();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for place in unused {
        let (from, to) = (place.saturating_sub(BEFORE), (place + BEHIND + 1).min(words.len()));
        match spans.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => spans.push((from, to)),
        }
    }
    spans.into_iter().map(|(from, to)| words[from..to].join(" ")).collect()
}

fn numbers(text: &str) -> BTreeSet<String> {
    Figures::of(text).quantities.into_iter().map(|quantity| quantity.number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "The bank lends 240,000 euros at 4.2 % and wants to see it back within 36 months. \
        Anna offers 60,000, Ben 15,000 if he may have a seat.";

    #[test]
    fn what_an_answer_never_takes_up_is_told_with_the_words_around_it() {
        for (answer, unused) in [
            (
                "Take the bank's 240.000 at 4,2 % and Anna's 60,000.",
                vec!["it back within 36 months. Anna offers 60,000, Ben 15,000 if he may have"],
            ),
            ("240,000 at 4.2 %, back in 36 months: 60,000 from Anna, 15,000 from Ben.", vec![]),
        ] {
            assert_eq!(unused_figures(GIVEN, answer), unused, "{answer}");
        }
    }

    #[test]
    fn what_overlaps_is_told_as_one_and_nothing_twice() {
        assert_eq!(
            unused_figures("Of 188 answers 97 are for it, 97 of 312.", ""),
            ["Of 188 answers 97 are for it, 97 of 312."]
        );
        assert_eq!(unused_figures("", "12"), Vec::<String>::new());
        assert_eq!(unused_figures("No figure at all.", "12"), Vec::<String>::new());
    }

    #[test]
    fn a_table_of_measurements_does_not_fill_the_page() {
        let table: Vec<String> = (100..400).map(|n| format!("{n} units")).collect();
        let told = unused_figures(&table.join(" "), "").join(" ");
        assert!(told.contains("115 units") && !told.contains("120"), "{told}");
    }
}
