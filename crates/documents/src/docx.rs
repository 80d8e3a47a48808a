//! DOCX: the paragraphs of its main part, and the notes below them.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::{
    Fault,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
    omitted,
    package::{Node, Package, attribute},
    relations,
};
use domain::Omitted;

/// The parts with notes: what they are to the main part, where they are if nothing says it, and what their marks begin
/// with, so that the two kinds are told apart.
const NOTES: [(&str, &str, &str); 2] =
    [("footnotes", "word/footnotes.xml", ""), ("endnotes", "word/endnotes.xml", "e")];

/// Changes that somebody has made and nobody has accepted or refused yet.
const CHANGES: [&str; 4] = ["ins", "del", "moveFrom", "moveTo"];

/// What is not the text that a reader of the document sees: what was deleted or moved away, the second of two
/// ways to show the same thing, and how things were formatted before.
const SKIPPED: [&str; 9] = [
    "del",
    "moveFrom",
    "Fallback",
    "pPrChange",
    "rPrChange",
    "sectPrChange",
    "tblPrChange",
    "numberingChange",
    "rubyPr",
];

/// Reads the text of the main part of this name, with what is not in it and how changes were taken.
pub(super) fn read(package: &mut Package<'_>, main: &str) -> Result<Extract, Fault> {
    let relations = relations::of(package, main)?;
    let part =
        |kind: &str, usual: &str| relations::first(&relations, kind).unwrap_or_else(|| usual.to_owned());
    let styles = styles(package, &part("styles", "word/styles.xml"))?;
    let mut walker = Walker::new(&styles);
    package.walk(main, |node| walker.visit(node))?;
    for (kind, usual, mark) in NOTES {
        walker.note_mark = mark;
        package.walk(&part(kind, usual), |node| walker.visit(node))?;
    }
    let mut omitted = omitted::of_docx(package, main);
    omitted.extend(walker.changed.then_some(Omitted::Changes));
    Ok(Extract { omitted, ..Extract::whole(walker.finish()?, Places::Paragraphs) })
}

/// What a paragraph is by its style or by itself; what it does not say it has from what it is based on.
#[derive(Clone, Copy, Default, Debug)]
struct Look {
    heading: Option<u8>,
    item: Option<usize>,
}

/// The styles of paragraphs, by their ids. Their names tell headings apart, in whatever language the ids are.
fn styles(package: &mut Package<'_>, part: &str) -> Result<HashMap<String, Look>, Fault> {
    let mut styles: HashMap<String, (Look, Option<String>)> = HashMap::new();
    let mut id = String::new();
    package.walk(part, |node| {
        let Node::Start(start) = node else { return Ok(()) };
        let value = || attribute(&start, "val");
        let name = start.local_name().into_inner().to_owned();
        if name == "style" {
            id = attribute(&start, "styleId").unwrap_or_default();
        }
        let style = styles.entry(id.clone()).or_default();
        match name.as_str() {
            "name" => {
                let name = value().unwrap_or_default();
                style.0.heading = style.0.heading.or(heading_of(&name));
                style.0.item = style.0.item.or(item_of(&name));
            }
            "basedOn" => style.1 = value(),
            "outlineLvl" => style.0.heading = value().and_then(|level| outline(&level)),
            "numPr" => style.0.item = style.0.item.or(Some(0)),
            "ilvl" => style.0.item = value().and_then(|level| level.parse().ok()),
            _ => {}
        }
        Ok(())
    })?;
    let resolved = |id: &String| {
        let mut look = Look::default();
        let mut next = Some(id);
        // A style that is based on itself ends here, too.
        for _ in 0..20 {
            let Some((own, base)) = next.and_then(|id| styles.get(id)) else { break };
            look.heading = look.heading.or(own.heading);
            look.item = look.item.or(own.item);
            next = base.as_ref();
        }
        (id.clone(), look)
    };
    Ok(styles.keys().map(resolved).collect())
}

/// `heading 2` and `Title`, as every language's Word names them in the file.
fn heading_of(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    name.strip_prefix("heading")?.trim().parse().ok().filter(|level| (1..=9).contains(level))
}

