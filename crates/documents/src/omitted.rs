//! What of an office document is not read, so that it can be said: pictures, what stands above and below every page,
//! and remarks. A part that cannot be read counts as one with something in it.

use std::ops::ControlFlow;

use super::package::{Node, Package};
use domain::Omitted;

/// Of a DOCX, with its main part.
pub(super) fn of_docx(package: &mut Package<'_>, main: &str) -> Vec<Omitted> {
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder).to_lowercase();
    let in_folder = |start: &str| -> Vec<String> {
        let start = format!("{folder}/{start}");
        let names = package.names().filter(|name| name.starts_with(start.trim_start_matches('/')));
        names.map(str::to_owned).collect()
    };
    let margins = [in_folder("header"), in_folder("footer")].concat();
    let (pictures, charts) = (in_folder("media/"), !in_folder("charts/").is_empty());
    found([
        (!pictures.is_empty(), Omitted::Pictures),
        (margins.iter().any(|part| says(package, part, |_| true)), Omitted::HeadersAndFooters),
        (charts, Omitted::Charts),
    ])
}

/// Of an ODT.
pub(super) fn of_odt(package: &mut Package<'_>) -> Vec<Omitted> {
    let pictures = package.names().any(|name| name.starts_with("pictures/"));
    let margins = says(package, "styles.xml", |path| {
        path.iter().any(|name| name.starts_with("style:header") || name.starts_with("style:footer"))
    });
    found([(pictures, Omitted::Pictures), (margins, Omitted::HeadersAndFooters)])
}

/// Of slides or sheets, whose folder this is.
pub(super) fn of_office(package: &Package<'_>, folder: &str) -> Vec<Omitted> {
    let has = |part: &str| package.names().any(|name| name.starts_with(&format!("{folder}/{part}")));
    found([
        (has("media/"), Omitted::Pictures),
        (has("charts/"), Omitted::Charts),
        (has("comments") || has("threadedcomments"), Omitted::Comments),
    ])
}

fn found<const N: usize>(all: [(bool, Omitted); N]) -> Vec<Omitted> {
    all.into_iter().filter(|(there, _)| *there).map(|(_, what)| what).collect()
}

/// Whether a part has letters in it, within elements that count; fields, such as the number of a page, have none.
fn says(package: &mut Package<'_>, part: &str, counts: impl Fn(&[String]) -> bool) -> bool {
    let (mut path, mut says) = (Vec::<String>::new(), false);
    let walked = package.walk_until(part, |node| {
        match node {
            Node::Start(start) => path.push(start.name().into_inner().to_owned()),
            Node::End => drop(path.pop()),
            Node::Text(text) => {
                let field = path.last().is_some_and(|name| name == "w:instrText");
                says |= !field && counts(&path) && text.chars().any(char::is_alphabetic);
            }
        }
        Ok(if says { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    says || walked.is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::omitted_of;

    const BODY: &str = "<w:document><w:body><w:p><w:r><w:t>Plan</w:t></w:r></w:p></w:body></w:document>";

    fn part(text: &str) -> String {
        format!("<w:hdr><w:p><w:r>{text}</w:r></w:p></w:hdr>")
    }

    #[test]
    fn what_a_docx_has_beside_its_text_is_named() {
        let body = ("word/document.xml", BODY);
        assert_eq!(omitted_of(&[body]), []);
        let (said, number) = (part("<w:t>Secret</w:t>"), part("<w:instrText>PAGE</w:instrText><w:t>3</w:t>"));
        assert_eq!(omitted_of(&[body, ("word/footer1.xml", &number)]), [], "a page's number says nothing");
        assert_eq!(omitted_of(&[body, ("word/header2.xml", &said)]), [Omitted::HeadersAndFooters]);
        assert_eq!(omitted_of(&[body, ("word/header2.xml", "<broken")]), [Omitted::HeadersAndFooters]);
        assert_eq!(omitted_of(&[body, ("word/media/image1.png", "\u{89}")]), [Omitted::Pictures]);
    }

    #[test]
    fn what_an_odt_has_beside_its_text_is_named() {
        let kind = ("mimetype", "application/vnd.oasis.opendocument.text");
        let content = |inside: &str| {
            format!("<office:document-content><text:p>Plan{inside}</text:p></office:document-content>")
        };
        assert_eq!(omitted_of(&[kind, ("content.xml", &content(""))]), []);
        let noted = content("<office:annotation office:name=\"a\"><text:p>Why?</text:p></office:annotation>");
        assert_eq!(omitted_of(&[kind, ("content.xml", &noted)]), [], "comments are read");
        let styles =
            "<s><style:style>Name</style:style><style:footer><text:p>Draft</text:p></style:footer></s>";
        let all = omitted_of(&[
            kind,
            ("content.xml", &content("")),
            ("styles.xml", styles),
            ("Pictures/a.png", ""),
        ]);
        assert_eq!(all, [Omitted::Pictures, Omitted::HeadersAndFooters]);
        let plain = "<s><style:style>Name</style:style></s>";
        assert_eq!(omitted_of(&[kind, ("content.xml", &content("")), ("styles.xml", plain)]), []);
    }
}
