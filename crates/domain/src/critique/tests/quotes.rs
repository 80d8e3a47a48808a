//! Whether quotations are found, and where.

use proptest::prelude::*;

use super::*;
use crate::critique::spelling::Spelling;

fn found<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    let span = find_quote(text, Span { start: 0, end: text.len() }, quote)?;
    Some(&text[span.start..span.end])
}

#[test]
fn what_stands_in_the_text_is_found_however_it_is_set() {
    for (text, quote, expected) in [
        // As it is.
        ("The cost is 5 million.", "cost is 5 million", "cost is 5 million"),
        ("The cost is 5 million.", "The cost is 5 million.", "The cost is 5 million"),
        // White space, ends of lines, unbroken spaces.
        ("The cost\n  is\t5 million.", "The cost is 5 million", "The cost\n  is\t5 million"),
        ("The cost is 5\u{a0}million.", "is 5 million", "is 5\u{a0}million"),
        ("The cost is 5 million.", "The cost\nis 5  million", "The cost is 5 million"),
        ("a\r\nwindows file", "a windows file", "a\r\nwindows file"),
        ("Is it so ? Yes , it is .", "Is it so? Yes, it is.", "Is it so ? Yes , it is"),
        // Quotation marks and apostrophes.
        ("It’s a “sure” thing", "It's a \"sure\" thing", "It’s a “sure” thing"),
        ("It's a \"sure\" thing", "It’s a ‘sure’ thing", "It's a \"sure\" thing"),
        ("C'est « sûr » ici", "C’est \"sûr\" ici", "C'est « sûr » ici"),
        ("Er sagt „sicher“ dazu", "Er sagt \"sicher\" dazu", "Er sagt „sicher“ dazu"),
        ("the dogs' owner left", "the dogs’ owner left", "the dogs' owner left"),
        // Dashes.
        ("costs — in all — rise", "costs - in all - rise", "costs — in all — rise"),
        ("costs—in all—rise", "costs - in all - rise", "costs—in all—rise"),
        ("from 10–20 per cent", "from 10-20 per cent", "from 10–20 per cent"),
        ("a well‑known rule", "a well-known rule", "a well‑known rule"),
        ("a loss of −5 points", "-5 points", "−5 points"),
        // Ellipses.
        ("and so on… until", "and so on... until", "and so on… until"),
        ("They hope that it works.", "…hope that it works…", "hope that it works"),
        ("They hope that it works.", "\"[…] hope that it works.\"", "hope that it works"),
        // Case.
        ("THE COST IS HIGH", "The cost is high", "THE COST IS HIGH"),
        ("Ο ΛΟΓΟΣ ΕΊΝΑΙ", "ο λόγος", ""),
        ("Ο ΛΟΓΟΣ ΕΊΝΑΙ", "ο λογος είναι", "Ο ΛΟΓΟΣ ΕΊΝΑΙ"),
        ("İstanbul is far", "istanbul is", "İstanbul is"),
        // Soft hyphens and broken lines.
        ("in\u{ad}com\u{ad}plete proof", "incomplete proof", "in\u{ad}com\u{ad}plete proof"),
        ("an exam-\nple of it", "an example of it", "an exam-\nple of it"),
        ("an exam-\n  ple of it", "example", "exam-\n  ple"),
        ("a well-\nknown rule", "a well-known rule", "a well-\nknown rule"),
        ("a ﬁne eﬀort", "a fine effort", "a ﬁne eﬀort"),
        // Markdown.
        ("The **cost** is `5` _million_.", "The cost is 5 million", "The **cost** is `5` _million"),
        ("The cost is 5 million.", "The **cost** is `5` million", "The cost is 5 million"),
        ("snake_case is used", "`snake_case` is used", "snake_case is used"),
        ("> They said\n> it works\n", "They said it works", "They said\n> it works"),
        ("## Cost of it\n\nIt is", "## Cost of it", "Cost of it"),
        ("- apples\n- pears", "- pears", "pears"),
        ("- apples\n- pears", "- apples\n- pears", "apples\n- pears"),
        ("- apples\n- pears", "apples pears", "apples\n- pears"),
        ("- apples\n- pears", "- apples - pears", "apples\n- pears"),
        ("• apples\n• pears", "apples pears", "apples\n• pears"),
        ("a loss\n-5 points", "loss -5 points", "loss\n-5 points"),
        (r"a\_b is 3\*4", "a_b is 3*4", r"a\_b is 3\*4"),
        // Something left out.
        (
            "The plan needs ten people, of whom none is hired, and it ends in May.",
            "The plan needs ten people … and it ends in May",
            "The plan needs ten people, of whom none is hired, and it ends in May",
        ),
        (
            "The plan needs ten people, of whom none is hired, and it ends in May.",
            "\"plan needs ten [...] it ends in\"",
            "plan needs ten people, of whom none is hired, and it ends in",
        ),
        // Whole words first.
        ("concatenate a cat", "cat", "cat"),
        // No spaces between words.
        ("本契約は無効であると\n認められる。", "無効であると認め", "無効であると\n認め"),
    ] {
        let expected = (!expected.is_empty()).then_some(expected);
        assert_eq!(found(text, quote), expected, "{quote:?} in {text:?}");
    }
}

