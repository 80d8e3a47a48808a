//! How a text is taken apart into sections.

use proptest::prelude::*;

use super::*;
use crate::{Landmark, Unit};

/// The sections' texts.
fn parts(document: &Document, at_once: usize) -> Vec<&str> {
    sections(document, at_once).iter().map(|section| document.part(section.span)).collect()
}

fn titles(text: &str, at_once: usize) -> Vec<String> {
    sections(&document(text), at_once).into_iter().map(|section| section.title).collect()
}

#[test]
fn a_text_that_fits_is_one_section() {
    let text = document("# Plan\n\nAll of it.");
    assert_eq!(parts(&text, 100), [text.text.as_str()]);
    let section = &sections(&text, 100)[0];
    assert_eq!((section.id.to_string(), section.title.as_str()), ("§1".to_owned(), "Plan"));
    assert_eq!(sections(&document(""), 100), []);
    // What is counted is characters, not bytes.
    assert_eq!(parts(&document("ééééé"), 5).len(), 1);
    assert_eq!(parts(&document("ééééé"), 4).len(), 2);
}

#[test]
fn a_longer_text_is_divided_at_its_headings_the_strongest_first() {
    let text = document("# A\n\none two\n\n## B\n\nthree\n\n# C\n\nfour five six\n");
    assert_eq!(parts(&text, 32), ["# A\n\none two\n\n## B\n\nthree\n\n", "# C\n\nfour five six\n"]);
    // Small neighbours go together as long as they fit.
    assert_eq!(parts(&text, 30), ["# A\n\none two\n\n## B\n\nthree\n\n", "# C\n\nfour five six\n"]);
    assert_eq!(parts(&text, 20), ["# A\n\none two\n\n", "## B\n\nthree\n\n", "# C\n\nfour five six\n"]);
}

#[test]
fn underlined_headings_count_and_those_in_code_do_not() {
    let text = document("Alpha\n=====\n\none\n\nBeta\n----\n\ntwo two\n");
    assert_eq!(parts(&text, 20), ["Alpha\n=====\n\none\n\n", "Beta\n----\n\ntwo two\n"]);
    assert_eq!(sections(&text, 20)[1].title, "Beta");
    let code = "one\n\n```sh\n# no heading\nls\n```\n\n# Yes\n\ntwo\n";
    assert_eq!(parts(&document(code), 40), ["one\n\n```sh\n# no heading\nls\n```\n\n", "# Yes\n\ntwo\n"]);
    // A rule, a table, a list and the head of a file are no headings.
    for text in [
        "a\nb\n---\nc",
        "- a\n---\nb",
        "a\n\n---\n\nb",
        "---\ntitle: x\n---\nb",
        "#hash\n\n#!x\n\nb",
        "#\n\n##\n\nb",
    ] {
        let document = document(text);
        let outline = crate::critique::outline::Outline::of(&document);
        assert_eq!(outline.headings, [], "{text:?}");
    }
}

#[test]
fn without_headings_it_is_files_pages_paragraphs_lines_sentences_and_words() {
    let file = |name: &str| Landmark::File { name: name.to_owned(), unit: Unit::Line };
    let mut pages = document("one one\ntwo two\nthree three\n");
    pages.landmarks = vec![(0, Landmark::Page(1)), (16, Landmark::Page(2))];
    assert_eq!(parts(&pages, 16), ["one one\ntwo two\n", "three three\n"]);
    let mut files = document("# A\n\none\n\nsaid\n\n# B\n\ntwo\n");
    files.landmarks = vec![(0, file("a")), (10, file("b"))];
    assert_eq!(parts(&files, 20), ["# A\n\none\n\n", "said\n\n# B\n\ntwo\n"]);
    let paragraphs = document("one one\none\n\ntwo two\ntwo\n");
    assert_eq!(parts(&paragraphs, 15), ["one one\none\n\n", "two two\ntwo\n"]);
    let lines = document("one one one\ntwo two two\n");
    assert_eq!(parts(&lines, 15), ["one one one\n", "two two two\n"]);
    let sentences = document("One is one. Two is two. Three is three.");
    assert_eq!(parts(&sentences, 15), ["One is one. ", "Two is two. ", "Three is three."]);
    let words = document("one two three four five six");
    assert_eq!(parts(&words, 10), ["one two ", "three ", "four five ", "six"]);
    assert_eq!(parts(&document("abcdefghij"), 4), ["abcd", "efgh", "ij"]);
}

#[test]
fn a_heading_stays_with_what_it_heads() {
    let text = document("one one one one\n\n# Head\n\ntwo two two two\n\nthree three three\n");
    let parts = parts(&text, 26);
    assert_eq!(parts, ["one one one one\n\n", "# Head\n\ntwo two two two\n\n", "three three three\n"]);
}

