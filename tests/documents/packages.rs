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

/// An archive that says in its first part what it is.
pub fn named(mimetype: &str) -> Vec<u8> {
    zip(&[("mimetype", mimetype.as_bytes()), ("content.xml", b"<x/>")])
}
