use proptest::prelude::*;

use super::*;

/// As of a text for which nothing was searched.
fn nothing_offered(text: &str) -> (String, u32) {
    within(text, 0)
}

#[test]
fn citations_go_and_what_only_looks_like_one_stays() {
    for (text, want, count) in [
        ("It grows [1].", "It grows.", 1),
        ("It grows[1][2], fast", "It grows, fast", 2),
        ("A [2, 3] and [4-6] and [^7] end", "A and and end", 3),
        ("Seen【4†source】.", "Seen.", 1),
        ("See [the report](https://a.example/r) now", "See the report now", 1),
        ("See [1](https://a.example/r) now", "See now", 1),
        ("It grows (Source: https://a.example/x).", "It grows.", 1),
        ("At https://a.example/path?q=1, and <http://b.example>", "At a.example, and b.example", 2),
        ("Good.\nSource: https://a.example", "Good.", 1),
        ("Good.\n- **Sources:** McKinsey 2023", "Good.", 1),
        ("Gut [Quelle 1].\nQuellen: Statistisches Amt", "Gut.", 2),
        ("Bien [source 2].\nSource : Insee", "Bien.", 2),
        ("良い［1］。\n出典：総務省", "良い。", 2),
        ("جيد [١].\nالمصدر: البنك", "جيد.", 2),
        ("Gut.\n\n## Literatur\n- Müller 2019", "Gut.", 1),
        ("Reference: the lease of 2019 sets the rent.", "Reference: the lease of 2019 sets the rent.", 0),
        ("About 84 million (from memory, unverified).", "About 84 million (from memory, unverified).", 0),
        ("Good.\n\n## Sources\n1. A\n2. B\n\n## Next\nMore", "Good.\n\n## Next\nMore", 2),
        ("Good [^1]\n\n[^1]: A book", "Good", 2),
        (
            "- [ ] a\n- [x] b [2024] [sic] [A] [citation needed]",
            "- [ ] a\n- [x] b [2024] [sic] [A] [citation needed]",
            0,
        ),
        ("`a[1]` and ```b[2]``` stay, [3] goes", "`a[1]` and ```b[2]``` stay, goes", 1),
        ("```\nx[1] https://a.example\n```", "```\nx[1] https://a.example\n```", 0),
        ("Sources of income: fees", "Sources of income: fees", 0),
        ("[]() [][1 [ ( ] (a)", "[]() [][1 [ ( ] (a)", 0),
        ("(f(x)) [a](b) [a](#c)", "(f(x)) [a](b) [a](#c)", 0),
        ("https:// http", "https:// http", 0),
    ] {
        assert_eq!(nothing_offered(text), (want.to_owned(), count), "{text}");
    }
}

#[test]
fn a_mark_that_goes_from_before_backticks_opens_no_block() {
    let text = "[1]```\n```\n[1]";
    let without = renumbered(text, |_| None);
    assert_eq!(without, "\\```\n```\n[1]");
    assert!(cited(&without).is_empty(), "what was code stays code");
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn text_without_digits_addresses_or_source_words_is_left_alone(text in "[a-rt-z \\[\\](){}.,x-]{0,80}") {
        prop_assert_eq!(nothing_offered(&text), (text.trim().to_owned(), 0));
    }

    #[test]
    fn no_numbered_citation_survives(before in "[a-z ]{0,12}", n in 1u16..999, after in "[a-z .]{0,12}") {
        let (text, count) = nothing_offered(&format!("x{before}[{n}]{after}"));
        let mark = format!("[{n}]");
        prop_assert!(!text.contains(&mark));
        prop_assert_eq!(count, 1);
    }

    #[test]
    fn it_never_panics(text in any::<String>()) {
        nothing_offered(&text);
    }

    #[test]
    fn it_never_panics_on_the_signs_it_knows(text in "(\\[|\\]|\\(|\\)|1|,|<|>|`|https://|【|】|†|é|Source:|\n|#| ){0,40}") {
        nothing_offered(&text);
    }
}

#[test]
fn marks_for_sources_that_there_are_stay_and_nothing_else() {
    for (text, want, count) in [
        ("It grows [1].", "It grows [1].", 0),
        ("It grows[1][9], fast", "It grows[1], fast", 1),
        ("A [2, 3] and [1-3] and [^2] end", "A [2][3] and [1][2][3] and [2] end", 0),
        ("A [2, 7] and [3-9] end", "A [2] and [3] end", 7),
        ("Seen【3†source】 and ［2］.", "Seen[3] and [2].", 0),
        ("See [1](https://a.example/r) and [the report](https://a.example)", "See [1] and the report", 1),
        ("It grows (Source: [2]) and (Source: [8]).", "It grows [2] and.", 1),
        ("Good [2].\n\n## Sources\n[2] A page\n", "Good [2].", 1),
        ("`a[9]` [0] [00] [2024] [x]", "`a[9]` [2024] [x]", 2),
        ("[1[9]] and [[2]]", "[1] and [[2]]", 1),
        ("[9[9]]", "", 2),
        ("[02]", "[2]", 0),
    ] {
        assert_eq!(within(text, 3), (want.to_owned(), count), "{text}");
    }
}

#[test]
fn numbers_change_in_marks_alone() {
    let swapped = |number| match number {
        1 => Some(12),
        12 => Some(1),
        _ => None,
    };
    let text = "One [1], twelve [12][1]; `[1]` 1 [x] [1\n```\n[1]\n```\nthree [3][1]";
    let want = "One [12], twelve [1][12]; `[1]` 1 [x] [1\n```\n[1]\n```\nthree  [12]";
    assert_eq!(renumbered(text, swapped), want);
    assert_eq!(cited(text).into_iter().collect::<Vec<_>>(), [1, 3, 12]);
}

/// Texts in which there is much to get wrong.
const THORNY: &str = "(\\[|\\]|\\(|\\)|\\[1\\]|\\[2\\]|\\[3, 1\\]|\\[1-9\\]|1|2|9|,|-|`|```|\n|https://a.b|【2†s】|［3］|x| ){0,40}";

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn no_mark_points_at_nothing(text in THORNY, offered in 0usize..5) {
        let (text, _) = within(&text, offered);
        prop_assert!(cited(&text).into_iter().all(|number| (1..=offered).contains(&number)), "{text}");
    }

    #[test]
    fn what_is_clean_stays_as_it_is(text in THORNY, offered in 0usize..5) {
        let (text, _) = within(&text, offered);
        prop_assert_eq!(within(&text, offered), (text.clone(), 0));
        prop_assert_eq!(renumbered(&text, Some), text);
    }

    #[test]
    fn renumbering_moves_every_mark_and_makes_none(text in THORNY, by in 1usize..90) {
        let (text, _) = within(&text, 3);
        let moved = renumbered(&text, |number| Some(number + by));
        let want: BTreeSet<usize> = cited(&text).into_iter().map(|number| number + by).collect();
        prop_assert_eq!(cited(&moved), want);
        prop_assert!(cited(&renumbered(&text, |_| None)).is_empty());
    }
}
