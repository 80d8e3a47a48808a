//! Documents that are archives: which of them it is.

use std::ops::ControlFlow;

use super::{
    Fault, docx, epub,
    extract::{Extract, Places},
    odt,
    package::{Node, Package, local},
    pptx, relations, sheet,
    sniff::Foreign,
};

/// Reads a document that is an archive, if it is one that is read.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, Fault> {
    let mut package = Package::open(bytes)?;
    if let Some(main) = relations::main(&mut package)? {
        return office(&mut package, &main);
    }
    if epub::is_one(&package) {
        return epub::read(&mut package);
    }
    let Some(mimetype) = package.part("mimetype")? else { return Err(Fault::Foreign(Foreign::Zip)) };
    match mimetype.trim().trim_start_matches("application/").trim_start_matches("vnd.oasis.opendocument.") {
        text if text.starts_with("text") => {
            let (text, omitted) = odt::read(&mut package)?;
            Ok(Extract { omitted, ..Extract::whole(text, Places::Paragraphs) })
        }
        kind if kind.starts_with("spreadsheet") => sheet::ods::read(&mut package),
        slides if slides.starts_with("presentation") => Err(Fault::Foreign(Foreign::Slides)),
        "epub+zip" => Err(Fault::Broken),
        _ => Err(Fault::Foreign(Foreign::Zip)),
    }
}

/// Reads an Office document, which is what its main part begins with, or what its folder is called after.
fn office(package: &mut Package<'_>, main: &str) -> Result<Extract, Fault> {
    // What is not XML here belongs to the binary kinds of the same documents.
    let mut root = String::new();
    let begun = package.walk_until(main, |node| {
        let Node::Start(start) = node else { return Ok(ControlFlow::Continue(())) };
        local(&start).clone_into(&mut root);
        Ok(ControlFlow::Break(()))
    });
    let folder = main.split('/').next().unwrap_or_default();
    match (root.as_str(), folder) {
        ("document", _) | (_, "word") => docx::read(package, main),
        ("presentation", _) | (_, "ppt") => pptx::read(package, main),
        ("workbook", _) | (_, "xl") if main.rsplit('.').next() != Some("bin") => {
            sheet::xlsx::read(package, main)
        }
        // A workbook in the binary format has parts that are no XML.
        (_, "xl") => Err(Fault::Foreign(Foreign::Spreadsheet)),
        _ => begun.and(Err(Fault::Foreign(Foreign::Zip))),
    }
}

/// Whether an Office document in the old container is a new one with a password: one stream of it is named so.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::{Cursor, Write as _};

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;
    use domain::Omitted;

    /// What is read of an archive of these parts.
    pub(crate) fn extract_of(parts: &[(&str, &str)]) -> Result<Extract, Fault> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        read(&zip.finish().unwrap().into_inner())
    }

    /// The text of an archive of these parts.
    pub(crate) fn text_of(parts: &[(&str, &str)]) -> Result<String, Fault> {
        extract_of(parts).map(|extract| extract.text)
    }

    /// What is omitted of an archive of these parts.
    pub(crate) fn omitted_of(parts: &[(&str, &str)]) -> Vec<Omitted> {
        extract_of(parts).unwrap().omitted
    }

    #[test]
    fn an_archive_is_what_its_parts_say() {
        let types = ("[Content_Types].xml", "<Types/>");
        assert_eq!(text_of(&[types, ("xl/workbook.bin", "")]), Err(Fault::Foreign(Foreign::Zip)));
        assert_eq!(text_of(&[("xl/notes.txt", "a")]), Err(Fault::Foreign(Foreign::Zip)));
        assert_eq!(text_of(&[("mimetype", "application/zip")]), Err(Fault::Foreign(Foreign::Zip)));
        assert_eq!(text_of(&[("mimetype", "application/vnd.oasis.opendocument.text")]), Err(Fault::Broken));
    }
}