/// `List Bullet 2`: how many other lists an item of this style lies in. Other styles of lists say it themselves.
fn item_of(name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let rest = name.strip_prefix("list bullet").or_else(|| name.strip_prefix("list number"))?;
    let level: usize = if rest.is_empty() { 1 } else { rest.trim().parse().ok()? };
    level.checked_sub(1)
}

/// The level of an outline: 0 is the highest, 9 is text.
fn outline(level: &str) -> Option<u8> {
    level.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}

/// Goes through a part and gathers its paragraphs.
struct Walker<'a> {
    styles: &'a HashMap<String, Look>,
    blocks: Blocks,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// The paragraphs that are open: one may hold a box of text with others in it.
    paragraphs: Vec<Paragraph>,
    /// How many elements were open where the skipped one began.
    skipped_from: Option<usize>,
    /// The text of this run is not shown.
    hidden: bool,
    note_mark: &'static str,
    /// The mark of the note that begins with the next paragraph.
    note: Option<String>,
    /// There are changes that wait to be accepted.
    changed: bool,
    /// The text of a paragraph whose end was deleted: the next one goes on with it.
    joined: Option<Paragraph>,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    look: Look,
    /// The end of it was deleted.
    goes_on: bool,
}

impl<'a> Walker<'a> {
    fn new(styles: &'a HashMap<String, Look>) -> Self {
        Self {
            styles,
            blocks: Blocks::default(),
            path: Vec::new(),
            paragraphs: Vec::new(),
            skipped_from: None,
            hidden: false,
            note_mark: "",
            note: None,
            changed: false,
            joined: None,
        }
    }

    /// All of the text.
    fn finish(mut self) -> Result<String, Fault> {
        if let Some(last) = self.joined.take() {
            self.blocks.push(Form::Paragraph, &last.text)?;
        }
        self.blocks.finish()
    }