#[test]
fn what_does_not_stand_in_the_text_is_not_found() {
    let far = format!("The plan needs ten people.{} It ends in May.", " Filler goes here.".repeat(60));
    for (text, quote) in [
        ("The cost is 5 million.", "The cost is 6 million"),
        ("The cost is 5 million.", "The cost was 5 million"),
        ("The cost is 5 million.", "cost million"),
        ("from 10-20 per cent", "from 1020 per cent"),
        ("growth\n5 percent", "growth - 5 percent"),
        ("It is 3.14 there", "It is 314 there"),
        // Too short to say anything.
        ("The cost is 5 million.", "is"),
        ("The cost is 5 million.", ""),
        ("The cost is 5 million.", "…"),
        ("The cost is 5 million.", "“ ”"),
        // Within a word.
        ("a party went well", "art"),
        // Parts that are too short, out of order, or too far from one another.
        ("The plan needs ten people, and it ends in May.", "The plan … in May"),
        ("The plan needs ten people, and it ends in May.", "it ends in May … the plan needs ten"),
        (&far, "The plan needs ten … It ends in May"),
    ] {
        assert_eq!(found(text, quote), None, "{quote:?} in {text:?}");
    }
}

#[test]
fn only_the_part_that_is_searched_counts() {
    let text = "One claim here. Two claims there. One claim here.";
    let part = span(text, "Two claims there. One claim here.");
    let last = text.rfind("One claim").unwrap();
    assert_eq!(find_quote(text, part, "one claim").unwrap().start, last);
    assert_eq!(find_quote(text, part, "Here. Two"), None);
    assert_eq!(find_quote(text, Span { start: 40, end: 400 }, "claim"), None);
    assert_eq!(find_quote("é is here", Span { start: 1, end: 9 }, "here"), None);
}

#[test]
fn a_large_text_is_searched_quickly() {
    let words = (0..150_000).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ") + " ";
    let spaced = words.replace("0 ", "0\n");
    let same = "a".repeat(1 << 20);
    let dashed = "a - ".repeat(1 << 18);
    for (text, quote, is_there) in [
        (&words, "word149990 word149991 word149992", true),
        (&spaced, "Word149990 word149991 word149992", true),
        (&words, "word149990 word149992 word149991", false),
        (&words, "word1 word2 word3 … word149990 word149991 word149992", false),
        (&same, "aaaaaaaaaaaaaaaaab", false),
        (&dashed, "a b c", false),
    ] {
        assert_eq!(found(text, quote).is_some(), is_there, "{quote}");
    }
}

