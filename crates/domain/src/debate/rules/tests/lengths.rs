//! Cutting, and what holds for every text.

use proptest::prelude::*;

use super::*;

#[test]
fn a_long_turn_is_cut_at_sentences() {
    let fits =
        turn(Act::Opening, Side::Pro, opening(&prose(470), &["One two three.", "Four."], &["Five six."]));
    assert_eq!(cut(fits.clone()), fits);
    let mut long =
        turn(Act::Opening, Side::Pro, opening(&prose(600), &["One two three.", "Four."], &["Five six."]));
    long.marks = vec![Mark::Long { words: 606, most: 400 }, Mark::Declined];
    let short = cut(long);
    assert_eq!(short.marks, [Mark::Declined, Mark::Cut { words: 606, most: 400 }]);
    assert_eq!(short.body, opening(&prose(470), &["One two three.", "Four."], &["Five six."]));
    let shared = cut(turn(
        Act::Closing,
        Side::Pro,
        Body::Closing {
            why_we_disagree: prose(300),
            opponents_best_point: prose(300),
            what_would_change_my_mind: prose(300),
            uncertainty: "Much.".to_owned(),
        },
    ));
    let lengths: Vec<u32> = parts(&shared.body).into_iter().map(count_words).collect();
    assert_eq!(lengths.iter().sum::<u32>(), 471);
    assert!(
        lengths[..3].iter().all(|&words| words >= 150 && words % 10 == 0) && lengths[3] == 1,
        "{lengths:?}"
    );
}

#[test]
fn a_sentence_that_never_ends_is_cut_at_a_word() {
    let endless = format!("a {}", "word ".repeat(700));
    let cut_short = |text: &str| match cut(turn(Act::FollowUp, Side::Pro, questions(&[text]))).body {
        Body::Questions { questions } => questions[0].question.clone(),
        _ => String::new(),
    };
    let short = cut_short(&endless);
    assert!(short.ends_with("word word…") && count_words(&short) == 120, "{short}");
    let chinese = cut_short(&"数".repeat(900));
    assert_eq!(chinese, format!("{}…", "数".repeat(240)));
    let code = cut_short(&format!("See:\n```\n{}\n```\nThen.", "word ".repeat(700)));
    assert_eq!(code, "See:");
    let code = cut_short(&format!("```\n{}\n```\nThen.", "word ".repeat(700)));
    assert!(code.ends_with("word…\n```") && count_words(&code) == 120, "{code}");
    let bold = cut_short(&format!("**{}**", "word ".repeat(700)));
    assert!(bold.ends_with("word…**"), "{bold}");
}

/// Texts with what a cut may trip over.
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
    fn a_cut_keeps_within_its_room_and_something_of_every_part(
        texts in prop::collection::vec(any_text(), 1..8),
        act in prop::sample::select(vec![Act::Answers, Act::FollowUpAnswer]),
    ) {
        let given: Vec<(u8, &str)> = texts.iter().map(|text| (1, text.as_str())).collect();
        let long = turn(act, Side::Con, answers(&given));
        let short = cut(long.clone());
        prop_assert!(words(&short.body) <= bounds(act).end() * 120 / 100, "{} of {}", words(&short.body), words(&long.body));
        prop_assert_eq!(cut(short.clone()), short.clone());
        prop_assert_eq!(short.marks.is_empty(), short.body == long.body);
        for (before, after) in parts(&long.body).into_iter().zip(parts(&short.body)) {
            prop_assert_eq!(count_words(before) > 0, count_words(after) > 0, "{:?} {:?}", before, after);
            prop_assert_eq!(before.is_empty(), after.is_empty());
            let fences = after.lines().filter(|line| line.trim_start().starts_with("```")).count();
            let were = before.lines().filter(|line| line.trim_start().starts_with("```")).count();
            prop_assert!(fences % 2 == 0 || were % 2 == 1, "{after:?}");
        }
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
        let _ = cut(turn(Act::Opening, Side::Con, body.clone()));
        let _ = broken(&turn(Act::Rebuttal, Side::Con, body));
    }
}
