//! Files whose fonts say in few words, or in none, what their letters are.

use std::{fmt::Write as _, time::Duration};

use super::read;
use crate::Fault;

const FONT: &[u8] = include_bytes!("../../../../tests/documents/letters.ttf");

/// A file of one page that draws this, with these objects from number 5 on; the first is its font.
fn file(content: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>\nendobj\n\
         4 0 obj<</Length {}>>stream\n{content}\nendstream\nendobj\n",
        content.len()
    )
    .into_bytes();
    for (number, object) in (5..).zip(objects) {
        file.extend_from_slice(format!("{number} 0 obj").as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    file.extend_from_slice(format!("trailer<</Root 1 0 R/Size {}>>\n%%EOF\n", objects.len() + 5).as_bytes());
    file
}

fn text(content: &str, objects: &[Vec<u8>]) -> Result<String, Fault> {
    read(&file(content, objects), Duration::MAX, false).map(|read| read.text)
}

fn stream(keys: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<<{keys}/Length {}>>stream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

/// A font that comes with the file, of letters that have two bytes each: what it says of them, and by whose list.
fn of_many(said: &str, by: &str, more: &str) -> Vec<Vec<u8>> {
    vec![
        format!("<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]{said}>>")
            .into_bytes(),
        format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering({by})/Supplement 0>>\
             /DW 600/FontDescriptor 7 0 R{more}>>"
        )
        .into_bytes(),
        b"<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 8 0 R>>".to_vec(),
        stream("", FONT),
        stream("", &[0; 512]),
    ]
}

/// Draws letters by their numbers.
fn drawn(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut letters = String::new();
    for number in numbers {
        write!(letters, "{number:04x}").unwrap();
    }
    format!("BT /F1 24 Tf 72 700 Td <{letters}> Tj ET")
}

#[test]
fn letters_that_are_numbered_as_unicode_does_are_told_by_a_name_alone() {
    let words = || drawn("Rent is 900 a month, signed Müller".chars().map(u32::from));
    let read = text(&words(), &of_many("/ToUnicode/Identity-H", "Identity", "/CIDToGIDMap 9 0 R"));
    assert_eq!(read.as_deref(), Ok("Rent is 900 a month, signed Müller"));
    // Without a table of their own the numbers are those of the font's drawings, whatever is said of them.
    assert!(text(&words(), &of_many("/ToUnicode/Identity-H", "Identity", "")).is_err());
    assert!(text(&words(), &of_many("", "Identity", "/CIDToGIDMap 9 0 R")).is_err());
}

#[test]
fn letters_that_are_numbered_by_a_list_are_looked_up_there() {
    let words = || drawn([0x03af, 0x03ef, 0x03cd, 0x03e5, 0x03d2, 0x03e7, 0x22, 0x1a]);
    assert_eq!(text(&words(), &of_many("", "Japan1", "")).as_deref(), Ok("コンパラブルA9"));
    assert!(text(&words(), &of_many("", "Nobody1", "")).is_err());
}

/// Letters that are drawn as pictures under names that say nothing, each as wide as this gives.
fn of_pictures(width: impl Fn(char) -> u32) -> Vec<Vec<u8>> {
    let (mut names, mut pictures, mut widths) = (String::new(), String::new(), String::new());
    for code in 32..127_u32 {
        write!(names, "/a{code}").unwrap();
        write!(pictures, "/a{code} {} 0 R", if code == 32 { 7 } else { 6 }).unwrap();
        write!(widths, "{} ", width(char::from_u32(code).unwrap())).unwrap();
    }
    let font = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 60 70]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 32/LastChar 126\
         /Encoding<</Type/Encoding/Differences[32 {names}]>>/CharProcs<<{pictures}>>/Widths[{widths}]>>"
    );
    vec![font.into_bytes(), stream("", b"50 0 0 0 50 70 d1 5 0 40 70 re f"), stream("", b"30 0 d0")]
}

#[test]
fn letters_drawn_as_pictures_are_told_by_their_widths_and_digits_are_not_guessed() {
    let words =
        "BT /F1 12 Tf 72 700 Td (Ideology as ritual: what is in the window of a shop, since 1978) Tj ET";
    let usual = |letter| match letter {
        ' ' => 30,
        'i' | 'j' | 'l' => 28,
        'm' | 'w' => 80,
        _ => 50,
    };
    assert_eq!(
        text(words, &of_pictures(usual)).as_deref(),
        Ok("Ideology as ritual: what is in the window of a shop, since ����")
    );
    let alike = |letter| if letter == ' ' { 30 } else { 50 };
    assert_eq!(text(words, &of_pictures(alike)), Err(Fault::Unlettered));
}

#[test]
fn a_line_whose_letters_stand_apart_is_parted_by_its_own_spaces() {
    let font = || vec![b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec()];
    let spread = |words: &str| {
        let letters: Vec<String> = words.chars().map(|letter| format!("({letter}) Tj ")).collect();
        let letters = letters.concat();
        text(&format!("BT /F1 11 Tf 3 Tc 72 700 Td {letters}ET"), &font())
    };
    assert_eq!(spread("China Ocean Shipping Company").as_deref(), Ok("China Ocean Shipping Company"));
    // No space stands between them: nobody can tell where a word ends.
    assert_eq!(spread("ABSTRACT").as_deref(), Ok("A B S T R A C T"));
    let pieces = "BT /F1 11 Tf 72 700 Td (Rent) Tj 60 0 Td (900 a month) Tj 90 0 Td (due) Tj ET";
    assert_eq!(text(pieces, &font()).as_deref(), Ok("Rent 900 a month due"));
}
