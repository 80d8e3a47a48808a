//! Bad files: each gets a sentence that says what is wrong with it and what to do, and harms nobody.

use std::fs;

use documents::{DocumentError, Fault};

use crate::documents::{
    hostile::{self, Hostile, PACKAGES, PDFS, TEXTS},
    pdfs,
    scene::{read, read_within},
};

/// What a sentence may tell people to do.
const TODO: [&str; 6] = ["attach", "Attach", "Try again", "Let a program", "Shorten", "Unpack"];

/// That it names the file, is of two sentences at least, says what to do and nothing of what is inside.
fn check(error: &DocumentError) {
    let sentence = error.to_string();
    assert!(sentence.starts_with(&format!("`{}` ", error.name)), "{sentence}");
    assert!(sentence.ends_with('.') && sentence.len() < 300, "{sentence}");
    let todo = sentence.split_once([':', '.', ',']).unwrap().1;
    assert!(TODO.iter().any(|word| todo.contains(word)), "{sentence}");
}

async fn refused(files: &[Hostile]) {
    for Hostile { name, bytes, fault } in files {
        let error = read(name, &bytes()).await.unwrap_err();
        assert_eq!((error.fault, &*error.name), (*fault, *name));
        check(&error);
    }
}

#[tokio::test]
async fn bad_pdfs() {
    refused(&PDFS).await;
}

#[tokio::test]
async fn bad_packages() {
    refused(&PACKAGES).await;
}

#[tokio::test]
async fn bad_texts_and_pages() {
    refused(&TEXTS).await;
}

#[tokio::test]
async fn a_page_that_takes_for_ever_is_ended_by_the_system() {
    // Ended it would be after ten seconds as after two; `memory` waits for the ten.
    let error = read_within(2, "endless.html", &hostile::endless_html()).await.unwrap_err();
    assert_eq!(error.fault, Fault::BeyondLimits);
    check(&error);
}

#[test]
fn bombs_are_small() {
    assert!(pdfs::packed_twice().len() < 8_192);
}

#[tokio::test]
async fn no_file_is_read_for_a_document() {
    let entity = PACKAGES.iter().find(|file| file.name == "entity.docx").unwrap();
    let error = read(entity.name, &(entity.bytes)()).await.unwrap_err();
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    assert!(host.trim().is_empty() || !error.to_string().contains(host.trim()), "{error}");
    assert!(error.to_string().contains("XML entities"), "{error}");
}

/// The sentences in full, as members read them.
#[test]
fn sentences() {
    let all = [PDFS.as_slice(), &PACKAGES, &TEXTS].into_iter().flatten();
    let mut seen: Vec<String> = all
        .map(|file| DocumentError { name: "plan".into(), fault: file.fault }.to_string())
        .chain(
            [Fault::Busy, Fault::NoReader]
                .map(|fault| DocumentError { name: "plan".into(), fault }.to_string()),
        )
        .collect();
    seen.sort();
    seen.dedup();
    insta::assert_snapshot!(seen.join("\n"));
}
