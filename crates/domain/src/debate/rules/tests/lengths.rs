//! What holds for every text.

use proptest::prelude::*;

use super::*;

/// Texts with what counting words and finding sentences may trip over.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        6 => "[a-z]{1,8}", 2 => Just("End. ".to_owned()), 1 => Just("\n\n".to_owned()), 1 => Just("\n```\n".to_owned()),
        1 => Just("**".to_owned()), 1 => Just("数据中心。".to_owned()), 1 => Just("e.g. ".to_owned()), 1 => "\\PC{0,6}",
        1 => Just("ศูนย์".to_owned()), 1 => Just("\u{200b}".to_owned()),
    ];
    (prop::collection::vec(pieces, 0..300), prop::sample::select(vec![" ", " ", ""]))
        .prop_map(|(pieces, between)| pieces.join(between))
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn words_add_up(a in any_text(), b in any_text()) {
        prop_assert_eq!(count_words(&format!("{a} {b}")), count_words(&a) + count_words(&b));
        prop_assert_eq!(words(&opening(&a, &[&b], &[])), count_words(&a) + count_words(&b));
        let joined = [a.as_str(), b.as_str()].concat();
        prop_assert!(count_words(&a) <= count_words(&joined));
    }

    #[test]
    fn sentences_are_the_whole_text(text in any_text()) {
        let ends = sentence_ends(&text);
        prop_assert!(ends.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(ends.iter().all(|end| text.is_char_boundary(*end)));
        prop_assert_eq!(ends.last().copied().unwrap_or(text.len()), text.len());
        prop_assert_eq!(ends.is_empty(), text.trim().is_empty());
    }

    #[test]
    fn whatever_was_said_may_be_quoted(text in any_text(), from in 0usize..50, count in 1usize..30) {
        let quoted: Vec<&str> = text.split_whitespace().skip(from).take(count).collect();
        let quotation = quoted.join(" ");
        prop_assume!(count_words(&quotation) > 3 && !quotation.contains(['…', ']', '[', '(', ')']) && !quotation.contains("..."));
        let debate = debate(vec![turn(Act::Opening, Side::Pro, opening(&text, &[], &[]))]);
        prop_assert!(said::is_said(&quotation, &debate, Side::Pro) || text.contains("]("), "{quotation:?}");
        prop_assert!(!said::is_said(&quotation, &debate, Side::Con));
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,200}|(?s).{0,100}") {
        let _ = asks(&text);
        let body = opening(&text, &[&text], &[]);
        let _ = broken(&turn(Act::Rebuttal, Side::Con, body));
    }
}
