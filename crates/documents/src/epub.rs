//! EPUB: the pages of a book in the order in which they are read, each as any other page is; its chapters by their headings.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use super::{
    Fault, MAX_TEXT,
    extract::{Extract, MAX_PARTS, Places, name_of},
    html,
    package::{Node, Package, attribute, local},
    relations::resolved,
};
use domain::{Landmark, Omitted, Unit};

/// Where every book says which part lists the others.
const CONTAINER: &str = "META-INF/container.xml";

/// Whether an archive is a book, even if it does not say so in the place where it should.
pub(super) fn is_one(package: &Package<'_>) -> bool {
    package.has(CONTAINER)
}

/// Reads the pages of a book.
pub(super) fn read(package: &mut Package<'_>) -> Result<Extract, Fault> {
    let mut root = None;
    package.walk(CONTAINER, |node| {
        if let Node::Start(start) = node
            && local(&start) == "rootfile"
        {
            root = root.take().or(attribute(&start, "full-path"));
        }
        Ok(())
    })?;
    let root = root.ok_or(Fault::Broken)?;
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut items, mut order, mut pictures) = (HashMap::new(), Vec::new(), false);
    let listed = package.walk(&root, |node| {
        let Node::Start(start) = node else { return Ok(()) };
        let value = |name| attribute(&start, name).unwrap_or_default();
        match local(&start) {
            "item" => {
                let kind = value("media-type");
                pictures |= kind.starts_with("image/");
                if kind.contains("html") {
                    items.insert(value("id"), resolved(folder, &unescaped(&value("href"))));
                }
            }
            "itemref" => order.push(value("idref")),
            _ => {}
        }
        Ok(())
    })?;
    let pages: Vec<&String> = order.iter().filter_map(|id| items.get(id)).collect();
    if !listed || order.is_empty() {
        return Err(Fault::Broken);
    }
    if pages.is_empty() {
        // A book of pictures, such as a comic.
        return Err(Fault::Scanned);
    }
    let locked = locked(package)?;
    if pages.iter().any(|page| locked.contains(page)) {
        return Err(Fault::Encrypted);
    }
    let mut text = String::new();
    for page in pages {
        let Some(page) = package.part(page)? else { continue };
        let page = html::read_xml(&page)?.text;
        if !text.is_empty() && !page.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(page.trim_end());
        if text.len() > MAX_TEXT {
            return Err(Fault::TooMuchText);
        }
    }
    let places = Places::Parts(Unit::Paragraph, chapters(&text));
    let omitted = pictures.then_some(Omitted::Pictures).into_iter().collect();
    Ok(Extract { omitted, ..Extract::whole(text, places) })
}

/// The parts that open with a key only. Fonts are often made unreadable in the same way.
fn locked(package: &mut Package<'_>) -> Result<Vec<String>, Fault> {
    let mut locked = Vec::new();
    package.walk("META-INF/encryption.xml", |node| {
        if let Node::Start(start) = node
            && local(&start) == "CipherReference"
        {
            locked.extend(attribute(&start, "URI").map(|name| resolved("", &unescaped(&name))));
        }
        Ok(())
    })?;
    Ok(locked)
}

/// Where chapters begin: at the two strongest headings.
fn chapters(text: &str) -> Vec<(usize, Landmark)> {
    let mut chapters = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let title = line.strip_prefix("# ").or_else(|| line.strip_prefix("## "));
        if let Some(title) = title.map(name_of).filter(|title| !title.is_empty())
            && chapters.len() < MAX_PARTS
        {
            chapters.push((at, Landmark::Chapter(title)));
        }
        at += line.len();
    }
    chapters
}

/// A part's name as a link writes it, with `%20` for a space, and without the place in the part.
fn unescaped(link: &str) -> String {
    let link = link.split('#').next().unwrap_or_default();
    percent_decode_str(link).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::extract_of;

    const PLACE: (&str, &str) =
        (CONTAINER, "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>");

    const BOOK: &str = "<package><manifest>\
        <item id=\"b\" href=\"two%20parts.xhtml#start\" media-type=\"application/xhtml+xml\"/><item id=\"a\" href=\"text/a.xhtml\" media-type=\"application/xhtml+xml\"/>\
        <item id=\"p\" href=\"p.png\" media-type=\"image/png\"/><item id=\"f\" href=\"f.otf\" media-type=\"font/otf\"/></manifest>\
        <spine><itemref idref=\"a\"/><itemref idref=\"b\"/><itemref idref=\"gone\"/></spine></package>";

    fn page(body: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/><script src=\"a.js\"/></head><body>{body}</body></html>"
        )
    }

    fn book(with: &[(&str, &str)]) -> Result<Extract, Fault> {
        let (first, second) = (
            page("<h1>Plan</h1><p>We open<a id=\"x\"/> in May.</p>"),
            page("<p>And so on.</p><h2>Costs</h2><p>Rent&#160;&amp; more.</p>"),
        );
        let mut parts = vec![
            ("mimetype", "application/epub+zip"),
            PLACE,
            ("OEBPS/book.opf", BOOK),
            ("OEBPS/text/a.xhtml", &first),
            ("OEBPS/two parts.xhtml", &second),
        ];
        parts.extend(with);
        extract_of(&parts)
    }

    #[test]
    fn pages_are_read_in_the_order_of_the_book_and_headings_are_its_chapters() {
        let extract = book(&[]).unwrap();
        assert_eq!(extract.text, "# Plan\n\nWe open in May.\n\nAnd so on.\n\n## Costs\n\nRent & more.");
        assert_eq!(extract.omitted, [Omitted::Pictures]);
        let document = extract.into_document("book.epub".into(), String::new());
        let start = document.text.find("Rent").unwrap();
        let place = document.place(domain::Span { start, end: start + 4 });
        assert_eq!(place.to_string(), "“Costs”, paragraph 2");
    }

    #[test]
    fn a_locked_book_is_not_read_and_one_with_locked_fonts_is() {
        let locked = |name: &str| {
            format!(
                "<encryption><EncryptedData><CipherData><CipherReference URI=\"{name}\"/></CipherData></EncryptedData></encryption>"
            )
        };
        let name = "META-INF/encryption.xml";
        assert_eq!(book(&[(name, &locked("OEBPS/two%20parts.xhtml"))]), Err(Fault::Encrypted));
        assert!(book(&[(name, &locked("OEBPS/f.otf"))]).is_ok());
    }

    #[test]
    fn what_is_no_book_is_broken() {
        for parts in [
            &[PLACE][..],
            &[("mimetype", "application/epub+zip")],
            &[PLACE, ("OEBPS/book.opf", "<package/>")],
        ] {
            assert_eq!(extract_of(parts), Err(Fault::Broken));
        }
    }
}
