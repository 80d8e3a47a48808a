//! Bytes to text.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::{DocumentError, MAX_BYTES, sniff::sniff};
use crate::domain::Document;

/// Reads an attachment's bytes as plain text or Markdown: UTF-8, or UTF-16 with its mark. Line ends become
/// `\n`; marks of byte order and control characters go.
pub fn read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    let name = shown(name);
    if bytes.len() > MAX_BYTES {
        return Err(DocumentError::TooLarge { name, size: Some(bytes.len() as u64) });
    }
    if let Some(what) = sniff(bytes) {
        return Err(DocumentError::NotText { name, what });
    }
    let text =
        match bytes {
            [0xef, 0xbb, 0xbf, rest @ ..] => utf8(&name, rest)?,
            [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)
                .ok_or_else(|| DocumentError::Encoding { name: name.clone() })?,
            [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)
                .ok_or_else(|| DocumentError::Encoding { name: name.clone() })?,
            bytes => utf8(&name, bytes)?,
        };
    let text = clean(&text);
    if !text.chars().any(is_visible) {
        return Err(DocumentError::Empty { name });
    }
    Ok(Document { name, text, sha256: hex(&Sha256::digest(bytes)) })
}

fn utf8(name: &str, bytes: &[u8]) -> Result<String, DocumentError> {
    let name = || name.to_owned();
    match std::str::from_utf8(bytes) {
        // Valid UTF-8, yet no text anybody writes.
        Ok(text) if text.contains('\0') => {
            Err(DocumentError::NotText { name: name(), what: "a binary file" })
        }
        Ok(text) => Ok(text.to_owned()),
        Err(_) if bytes.contains(&0) => Err(DocumentError::NotText { name: name(), what: "a binary file" }),
        Err(_) => Err(DocumentError::Encoding { name: name() }),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (units, rest) = bytes.as_chunks::<2>();
    let text: String =
        char::decode_utf16(units.iter().map(|pair| unit(*pair))).collect::<Result<_, _>>().ok()?;
    (rest.is_empty() && !text.contains('\0')).then_some(text)
}

/// Line ends as `\n`, no control characters but those and tabs, nothing that is there only to be invisible.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    text.chars().filter(|&c| c == '\n' || c == '\t' || !(c.is_control() || is_hidden(c))).collect()
}

/// Marks that carry text past the eyes of whoever reads the document: byte order marks inside, the tag
/// characters, and overrides of the writing direction. Joiners stay: scripts and emoji need them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{ad}')
}

/// A file's name as it can stand in a message: at most 100 characters, none that would end the code span.
pub(super) fn shown(name: &str) -> String {
    let name: String =
        name.chars().filter(|&c| !(c.is_control() || is_hidden(c) || c == '`')).take(100).collect();
    if name.trim().is_empty() { "attachment".to_owned() } else { name }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_normalised() {
        let document = read("a.md", b"\xef\xbb\xbf# Plan\r\none\rtwo\x07\tthree\x1b[31m").unwrap();
        assert_eq!(document.text, "# Plan\none\ntwo\tthree[31m");
        assert_eq!(
            read("a", b"abc").unwrap().sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let hidden: String = "ok"
            .chars()
            .chain("do evil".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()))
            .collect();
        assert_eq!(read("a", hidden.as_bytes()).unwrap().text, "ok");
        assert_eq!(read("a", "👩‍🔬 فارسی".as_bytes()).unwrap().text, "👩‍🔬 فارسی");
    }

    #[test]
    fn utf16_is_read_only_with_its_mark() {
        let units: Vec<u8> = "\u{feff}Über 🦀\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read("a", &units).unwrap().text, "Über 🦀\n");
        let units: Vec<u8> = "\u{feff}Über".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read("a", &units).unwrap().text, "Über");
        let bare: Vec<u8> = "Plan".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(matches!(read("a", &bare), Err(DocumentError::NotText { what: "a binary file", .. })));
        for broken in [&b"\xff\xfe\x00\xd8"[..], b"\xff\xfea", b"\xff\xfea\x00b"] {
            assert!(matches!(read("a", broken), Err(DocumentError::Encoding { .. })), "{broken:?}");
        }
    }

    #[test]
    fn what_is_not_text_says_what_it_is() {
        for empty in [&b""[..], b" \n\t", b"\xef\xbb\xbf", "\u{200b}".as_bytes(), b"\x07"] {
            assert_eq!(read("a.txt", empty), Err(DocumentError::Empty { name: "a.txt".into() }), "{empty:?}");
        }
        assert!(matches!(read("a", b"caf\xe9"), Err(DocumentError::Encoding { .. })));
        assert!(matches!(read("a", b"a\0b"), Err(DocumentError::NotText { what: "a binary file", .. })));
        assert_eq!(
            read("offer.pdf", b"%PDF-1.4").unwrap_err().to_string(),
            "`offer.pdf` is a PDF document; only plain text and Markdown are read for now. Attach it as .txt or .md."
        );
        assert!(read("a", &vec![b'a'; MAX_BYTES]).is_ok());
        assert!(matches!(read("a", &vec![b'a'; MAX_BYTES + 1]), Err(DocumentError::TooLarge { .. })));
    }

    #[test]
    fn names_cannot_break_out_of_the_sentence() {
        assert_eq!(shown("a`b\n@everyone.md"), "ab@everyone.md");
        assert_eq!(shown("\u{202e}"), "attachment");
    }
}
