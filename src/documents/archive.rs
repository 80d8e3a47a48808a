//! Documents that are archives: which of them it is.

use super::{
    Fault, docx,
    extract::{Extract, Places},
    odt, omitted,
    package::Package,
    sniff::Foreign,
};

/// Reads a document that is an archive, if it is one that is read.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, Fault> {
    let mut package = Package::open(bytes)?;
    if let Some(main) = docx::MAIN.into_iter().find(|name| package.has(name)) {
        let text = docx::read(&mut package, main)?;
        return Ok(Extract {
            omitted: omitted::of_docx(&mut package),
            ..Extract::whole(text, Places::Paragraphs)
        });
    }
    for (mark, foreign) in [("xl/", Foreign::Spreadsheet), ("ppt/", Foreign::Slides)] {
        let begins = |name: &String| name.starts_with(mark);
        if package.has("[Content_Types].xml") && package.names().iter().any(begins) {
            return Err(Fault::Foreign(foreign));
        }
    }
    let Some(mimetype) = package.part("mimetype")? else { return Err(Fault::Foreign(Foreign::Zip)) };
    match mimetype.trim().trim_start_matches("application/").trim_start_matches("vnd.oasis.opendocument.") {
        text if text.starts_with("text") => {
            let (text, omitted) = odt::read(&mut package)?;
            Ok(Extract { omitted, ..Extract::whole(text, Places::Paragraphs) })
        }
        sheet if sheet.starts_with("spreadsheet") => Err(Fault::Foreign(Foreign::Spreadsheet)),
        slides if slides.starts_with("presentation") => Err(Fault::Foreign(Foreign::Slides)),
        "epub+zip" => Err(Fault::Foreign(Foreign::Epub)),
        _ => Err(Fault::Foreign(Foreign::Zip)),
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
    use crate::domain::Omitted;

    fn extract_of(parts: &[(&str, &str)]) -> Result<Extract, Fault> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        read(&zip.finish().unwrap().into_inner())
    }

    /// The text of an archive of these parts.
    pub(in crate::documents) fn text_of(parts: &[(&str, &str)]) -> Result<String, Fault> {
        extract_of(parts).map(|extract| extract.text)
    }

    /// What is omitted of an archive of these parts.
    pub(in crate::documents) fn omitted_of(parts: &[(&str, &str)]) -> Vec<Omitted> {
        extract_of(parts).unwrap().omitted
    }

    #[test]
    fn an_archive_is_what_its_parts_say() {
        let types = ("[Content_Types].xml", "<Types/>");
        assert_eq!(text_of(&[types, ("xl/workbook.xml", "")]), Err(Fault::Foreign(Foreign::Spreadsheet)));
        assert_eq!(text_of(&[("xl/notes.txt", "a")]), Err(Fault::Foreign(Foreign::Zip)));
        assert_eq!(text_of(&[("mimetype", "application/zip")]), Err(Fault::Foreign(Foreign::Zip)));
        assert_eq!(text_of(&[("mimetype", "application/vnd.oasis.opendocument.text")]), Err(Fault::Broken));
    }
}
