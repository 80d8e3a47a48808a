//! In which encoding RTF writes its letters: the document has one, and each font may have another.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// How the bytes of a font are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Charset {
    /// As letters of this encoding.
    Known(&'static Encoding),
    /// As signs of a font that has no letters.
    Symbols,
    /// Nobody here knows how; bytes above 127 are unknown letters.
    Unknown,
}

/// By the number of a code page.
pub(super) fn of_page(page: i32) -> Charset {
    Charset::Known(match page {
        0 | 1252 => WINDOWS_1252,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10_000 => MACINTOSH,
        65_001 => UTF_8,
        _ => return Charset::Unknown,
    })
}

/// By what a font says of itself (`\fcharset`); nothing where it has that of the document.
pub(super) fn of_font(number: i32) -> Option<Charset> {
    Some(match number {
        0 => Charset::Known(WINDOWS_1252),
        2 => Charset::Symbols,
        77 => Charset::Known(MACINTOSH),
        128 => of_page(932),
        129 => of_page(949),
        134 => of_page(936),
        136 => of_page(950),
        161 => of_page(1253),
        162 => of_page(1254),
        163 => of_page(1258),
        177 => of_page(1255),
        178..=180 => of_page(1256),
        186 => of_page(1257),
        204 => of_page(1251),
        222 => of_page(874),
        238 => of_page(1250),
        _ => return None,
    })
}

impl Charset {
    /// Bytes as letters.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Known(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            // Only the dots of lists are known; anything else would be nonsense.
            Self::Symbols => bytes.iter().filter(|&&byte| matches!(byte, 0xa7 | 0xb7)).map(|_| '•').collect(),
            Self::Unknown => {
                let letter =
                    |&byte: &u8| if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER };
                bytes.iter().map(letter).collect()
            }
        }
    }
}
