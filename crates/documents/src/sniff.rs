//! Tells by its first bytes what a file is; its name says nothing.
//!
//! The list is ours: `infer` was weighed, which knows more kinds, but takes texts with a control character that begin with
//! `BC` or `%!` for programs and archives, and does not know several recordings by their brand.

use serde::{Deserialize, Serialize};

/// A kind of file that is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Foreign {
    /// DOC, PPT or another file of Office before 2007; its workbooks (XLS) are read.
    OldOffice,
    /// XLSB.
    Spreadsheet,
    /// ODP.
    Slides,
    /// A ZIP archive of other things.
    Zip,
    /// Another archive.
    Archive,
    /// A picture.
    Picture,
    /// Sound or video.
    Recording,
    /// A program.
    Program,
    /// Something else that is not text.
    Binary,
}

impl Foreign {
    /// What it is, such as `a picture`.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::OldOffice => "an Office document in the old format (such as DOC)",
            Self::Spreadsheet => "a spreadsheet in a binary format (XLSB)",
            Self::Slides => "a set of slides (ODP)",
            Self::Zip => "a ZIP archive",
            Self::Archive => "an archive",
            Self::Picture => "a picture",
            Self::Recording => "a recording of sound or video",
            Self::Program => "a program",
            Self::Binary => "a binary file",
        }
    }

    /// What to do instead, as a sentence.
    pub(super) fn todo(self) -> &'static str {
        match self {
            Self::OldOffice => "Save it in the new format (DOCX, XLSX, PPTX) or as PDF and attach that.",
            Self::Spreadsheet => "Save it as XLSX or CSV and attach that.",
            Self::Slides => "Save it as PPTX or PDF and attach that.",
            Self::Picture => {
                "Only text is read. Let a program recognise what is written on it (OCR), or attach the text itself."
            }
            Self::Zip | Self::Archive => "Unpack it and attach the document itself.",
            _ => {
                "Attach text, Markdown, code, HTML, a DOCX, ODT, RTF, PPTX, XLSX, ODS or EPUB, or a PDF with text."
            }
        }
    }
}

/// What a file is by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A PDF document.
    Pdf,
    /// A ZIP archive, of which documents are made; its parts say of what kind.
    Zip,
    /// Rich text.
    Rtf,
    /// Not read.
    Foreign(Foreign),
    /// Text, as far as its first bytes tell.
    Text,
}

/// What files of a kind have in common.
struct Sign {
    at: usize,
    bytes: &'static [u8],
    kind: Kind,
    /// A text could begin so too ("MZ is a code"): it takes a look at what follows.
    spelled: bool,
}

const fn sign(at: usize, bytes: &'static [u8], kind: Kind) -> Sign {
    Sign { at, bytes, kind, spelled: false }
}

const fn spelled(at: usize, bytes: &'static [u8], foreign: Foreign) -> Sign {
    Sign { at, bytes, kind: Kind::Foreign(foreign), spelled: true }
}

const SIGNS: [Sign; 25] = [
    sign(0, b"%PDF-", Kind::Pdf),
    sign(0, b"PK\x03\x04", Kind::Zip),
    sign(0, b"PK\x05\x06", Kind::Zip),
    sign(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind::Foreign(Foreign::OldOffice)),
    sign(0, b"{\\rtf", Kind::Rtf),
    sign(0, b"\x89PNG\r\n\x1a\n", Kind::Foreign(Foreign::Picture)),
    sign(0, b"\xff\xd8\xff", Kind::Foreign(Foreign::Picture)),
    sign(0, b"II*\0", Kind::Foreign(Foreign::Picture)),
    sign(0, b"MM\0*", Kind::Foreign(Foreign::Picture)),
    spelled(0, b"GIF87a", Foreign::Picture),
    spelled(0, b"GIF89a", Foreign::Picture),
    spelled(0, b"BM", Foreign::Picture),
    spelled(8, b"WEBP", Foreign::Picture),
    spelled(8, b"WAVE", Foreign::Recording),
    spelled(4, b"ftyp", Foreign::Recording),
    spelled(0, b"OggS", Foreign::Recording),
    spelled(0, b"ID3", Foreign::Recording),
    sign(0, b"\x1a\x45\xdf\xa3", Kind::Foreign(Foreign::Recording)),
    sign(0, b"\x1f\x8b", Kind::Foreign(Foreign::Archive)),
    sign(0, b"7z\xbc\xaf\x27\x1c", Kind::Foreign(Foreign::Archive)),
    sign(0, b"Rar!\x1a\x07", Kind::Foreign(Foreign::Archive)),
    spelled(257, b"ustar", Foreign::Archive),
    sign(0, b"\x7fELF", Kind::Foreign(Foreign::Program)),
    spelled(0, b"MZ", Foreign::Program),
    sign(0, b"\xcf\xfa\xed\xfe", Kind::Foreign(Foreign::Program)),
];

