//! Files made to harm whoever works out what letters mean, which are read all the same, or refused with a sentence: within the
//! memory and the time that there are for any other.

use documents::{Fault, Foreign};
use domain::Omitted;

use crate::documents::{packages, pdfs, scene::read};

/// A file, how its text begins, and something that is named as not in it.
pub struct Borne {
    /// Its name.
    pub name: &'static str,
    /// Makes it.
    pub bytes: fn() -> Vec<u8>,
    begins: &'static str,
    omitted: Option<Omitted>,
}

const fn borne(
    name: &'static str,
    bytes: fn() -> Vec<u8>,
    begins: &'static str,
    omitted: Option<Omitted>,
) -> Borne {
    Borne { name, bytes, begins, omitted }
}

/// Those that are read.
pub static FILES: [Borne; 16] = [
    // Raised one after the other they are one run, and a long one is text.
    borne("raised.docx", || raised_docx(1_000_000), "22222222", None),
    borne(
        "raised.html",
        || format!("<!DOCTYPE html><p>x{}", "<sup>2</sup>".repeat(300_000)).into_bytes(),
        "x22222",
        None,
    ),
    borne(
        "powers.html",
        || format!("<!DOCTYPE html><p>{}", "x<sup>2</sup> ".repeat(200_000)).into_bytes(),
        "x^2 x^2 x^2",
        None,
    ),
    borne(
        "struck.rtf",
        || format!("{{\\rtf1 {}}}", "{\\strike a}b".repeat(150_000)).into_bytes(),
        "~~a~~b~~a~~b",
        None,
    ),
    borne("equation.docx", deep_equation, "Plan [a formula that is not read]", Some(Omitted::Formulas)),
    borne("equation.html", deep_mathml, "Plan [a formula that is not read]", Some(Omitted::Formulas)),
    borne("numbering.docx", numbering_in_itself, "- one", None),
    borne("numbering.odt", list_in_itself, "1. one", None),
    borne("levels.odt", deep_lists, "- one", None),
    borne("remarks.odt", remarks_in_remarks, "Plan[^c1]", None),
    borne("remarks.rtf", many_remarks, "Plan[^c1][^c2]", Some(Omitted::Comments)),
    borne("formats.xlsx", long_formats, "# Budget\n0", None),
    borne("mail.eml", || nested_mail(1_000), "From: a", Some(Omitted::Parts)),
    borne("parts.mht", || parts(500), "From: <Saved>", None),
    borne("strokes.pdf", stroked, "Rent 900", None),
    borne("watermarks.pdf", slanted, "We open", None),
];

#[tokio::test]
async fn what_is_made_to_harm_is_read_within_the_limits() {
    for file in &FILES {
        let read = read(file.name, &(file.bytes)()).await;
        let document = read.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        let start: String = document.text.chars().take(80).collect();
        assert!(document.text.starts_with(file.begins), "{}: {start}", file.name);
        let named: Vec<&Omitted> = document.omissions.iter().map(|omission| &omission.what).collect();
        assert!(file.omitted.iter().all(|what| named.contains(&what)), "{}: {named:?}", file.name);
    }
}

#[tokio::test]
async fn what_says_it_is_larger_than_it_can_be_is_refused() {
    let fault = async |name: &str, bytes: Vec<u8>| read(name, &bytes).await.unwrap_err().fault;
    let powers = format!("<!DOCTYPE html><p>{}", "x<sup>2</sup>".repeat(1_000_000));
    // A slow machine has no time for a million of them.
    let many = fault("powers.html", powers.into_bytes()).await;
    assert!(matches!(many, Fault::TooMuchText | Fault::BeyondLimits), "{many:?}");
    // Of a picture of a million points a side there is the head alone.
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    picture.extend([1_000_000_u32.to_be_bytes(), 1_000_000_u32.to_be_bytes()].concat());
    picture.extend(b"\x08\x06\0\0\0");
    assert_eq!(fault("picture.png", picture.clone()).await, Fault::Foreign(Foreign::Picture));
    let million =
        "/Type/XObject/Subtype/Image/Width 1000000/Height 1000000/ColorSpace/DeviceRGB/BitsPerComponent 8";
    let draw = pdfs::stream("", b"q 612 0 0 792 0 0 cm /Im1 Do Q");
    let page = pdfs::page("/XObject<</Im1 5 0 R>>", draw, vec![pdfs::stream(million, b"")]);
    assert_eq!(fault("picture.pdf", page).await, Fault::Scanned);
    let beside = packages::zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", b"<w:document><w:p><w:r><w:t>A plan</w:t></w:r></w:p></w:document>"),
        ("word/media/image1.png", &picture),
    ]);
    let document = read("plan.docx", &beside).await.unwrap();
    assert_eq!((document.text.as_str(), &document.omissions[0].what), ("A plan", &Omitted::Pictures));
}

#[tokio::test]
async fn a_mail_of_five_thousand_parts_is_read_as_far_as_parts_are_counted() {
    let document = read("parts.mht", &parts(5_000)).await.unwrap();
    assert!(document.text.contains("part 400") && !document.text.contains("part 600"));
    assert_eq!(document.omissions[0].what, Omitted::Parts);
}

fn raised_docx(count: usize) -> Vec<u8> {
    let run = "<r><rPr><vertAlign val=\"superscript\"/></rPr><t>2</t></r>";
    packages::docx_with("", &format!("<p>{}</p>", run.repeat(count)))
}

fn deep_equation() -> Vec<u8> {
    let open = "<m:f><m:num>".repeat(1_000);
    let close = "</m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>".repeat(1_000);
    let formula = format!("<m:oMath>{open}<m:r><m:t>1</m:t></m:r>{close}</m:oMath>");
    packages::docx_with(
        "",
        &format!("<w:p><w:r><w:t xml:space=\"preserve\">Plan </w:t></w:r>{formula}</w:p>"),
    )
}

