//! Files that harm whoever reads them carelessly, and files that are not what they seem.

use documents::{Fault, Foreign, MAX_BYTES, MAX_TEXT};

use crate::documents::{packages, pdfs};

/// A file, and what is said of it.
pub struct Hostile {
    /// Its name.
    pub name: &'static str,
    /// Makes it.
    pub bytes: fn() -> Vec<u8>,
    /// What is wrong with it.
    pub fault: Fault,
}

const fn hostile(name: &'static str, bytes: fn() -> Vec<u8>, fault: Fault) -> Hostile {
    Hostile { name, bytes, fault }
}

/// PDF files.
pub const PDFS: [Hostile; 13] = [
    hostile("locked-rc4.pdf", || include_bytes!("locked-rc4.pdf").to_vec(), Fault::Encrypted),
    hostile("locked-aes.pdf", || include_bytes!("locked-aes.pdf").to_vec(), Fault::Encrypted),
    hostile("scan.pdf", pdfs::scan, Fault::Scanned),
    hostile("no-letters.pdf", pdfs::unlettered, Fault::Unlettered),
    hostile("no-font.pdf", pdfs::without_font, Fault::Unlettered),
    hostile("form-in-itself.pdf", pdfs::form_in_itself, Fault::Empty),
    hostile("packed-twice.pdf", pdfs::packed_twice, Fault::BeyondLimits),
    hostile("no-pages.pdf", pdfs::without_pages, Fault::Broken),
    hostile("only-a-head.pdf", || b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), Fault::Broken),
    hostile("cut-off.pdf", || include_bytes!("plan.pdf")[..9_000].to_vec(), Fault::Broken),
    hostile("live-form.pdf", || pdfs::with_catalogue("/AcroForm<</Fields[]/XFA 4 0 R>>"), Fault::LiveForm),
    hostile("portfolio.pdf", || pdfs::with_catalogue("/Collection<</View/D>>"), Fault::Portfolio),
    hostile("noise.pdf", || [&b"%PDF-1.7\n"[..], &noise(60_000)].concat(), Fault::Broken),
];

/// Archives.
pub const PACKAGES: [Hostile; 27] = [
    hostile("gigabyte.docx", || packages::large_docx(1_024), Fault::Unpacks),
    hostile("large-part.docx", || packages::large_docx(300), Fault::Unpacks),
    hostile("entity.docx", || packages::docx_with(OUTSIDE, &paragraph("&e;")), Fault::Entities),
    hostile("laughs.docx", || packages::docx_with(LAUGHS, &paragraph("&c;")), Fault::Entities),
    hostile("undeclared.docx", || packages::docx_with("", &paragraph("&e;")), Fault::Entities),
    hostile("deep.docx", || packages::docx_with("", &"<w:tbl><w:tr><w:tc>".repeat(100_000)), Fault::Broken),
    hostile("unclosed.docx", || packages::zip(&[("word/document.xml", b"<w:p><w:r><w:t>a")]), Fault::Broken),
    hostile("no-xml.docx", || packages::zip(&[("word/document.xml", b"\x00\xff<")]), Fault::Broken),
    hostile("no-text.docx", || packages::docx_with("", &paragraph(" ")), Fault::Empty),
    hostile("cut-off.docx", || include_bytes!("plan.docx")[..20_000].to_vec(), Fault::Broken),
    hostile("sealed.docx", packages::sealed, Fault::Encrypted),
    hostile(
        "locked.docx",
        || packages::with_password(packages::docx_with("", &paragraph("secret"))),
        Fault::Encrypted,
    ),
    hostile("locked.odt", locked_odt, Fault::Encrypted),
    hostile("no-rows.xlsx", || packages::office("xl/workbook.xml"), Fault::Empty),
    hostile("no-slides.pptx", || packages::office("ppt/presentation.xml"), Fault::Empty),
    hostile("table.xlsb", packages::xlsb, Fault::Foreign(Foreign::Spreadsheet)),
    hostile("table.ods", || packages::named("application/vnd.oasis.opendocument.spreadsheet"), Fault::Empty),
    hostile(
        "talk.odp",
        || packages::named("application/vnd.oasis.opendocument.presentation"),
        Fault::Foreign(Foreign::Slides),
    ),
    hostile("no-book.epub", || packages::named("application/epub+zip"), Fault::Broken),
    hostile(
        "gigabyte.xlsx",
        || packages::large_part("xl/workbook.xml", "xl/sharedStrings.xml", 1_024),
        Fault::Unpacks,
    ),
    hostile(
        "gigabyte.pptx",
        || packages::large_part("ppt/presentation.xml", "ppt/slides/slide1.xml", 1_024),
        Fault::Unpacks,
    ),
    hostile(
        "gigabyte.epub",
        || packages::large_part("META-INF/container.xml", "OEBPS/a.xhtml", 1_024),
        Fault::Unpacks,
    ),
    hostile(
        "entity.xlsx",
        || packages::book_with(OUTSIDE, "<row><c t=\"str\"><v>&e;</v></c></row>"),
        Fault::Entities,
    ),
    hostile(
        "laughs.xlsx",
        || packages::book_with(LAUGHS, "<row><c t=\"str\"><v>&c;</v></c></row>"),
        Fault::Entities,
    ),
    hostile("locked.epub", packages::locked_book, Fault::Encrypted),
    hostile("deep.epub", || packages::book_of_pages(&"<div>".repeat(20_000)), Fault::TooDeep),
    hostile("photos.zip", || packages::zip(&[("a.jpg", b"\xff\xd8\xff")]), Fault::Foreign(Foreign::Zip)),
];