/// Texts of words, marks and breaks such as documents have.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "cost",
        "Plan",
        "proof",
        "naïve",
        "ΛΟΓΟΣ",
        "straße",
        "10",
        "3.14",
        "ﬁne",
        "don’t",
        "exam-\nple",
        "of",
        "the",
        "a",
        "**bold**",
        "`code`",
        "_it_",
        "“said”",
        "«dit»",
        "—",
        "-",
        "…",
        "...",
        ".",
        ",",
        ";",
        "(",
        ")",
        "\n",
        "\n\n",
        "- ",
        "# ",
        "> ",
        "\u{a0}",
        "\u{ad}",
        "契約",
        "無効",
        "İ",
        "|",
        "\\",
        "*",
        "😀",
    ]);
    prop::collection::vec((piece, prop::sample::select(vec![" ", " ", " ", "", "\n"])), 1..40)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect())
}

/// Letters and digits of a text as they are once it is made alike.
fn letters(text: &str) -> String {
    Spelling::of(text).text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn of_places_that_overlap_the_one_between_words_is_found() {
    let text = "«dit» — _it__it_ ";
    let span = find_quote(text, Span { start: 0, end: text.len() }, " — _it__it_").unwrap();
    assert_eq!(&text[span.start..span.end], "it__it");
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn every_part_of_a_text_is_found_in_it(text in any_text(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        // Between words, so that it begins and ends as a quotation does.
        let borders: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).chain([text.len()]).collect();
        let (a, b) = (borders[from.index(borders.len())], borders[to.index(borders.len())]);
        let quote = &text[a.min(b)..a.max(b)];
        prop_assume!(letters(quote).chars().count() >= 3);
        let whole = Span { start: 0, end: text.len() };
        let span = find_quote(&text, whole, quote);
        prop_assert!(span.is_some(), "{:?} in {:?}", quote, text);
        let span = span.unwrap();
        prop_assert_eq!(letters(&text[span.start..span.end]), letters(quote));
    }

    #[test]
    fn a_changed_letter_is_not_found(words in prop::collection::vec("[a-m]{3,8}", 3..20), place in any::<prop::sample::Index>()) {
        let text = words.join(" ");
        let place = place.index(text.len());
        prop_assume!(text.as_bytes()[place] != b' ');
        // No word of the text has a z.
        let changed = format!("{}z{}", &text[..place], &text[place + 1..]);
        prop_assert_eq!(find_quote(&text, Span { start: 0, end: text.len() }, &changed), None);
    }

    #[test]
    fn nothing_panics_and_every_span_is_one_of_the_text(text in "\\PC{0,60}", quote in "\\PC{0,20}", a in 0_usize..80, b in 0_usize..80) {
        if let Some(span) = find_quote(&text, Span { start: a, end: b }, &quote) {
            prop_assert!(text.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
            prop_assert!(a <= span.start && span.end <= b);
        }
    }

    #[test]
    fn every_byte_of_a_spelling_knows_where_it_came_from(text in any_text()) {
        let spelling = Spelling::of(&text);
        prop_assert_eq!(spelling.text.len(), spelling.at.len());
        prop_assert!(spelling.at.iter().all(|at| text.is_char_boundary(*at)));
        prop_assert!(spelling.at.is_sorted());
    }
}

#[test]
fn what_is_quoted_and_stands_nowhere_is_found() {
    let text = "The cost is 5 million a year, “as agreed with the bank”. Demand is certain.";
    for (review, wrong) in [
        ("It says “the cost is 5 million” twice.", vec![]),
        ("It says \"The cost is … million a year\" and „Demand is certain“.", vec![]),
        ("It says “the cost is 6 million a year” twice.", vec!["the cost is 6 million a year"]),
        ("Words such as “net present” or “approved” are terms.", vec![]),
        (
            "« Demand was never in doubt » against “as agreed with the bank”.",
            vec![" Demand was never in doubt "],
        ),
        ("An open “quotation that ends nowhere", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(misquoted(text, review), wrong, "{review}");
    }
}
