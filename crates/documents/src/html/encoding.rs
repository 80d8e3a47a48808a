//! Which texts are HTML, and in what encoding.

use encoding_rs::Encoding;

use crate::{
    Fault,
    encoding::{self, Decoded},
    text,
};

/// How far into a file its first tag and the encoding that it declares are looked for.
const HEAD: usize = 4_096;

/// With these a page begins.
const BEGINNINGS: [&str; 6] = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta"];

/// With these a piece of a page begins, and so may a Markdown file.
const PIECES: [&str; 14] = [
    "<div",
    "<p",
    "<h1",
    "<h2",
    "<h3",
    "<table",
    "<section",
    "<article",
    "<main",
    "<header",
    "<ul",
    "<ol",
    "<span",
    "<blockquote",
];

/// The text of a file that is HTML: in UTF-8 where its bytes are, else in the encoding that it declares, else in the one
/// that is most likely. Nothing where it is another text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Option<Decoded>, Fault> {
    if matches!(bytes, [0xef, 0xbb, 0xbf, ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        let text = text::decode(bytes)?;
        return Ok(is_page(&text).then(|| Decoded::certain(text)));
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    if !is_page(&head) {
        let piece = text::decode(bytes).ok().filter(|text| is_piece(text));
        return Ok(piece.map(Decoded::certain));
    }
    let Some(label) = declared(&head) else { return encoding::decode(bytes).map(Some) };
    let encoding = Encoding::for_label(label.as_bytes());
    // A page that was saved again is UTF-8 and may still say what it was before. One encoding is written in the
    // letters of UTF-8.
    let shifts = encoding == Some(encoding_rs::ISO_2022_JP) && bytes.contains(&0x1b);
    match text::decode(bytes) {
        Ok(text) if !shifts => return Ok(Some(Decoded::certain(text))),
        Err(fault @ Fault::Foreign(_)) => return Err(fault),
        _ => {}
    }
    // A page that could be read so far is no UTF-16, whatever it says (HTML, "prescan a byte stream").
    let unicode = [encoding_rs::UTF_8, encoding_rs::UTF_16LE, encoding_rs::UTF_16BE];
    let encoding = encoding.filter(|encoding| !unicode.contains(encoding)).ok_or(Fault::Encoding)?;
    let (text, wrong) = encoding.decode_without_bom_handling(bytes);
    if wrong { Err(Fault::Encoding) } else { Ok(Some(Decoded::certain(text.into_owned()))) }
}

/// Whether a text begins as a page does, behind remarks and an XML declaration.
fn is_page(text: &str) -> bool {
    let start = first_tag(text).get(..16).unwrap_or(first_tag(text)).to_ascii_lowercase();
    begins_with(&start, &BEGINNINGS)
}

/// Whether a text is part of a page: it begins and ends with tags and has nothing that only Markdown has.
fn is_piece(text: &str) -> bool {
    let start = first_tag(text);
    let lower: String = start.chars().take(16).collect::<String>().to_ascii_lowercase();
    let markdown = |line: &str| {
        ["# ", "## ", "### ", "- ", "* ", "> ", "```", "1. "].iter().any(|mark| line.starts_with(mark))
            || line.contains("](")
    };
    begins_with(&lower, &PIECES) && start.trim_end().ends_with('>') && !start.lines().any(markdown)
}

fn begins_with(start: &str, tags: &[&str]) -> bool {
    tags.iter().any(|tag| {
        start.strip_prefix(tag).is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>'))
    })
}

/// What is left behind white space, remarks and an XML declaration.
fn first_tag(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = match rest {
            remark if remark.starts_with("<!--") => remark.find("-->").map(|at| at + 3),
            declaration if declaration.starts_with("<?xml") => declaration.find("?>").map(|at| at + 2),
            _ => return rest,
        };
        let Some(end) = end else { return rest };
        rest = rest[end..].trim_start();
    }
}

/// The name of the encoding that the head of a page declares.
fn declared(head: &str) -> Option<&str> {
    for word in ["charset", "encoding"] {
        for (at, _) in head.match_indices(word) {
            let Some(value) = head[at + word.len()..].trim_start().strip_prefix('=') else { continue };
            let value = value.trim_start().trim_start_matches(['"', '\'']);
            let end = value.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c)));
            let label = &value[..end.unwrap_or(value.len())];
            if !label.is_empty() {
                return Some(label);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_told_from_what_only_looks_like_one() {
        for page in [
            "<!DOCTYPE html>",
            "\n <!-- saved --> <?xml version='1.0'?>\n<HTML lang=en>",
            "<head>",
            "<div><p>a</p></div>\n",
            "<h1>A</h1><p>b</p>",
        ] {
            assert!(decode(page.as_bytes()).unwrap().is_some(), "{page}");
        }
        for other in [
            "",
            "<",
            "<!-- never closed",
            "<htmlish>",
            "<svg></svg>",
            "<?xml version='1.0'?><plan/>",
            "<template><p>a</p></template>",
            "<p align=center>Logo</p>\n\n# Plan\n\n<p>end</p>",
            "<div>\n\n[a](b)\n\n</div>",
            "<p>a</p> and more",
            "Write <html> first",
            "日本語のテキスト<html>",
        ] {
            assert_eq!(decode(other.as_bytes()).unwrap(), None, "{other}");
        }
    }

    #[test]
    fn the_declared_encoding_counts() {
        let page = |label: &str| [format!("<html><meta charset='{label}'><p>").as_bytes(), b"\xe9"].concat();
        let decode = |bytes: &[u8]| super::decode(bytes).map(|page| page.unwrap().text);
        assert!(decode(&page("windows-1252")).unwrap().ends_with('é'));
        assert!(decode(&page("koi8-r")).unwrap().ends_with('И'));
        for wrong in ["utf-8", "utf-16", "no-such", "euc-jp"] {
            assert_eq!(decode(&page(wrong)), Err(Fault::Encoding), "{wrong}");
        }
        let marked = "\u{feff}<html><meta charset=koi8-r><p>é";
        assert!(decode(marked.as_bytes()).unwrap().ends_with('é'));
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(decode(&wide).unwrap().ends_with('é'));
    }

    #[test]
    fn what_is_utf_8_is_read_so_whatever_it_declares() {
        for label in ["gb2312", "windows-1252", "utf-16", "no-such", "iso-2022-jp"] {
            let page = format!("<html><meta charset='{label}'><p>魏玛");
            let decoded = decode(page.as_bytes()).unwrap().unwrap();
            assert!(decoded.text.ends_with("魏玛") && decoded.told().is_empty(), "{label}");
        }
        let shifted = decode(b"<html><meta charset=iso-2022-jp><p>\x1b$B%F%9%H\x1b(B").unwrap().unwrap();
        assert!(shifted.text.ends_with("テスト"), "{}", shifted.text);
        let undeclared = decode(b"<html><p>Caf\xe9 au lait").unwrap().unwrap();
        assert!(undeclared.text.ends_with("Café au lait") && undeclared.told().len() == 1);
    }
}
