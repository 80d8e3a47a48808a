//! The parts of a ZIP archive of XML, unpacked no further than the limit, and no further than they are read.

use std::{
    borrow::Cow,
    cell::Cell,
    collections::HashMap,
    io::{self, BufRead, BufReader, Cursor, Read},
    ops::ControlFlow,
};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use zip::{ZipArchive, result::ZipError};

use super::{Fault, MAX_TEXT, MAX_UNPACKED, text};

/// Longest tag, and longest text between two tags, in bytes; longer ones are no document's.
const LONGEST: usize = 4 * MAX_TEXT;

/// So many bytes without the beginning of a tag are never held at once, which an XML reader would do.
const HELD: usize = 16 * MAX_TEXT;

/// An archive whose parts are read one after the other.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Where the parts are by their names, which differ in more than capitals and slashes.
    parts: HashMap<String, usize>,
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

/// Whether the walk through a part goes on.
pub(super) type Walked = Result<ControlFlow<()>, Fault>;

impl<'a> Package<'a> {
    /// Of these bytes, of which nothing is unpacked yet.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Fault> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(fault)?;
        let mut package = Self { archive, parts: HashMap::new(), left: MAX_UNPACKED };
        let numbered = (0..).zip(package.archive.file_names());
        let named = numbered.filter_map(|(at, name)| Some((plain(&name.ok()?), at)));
        package.parts = named.collect();
        Ok(package)
    }

    /// Whether there is a part of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&plain(name))
    }

    /// The names of all parts that have one in letters, in small ones.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.keys().map(String::as_str)
    }

    /// A part as text, if there is one of this name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let mut bytes = Vec::new();
        let found = self.unpack(name, |part| part.read_to_end(&mut bytes).map_err(|_| Fault::Broken))?;
        // XML and the small parts beside it are UTF-8, or UTF-16 with its mark.
        found.map(|_| text::decode(&bytes).map_err(|_| Fault::Broken)).transpose()
    }

    /// Walks through a part as [`walk`] does; false where there is none of this name.
    pub(super) fn walk(
        &mut self,
        name: &str,
        mut visit: impl FnMut(Node<'_>) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        self.walk_until(name, |node| visit(node).map(ControlFlow::Continue))
    }

    /// The same, as long as it is to go on; what follows is not unpacked.
    pub(super) fn walk_until(
        &mut self,
        name: &str,
        visit: impl FnMut(Node<'_>) -> Walked,
    ) -> Result<bool, Fault> {
        let found = self.unpack(name, |part| {
            let mark: [u8; 2] = match part.fill_buf().map_err(|_| Fault::Broken)? {
                [first, second, ..] => [*first, *second],
                _ => [0; 2],
            };
            if matches!(mark, [0xff, 0xfe] | [0xfe, 0xff]) {
                let mut bytes = Vec::new();
                part.read_to_end(&mut bytes).map_err(|_| Fault::Broken)?;
                let text = text::decode(&bytes).map_err(|_| Fault::Broken)?;
                drop(bytes);
                return events(Reader::from_reader(text.as_bytes()), visit);
            }
            if mark == [0xef, 0xbb] {
                part.consume(3);
            }
            events(Reader::from_reader(part), visit)
        })?;
        Ok(found.is_some())
    }

    /// What is made of a part as it is unpacked, if there is one of this name.
    fn unpack<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn BufRead) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let Some(&at) = self.parts.get(&plain(name)) else { return Ok(None) };
        let part = self.archive.by_index(at).map_err(fault)?;
        let (left, fault) = (Cell::new(self.left), Cell::new(None));
        let counted = Counted { part, left: &left, fault: &fault, run: 0 };
        let result = read(&mut BufReader::with_capacity(65_536, counted));
        self.left = left.get();
        fault.get().map_or(result.map(Some), Err)
    }
}

/// A part that ends with an error where too much was unpacked, or where too much of it is one piece.
struct Counted<'a, R> {
    part: R,
    left: &'a Cell<u64>,
    fault: &'a Cell<Option<Fault>>,
    /// Bytes since a tag began.
    run: usize,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.part.read(buffer)?;
            let Some(left) = self.left.get().checked_sub(read as u64) else {
                self.fault.set(Some(Fault::Unpacks));
                return Err(io::ErrorKind::FileTooLarge.into());
            };
            self.left.set(left);
            let since = buffer.iter().take(read).rev().position(|&byte| byte == b'<');
            self.run = since.unwrap_or_else(|| self.run.saturating_add(read));
            if self.run <= HELD {
                return Ok(read);
            }
            // The rest is only counted, so that whoever gave it is told what is so.
            if read == 0 {
                self.fault.set(Some(Fault::TooMuchText));
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
    }
}