/// Pages, texts and what only seems to be one.
pub const TEXTS: [Hostile; 24] = [
    hostile("deep.html", deep_html, Fault::TooDeep),
    hostile("deep-piece.html", || "<div>".repeat(20_000).into_bytes(), Fault::TooDeep),
    hostile("no-text.html", || b"<!DOCTYPE html><p hidden>a</p><script>b</script>".to_vec(), Fault::Empty),
    hostile("wrong.html", || b"<html><meta charset=utf-8><p>caf\xe9".to_vec(), Fault::Encoding),
    hostile("unknown.html", || b"<html><meta charset=klingon><p>caf\xe9".to_vec(), Fault::Encoding),
    hostile("empty.txt", Vec::new, Fault::Empty),
    hostile("blank.txt", || b"\xef\xbb\xbf \r\n\t\xe2\x80\x8b".to_vec(), Fault::Empty),
    hostile("half.txt", || b"\xff\xfea".to_vec(), Fault::Encoding),
    hostile("lone.txt", || b"\xff\xfe\x00\xd8".to_vec(), Fault::Encoding),
    hostile("noise.txt", || noise(60_000), Fault::Foreign(Foreign::Binary)),
    hostile("wasm.txt", || b"\0asm\x01\0\0\0\x01\x07".to_vec(), Fault::Foreign(Foreign::Binary)),
    hostile(
        "sound.txt",
        || [&b"\xff\xfb\x90\x64\0\x0f"[..], &noise(900)].concat(),
        Fault::Foreign(Foreign::Binary),
    ),
    hostile("numbers.txt", || b"\x01\0\x02\0\x03\0\x04\0".to_vec(), Fault::Foreign(Foreign::Binary)),
    hostile("program.txt", || b"\x7fELF\x02\x01\x01\0".to_vec(), Fault::Foreign(Foreign::Program)),
    hostile("program.md", || b"MZ\x90\0\x03\0\0\0".to_vec(), Fault::Foreign(Foreign::Program)),
    hostile("picture.txt", || b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Fault::Foreign(Foreign::Picture)),
    hostile("photo.pdf", || b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), Fault::Foreign(Foreign::Picture)),
    hostile("film.docx", || b"\0\0\0\x18ftypmp42".to_vec(), Fault::Foreign(Foreign::Recording)),
    hostile("old.doc", old_doc, Fault::Foreign(Foreign::OldOffice)),
    hostile("deep.rtf", || format!("{{\\rtf1 {}a", "{".repeat(100_000)).into_bytes(), Fault::TooDeep),
    hostile("no-text.rtf", || br"{\rtf1\ansi{\info{\title Plan}}{\pict 8950}}".to_vec(), Fault::Empty),
    hostile("long.rtf", || [&br"{\rtf1 "[..], &vec![b'a'; MAX_TEXT + 1]].concat(), Fault::TooMuchText),
    hostile("long.txt", || vec![b'a'; MAX_TEXT + 1], Fault::TooMuchText),
    hostile("large.txt", || vec![b'a'; MAX_BYTES + 1], Fault::TooLarge(Some(MAX_BYTES as u64 + 1))),
];

/// Takes longer to read than there is time: each attribute is compared with all before it.
pub fn endless_html() -> Vec<u8> {
    let mut page = b"<html><p ".to_vec();
    for number in 0..2_000_000 {
        page.extend_from_slice(format!("a{number} ").as_bytes());
    }
    page.extend_from_slice(b">text");
    page
}

/// Names a file outside of the document.
const OUTSIDE: &str = "<!DOCTYPE w [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>";

/// Each entity is ten of the one before it.
const LAUGHS: &str = "<!DOCTYPE w [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]>";

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn deep_html() -> Vec<u8> {
    let (open, close) = ("<div>".repeat(20_000), "</div>".repeat(20_000));
    format!("<!DOCTYPE html><html><body>{open}deep{close}</body></html>").into_bytes()
}

fn locked_odt() -> Vec<u8> {
    packages::zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", b"<manifest:manifest><manifest:encryption-data/></manifest:manifest>"),
        ("content.xml", &noise(500)),
    ])
}

fn old_doc() -> Vec<u8> {
    let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    file.resize(2_048, 0);
    file
}

/// Bytes without any order, the same each time.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}
