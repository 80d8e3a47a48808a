//! Texts that do not say in which encoding they are, and are not UTF-8: what Excel saves as CSV, what editors of other
//! decades and countries wrote. The encoding is guessed from the letters that come out, and that it was is told.
//!
//! Nothing that is no text may come out as one: a text has no control characters, and all its letters are known ones.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use super::{Fault, MAX_TEXT, sniff::Foreign, text};
use domain::Omitted;

/// A text, and the encoding that was guessed for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decoded {
    /// Not yet cleaned.
    pub(super) text: String,
    /// Nothing where the bytes say it themselves.
    pub(super) guessed: Option<&'static Encoding>,
}

impl Decoded {
    /// Of a text whose encoding is known.
    pub(super) fn certain(text: String) -> Self {
        Self { text, guessed: None }
    }

    /// What has to be told of how it was read.
    pub(super) fn told(&self) -> Vec<Omitted> {
        self.guessed.map(|encoding| Omitted::ReadAs(shown(encoding))).into_iter().collect()
    }
}

/// Of so many letters, one may be of those that every program draws in its own way.
const OWN_LETTERS: usize = 50;

/// So many signs within words, at least, are too many.
const SIGNS: usize = 5;

/// Of so many letters that are not ASCII, one may have a sign beside it that stands in no word.
const LETTERS: usize = 10;

/// Reads bytes as plain text: UTF-8, UTF-16 with its mark, or whatever else they are most likely in.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Fault> {
    match text::decode(bytes) {
        // An encoding of e-mails that is written in the letters of ASCII; its Korean relation is not known here.
        Ok(text) if text.contains("\x1b$") => return as_text(ISO_2022_JP, bytes),
        Ok(text) => return Ok(Decoded::certain(text)),
        // What says that it is UTF-16 and is not is damaged.
        Err(fault) if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) => return Err(fault),
        Err(_) => {}
    }
    if let Some(encoding) = wide(bytes) {
        return as_text(encoding, bytes);
    }
    // The end of a file, as DOS wrote it.
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(bytes);
    let control = |&byte: &u8| matches!(byte, 0..0x09 | 0x0b | 0x0e..0x20 | 0x7f);
    if bytes.iter().any(control) {
        return Err(Fault::Foreign(Foreign::Binary));
    }
    if bytes.len() > 2 * MAX_TEXT {
        // In each of these encodings two bytes are one byte of text or more.
        return Err(Fault::TooMuchText);
    }
    if let Some(label) = declared(bytes) {
        let encoding = Encoding::for_label(label.as_bytes()).ok_or(Fault::Encoding)?;
        return as_text(encoding, bytes).map(|decoded| Decoded::certain(decoded.text));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    as_text(detector.guess(None, Utf8Detection::Deny), bytes)
}

/// The encoding that an XML text says it is in.
fn declared(bytes: &[u8]) -> Option<String> {
    let head = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let head = String::from_utf8_lossy(&head[..head.len().min(200)]).into_owned();
    let (declaration, _) = head.split_once("?>")?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let mark = value.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    value[1..].split(mark).next().map(str::to_owned)
}

/// Which UTF-16 bytes without its mark are: every character of ours has a zero, on one side always.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() || bytes.len() > 4 * MAX_TEXT {
        return None;
    }
    let zeros = |at: usize| units.iter().filter(|unit| unit[at] == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    // Spaces and ends of lines have one even in a text of other letters.
    let enough = units.len().div_ceil(20);
    match (even, odd) {
        (0, odd) if odd >= enough => Some(UTF_16LE),
        (even, 0) if even >= enough => Some(UTF_16BE),
        _ => None,
    }
}