fn deep_mathml() -> Vec<u8> {
    let open = "<mfrac>".repeat(1_000);
    let close = "<mn>2</mn></mfrac>".repeat(1_000);
    format!("<!DOCTYPE html><p>Plan <math>{open}<mn>1</mn>{close}</math></p>").into_bytes()
}

/// A list that is defined by itself, in a style that is based on itself.
fn numbering_in_itself() -> Vec<u8> {
    let numbers = "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:styleLink w:val=\"S\"/><w:numStyleLink w:val=\"S\"/></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>";
    let styles = "<w:styles><w:style w:styleId=\"S\"><w:basedOn w:val=\"S\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style></w:styles>";
    let body =
        "<w:document><w:p><w:pPr><w:pStyle w:val=\"S\"/></w:pPr><w:r><w:t>one</w:t></w:r></w:p></w:document>";
    packages::zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", body.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
        ("word/numbering.xml", numbers.as_bytes()),
    ])
}

fn odt(content: &str) -> Vec<u8> {
    let xml =
        format!("<office:document-content><office:body>{content}</office:body></office:document-content>");
    packages::zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", xml.as_bytes()),
    ])
}

/// A list that goes on with itself, whose numbers show themselves and the largest there is.
fn list_in_itself() -> Vec<u8> {
    let level = "<text:list-level-style-number text:level=\"1\" style:num-format=\"1\" style:num-suffix=\".\"/>\
        <text:list-level-style-number text:level=\"2\" style:num-format=\"1\" text:display-levels=\"4294967295\" loext:num-list-format=\"%1%%1%%2%%2%%9%\"/>";
    let item = "<text:list xml:id=\"a\" text:continue-list=\"a\" text:style-name=\"a\"><text:list-item><text:p>one</text:p></text:list-item>\
        <text:list-item text:start-value=\"9223372036854775807\"><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>";
    odt(&format!("<text:list-style style:name=\"a\">{level}</text:list-style>{}", item.repeat(2_000)))
}

fn deep_lists() -> Vec<u8> {
    let open = "<text:list><text:list-item><text:p>one</text:p>".repeat(1_000);
    odt(&format!("{open}{}", "</text:list-item></text:list>".repeat(1_000)))
}

fn remarks_in_remarks() -> Vec<u8> {
    let open = "<office:annotation><text:p>why? ".repeat(1_000);
    let close = "</text:p></office:annotation>".repeat(1_000);
    odt(&format!("<text:p>Plan{open}{close}</text:p>"))
}

fn many_remarks() -> Vec<u8> {
    format!("{{\\rtf1 Plan{}\\par}}", "{\\*\\annotation Why?}".repeat(20_000)).into_bytes()
}

fn long_formats() -> Vec<u8> {
    let code = format!("{}{}", "0,".repeat(20_000), ";".repeat(20_000));
    let format = |id: usize| format!("<numFmt numFmtId=\"{id}\" formatCode=\"{code}\"/>");
    let formats: String = (200..400).map(format).collect();
    let looks = "<xf numFmtId=\"200\"/>";
    let styles = format!("<styleSheet><numFmts>{formats}</numFmts><cellXfs>{looks}</cellXfs></styleSheet>");
    let relations = "<Relationships><Relationship Id=\"r1\" Type=\"http://x/worksheet\" Target=\"sheet1.xml\"/><Relationship Id=\"r2\" Type=\"http://x/styles\" Target=\"styles.xml\"/></Relationships>";
    packages::zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.xml", b"<workbook><sheets><sheet name=\"Budget\" r:id=\"r1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("xl/sheet1.xml", b"<worksheet><sheetData><row r=\"1\"><c><v>1</v></c><c s=\"0\"><v>1</v></c></row></sheetData></worksheet>"),
    ])
}

fn nested_mail(depth: usize) -> Vec<u8> {
    let head = "From: a\r\nMessage-ID: <1@a>\r\nContent-Type: message/rfc822\r\n\r\n";
    format!("{}From: b\r\nMessage-ID: <2@a>\r\n\r\nwords", head.repeat(depth)).into_bytes()
}

fn parts(count: usize) -> Vec<u8> {
    let head = "From: <Saved>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n";
    let part = |number: usize| {
        format!(
            "--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>part {number}</p>\n"
        )
    };
    format!("{head}{}--b--\n", (0..count).map(part).collect::<String>()).into_bytes()
}

/// A line of text, and a hundred thousand lines through it.
fn stroked() -> Vec<u8> {
    let strokes = "20 703.5 m 500 703.5 l S\n".repeat(100_000);
    let text = "BT /F1 12 Tf 72 700 Td (Rent 900) Tj ET\n";
    let words = "BT /F1 12 Tf 72 700 Td (word ) Tj ET\n".repeat(10_000);
    pdfs::pages(&[(format!("{text}{strokes}{words}").as_bytes(), "")], "<<>>", &[])
}

/// A line of text, and thousands of words across the page.
fn slanted() -> Vec<u8> {
    let text = "BT /F1 12 Tf 72 700 Td (We open a second bakery in May.) Tj ET\n";
    let across: Vec<String> = (0..10_000)
        .map(|at| format!("BT /F1 60 Tf 0.7 0.7 -0.7 0.7 {} {} Tm (DRAFT) Tj ET\n", at % 500, at / 20))
        .collect();
    let across = across.concat();
    pdfs::pages(&[(format!("{text}{across}").as_bytes(), "")], "<<>>", &[])
}
