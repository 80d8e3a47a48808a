//! Bad files: each gets a sentence that says what is wrong with it and what to do.

use documents::{DocumentError, Fault};

use crate::documents::{
    hostile::{PACKAGES, PDFS, TEXTS},
    pdfs,
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

#[test]
fn bombs_are_small() {
    assert!(pdfs::packed_twice().len() < 8_192);
}

/// The sentences in full, as members read them. That each file gets its own is seen where all are read, in `memory`.
#[test]
fn sentences() {
    let hostile = [PDFS.as_slice(), &PACKAGES, &TEXTS].into_iter().flatten().map(|file| file.fault);
    let faults = hostile.chain([Fault::BeyondLimits, Fault::Busy, Fault::NoReader, Fault::Unconfined]);
    let errors: Vec<DocumentError> =
        faults.map(|fault| DocumentError { name: "plan".into(), fault }).collect();
    errors.iter().for_each(check);
    let mut seen: Vec<String> = errors.iter().map(ToString::to_string).collect();
    seen.sort();
    seen.dedup();
    insta::assert_snapshot!(seen.join("\n"));
}