#[test]
fn a_head_that_runs_over_the_pages_is_no_title() {
    let page = |number: u8, said: &str| format!("The plan, page {number}\n\n{said}\n\n");
    let pages = [page(1, "What it costs."), page(2, "Who pays."), page(3, "When.")];
    let mut text = document(&pages.concat());
    let starts = [0, pages[0].len(), pages[0].len() + pages[1].len()];
    text.landmarks = starts.into_iter().zip((1..).map(Landmark::Page)).collect();
    let titles: Vec<String> = sections(&text, 36).into_iter().map(|section| section.title).collect();
    assert_eq!(titles, ["What it costs.", "Who pays.", "When."]);
    // A page without text makes the next one's first words no head.
    text.text = "One.\n\n".repeat(7) + "Two.\n\nThree.\n";
    text.landmarks = vec![(0, Landmark::Page(1)), (42, Landmark::Page(2)), (42, Landmark::Page(3))];
    assert_eq!(sections(&text, 42)[1].title, "Two.");
    // Where nothing else stands there, it is better than nothing.
    text.text = "Head\n\nHead\n\n".to_owned();
    text.landmarks = vec![(0, Landmark::Page(1)), (6, Landmark::Page(2))];
    assert_eq!(sections(&text, 6)[1].title, "Head");
}

#[test]
fn titles_are_headings_or_first_words_without_marks() {
    let long = "word ".repeat(40);
    for (text, title) in [
        ("# The **Cost** of [it](https://x.example) #\n\nx", "The Cost of it"),
        ("\n\n## C#\n\nx", "C#"),
        ("- *First* item\n- second", "First item"),
        ("> `find_quote` is\n> used", "find_quote is"),
        ("```rust\nfn main() {}\n```", "fn main() {}"),
        ("***\n\nWords after a rule", "Words after a rule"),
        ("| a | b |\n|---|---|", "a b"),
        ("  \n …\n", "plan.md"),
        ("# ```\n\n```\nx\n```", "x"),
        ("1. One", "1. One"),
    ] {
        assert_eq!(titles(text, 1_000), [title], "{text:?}");
    }
    let title = &titles(&long, 1_000)[0];
    assert!(title.chars().count() <= 80 && title.ends_with("word…"), "{title}");
    assert_eq!(titles(&"x".repeat(200), 1_000)[0].chars().count(), 80);
}

#[test]
fn a_large_text_is_divided_quickly() {
    // A mebibyte of one line, of one word, and of short lines: each takes under a second even unoptimised.
    for text in ["word. ".repeat(175_000), "x".repeat(1 << 20), "# a\n\n".repeat(200_000)] {
        let document = document(&text);
        let sections = sections(&document, 6_000);
        assert!((160..=400).contains(&sections.len()), "{}", sections.len());
    }
    // Signs that end sentences, one behind the other, are each looked at once.
    for text in
        [format!("{} {}", "a".repeat(100), ".".repeat(1 << 20)), ".) ".repeat(300_000), ".)*".repeat(300_000)]
    {
        assert!(sections(&document(&text), 60_000).len() < 40);
    }
    // However little is read at once, each section has a number of its own.
    let many = sections(&document(&"x\n".repeat(100_000)), 1);
    assert!(many.windows(2).all(|pair| pair[0].id.0 + 1 == pair[1].id.0), "{}", many.len());
    assert_eq!(many.last().unwrap().span.end, 200_000);
}

/// Texts such as documents have.
pub(super) fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# One\n",
        "## Two\n",
        "### Three\n",
        "Four\n====\n",
        "Five\n---\n",
        "A sentence stands here. ",
        "Another one! ",
        "words of no end ",
        "\n",
        "\n\n",
        "\n\n",
        "- item\n",
        "```\n",
        "~~~\n",
        "é",
        "契約無効。",
        "😀",
        "| a | b |\n",
        "\r\n",
        "    ",
        "averyveryverylongwordwithoutanyspaces",
        "> quoted\n",
        "> ",
        "#",
        "e.g. this ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn sections_cover_the_text_and_fit(text in any_text(), at_once in 1_usize..200, pages in prop::collection::vec(0_usize..400, 0..4)) {
        let mut document = document(&text);
        document.landmarks = pages.into_iter().zip(1..).map(|(at, page)| (at, Landmark::Page(page))).collect();
        document.landmarks.sort_by_key(|(at, _)| *at);
        let sections = sections(&document, at_once);
        let joined: String = sections.iter().map(|section| document.part(section.span)).collect();
        prop_assert_eq!(&joined, &text);
        let mut end = 0;
        for (section, id) in sections.iter().zip(1..) {
            prop_assert_eq!(section.id, SectionId(id));
            prop_assert_eq!(section.span.start, end);
            end = section.span.end;
            let length = document.part(section.span).chars().count();
            prop_assert!((1..=at_once).contains(&length), "{} characters", length);
            prop_assert!((1..=80).contains(&section.title.chars().count()), "{:?}", section.title);
            prop_assert!(!section.title.contains('\n'));
        }
        // Two neighbours together would be too long.
        let together = |pair: &[DocumentSection]| pair.iter().map(|one| document.part(one.span).chars().count()).sum::<usize>();
        prop_assert!(sections.windows(2).all(|pair| together(pair) > at_once));
    }
}
