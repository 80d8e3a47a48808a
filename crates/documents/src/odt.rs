//! ODT: the paragraphs of its content, and the notes below them.

use std::collections::{HashMap, HashSet};

use quick_xml::events::BytesStart;

use super::{
    Fault,
    blocks::{Blocks, Form},
    levels::{Level, Line, Set},
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

/// Most styles that are kept.
const STYLES: usize = 10_000;

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
    paragraphs: Vec<(Form, Line)>,
    /// How letters of each style are set, the style that is described, and what holds for each span that is open.
    styles: HashMap<String, Set>,
    style: String,
    spans: Vec<Set>,
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
            "style:style" => {
                self.style = attribute(start, "name").unwrap_or_default();
                if attribute(start, "parent-style-name").is_some_and(|parent| parent == "Title") {
                    self.titles.insert(self.style.clone());
                }
            }
            "style:text-properties" if self.styles.len() < STYLES => {
                let position = attribute(start, "text-position").unwrap_or_default();
                let level = match position.split_whitespace().next() {
                    Some("super") => Level::Raised,
                    Some("sub") => Level::Lowered,
                    Some(share) if share.starts_with('-') => Level::Lowered,
                    Some(share) if !share.starts_with('0') => Level::Raised,
                    _ => Level::On,
                };
                let struck = attribute(start, "text-line-through-style").is_some_and(|style| style != "none");
                self.styles.insert(self.style.clone(), Set { level, struck });
            }
            "text:span" => {
                let outer = self.spans.last().copied().unwrap_or_default();
                let style = attribute(start, "style-name").unwrap_or_default();
                let own = self.styles.get(&style).copied().unwrap_or_default();
                let level = if own.level == Level::On { outer.level } else { own.level };
                self.spans.push(Set { level, struck: own.struck || outer.struck });
            }
            "text:h" => {
                let level = attribute(start, "outline-level").and_then(|level| level.parse().ok());
                self.paragraphs.push((Form::Heading(level.unwrap_or(1)), Line::default()));
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
                self.paragraphs.push((form, Line::default()));
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
                if let Some((_, line)) = self.paragraphs.last_mut() {
                    line.add(Set::default(), &mark);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        match name {
            "text:p" | "text:h" => {
                let Some((form, mut line)) = self.paragraphs.pop() else { return Ok(()) };
                let text = line.take();
                match self.notes.last_mut() {
                    Some(note) if self.in_notes > 0 => {
                        note.push_str(if note.is_empty() { "" } else { " " });
                        note.push_str(text.trim());
                        Ok(())
                    }
                    _ => self.blocks.push(form, &text),
                }
            }
            "text:span" => {
                self.spans.pop();
                Ok(())
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
        let Some((_, line)) = self.paragraphs.last_mut() else { return };
        let mut spaced = line.ends_with_space();
        let mut collapsed = String::with_capacity(text.len());
        for c in text.chars() {
            let space = c.is_ascii_whitespace();
            if !(space && spaced) {
                collapsed.push(if space { ' ' } else { c });
            }
            spaced = space;
        }
        line.add(self.spans.last().copied().unwrap_or_default(), &collapsed);
    }

    fn add(&mut self, text: &str) {
        if let Some((_, line)) = self.paragraphs.last_mut() {
            line.add(self.spans.last().copied().unwrap_or_default(), text);
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
    fn what_is_raised_or_struck_keeps_its_meaning() {
        let style = |name: &str, how: &str| {
            format!("<style:style style:name=\"{name}\"><style:text-properties {how}/></style:style>")
        };
        let styles = [
            style("T1", "style:text-position=\"super 58%\""),
            style("T2", "style:text-position=\"-33% 58%\""),
            style("T3", "style:text-line-through-style=\"solid\""),
            style("T4", "style:text-position=\"0% 100%\" style:text-line-through-style=\"none\""),
        ];
        let span =
            |name: &str, text: &str| format!("<text:span text:style-name=\"{name}\">{text}</text:span>");
        let content = format!(
            "{}<text:p>10{} bottles, $320{} a day, CO{}, {} {}</text:p>",
            styles.concat(),
            span("T1", "6"),
            span("T1", "1"),
            span("T2", "2"),
            span("T3", "900"),
            span("T4", "800")
        );
        assert_eq!(read(&content).unwrap(), "10^6 bottles, $320[1] a day, CO2, ~~900~~ 800");
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
