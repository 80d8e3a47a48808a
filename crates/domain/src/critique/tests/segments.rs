//! The segment around a passage.

use proptest::prelude::*;

use super::{sections::any_text, *};

fn around<'a>(document: &'a Document, passage: &str) -> Option<&'a str> {
    segment(document, document.whole(), span(&document.text, passage)).map(|span| document.part(span))
}

/// So many characters of sentences that begin with a word.
fn filler(word: &str, characters: usize) -> String {
    let sentence = format!("{word} says more of the same. ");
    sentence.repeat(characters / sentence.len() + 1).trim_end().to_owned()
}

#[test]
fn it_is_the_part_under_its_heading() {
    let (one, two) = (filler("One", 500), filler("Two", 500));
    let text = document(&format!("# Plan\n\n{one}\n\n## Cost\n\n{two} The cost is 5.\n\n## Time\n\n{one}\n"));
    let expected = format!("## Cost\n\n{two} The cost is 5.");
    assert_eq!(around(&text, "cost is 5"), Some(expected.as_str()));
    // The smallest that is long enough: a short part is taken with the part it belongs to.
    let text =
        document(&format!("# A\n\n{one}\n\n# B\n\n{two}\n\n## Cost\n\nThe cost is 5.\n\n# C\n\n{one}\n"));
    let expected = format!("# B\n\n{two}\n\n## Cost\n\nThe cost is 5.");
    assert_eq!(around(&text, "cost is 5"), Some(expected.as_str()));
}

#[test]
fn without_headings_it_is_the_paragraphs_the_lines_or_the_sentences() {
    let (one, two, three) = (filler("One", 400), filler("Two", 400), filler("Three", 400));
    let text = document(&format!("{one}\n\n{two}\n\n{three}\n"));
    assert_eq!(around(&text, "Two says"), Some(two.as_str()));
    // A passage over two paragraphs takes both.
    let over = format!("{}\n\nThree says", &two[two.len() - 5..]);
    assert_eq!(around(&text, &over), Some(format!("{two}\n\n{three}").as_str()));
    let text = document(&format!("{one}\n{two}\n{three}\n"));
    assert_eq!(around(&text, "Two says"), Some(two.as_str()));
    let text = document(&filler("One", 900));
    let found = around(&text, "One says").unwrap();
    assert!((300..400).contains(&found.len()) && found.ends_with("same."), "{found}");
    // A short paragraph takes its shorter neighbour.
    let text = document(&format!("{one}\n\nThe cost is 5.\n\n{}\n\n{two}", filler("Near", 310)));
    let expected = format!("The cost is 5.\n\n{}", filler("Near", 310));
    assert_eq!(around(&text, "cost is 5"), Some(expected.as_str()));
}

#[test]
fn what_is_too_small_or_elsewhere_has_none() {
    assert_eq!(around(&document(&filler("One", 330)), "One says"), None);
    assert_eq!(around(&document("A short text."), "short"), None);
    let text = document(&filler("One", 3_000));
    let within = Span { start: 0, end: 1_000 };
    for passage in [
        Span { start: 1_100, end: 1_110 },
        Span { start: 990, end: 1_010 },
        Span { start: 5, end: 5 },
        Span { start: 0, end: 1_000 },
        Span { start: 9_000, end: 9_100 },
    ] {
        assert_eq!(segment(&text, within, passage), None, "{passage:?}");
    }
    assert_eq!(segment(&text, Span { start: 0, end: 90_000 }, Span { start: 5, end: 10 }), None);
    let accented = document(&"é".repeat(2_000));
    assert_eq!(segment(&accented, accented.whole(), Span { start: 1, end: 5 }), None);
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn it_holds_the_passage_within_its_part_and_is_clearly_smaller(
        texts in prop::collection::vec(any_text(), 1..8),
        places in prop::array::uniform4(any::<prop::sample::Index>()),
    ) {
        let document = document(&texts.concat());
        let borders: Vec<usize> = (0..=document.text.len()).filter(|at| document.text.is_char_boundary(*at)).collect();
        let mut at = places.map(|place| borders[place.index(borders.len())]);
        at.sort_unstable();
        let (within, passage) = (Span { start: at[0], end: at[3] }, Span { start: at[1], end: at[2] });
        if let Some(segment) = segment(&document, within, passage) {
            let length = |span: Span| document.part(span).chars().count();
            prop_assert!(within.holds(segment) && segment.holds(passage));
            prop_assert!(length(segment) >= MIN_SEGMENT, "{}", length(segment));
            prop_assert!(length(segment) * 5 <= length(within) * 4, "{} of {}", length(segment), length(within));
        }
    }

    #[test]
    fn there_is_one_around_every_sentence_of_a_long_text(count in 60_usize..120, wanted in any::<prop::sample::Index>()) {
        let sentences: Vec<String> = (0..count).map(|number| format!("Sentence {number} stands here for itself.")).collect();
        let document = document(&sentences.join(" "));
        let passage = span(&document.text, &sentences[wanted.index(count)]);
        let found = segment(&document, document.whole(), passage);
        prop_assert!(found.is_some_and(|found| document.part(found).chars().count() < 400), "{:?}", found);
    }
}
