//! Bytes to text, and text as everybody reads it.

use unicode_normalization::UnicodeNormalization as _;

use super::{Fault, sniff::Foreign};

/// Of so many letters beyond ASCII, one may be torn in the midst of a text.
const WHOLE: usize = 20;

/// Reads bytes as plain text, Markdown or code: UTF-8, or UTF-16 with its mark. Not yet cleaned.
pub(super) fn decode(bytes: &[u8]) -> Result<String, Fault> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).ok_or(Fault::Encoding),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).ok_or(Fault::Encoding),
        bytes => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<String, Fault> {
    match std::str::from_utf8(bytes) {
        // Valid UTF-8, yet no text anybody writes.
        Ok(text) if text.contains('\0') => Err(Fault::Foreign(Foreign::Binary)),
        Ok(text) => Ok(text.to_owned()),
        Err(_) if bytes.contains(&0) => Err(Fault::Foreign(Foreign::Binary)),
        Err(_) if is_torn(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
        Err(_) => Err(Fault::Encoding),
    }
}

/// Whether bytes are UTF-8 that was torn: cut within its last letter, or damaged in few of its letters. In another
/// encoding, letters beyond ASCII hardly ever look like those of UTF-8, and not once in so many times.
fn is_torn(bytes: &[u8]) -> bool {
    let (mut whole, mut torn, mut cut) = (0_usize, 0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        torn += usize::from(!chunk.invalid().is_empty());
        cut = chunk.invalid().len();
    }
    let last = torn == 1 && cut > 0;
    (last && is_begun(&bytes[bytes.len() - cut..]) && (whole > 0 || cut > 1)) || torn * WHOLE <= whole
}

/// Whether bytes are the beginning of a letter of UTF-8, and not all of it.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (units, rest) = bytes.as_chunks::<2>();
    let text: String =
        char::decode_utf16(units.iter().map(|pair| unit(*pair))).collect::<Result<_, _>>().ok()?;
    (rest.is_empty() && !text.contains('\0')).then_some(text)
}

/// Line ends as `\n`, no control characters but those and tabs, nothing that is there only to be invisible, and each
/// letter with its accents as one character (NFC): PDFs and files from macOS have them apart, models write them as one.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    text.chars().filter(|&c| stays(c)).nfc().collect()
}

/// Whether a character can stand in a clean text.
pub(super) fn stays(c: char) -> bool {
    c == '\n' || c == '\t' || !(c.is_control() || is_hidden(c) || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// Marks that carry text past the eyes of whoever reads the document: hyphens that only a line's end would show, byte
/// order marks inside, the tag characters, and overrides of the writing direction. Joiners stay: scripts and emoji need them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether there is anything to read in a text.
pub(super) fn is_blank(text: &str) -> bool {
    !text.chars().any(is_visible)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, Fault> {
        decode(bytes).map(|text| clean(&text))
    }

    #[test]
    fn text_is_normalised() {
        assert_eq!(
            read(b"\xef\xbb\xbf# Plan\r\none\rtwo\x07\tthree\x1b[31m").unwrap(),
            "# Plan\none\ntwo\tthree[31m"
        );
        let hidden: String = "ok"
            .chars()
            .chain("do evil".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()))
            .collect();
        assert_eq!(read(hidden.as_bytes()).unwrap(), "ok");
        assert_eq!(read("👩‍🔬 فارسی".as_bytes()).unwrap(), "👩‍🔬 فارسی");
        assert_eq!(clean("a\u{2028}b\u{85}c"), "a\nb\nc");
        assert_eq!(
            clean("Donau\u{ad}dampf, 1\u{a0}000\u{202f}000, \u{2212}5"),
            "Donaudampf, 1\u{a0}000\u{202f}000, \u{2212}5"
        );
        assert_eq!(clean("U\u{308}ber cafe\u{301}"), "Über café");
    }

    #[test]
    fn what_is_clean_stays_as_it_is() {
        let text = "a\u{2028}b\u{feff}c\r\n\td\u{202e}e\0f👩‍🔬";
        assert!(!text.chars().all(stays));
        assert!(clean(text).chars().all(stays));
    }

    #[test]
    fn utf16_is_read_only_with_its_mark() {
        let units: Vec<u8> = "\u{feff}Über 🦀\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&units).unwrap(), "Über 🦀\n");
        let units: Vec<u8> = "\u{feff}Über".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&units).unwrap(), "Über");
        let bare: Vec<u8> = "Plan".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&bare), Err(Fault::Foreign(Foreign::Binary)));
        for broken in [&b"\xff\xfe\x00\xd8"[..], b"\xff\xfea", b"\xff\xfea\x00b"] {
            assert!(matches!(read(broken), Err(Fault::Encoding)), "{broken:?}");
        }
    }

    #[test]
    fn a_torn_letter_spoils_no_other() {
        let whole = "We don’t open – isn’t it so? We don’t";
        let bytes = whole.as_bytes();
        let torn = bytes.len() - "’t".len();
        for cut in 1..3 {
            assert_eq!(read(&bytes[..torn + cut]).unwrap(), "We don’t open – isn’t it so? We don\u{fffd}");
        }
        assert_eq!(read(b"We don\xe2\x80").unwrap(), "We don\u{fffd}");
        let long = "Müßiggang – ".repeat(10);
        assert_eq!(
            read(&[long.as_bytes(), b"\xff", long.as_bytes()].concat()).unwrap(),
            format!("{long}\u{fffd}{long}")
        );
        // Few letters beyond ASCII may be of any encoding.
        for other in [
            &b"caf\xe9"[..],
            "café".as_bytes().iter().chain(b" caf\xe9 au lait").copied().collect::<Vec<_>>().as_slice(),
        ] {
            assert_eq!(read(other), Err(Fault::Encoding), "{other:?}");
        }
    }

    #[test]
    fn what_is_not_text_says_what_it_is() {
        for empty in [&b""[..], b" \n\t", b"\xef\xbb\xbf", "\u{200b}".as_bytes(), b"\x07"] {
            assert!(is_blank(&read(empty).unwrap()), "{empty:?}");
        }
        assert!(!is_blank("a"));
        assert_eq!(read(b"caf\xe9"), Err(Fault::Encoding));
        assert_eq!(read(b"a\0b"), Err(Fault::Foreign(Foreign::Binary)));
    }

    #[test]
    fn names_cannot_break_out_of_the_sentence() {
        assert_eq!(shown("a`b\n@everyone.md"), "ab@everyone.md");
        assert_eq!(shown("\u{202e}"), "attachment");
    }
}
