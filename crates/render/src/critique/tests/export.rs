//! The triage as files.

use proptest::prelude::*;

use super::{super::super::support::hostile, *};
use domain::{FileBody, Finding, UserId};

/// The list and the table.
fn files(assessment: &domain::Assessment, triage: &[domain::Triage]) -> [String; 2] {
    let files = triage_export("Do we *deliver*?", &document(), assessment, triage);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["triage.md", "triage.csv"]);
    let texts: Vec<String> = files
        .into_iter()
        .map(|file| match file.body {
            FileBody::Text(text) => text,
            other => panic!("{other:?}"),
        })
        .collect();
    texts.try_into().unwrap()
}

/// Reads RFC 4180, written apart from what writes it.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = table.strip_prefix('\u{feff}').expect("its mark").chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match (quoted, c) {
            (true, '"') if chars.next_if_eq(&'"').is_some() => row.last_mut().unwrap().push('"'),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(String::new()),
            (false, '\r') => {
                assert_eq!(chars.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            (_, c) => row.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted, "a quote is open");
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last line ends");
    rows
}

#[test]
fn both_files_say_who_said_what_and_when() {
    let [list, table] = files(&assessment(), &[said(1, TriageVerdict::Accepted)]);
    insta::assert_snapshot!("export_list", list);
    insta::assert_snapshot!("export_table", table);
    let [list, table] = files(&clean(), &[]);
    assert!(list.contains("There are no findings."), "{list}");
    assert_eq!(rows(&table).len(), 1, "the heads alone");
}

#[test]
fn what_was_taken_back_is_open_and_times_no_calendar_has_are_left_out() {
    let mut undone = said(1, TriageVerdict::Open);
    undone.at = 1_790_000_001;
    let never = domain::Triage { at: i64::MAX, ..said(2, TriageVerdict::Fixed) };
    let [_, table] = files(&assessment(), &[said(1, TriageVerdict::Fixed), undone, never]);
    let rows = rows(&table);
    assert_eq!(rows[1][8..], ["open", "", ""]);
    assert_eq!(rows[2][8..], ["fixed", "Ada", ""]);
}

#[test]
fn cells_are_text_to_a_spreadsheet_whatever_they_begin_with() {
    for (written, read) in [
        ("=HYPERLINK(\"http://x.org\")", "'=HYPERLINK(\"http://x.org\")"),
        ("+1", "'+1"),
        ("-1+2", "'-1+2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\u{200b}=1", "'=1"),
        ("  \n=1", "'=1"),
        ("＝1", "'＝1"),
        ("a, \"b\"", "a, \"b\""),
        ("one\r\ntwo", "one two"),
        ("1 = 1", "1 = 1"),
        ("", ""),
    ] {
        let area = Finding { area: written.into(), critique: written.into(), ..sample::finding(1) };
        let by_name = domain::Triage { by_name: written.into(), ..said(1, TriageVerdict::Accepted) };
        let [_, table] = files(&domain::Assessment { findings: vec![area], ..assessment() }, &[by_name]);
        let rows = rows(&table);
        assert_eq!([&rows[1][2], &rows[1][3], &rows[1][9]], [read; 3], "{written:?}");
    }
}

proptest! {
    #![proptest_config(properties::cases(24))]

    #[test]
    fn any_words_make_a_table_of_as_many_cells(a in hostile(), b in hostile()) {
        let wild = Finding { area: a.clone(), critique: b.clone(), evidence: vec![domain::ClaimEvidence { quote: a.clone(), found: None }; 3], ..sample::finding(2) };
        let by = domain::Triage { by_name: b, by: UserId(9), ..said(2, TriageVerdict::Rejected) };
        let [list, table] = files(&domain::Assessment { findings: vec![wild, sample::finding(1)], ..assessment() }, &[by]);
        let rows = rows(&table);
        prop_assert_eq!(rows.len(), 3);
        for row in rows {
            prop_assert_eq!(row.len(), 11);
            prop_assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])), "{:?}", row);
        }
        prop_assert_eq!(list.lines().filter(|line| line.starts_with("- **F")).count(), 2, "an item each: {}", list);
        prop_assert!(list.lines().skip(6).all(|line| line.starts_with("- **F") || line.starts_with("  - ")), "{}", list);
    }
}
