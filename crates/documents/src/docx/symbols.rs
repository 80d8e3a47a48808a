//! Signs that stand in the place of letters: fonts such as Symbol and Wingdings have them under numbers of their own, and a
//! limit whose `≤` is lost is another limit.

/// Letters of a font as everybody reads them.
pub(super) fn read(font: &str, letters: &str) -> String {
    let own = |c: char| matches!(c, '\u{f000}'..='\u{f0ff}');
    let font = font.to_lowercase();
    if !letters.contains(own) && font != "symbol" {
        return letters.to_owned();
    }
    letters
        .chars()
        .map(|c| match u32::from(c) {
            code @ 0xf000..=0xf0ff => sign(&font, code - 0xf000).unwrap_or('•'),
            code if font == "symbol" => sign(&font, code).unwrap_or(c),
            _ => c,
        })
        .collect()
}

/// The sign that a font has under a number.
fn sign(font: &str, code: u32) -> Option<char> {
    let code = u8::try_from(code).ok()?;
    match font {
        "symbol" => symbol(code),
        "wingdings 2" => Some(match code {
            b'O' => '✗',
            b'P' => '✓',
            b'R' => '☑',
            b'Q' | b'S' | b'T' => '☒',
            0xa3 => '☐',
            _ => return None,
        }),
        _ => Some(match code {
            b'o' | 0xa8 => '☐',
            b'x' | 0xfd => '☒',
            0xfe => '☑',
            0xfb => '✗',
            0xfc => '✓',
            0xdf | 0xe7 => '←',
            0xe0 | 0xe8 | 0xf0 => '→',
            0xe1 | 0xe9 => '↑',
            0xe2 | 0xea => '↓',
            _ => return None,
        }),
    }
}

/// Of the font Symbol (Adobe's "Symbol encoding"): Greek letters, and the signs of sums.
fn symbol(code: u8) -> Option<char> {
    const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LETTERS: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    match code {
        b'A'..=b'Z' => CAPITALS.chars().nth(usize::from(code - b'A')),
        b'a'..=b'z' => LETTERS.chars().nth(usize::from(code - b'a')),
        b' '
        | b'!'
        | b'#'
        | b'%'
        | b'&'
        | b'('
        | b')'
        | b'+'
        | b','
        | b'.'..=b'?'
        | b'['
        | b']'
        | b'_'
        | b'{'..=b'}' => Some(char::from(code)),
        b'-' => Some('−'),
        b'*' => Some('∗'),
        b'"' => Some('∀'),
        b'$' => Some('∃'),
        0xa0 => Some('€'),
        0xa3 => Some('≤'),
        0xa5 => Some('∞'),
        0xac => Some('←'),
        0xad => Some('↑'),
        0xae => Some('→'),
        0xaf => Some('↓'),
        0xb0 => Some('°'),
        0xb1 => Some('±'),
        0xb3 => Some('≥'),
        0xb4 => Some('×'),
        0xb5 => Some('∝'),
        0xb7 => Some('•'),
        0xb8 => Some('÷'),
        0xb9 => Some('≠'),
        0xba => Some('≡'),
        0xbb => Some('≈'),
        0xbc => Some('…'),
        0xd6 => Some('√'),
        0xd7 => Some('⋅'),
        0xde => Some('⇒'),
        0xe5 => Some('∑'),
        0xf2 => Some('∫'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_what_everybody_reads() {
        for (font, letters, read_as) in [
            ("Symbol", "\u{f0a3} 5 \u{f0b1} 1", "≤ 5 ± 1"),
            ("Symbol", "a", "α"),
            ("Wingdings", "\u{f0fe} yes \u{f0a8} no", "☑ yes ☐ no"),
            ("Wingdings 2", "\u{f052}\u{f0a3}", "☑☐"),
            ("Arial", "a ≤ b", "a ≤ b"),
            ("", "\u{f076}", "•"),
        ] {
            assert_eq!(read(font, letters), read_as, "{font}");
        }
    }
}
