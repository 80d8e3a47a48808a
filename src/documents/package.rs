//! The parts of a ZIP archive of XML, unpacked no further than the limit.

use std::{
    borrow::Cow,
    io::{Cursor, Read as _},
};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use zip::{ZipArchive, result::ZipError};

use super::{Fault, MAX_UNPACKED, text};

/// An archive whose parts are read one after the other.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
}

/// What an XML part is made of, as far as documents need it.
pub(super) enum Node<'a> {
    /// An element begins.
    Start(BytesStart<'a>),
    /// An element ends.
    End,
    /// Characters between tags.
    Text(String),
}

impl<'a> Package<'a> {
    /// Of these bytes, of which nothing is unpacked yet.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Fault> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(fault)?;
        Ok(Self { archive, left: MAX_UNPACKED })
    }

    /// Whether there is a part of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// The names of all parts that have one in letters.
    pub(super) fn names(&self) -> Vec<String> {
        self.archive.file_names().filter_map(Result::ok).map(|name| name.to_string()).collect()
    }

    /// A part as text, if there is one of this name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let mut bytes = Vec::new();
        match self.archive.by_name(name) {
            Ok(part) => part.take(self.left + 1).read_to_end(&mut bytes).map_err(|_| Fault::Broken)?,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(fault(error)),
        };
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(Fault::Unpacks)?;
        // XML and the small parts beside it are UTF-8, or UTF-16 with its mark.
        text::decode(&bytes).map(Some).map_err(|_| Fault::Broken)
    }
}

/// Walks through an XML part from its first element to its last. Entities are not declared in a document that an
/// office program wrote; where they are, nothing of it is read.
pub(super) fn walk(xml: &str, mut visit: impl FnMut(Node<'_>) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut open = 0_usize;
    loop {
        match reader.read_event().map_err(|_| Fault::Broken)? {
            Event::Start(start) => {
                open += 1;
                visit(Node::Start(start))?;
            }
            Event::End(_) => {
                open = open.saturating_sub(1);
                visit(Node::End)?;
            }
            Event::Text(text) => visit(Node::Text(text.xml10_content().into_owned()))?,
            Event::CData(text) => visit(Node::Text(text.xml10_content().into_owned()))?,
            Event::GeneralRef(entity) => {
                let character = match &*entity {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "apos" => '\'',
                    _ => entity.resolve_char_ref().map_err(|_| Fault::Broken)?.ok_or(Fault::Entities)?,
                };
                visit(Node::Text(character.to_string()))?;
            }
            Event::DocType(_) => return Err(Fault::Entities),
            Event::Eof if open > 0 => return Err(Fault::Broken),
            Event::Eof => return Ok(()),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// An attribute's value by its name, whatever its prefix is.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = element.attributes();
    let mut known = attributes.with_checks(false).filter_map(Result::ok);
    let found = known.find(|attribute| attribute.key.local_name().into_inner() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(Cow::into_owned)
}

fn fault(error: ZipError) -> Fault {
    match error {
        // The crate has no kind of its own for a part that needs a password.
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Fault::Encrypted
        }
        _ => Fault::Broken,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    #[test]
    fn parts_in_utf_16_are_read() {
        let xml = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>";
        let units: Vec<u8> = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("a.xml", SimpleFileOptions::default()).unwrap();
        zip.write_all(&units).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let archive = ZipArchive::new(Cursor::new(&*bytes)).unwrap();
        let mut package = Package { archive, left: MAX_UNPACKED };
        assert!(package.part("a.xml").unwrap().unwrap().ends_with("<a/>"));
        assert_eq!(package.left, MAX_UNPACKED - units.len() as u64);
        assert!(package.part("b.xml").unwrap().is_none());
        package.left = 10;
        assert_eq!(package.part("a.xml"), Err(Fault::Unpacks));
    }

    #[test]
    fn xml_ends_as_it_began_and_declares_nothing() {
        let walked = |xml: &str| {
            let mut text = String::new();
            walk(xml, |node| {
                if let Node::Text(more) = node {
                    text.push_str(&more);
                }
                Ok(())
            })
            .map(|()| text)
        };
        assert_eq!(walked("<a>x &amp; &#x41;&#66;<![CDATA[<b>]]></a>").unwrap(), "x & AB<b>");
        for broken in ["<a>", "<a></b>", "<a", "<a>&#xFFFFFFFF;</a>"] {
            assert_eq!(walked(broken), Err(Fault::Broken), "{broken}");
        }
        for entities in ["<!DOCTYPE a><a/>", "<a>&other;</a>"] {
            assert_eq!(walked(entities), Err(Fault::Entities), "{entities}");
        }
    }
}