/// How far into a file the mark of a PDF may stand behind other bytes.
const PDF_WITHIN: usize = 1_024;

/// What a file is by its first bytes.
pub(super) fn sniff(bytes: &[u8]) -> Kind {
    let head = &bytes[..bytes.len().min(4_096)];
    let fits = |sign: &&Sign| {
        bytes.get(sign.at..).is_some_and(|rest| rest.starts_with(sign.bytes))
            && (!sign.spelled || has_control(head))
    };
    if let Some(sign) = SIGNS.iter().find(fits) {
        return sign.kind;
    }
    // Mail programs and web servers put lines before it. A text that only speaks of the mark is no PDF.
    let start = &bytes[..bytes.len().min(PDF_WITHIN)];
    let mark = start.windows(5).position(|mark| mark == b"%PDF-");
    if mark.is_some_and(|at| is_binary(head) || (at == 0 || start[at - 1] == b'\n') && ends_as_pdf(bytes)) {
        return Kind::Pdf;
    }
    Kind::Text
}

/// It has what no text has: a control character other than those of layout.
fn has_control(head: &[u8]) -> bool {
    head.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// Whether a file ends as a PDF does, even one without a byte that is no text.
fn ends_as_pdf(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(PDF_WITHIN)..];
    [&b"startxref"[..], b"%%EOF"].iter().all(|mark| end.windows(mark.len()).any(|there| there == *mark))
}

/// It has control characters, or is not UTF-8 (a character cut at the end is not broken).
fn is_binary(head: &[u8]) -> bool {
    has_control(head) || std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_bytes_and_texts_are_left_alone() {
        assert_eq!(sniff(b"%PDF-1.7\n%\xe2\xe3"), Kind::Pdf);
        assert_eq!(sniff(b"\r\njunk\n%PDF-1.7\n%\xe2\xe3\0"), Kind::Pdf);
        assert_eq!(sniff(b"junk\n%PDF-1.7\n1 0 obj\nstartxref\n9\n%%EOF"), Kind::Pdf);
        assert_eq!(sniff(b"PK\x03\x04\x14\x00"), Kind::Zip);
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0"), Kind::Foreign(Foreign::Picture));
        assert_eq!(sniff(b"\xff\xd8\xff\xe0"), Kind::Foreign(Foreign::Picture));
        assert_eq!(sniff(b"MZ\x90\x00\x03"), Kind::Foreign(Foreign::Program));
        assert_eq!(sniff(b"{\\rtf1\\ansi Hello}"), Kind::Rtf);
        assert_eq!(sniff(b"BMW f\xe4hrt, MZ auch"), Kind::Text, "whatever encoding it is in");
        for text in [
            "MZ is a code",
            "ID3 or not",
            "RIFF of WEBP and more",
            "",
            "# Plan",
            "BM",
            "A PDF begins with %PDF-1.7",
        ] {
            assert_eq!(sniff(text.as_bytes()), Kind::Text, "{text}");
        }
    }
}
