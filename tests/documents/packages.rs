//! Documents that are ZIP archives, made part by part.

use std::io::{Cursor, Write};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::documents::bombs;

/// An archive of these parts.
pub fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// What every Office document has beside its text.
const CONTENT_TYPES: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");

/// A DOCX with this in its main part, in front of which a declaration may stand.
pub fn docx_with(declaration: &str, body: &str) -> Vec<u8> {
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>{declaration}<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>"
    );
    zip(&[CONTENT_TYPES, ("word/document.xml", xml.as_bytes())])
}

/// A DOCX whose main part is so large.
pub fn large_docx(megabytes: usize) -> Vec<u8> {
    bombs::archive(&[CONTENT_TYPES, ("word/document.xml", b"")], megabytes)
}

/// A DOCX of one paragraph and a picture that is so large.
pub fn docx_with_picture(megabytes: usize) -> Vec<u8> {
    let text: &[u8] = b"<w:document xmlns:w=\"w\"><w:p><w:r><w:t>A plan</w:t></w:r></w:p></w:document>";
    bombs::archive(&[CONTENT_TYPES, ("word/document.xml", text), ("word/media/image1.bmp", b"")], megabytes)
}

/// An archive whose parts say that they need a password.
pub fn with_password(mut archive: Vec<u8>) -> Vec<u8> {
    for (sign, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let found: Vec<usize> =
            archive.windows(4).enumerate().filter(|(_, four)| four == sign).map(|(at, _)| at).collect();
        for at in found {
            archive[at + flags] |= 1;
        }
    }
    archive
}

/// An Office document with a password: the old container around the new one.
pub fn sealed() -> Vec<u8> {
    let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    file.resize(1_024, 0);
    file.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    file.resize(4_096, 0);
    file
}

/// An Office document of another kind, with its main part at this place.
pub fn office(main: &str) -> Vec<u8> {
    zip(&[CONTENT_TYPES, (main, b"<x/>")])
}

/// A binary workbook, whose main part is no XML.
pub fn xlsb() -> Vec<u8> {
    let main = relations(&[("r1", "officeDocument", "xl/workbook.bin")]);
    zip(&[CONTENT_TYPES, ("_rels/.rels", main.as_bytes()), ("xl/workbook.bin", b"\x83\x01\0\x80")])
}

/// What belongs to a part: the id, the kind and the name of each.
fn relations(list: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"/>")
    };
    format!("<Relationships>{}</Relationships>", list.iter().map(one).collect::<String>())
}

/// The part that lists the pages of a book, of which there is one.
const PAGES: &[u8] = b"<package><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>";

/// The part that says where that one is.
const CONTAINER: (&str, &[u8]) =
    ("META-INF/container.xml", b"<container><rootfile full-path=\"OEBPS/book.opf\"/></container>");

/// A book of one page with this in it.
pub fn book_of_pages(body: &str) -> Vec<u8> {
    let page = format!("<html><body>{body}</body></html>");
    zip(&[CONTAINER, ("OEBPS/book.opf", PAGES), ("OEBPS/a.xhtml", page.as_bytes())])
}

/// A book whose only page opens with a key.
pub fn locked_book() -> Vec<u8> {
    let locks = b"<encryption><CipherReference URI=\"OEBPS/a.xhtml\"/></encryption>";
    zip(&[
        CONTAINER,
        ("META-INF/encryption.xml", locks),
        ("OEBPS/book.opf", PAGES),
        ("OEBPS/a.xhtml", &[0x8f; 300]),
    ])
}

/// Sheets, slides or a book with one part that is so large.
pub fn large_part(main: &str, part: &str, megabytes: usize) -> Vec<u8> {
    let slides = relations(&[("r1", "slide", "slides/slide1.xml")]);
    let sheets =
        relations(&[("r1", "sharedStrings", "sharedStrings.xml"), ("r2", "worksheet", "sheet1.xml")]);
    let known: [(&str, &[u8]); 8] = [
        CONTENT_TYPES,
        CONTAINER,
        ("OEBPS/book.opf", PAGES),
        ("ppt/presentation.xml", b"<p:presentation><p:sldId id=\"1\" r:id=\"r1\"/></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", slides.as_bytes()),
        ("xl/workbook.xml", b"<workbook><sheet name=\"A\" r:id=\"r2\"/></workbook>"),
        ("xl/_rels/workbook.xml.rels", sheets.as_bytes()),
        ("xl/sheet1.xml", b"<worksheet><row><c><v>1</v></c></row></worksheet>"),
    ];
    let folder = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
    let wanted = [folder(main), folder(part), "[Content_Types].xml".to_owned()];
    let mut parts: Vec<(&str, &[u8])> =
        known.into_iter().filter(|(name, _)| wanted.contains(&folder(name))).collect();
    parts.push((part, b""));
    bombs::archive(&parts, megabytes)
}

/// Sheets of which the first has these rows; a declaration may stand in front of them.
pub fn book_with(declaration: &str, rows: &str) -> Vec<u8> {
    let sheets = relations(&[("r1", "worksheet", "worksheets/sheet1.xml")]);
    let sheet = format!(
        "<?xml version=\"1.0\"?>{declaration}<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{rows}</sheetData></worksheet>"
    );
    zip(&[
        CONTENT_TYPES,
        ("xl/workbook.xml", b"<workbook><sheets><sheet name=\"Budget\" r:id=\"r1\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", sheets.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

/// Sheets that share so many short texts.
pub fn book_of_texts(count: usize) -> Vec<u8> {
    let sheets =
        relations(&[("r1", "sharedStrings", "sharedStrings.xml"), ("r2", "worksheet", "sheet1.xml")]);
    let texts = format!("<sst>{}</sst>", "<si><t>a</t></si>".repeat(count));
    zip(&[
        CONTENT_TYPES,
        ("xl/workbook.xml", b"<workbook><sheet name=\"A\" r:id=\"r2\"/></workbook>"),
        ("xl/_rels/workbook.xml.rels", sheets.as_bytes()),
        ("xl/sharedStrings.xml", texts.as_bytes()),
        ("xl/sheet1.xml", b"<worksheet><row><c t=\"s\"><v>2000000</v></c></row></worksheet>"),
    ])
}

/// An archive that says in its first part what it is.
pub fn named(mimetype: &str) -> Vec<u8> {
    zip(&[("mimetype", mimetype.as_bytes()), ("content.xml", b"<x/>")])
}