    fn visit(&mut self, node: Node<'_>) -> Result<(), Fault> {
        match node {
            Node::Start(start) => {
                let name = start.local_name().into_inner().to_owned();
                if self.skipped_from.is_none() {
                    self.changed |= CHANGES.contains(&name.as_str());
                    if SKIPPED.contains(&name.as_str()) {
                        self.skipped_from = Some(self.path.len());
                        // A deletion among what describes a paragraph is that of its end.
                        let described = self.path.iter().rev().nth(1).is_some_and(|outer| outer == "pPr");
                        if let Some(paragraph) = self.paragraphs.last_mut().filter(|_| name == "del") {
                            paragraph.goes_on |= described;
                        }
                    } else {
                        self.start(&name, &start);
                    }
                }
                self.path.push(name);
                Ok(())
            }
            Node::End => {
                let Some(name) = self.path.pop() else { return Err(Fault::Broken) };
                match self.skipped_from {
                    Some(from) if self.path.len() > from => Ok(()),
                    Some(_) => {
                        self.skipped_from = None;
                        Ok(())
                    }
                    None => self.end(&name),
                }
            }
            Node::Text(text) => {
                if self.skipped_from.is_none() && self.path.last().is_some_and(|name| name == "t") {
                    self.add(&text);
                }
                Ok(())
            }
        }
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        let value = || attribute(start, "val");
        let inside = |outer: &str| self.path.last().is_some_and(|name| name == outer);
        match name {
            "p" => self.paragraphs.push(self.joined.take().unwrap_or_default()),
            "r" => self.hidden = false,
            "tr" => self.blocks.open_row(),
            "tc" => self.blocks.open_cell(),
            "vanish" => {
                let runs = self.path.len().checked_sub(2).and_then(|at| self.path.get(at));
                if runs.is_some_and(|name| name == "r") {
                    self.hidden = !matches!(value().as_deref(), Some("0" | "false" | "off"));
                }
            }
            "tab" | "ptab" if inside("r") => self.add("\t"),
            "br" | "cr" if inside("r") => self.add(" "),
            "noBreakHyphen" if inside("r") => self.add("-"),
            "footnoteReference" | "endnoteReference" => {
                let mark = if name == "footnoteReference" { "" } else { "e" };
                if let Some(id) = attribute(start, "id") {
                    self.add(&format!("[^{mark}{id}]"));
                }
            }
            // The line above the notes is kept among them.
            "footnote" | "endnote" => {
                let text = attribute(start, "type").is_none_or(|kind| kind == "normal");
                let id = attribute(start, "id").filter(|_| text);
                self.note = id.map(|id| format!("[^{}{id}]: ", self.note_mark));
            }
            _ => {
                let Some(paragraph) = self.paragraphs.last_mut() else { return };
                let look = &mut paragraph.look;
                match name {
                    "pStyle" => {
                        let style = value().and_then(|id| self.styles.get(&id).copied());
                        // Without a list of styles the ids that Word itself gives have to do.
                        let named = || value().and_then(|id| heading_of(&id));
                        let style = style.unwrap_or_else(|| Look { heading: named(), item: None });
                        *look =
                            Look { heading: look.heading.or(style.heading), item: look.item.or(style.item) };
                    }
                    "outlineLvl" => look.heading = value().and_then(|level| outline(&level)),
                    "numPr" => look.item = Some(look.item.unwrap_or(0)),
                    "ilvl" => look.item = value().and_then(|level| level.parse().ok()),
                    "numId" if value().as_deref() == Some("0") => look.item = None,
                    _ => {}
                }
            }
        }
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        match name {
            "p" => {
                let Some(paragraph) = self.paragraphs.pop() else { return Ok(()) };
                if paragraph.goes_on {
                    self.joined = Some(Paragraph { text: paragraph.text, ..Paragraph::default() });
                    return Ok(());
                }
                let form = match paragraph.look {
                    Look { heading: Some(level), .. } => Form::Heading(level),
                    Look { item: Some(depth), .. } => Form::Item(depth),
                    _ => Form::Paragraph,
                };
                match self.note.take() {
                    Some(mark) => {
                        self.blocks.push(Form::Paragraph, &format!("{mark}{}", paragraph.text.trim()))
                    }
                    None => self.blocks.push(form, &paragraph.text),
                }
            }
            "tr" => self.blocks.close_row(),
            _ => Ok(()),
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut().filter(|_| !self.hidden) {
            paragraph.text.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Fault,
        archive::tests::{omitted_of, text_of},
    };
    use domain::Omitted;

    fn document(body: &str) -> String {
        format!("<w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>{body}</w:body></w:document>")
    }

    fn paragraph(properties: &str, text: &str) -> String {
        format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
    }

    fn read(body: &str) -> String {
        text_of(&[("word/document.xml", &document(body))]).unwrap()
    }

    #[test]
    fn styles_say_what_is_a_heading_in_every_language() {
        let styles = r#"<w:styles xmlns:w="w">
            <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
            <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>
            <w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
            <w:style w:styleId="Liste"><w:name w:val="List Paragraph"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>
            <w:style w:styleId="Gross"><w:name w:val="Large"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
        </w:styles>"#;
        let body: String = ["berschrift2", "Mine", "Loop", "Liste", "Gross", "Heading4", "None"]
            .map(|style| paragraph(&format!("<w:pStyle w:val=\"{style}\"/>"), style))
            .concat();
        let text = text_of(&[("word/styles.xml", styles), ("word/document.xml", &document(&body))]).unwrap();
        assert_eq!(
            text,
            "## berschrift2\n\n## Mine\n\nLoop\n\n  - Liste\n\n### Gross\n\n#### Heading4\n\nNone"
        );
    }

    #[test]
    fn a_paragraph_is_what_a_reader_sees_of_it() {
        let changed = "<w:p><w:r><w:t>We open in </w:t></w:r><w:del><w:r><w:delText>May</w:delText><w:t>May</w:t></w:r></w:del>\
            <w:moveFrom><w:r><w:t>March</w:t></w:r></w:moveFrom><w:ins><w:r><w:t>June</w:t></w:r></w:ins>\
            <w:r><w:rPr><w:vanish/></w:rPr><w:t> secretly</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>.</w:t></w:r></w:p>";
        assert_eq!(read(changed), "We open in June.");
        let marks = "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>\
            <w:noBreakHyphen/><w:t>d</w:t><w:instrText>PAGE</w:instrText></w:r></w:p>";
        assert_eq!(read(marks), "a\tb c-d");
    }

    #[test]
    fn of_tracked_changes_the_text_as_it_stands_is_read_and_that_they_wait_is_told() {
        let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
        let gone =
            "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr><w:r><w:t>We open </w:t></w:r></w:p>";
        let body =
            format!("{gone}<w:p><w:ins>{}</w:ins></w:p><w:p>{}</w:p>", run("in June."), run("So be it."));
        assert_eq!(read(&body), "We open in June.\n\nSo be it.");
        assert_eq!(omitted_of(&[("word/document.xml", &document(&body))]), [Omitted::Changes]);
        let last = format!("<w:p>{}</w:p>{gone}", run("First."));
        assert_eq!(read(&last), "First.\n\nWe open");
        assert_eq!(omitted_of(&[("word/document.xml", &document(&paragraph("", "a")))]), []);
    }

    #[test]
    fn the_main_part_is_the_one_that_the_package_names() {
        let relation = |kind: &str, target: &str| {
            format!(
                "<Relationships><Relationship Id=\"r1\" Type=\"http://x/{kind}\" Target=\"{target}\"/></Relationships>"
            )
        };
        let main = document(&paragraph("<w:pStyle w:val=\"T\"/>", "Plan"));
        let styles = "<w:styles><w:style w:styleId=\"T\"><w:name w:val=\"Title\"/></w:style></w:styles>";
        let text = text_of(&[
            ("_rels/.rels", &relation("officeDocument", "/word/document22.xml")),
            ("word/document22.xml", &main),
            ("word/_rels/document22.xml.rels", &relation("styles", "styles22.xml")),
            ("word/styles22.xml", styles),
        ]);
        assert_eq!(text.unwrap(), "# Plan");
        let types = "<Types><Override PartName=\"/a/b.xml\" ContentType=\"application/x.document.main+xml\"/></Types>";
        assert_eq!(text_of(&[("[Content_Types].xml", types), ("a/b.xml", &main)]).unwrap(), "Plan");
        let outside =
            relation("officeDocument", "file:///etc/hostname").replace("Id=", "TargetMode=\"External\" Id=");
        let fallback = [("_rels/.rels", outside.as_str()), ("word/document.xml", &main)];
        assert_eq!(text_of(&fallback).unwrap(), "Plan");
    }

    #[test]
    fn a_box_of_text_is_read_once() {
        let text_box = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", paragraph("", text));
        let body = format!(
            "<w:p><w:r><w:t>around</w:t><mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:r></w:p>",
            text_box("inside"),
            text_box("inside")
        );
        assert_eq!(read(&body), "inside\n\naround");
    }

    #[test]
    fn lists_tables_and_notes() {
        let item = |depth: u8, text: &str| {
            paragraph(&format!("<w:numPr><w:ilvl w:val=\"{depth}\"/><w:numId w:val=\"3\"/></w:numPr>"), text)
        };
        let none = paragraph("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"0\"/></w:numPr>", "no item");
        let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
        let noted = "<w:p><w:r><w:t>Noted</w:t><w:footnoteReference w:id=\"2\"/><w:endnoteReference w:id=\"1\"/></w:r></w:p>";
        let body = format!(
            "{}{}{none}<w:tbl><w:tr>{}{}</w:tr></w:tbl>{noted}",
            item(0, "one"),
            item(1, "two"),
            cell("a"),
            cell("b")
        );
        let part = |name: &str, id: u8| {
            format!(
                "<w:{name}s xmlns:w=\"w\"><w:{name} w:type=\"separator\" w:id=\"0\"><w:p/></w:{name}><w:{name} w:id=\"{id}\">{}</w:{name}></w:{name}s>",
                paragraph("", &format!(" A {name}."))
            )
        };
        let text = text_of(&[
            ("word/document.xml", &document(&body)),
            ("word/footnotes.xml", &part("footnote", 2)),
            ("word/endnotes.xml", &part("endnote", 1)),
        ]);
        assert_eq!(
            text.unwrap(),
            "- one\n  - two\n\nno item\n\na | b\n\nNoted[^2][^e1]\n\n[^2]: A footnote.\n\n[^e1]: A endnote."
        );
    }

    #[test]
    fn it_stops_where_there_is_too_much() {
        let body = paragraph("", &"word ".repeat(1_000)).repeat(300);
        assert_eq!(text_of(&[("word/document.xml", &document(&body))]), Err(Fault::TooMuchText));
    }
}
