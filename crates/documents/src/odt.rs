//! ODT: the paragraphs of its content, and the notes below them.

use std::collections::HashSet;

use quick_xml::events::BytesStart;

use super::{
    Fault,
    blocks::{Blocks, Form},
    omitted,
    package::{Node, Package, attribute},
};
use domain::Omitted;

/// What is not the text that a reader of the document sees: what was deleted, remarks at the edge, the number of
/// a note (it gets a mark of its own) and what only describes a picture.
const SKIPPED: [&str; 7] = [
    "text:tracked-changes",
    "office:annotation",
    "text:note-citation",
    "svg:title",
    "svg:desc",
    "text:hidden-text",
    "office:forms",
];

/// Reads the text, with what is not in it.
pub(super) fn read(package: &mut Package<'_>) -> Result<(String, Vec<Omitted>), Fault> {
    if package.part("META-INF/manifest.xml")?.is_some_and(|manifest| manifest.contains(":encryption-data")) {
        return Err(Fault::Encrypted);
    }
    let mut walker = Walker::default();
    if !package.walk("content.xml", |node| walker.visit(node))? {
        return Err(Fault::Broken);
    }
    for (number, note) in walker.notes.iter().enumerate() {
        walker.blocks.push(Form::Paragraph, &format!("[^{}]: {note}", number + 1))?;
    }
    let mut omitted = omitted::of_odt(package, walker.remarks);
    omitted.extend(walker.changed.then_some(Omitted::Changes));
    Ok((walker.blocks.finish()?, omitted))
}

/// Goes through the content and gathers its paragraphs.
#[derive(Default)]
struct Walker {
    blocks: Blocks,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// The paragraphs that are open: one may hold a note or a box of text with others in it.
    paragraphs: Vec<(Form, String)>,
    /// How many elements were open where the skipped one began.
    skipped_from: Option<usize>,
    /// Lists that are open.
    lists: usize,
    /// An item of a list has begun whose first paragraph is to come.
    item: bool,
    /// How many notes are open.
    in_notes: usize,
    notes: Vec<String>,
    /// Styles made for this document that are the title's.
    titles: HashSet<String>,
    /// There are remarks at the edge.
    remarks: bool,
    /// There are changes that wait to be accepted.
    changed: bool,
}

impl Walker {
    fn visit(&mut self, node: Node<'_>) -> Result<(), Fault> {
        match node {
            Node::Start(start) => {
                let name = start.name().into_inner().to_owned();
                if self.skipped_from.is_none() {
                    self.remarks |= name == "office:annotation";
                    self.changed |= name.starts_with("text:change");
                    if SKIPPED.contains(&name.as_str()) {
                        self.skipped_from = Some(self.path.len());
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
                if self.skipped_from.is_none() {
                    self.add_collapsed(&text);
                }
                Ok(())
            }
        }
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "style:style"
                if attribute(start, "parent-style-name").is_some_and(|parent| parent == "Title") =>
            {
                self.titles.extend(attribute(start, "name"));
            }
            "text:h" => {
                let level = attribute(start, "outline-level").and_then(|level| level.parse().ok());
                self.paragraphs.push((Form::Heading(level.unwrap_or(1)), String::new()));
            }
            "text:p" => {
                let style = attribute(start, "style-name").unwrap_or_default();
                let form = if style == "Title" || self.titles.contains(&style) {
                    Form::Heading(1)
                } else if self.item {
                    Form::Item(self.lists.saturating_sub(1))
                } else {
                    Form::Paragraph
                };
                self.item = false;
                self.paragraphs.push((form, String::new()));
            }
            "text:list" => self.lists += 1,
            "text:list-item" => self.item = true,
            "table:table-row" => self.blocks.open_row(),
            "table:table-cell" | "table:covered-table-cell" => self.blocks.open_cell(),
            "text:tab" => self.add("\t"),
            "text:line-break" => self.add(" "),
            "text:s" => {
                let count = attribute(start, "c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                self.add(&" ".repeat(count.min(100)));
            }
            "text:note" => {
                self.in_notes += 1;
                self.notes.push(String::new());
                let mark = format!("[^{}]", self.notes.len());
                self.add(&mark);
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        match name {
            "text:p" | "text:h" => {
                let Some((form, text)) = self.paragraphs.pop() else { return Ok(()) };
                match self.notes.last_mut() {
                    Some(note) if self.in_notes > 0 => {
                        note.push_str(if note.is_empty() { "" } else { " " });
                        note.push_str(text.trim());
                        Ok(())
                    }
                    _ => self.blocks.push(form, &text),
                }
            }
            "text:list" => {
                self.lists = self.lists.saturating_sub(1);
                Ok(())
            }
            "text:list-item" => {
                self.item = false;
                Ok(())
            }
            "text:note" => {
                self.in_notes = self.in_notes.saturating_sub(1);
                Ok(())
            }
            "table:table-row" => self.blocks.close_row(),
            _ => Ok(()),
        }
    }

    /// Characters as they stand in the file, where white space of any length is one space.
    fn add_collapsed(&mut self, text: &str) {
        let Some((_, paragraph)) = self.paragraphs.last_mut() else { return };
        for c in text.chars() {
            if !c.is_ascii_whitespace() {
                paragraph.push(c);
            } else if !paragraph.ends_with([' ', '\t']) {
                paragraph.push(' ');
            }
        }
    }

    fn add(&mut self, text: &str) {
        if let Some((_, paragraph)) = self.paragraphs.last_mut() {
            paragraph.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fault, archive::tests::text_of};

    fn read(content: &str) -> Result<String, Fault> {
        let xml = format!(
            "<office:document-content><office:automatic-styles><style:style style:name=\"P1\" style:parent-style-name=\"Title\"/>\
             </office:automatic-styles><office:body>{content}</office:body></office:document-content>"
        );
        text_of(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &xml)])
    }

    #[test]
    fn a_paragraph_is_what_a_reader_sees_of_it() {
        let content = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\
            <text:p text:style-name=\"P1\">Plan</text:p><text:h text:outline-level=\"2\">Costs</text:h>\
            <text:p>We  <text:span>open</text:span>\n in<text:s text:c=\"2\"/>May<text:tab/>or<text:line-break/>June\
            <office:annotation><text:p>really?</text:p></office:annotation>\
            <text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p><text:p>Its end.</text:p></text:note-body></text:note>.</text:p>\
            <text:p><draw:frame><svg:title>a</svg:title><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame></text:p>";
        assert_eq!(
            read(content).unwrap(),
            "# Plan\n\n## Costs\n\nWe open in  May\tor June[^1].\n\nIn a box\n\n[^1]: A note. Its end."
        );
    }

    #[test]
    fn lists_and_tables() {
        let content = "<text:list><text:list-header><text:p>Who</text:p></text:list-header>\
            <text:list-item><text:p>one</text:p><text:p>more of it</text:p>\
            <text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>\
            <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:covered-table-cell/>\
            <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>";
        assert_eq!(read(content).unwrap(), "Who\n\n- one\n\nmore of it\n\n  - two\n\na |  | b");
    }
}
