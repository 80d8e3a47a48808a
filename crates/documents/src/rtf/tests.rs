//! What is read of RTF.

use super::*;

fn text(rtf: &str) -> String {
    read(rtf.as_bytes()).unwrap().text
}

#[test]
fn paragraphs_headings_lists_and_tables() {
    let rtf = r"{\rtf1\ansi\deff0{\fonttbl{\f0\froman Times New Roman;}}{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading 1;}}
{\info{\title Secret}}{\*\generator Writer;}\pard\outlinelevel0 Plan\par\pard We {\b open} in
 May.\par{\listtext\pard\plain\tab 1.}\ls1 one\par{\pntext\f3\'b7\tab}\ilvl1 two\par\pard
\trowd\cellx100\cellx200\intbl Item\cell Cost\cell\row\trowd\intbl Oven\par and more\cell 900\cell\row\pard So\line be it.\par}after";
    assert_eq!(
        text(rtf),
        "# Plan\n\nWe open in May.\n\n1. one\n  - two\n\nItem | Cost\nOven and more | 900\n\nSo\n\nbe it."
    );
}

#[test]
fn what_is_raised_struck_or_numbered_keeps_its_meaning() {
    for (rtf, read) in [
        (
            r"10{\super 6} bottles, $320\super 1\nosupersub  a day, CO{\sub 2}",
            "10^6 bottles, $320[1] a day, CO2",
        ),
        (r"{\strike 900} 800, \striked1 a\striked0  b", "~~900~~ 800, ~~a~~ b"),
        (
            r"{\listtext\pard\plain 2.1\tab}\ls1\ilvl1\outlinelevel1 Notice\par\pard{\listtext (a)\tab}\ls1 one\par{\listtext o\tab}\ls1 two\par",
            "## 2.1 Notice\n\n(a) one\n- two",
        ),
        (r"\pard{\pntext\'a7\tab}one\par\pard two\par", "- one\n\ntwo"),
    ] {
        assert_eq!(text(&format!("{{\\rtf1\\ansi {rtf}}}")), read, "{rtf}");
    }
}

#[test]
fn letters_are_those_of_their_font_and_code_page() {
    let fonts = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Gothic;}{\f3\fcharset2 Symbol;}{\f4\fcharset1 X;}}";
    for (written, read) in [
        (r"\f0 Caf\'e9 \'80", "Café €"),
        (r"\f1\'cf\'eb\'e0\'ed", "План"),
        // The second byte of a letter may look like a letter of its own.
        (r"\f2\'83e\'83X\'83\'67", "テスト"),
        (r"\f3\'b7\f0  point {\f3 abc}", "• point"),
        (r"{\f1\'cf}\'e9", "Пé"),
        (r"\u1055?\u1083?\uc2\u1072\'e0\'e0\u1085??!", "План!"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\u-3913?", "\u{2022}"),
        (r"\u8364\'80{} x", "€ x"),
        (r"a\~b\_c\-d\emdash\ldblquote e\rdblquote\{\}\\", "a b-cd—“e”{}\\"),
        (r"shown{\v hidden}\v gone\v0 , too", "shown, too"),
    ] {
        assert_eq!(text(&format!("{{\\rtf1\\ansi\\ansicpg1252{fonts}{written}}}")), read, "{written}");
    }
    assert_eq!(text(r"{\rtf1\ansi\ansicpg1250{\fonttbl{\f0\fcharset0 A;}}\f0\'b9}"), "ą");
    assert_eq!(text(r"{\rtf1\mac\'8e}"), "é");
    assert_eq!(text(r"{\rtf1\pc\ansicpg437 caf\'82}"), "caf\u{fffd}", "a page that nobody here knows");
}

#[test]
fn what_is_not_the_text_is_left_out_and_told() {
    let rtf = r"{\rtf1{\header Secret\par}Plan{\*\unknown gone}{\footnote\pard A note.\par More of it.} goes on.{\pict\pngblip 89504e47}{\*\annotation Why?}\par
{\field{\*\fldinst HYPERLINK http://x}{\fldrslt a link}}{\object{\*\objdata 0105}{\result shown}} {\revised in}{\deleted out}
{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt In a box.\par}}{\shprslt In a box.}}\bin5 }}}}}end\par}";
    let extract = read(rtf.as_bytes()).unwrap();
    assert_eq!(
        extract.text,
        "Plan[^1] goes on.[^c1]\n\na linkshown inIn a box.\n\nend\n\n[^1]: A note. More of it.\n\n[^c1]: Comment: Why?"
    );
    assert_eq!(extract.omitted, [Omitted::HeadersAndFooters, Omitted::Pictures, Omitted::Changes]);
}

#[test]
fn comments_are_named_and_stand_below() {
    let rtf = r"{\rtf1\ansi\pard\outlinelevel0 Plan{\footnote\pard A note.{\*\annotation Lost.}} for May{\*\atnid AL}{\*\atnauthor Ad\'e1}\chatn {\*\annotation{\*\atnref 1}{\*\atndate 77}\pard\plain Not before\par the lease!{\footnote so}}\par\pard We open.{\*\annotation \pard Why?}\par}";
    let extract = read(rtf.as_bytes()).unwrap();
    assert_eq!(
        extract.text,
        "# Plan[^1] for May[^c1]\n\nWe open.[^c2]\n\n[^1]: A note.\n\n[^c1]: Comment by Adá: Not before the lease!so\n\n[^c2]: Comment: Why?"
    );
    assert_eq!(extract.omitted, [Omitted::Comments], "one within a note is not read");
}

#[test]
fn depth_and_damage_are_borne() {
    let deep = format!("{{\\rtf1 {}a", "{".repeat(100_000));
    assert_eq!(read(deep.as_bytes()), Err(Fault::TooDeep));
    assert_eq!(text(&format!("{{\\rtf1 {}a", "{}".repeat(100_000))), "a");
    assert_eq!(text(r"{\rtf1 a\par b"), "a\n\nb");
    assert_eq!(text(r"{\rtf1 a}}}b"), "a");
    assert_eq!(text(r"{\rtf1\uc99999999 a\bin-7 b\bin99999999 c"), "ab");
}

proptest::proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn nothing_breaks_it(bytes in proptest::collection::vec(proptest::sample::select(b"{}\\*'u0f9 apr-;\n".to_vec()), 0..300)) {
        let _ = read(&[b"{\\rtf1 ", &bytes[..]].concat());
    }
}
