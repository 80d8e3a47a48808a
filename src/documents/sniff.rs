//! Tells by its first bytes what a file is that is not text.

/// What files of a kind have in common.
struct Sign {
    at: usize,
    bytes: &'static [u8],
    what: &'static str,
    /// A text could begin so too ("MZ is a code"): it takes a look at what follows.
    spelled: bool,
}

const fn sign(at: usize, bytes: &'static [u8], what: &'static str) -> Sign {
    Sign { at, bytes, what, spelled: false }
}

const fn spelled(at: usize, bytes: &'static [u8], what: &'static str) -> Sign {
    Sign { at, bytes, what, spelled: true }
}

const SIGNS: [Sign; 23] = [
    sign(0, b"%PDF-", "a PDF document"),
    sign(0, b"PK\x03\x04", "a ZIP archive or an Office document (such as DOCX)"),
    sign(0, b"PK\x05\x06", "a ZIP archive"),
    sign(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (such as DOC)"),
    sign(0, b"{\\rtf", "an RTF document"),
    sign(0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    sign(0, b"\xff\xd8\xff", "a JPEG picture"),
    spelled(0, b"GIF87a", "a GIF picture"),
    spelled(0, b"GIF89a", "a GIF picture"),
    spelled(0, b"BM", "a BMP picture"),
    spelled(8, b"WEBP", "a WebP picture"),
    spelled(8, b"WAVE", "a sound recording"),
    spelled(4, b"ftyp", "a video or picture"),
    spelled(0, b"OggS", "a sound recording"),
    spelled(0, b"ID3", "a sound recording"),
    sign(0, b"\x1a\x45\xdf\xa3", "a video"),
    sign(0, b"\x1f\x8b", "a gzip archive"),
    sign(0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    sign(0, b"Rar!\x1a\x07", "a RAR archive"),
    spelled(257, b"ustar", "a tar archive"),
    sign(0, b"\x7fELF", "a program"),
    spelled(0, b"MZ", "a program"),
    sign(0, b"\xcf\xfa\xed\xfe", "a program"),
];

/// What a file is by its first bytes, if it is known not to be text.
pub(super) fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let fits = |sign: &&Sign| bytes.get(sign.at..).is_some_and(|rest| rest.starts_with(sign.bytes));
    let found = SIGNS.iter().find(fits)?;
    (!found.spelled || is_binary(&bytes[..bytes.len().min(4_096)])).then_some(found.what)
}

/// It has what no text has: a control character other than those of layout, or broken UTF-8 (a character cut
/// at the end is not broken).
fn is_binary(head: &[u8]) -> bool {
    let control = |&byte: &u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    head.iter().any(control) || std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_bytes_and_texts_are_left_alone() {
        assert_eq!(sniff(b"%PDF-1.7\n%\xe2\xe3"), Some("a PDF document"));
        assert_eq!(sniff(b"%PDF-1.7 looks like text"), Some("a PDF document"));
        assert_eq!(sniff(b"PK\x03\x04\x14\x00"), Some("a ZIP archive or an Office document (such as DOCX)"));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0"), Some("a PNG picture"));
        assert_eq!(sniff(b"\xff\xd8\xff\xe0"), Some("a JPEG picture"));
        assert_eq!(sniff(b"MZ\x90\x00\x03"), Some("a program"));
        for text in ["MZ is a code", "ID3 or not", "RIFF of WEBP and more", "", "# Plan", "BM"] {
            assert_eq!(sniff(text.as_bytes()), None, "{text}");
        }
    }
}