/// A part's name as names are compared (Open Packaging Conventions, "Part Naming"; some programs write backslashes).
fn plain(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// Walks through an XML part from its first element to its last. Entities are not declared in a document that an
/// office program wrote; where they are, nothing of it is read.
#[cfg(test)]
fn walk(xml: &str, mut visit: impl FnMut(Node<'_>) -> Result<(), Fault>) -> Result<(), Fault> {
    events(Reader::from_reader(xml.as_bytes()), |node| visit(node).map(ControlFlow::Continue))
}

fn events<R: BufRead>(mut reader: Reader<R>, mut visit: impl FnMut(Node<'_>) -> Walked) -> Result<(), Fault> {
    reader.config_mut().expand_empty_elements = true;
    let mut open = 0_usize;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let walked = match reader.read_event_into(&mut buffer).map_err(|_| Fault::Broken)? {
            Event::Start(start) if start.len() > LONGEST => return Err(Fault::Broken),
            Event::Start(start) => {
                open += 1;
                visit(Node::Start(start))?
            }
            Event::End(_) => {
                open = open.saturating_sub(1);
                visit(Node::End)?
            }
            Event::Text(text) if text.len() > LONGEST => match text.trim_ascii() {
                "" => ControlFlow::Continue(()),
                _ => return Err(Fault::TooMuchText),
            },
            Event::Text(text) => visit(Node::Text(text.xml10_content().into_owned()))?,
            Event::CData(text) if text.len() > LONGEST => return Err(Fault::TooMuchText),
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
                visit(Node::Text(character.to_string()))?
            }
            Event::DocType(_) => return Err(Fault::Entities),
            Event::Eof if open > 0 => return Err(Fault::Broken),
            Event::Eof => return Ok(()),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => ControlFlow::Continue(()),
        };
        if walked.is_break() {
            return Ok(());
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

/// The name of an element without its prefix.
pub(super) fn local<'a>(element: &'a BytesStart<'_>) -> &'a str {
    element.local_name().into_inner()
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

    fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn parts_in_utf_16_are_read() {
        let xml = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>";
        let units: Vec<u8> = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let bytes = zipped("a.xml", &units);
        let mut package = Package::open(&bytes).unwrap();
        assert!(package.part("a.xml").unwrap().unwrap().ends_with("<a/>"));
        assert_eq!(package.left, MAX_UNPACKED - units.len() as u64);
        let mut names = Vec::new();
        let mut name = |node: Node<'_>| {
            if let Node::Start(start) = node {
                names.push(local(&start).to_owned());
            }
            Ok(())
        };
        assert_eq!(package.walk("a.xml", &mut name), Ok(true));
        assert_eq!(package.walk("b.xml", &mut name), Ok(false));
        assert_eq!(names, ["a"]);
        assert!(package.part("b.xml").unwrap().is_none());
        package.left = 10;
        assert_eq!(package.part("a.xml"), Err(Fault::Unpacks));
        assert_eq!(package.walk("a.xml", |_| Ok(())), Err(Fault::Unpacks));
    }

    #[test]
    fn names_are_compared_as_programs_write_them() {
        let bytes = zipped("Word\\Document.xml", b"\xef\xbb\xbf<a/>");
        let mut package = Package::open(&bytes).unwrap();
        assert!(package.has("word/document.xml") && package.has("/word/document.xml"));
        assert_eq!(package.walk("word/document.xml", |_| Ok(())), Ok(true));
    }

    #[test]
    fn what_is_not_read_is_not_unpacked() {
        let large = format!("<a><b/>{}</a>", "<c>text</c>".repeat(200_000));
        let bytes = zipped("a.xml", large.as_bytes());
        let mut package = Package::open(&bytes).unwrap();
        let walked = package.walk_until("a.xml", |node| match node {
            Node::Start(start) if local(&start) == "b" => Ok(ControlFlow::Break(())),
            _ => Ok(ControlFlow::Continue(())),
        });
        assert_eq!(walked, Ok(true));
        assert!(MAX_UNPACKED - package.left <= 65_536, "{}", package.left);
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
        let long = |letter: &str| format!("<a>{}</a>", letter.repeat(LONGEST + 1));
        assert_eq!(walked(&long("a")), Err(Fault::TooMuchText));
        assert_eq!(walked(&long(" ")).unwrap(), "");
    }
}