/// The text in an encoding, if it is one.
fn as_text(encoding: &'static Encoding, bytes: &[u8]) -> Result<Decoded, Fault> {
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    let wrong = if is_wide { Fault::Foreign(Foreign::Binary) } else { Fault::Encoding };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes).ok_or(wrong)?;
    let (mut own, mut letters) = (0, 0);
    for c in text.chars() {
        match c.general_category() {
            GeneralCategory::Control if !matches!(c, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}') => {
                return Err(wrong);
            }
            GeneralCategory::Unassigned | GeneralCategory::Surrogate => return Err(wrong),
            GeneralCategory::PrivateUse => own += 1,
            _ => letters += 1,
        }
    }
    if own * OWN_LETTERS > letters || (!is_wide && is_garbled(&text)) {
        return Err(wrong);
    }
    Ok(Decoded { text: text.into_owned(), guessed: Some(encoding) })
}

/// Whether signs such as `¬` and `¨` stand in the midst of words, as they do where letters were taken for others.
fn is_garbled(text: &str) -> bool {
    let is_sign = |c: char| {
        matches!(c, '\u{a2}'..='\u{be}' | '×' | '÷' | 'ˆ' | '˜' | '†' | '‡' | '‰') && !c.is_alphabetic()
    };
    let is_letter = |c: char| !c.is_ascii() && c.is_alphabetic();
    let (mut signs, mut letters, mut last) = (0, 0, ' ');
    for c in text.chars() {
        letters += usize::from(is_letter(c));
        signs += usize::from((is_sign(c) && is_letter(last)) || (is_sign(last) && is_letter(c)));
        last = c;
    }
    signs >= SIGNS && signs * LETTERS > letters
}

/// An encoding as people know it.
fn shown(encoding: &'static Encoding) -> String {
    let name = encoding.name();
    name.strip_prefix("windows-").map_or_else(|| name.to_owned(), |page| format!("Windows-{page}"))
}

