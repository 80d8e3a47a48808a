//! Where parts of documents stand.

use proptest::prelude::*;

use super::*;

fn document(text: &str, landmarks: Vec<(usize, Landmark)>) -> Document {
    Document { landmarks, ..crate::sample::document(text) }
}

fn file(name: &str, unit: Unit) -> Landmark {
    Landmark::File { name: name.to_owned(), unit }
}

/// Where a part of the text stands, as people read it.
fn at(document: &Document, part: &str) -> String {
    let start = document.text.find(part).unwrap();
    document.place(Span { start, end: start + part.len() }).to_string()
}

#[test]
fn lines_count_from_the_beginning_where_nothing_else_is_known() {
    let text = document("one\ntwo\n\nfour é\nfive", Vec::new());
    for (part, place) in [
        ("one", "line 1"),
        ("two", "line 2"),
        ("four é", "line 4"),
        ("é\nfive", "lines 4 to 5"),
        // The end of a line is no part of the next one, and white space around a part does not count.
        ("two\n", "line 2"),
        ("\n\nfour", "line 4"),
        ("one\ntwo\n\n", "lines 1 to 2"),
    ] {
        assert_eq!(at(&text, part), place, "{part:?}");
    }
    assert_eq!(text.place(text.whole()).to_string(), "lines 1 to 5");
}

#[test]
fn paragraphs_are_the_lines_that_are_not_empty() {
    let text = document("First.\n\nSecond.\nThird.\n \nFourth.", vec![(0, file("a.docx", Unit::Paragraph))]);
    for (part, place) in [
        ("First.", "paragraph 1"),
        ("irst", "paragraph 1"),
        ("Second.", "paragraph 2"),
        ("Third.\n \nFourth.", "paragraphs 3 to 4"),
        ("Fourth.", "paragraph 4"),
    ] {
        assert_eq!(at(&text, part), place, "{part:?}");
    }
}

#[test]
fn slides_sheets_and_chapters_are_told_as_people_look_them_up() {
    let part = |at: usize, part: Landmark| (at, part);
    let sheet = |row| Landmark::Sheet { name: "Budget".into(), row };
    let slides =
        [part(0, file("a.pptx", Unit::Paragraph)), part(0, Landmark::Slide(1)), part(5, Landmark::Slide(3))];
    let slides = document("one\n\ntwo\n\nthree", slides.to_vec());
    assert_eq!(at(&slides, "one"), "slide 1, paragraph 1");
    assert_eq!(at(&slides, "two\n\nthree"), "slide 3, paragraphs 1 to 2");
    let sheets = [part(0, file("a.xlsx", Unit::Row)), part(0, sheet(0)), part(16, sheet(500))];
    let sheets = document("# Budget\na\n\ncc\n\ndd\nee", sheets.to_vec());
    for (words, place) in [
        ("# Budget", "sheet Budget"),
        ("# Budget\na", "sheet Budget, row 1"),
        ("cc", "sheet Budget, row 3"),
        ("ee", "sheet Budget, row 501"),
        // A part of several pieces is what stands in the first.
        ("cc\n\ndd", "sheet Budget, row 3"),
    ] {
        assert_eq!(at(&sheets, words), place, "{words:?}");
    }
    let book = [part(0, file("a.epub", Unit::Paragraph)), part(6, Landmark::Chapter("Loomings".into()))];
    let book = document("Front\n# Loomings\n\nCall me", book.to_vec());
    assert_eq!(at(&book, "Front"), "paragraph 1");
    assert_eq!(at(&book, "Call"), "“Loomings”, paragraph 2");
}

#[test]
fn lines_count_from_their_page_and_a_span_ends_on_the_page_it_begins_on() {
    let text = "a1\na2\nb1\n\nb2\nb3\nc1";
    let pages = vec![(0, Landmark::Page(1)), (6, Landmark::Page(2)), (16, Landmark::Page(7))];
    let text = document(text, pages);
    for (part, place) in [
        ("a2", "page 1, line 2"),
        ("b1", "page 2, line 1"),
        ("b2\nb3", "page 2, lines 2 to 3"),
        ("c1", "page 7, line 1"),
        ("a1\na2\nb1", "page 1, lines 1 to 2"),
        ("b3\nc1", "page 2, line 3"),
        // What begins with the white space at the end of a page stands on the next.
        ("\nb1", "page 2, line 1"),
    ] {
        assert_eq!(at(&text, part), place, "{part:?}");
    }
}

#[test]
fn a_file_is_named_where_there_are_several() {
    let text = "said\nmore\n# Notes\nthree\nx\n\ny";
    let landmarks = vec![
        (0, file("message", Unit::Line)),
        (10, file("notes.pdf", Unit::Line)),
        (10, Landmark::Page(1)),
        (18, Landmark::Page(2)),
        (24, file("end.docx", Unit::Paragraph)),
    ];
    let text = document(text, landmarks);
    for (part, place) in [
        ("more", "message, line 2"),
        ("# Notes", "notes.pdf, page 1, line 1"),
        ("three", "notes.pdf, page 2, line 1"),
        // A page belongs to its file.
        ("y", "end.docx, paragraph 2"),
        ("three\nx", "notes.pdf, page 2, line 1"),
    ] {
        assert_eq!(at(&text, part), place, "{part:?}");
    }
}

#[test]
fn documents_and_places_are_stored_as_they_are() {
    let text = document("a\nb", vec![(0, file("a.md", Unit::Paragraph)), (2, Landmark::Page(3))]);
    let json = serde_json::to_string(&text).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), text);
    let place = text.place(text.whole());
    let json = serde_json::to_string(&place).unwrap();
    assert_eq!(serde_json::from_str::<Place>(&json).unwrap(), place);
}

fn any_landmark() -> impl Strategy<Value = Landmark> {
    prop_oneof![
        (1_u32..9).prop_map(Landmark::Page),
        "[a-z]{1,4}".prop_map(|name| file(&name, Unit::Line)),
        "[a-z]{1,4}".prop_map(|name| file(&name, Unit::Paragraph)),
    ]
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn any_span_has_a_place(
        text in "[a-zé😀 \n\r]{0,60}",
        mut landmarks in prop::collection::vec((0_usize..80, any_landmark()), 0..5),
        start in 0_usize..300,
        end in 0_usize..300,
    ) {
        landmarks.sort_by_key(|(at, _)| *at);
        let document = document(&text, landmarks);
        let place = document.place(Span { start, end });
        prop_assert!(1 <= place.first && place.first <= place.last);
        prop_assert!(place.last as usize <= text.matches('\n').count() + 1);
        prop_assert!(!place.to_string().is_empty());
    }

    #[test]
    fn a_place_without_landmarks_is_the_line_itself(lines in prop::collection::vec("[a-zé]{1,5}", 1..12), wanted in any::<prop::sample::Index>()) {
        let wanted = wanted.index(lines.len());
        let start = lines[..wanted].iter().map(|line| line.len() + 1).sum();
        let document = document(&lines.join("\n"), Vec::new());
        let place = document.place(Span { start, end: start + lines[wanted].len() });
        prop_assert_eq!((place.first as usize, place.last as usize), (wanted + 1, wanted + 1));
    }
}