/// Whether this is what an encoding is called here.
pub(super) fn is_one(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()).is_some_and(|encoding| shown(encoding) == label)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    use super::*;

    const TEXTS: [(&str, &Encoding, &str); 8] = [
        ("Produit;Prix\r\nCafé crème;3,50 €\r\nThé à l’orange;4 €\r\n", WINDOWS_1252, "Windows-1252"),
        ("Stückliste für Größe 5: Schraube, Müßiggang, Übermaß", WINDOWS_1252, "Windows-1252"),
        ("Мы открываем вторую пекарню в мае. Аренда на три года.", WINDOWS_1251, "Windows-1251"),
        (
            "五月に二号店を開きます。家賃は三年間変わりません。パンは毎日売り切れです。",
            SHIFT_JIS,
            "Shift_JIS",
        ),
        ("五月に二号店を開きます。家賃は三年間変わりません。パンは毎日売り切れです。", EUC_JP, "EUC-JP"),
        ("我们五月在魏玛开第二家面包店。租金三年不变，面包每天都卖完。", GBK, "GBK"),
        ("我們五月在威瑪開第二家麵包店。租金三年不變，麵包每天都賣完。", BIG5, "Big5"),
        ("우리는 오월에 바이마르에 두 번째 빵집을 엽니다. 임대료는 삼 년 동안 같습니다.", EUC_KR, "EUC-KR"),
    ];

    #[test]
    fn usual_encodings_are_told_by_their_letters() {
        for (text, encoding, name) in TEXTS {
            let (bytes, _, lossy) = encoding.encode(text);
            assert!(!lossy);
            let decoded = decode(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
            assert_eq!(decoded.text, text);
            assert_eq!(decoded.told(), [Omitted::ReadAs(name.to_owned())]);
            assert!(is_one(name));
        }
        // Letters that GBK has not, in four bytes each.
        let (bytes, ..) = GB18030.encode("面包店的标志是𠀀，租金三年不变，面包每天都卖完。");
        assert!(decode(&bytes).unwrap().text.contains('𠀀'));
    }

    #[test]
    fn utf_16_without_its_mark_is_read() {
        for text in ["Plan\r\nWe open in May.", "Мы открываем пекарню в мае.\nАренда на три года."]
        {
            let units = || text.encode_utf16();
            let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
            assert_eq!(decode(&little).unwrap(), Decoded { text: text.to_owned(), guessed: Some(UTF_16LE) });
            assert_eq!(decode(&big).unwrap(), Decoded { text: text.to_owned(), guessed: Some(UTF_16BE) });
        }
    }

    #[test]
    fn what_says_its_encoding_itself_needs_no_word() {
        for text in [&b"caf\xc3\xa9"[..], b"\xef\xbb\xbfcaf\xc3\xa9", b"\xff\xfec\0a\0"] {
            assert_eq!(decode(text).unwrap().told(), []);
        }
    }

    #[test]
    fn what_is_no_text_does_not_become_one() {
        let binary = Err(Fault::Foreign(Foreign::Binary));
        for bytes in [
            &b"\0asm\x01\0\0\0\x01\x07\x01\x60"[..],
            b"\xff\xfb\x90\x64\0\x0f\xf0\0\0\x69",
            b"\x01\0\x02\0\x03\0\x04\0",
            b"caf\xe9\x08",
            b"\xe9\0\0\xe9",
        ] {
            assert_eq!(decode(bytes), binary, "{bytes:?}");
        }
        // Places that Windows-1252 leaves free.
        assert_eq!(as_text(WINDOWS_1252, b"caf\xe9 \x81\x8d"), Err(Fault::Encoding));
        for broken in [&b"\xff\xfe\x00\xd8"[..], b"\xff\xfea"] {
            assert_eq!(decode(broken), Err(Fault::Encoding));
        }
        assert!(!is_one("nonsense") && !is_one("windows-1252"));
    }

    #[test]
    fn what_says_its_encoding_in_another_way_is_read_so_or_not_at_all() {
        let xml = |label: &str| {
            [format!("<?xml version='1.0' encoding='{label}'?><a>").as_bytes(), b"\xcf\xeb\xe0\xed"].concat()
        };
        let decoded = decode(&xml("windows-1251")).unwrap();
        assert!(decoded.text.ends_with("План") && decoded.guessed.is_none());
        assert_eq!(decode(&xml("ibm855")), Err(Fault::Encoding));
        assert!(decode(b"<?xml version='1.0'?><a>caf\xe9 au lait</a>").unwrap().text.contains("café"));
        let mail = decode(b"\x1b$B%F%9%H\x1b(B").unwrap();
        assert_eq!((mail.text.as_str(), mail.guessed), ("テスト", Some(ISO_2022_JP)));
        assert_eq!(decode(b"\x1b$)C\x0e0!\x0f"), Err(Fault::Encoding), "its Korean relation");
        assert!(decode(b"\x1b[31mred\x1b[0m").unwrap().guessed.is_none(), "colours of a terminal");
    }

    #[test]
    fn letters_that_were_taken_for_others_are_no_text() {
        // Russian in a code page of DOS that nobody here knows.
        let garbled = "ì ¬·ÒÔ ó·· ÖÔ Ô¨ ¢ñÐ ë û·ãÐ¨ Ø¨áëñµ çû¨Ô·ÆÖë (·ãÆÐœû¨Ô·¨ ãÖã";
        assert!(is_garbled(garbled));
        for text in [
            "120 m², 20 °C ± 2, «très bien», 1¼ · 2½ µm",
            "El·la, col·laboració, paral·lel: català, aquí, és",
        ] {
            assert!(!is_garbled(text), "{text}");
        }
    }

    proptest::proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn noise_is_no_text(bytes in proptest::collection::vec(proptest::num::u8::ANY, 64..400)) {
            proptest::prop_assert!(decode(&bytes).is_err());
        }

        #[test]
        fn a_text_of_western_letters_stays_as_it_is(text in "[a-zA-ZäöüßéèçÄÖÜ ,.;\n]{20,300}") {
            let (bytes, ..) = WINDOWS_1252.encode(&text);
            let decoded = decode(&bytes);
            proptest::prop_assert!(decoded.is_ok(), "{decoded:?}");
        }
    }
}
