//! ODT: the paragraphs of its content with the numbers that they are shown with, and below them the notes and the comments,
//! each named as what it is.

mod lists;
mod styles;
#[cfg(test)]
mod tests;
mod watermarks;

use quick_xml::events::BytesStart;

use self::{lists::Lists, styles::Styles, watermarks::Watermarks};
use super::{
    Fault,
    blocks::{Blocks, Form},
    levels::{Level, Line, Set},
    omitted,
    package::{Node, Package, attribute},
    remarks::Remarks,
};
use domain::Omitted;

/// What is not the text that a reader of the document sees: what was deleted, the number of a note (it gets a mark of
/// its own) and what only describes a picture.
const SKIPPED: [&str; 6] = [
    "text:tracked-changes",
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
    // Styles that are broken cost the document its numbers.
    let mut marks = Watermarks::default();
    let styles = package.walk("styles.xml", |node| {
        if let Node::Start(start) = &node {
            walker.styles.take(start.name().into_inner(), start);
        }
        marks.visit(&node);
        Ok(())
    });
    for mark in marks.all {
        walker.blocks.push(Form::Paragraph, &format!("Watermark: {mark}"))?;
    }
    if !package.walk("content.xml", |node| walker.visit(node))? {
        return Err(Fault::Broken);
    }
    for (number, note) in walker.notes.iter().enumerate() {
        walker.blocks.push(Form::Paragraph, &format!("[^{}]: {note}", number + 1))?;
    }
    let mut text = walker.blocks.finish()?;
    let unread = walker.remarks.append(&mut text);
    let mut omitted = omitted::of_odt(package);
    omitted.extend(unread);
    omitted.extend(styles.is_err().then_some(Omitted::Numbers));
    omitted.extend(walker.changed.then_some(Omitted::Changes));
    Ok((text, omitted))
}

/// Goes through the content and gathers its paragraphs.
#[derive(Default)]
struct Walker {
    blocks: Blocks,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// The paragraphs that are open: one may hold a note or a box of text with others in it.
    paragraphs: Vec<Paragraph>,
    styles: Styles,
    /// What holds for each paragraph and each span that is open.
    spans: Vec<Set>,
    /// How many elements were open where the skipped one began.
    skipped_from: Option<usize>,
    lists: Lists,
    /// An item of a list has begun whose first paragraph is to come.
    item: bool,
    /// The number that the file itself gives the next paragraph.
    given: String,
    /// How many notes are open.
    in_notes: usize,
    notes: Vec<String>,
    /// The comments, and how many elements were open where the one that is open began.
    remarks: Remarks,
    remark_from: Option<usize>,
    /// There are changes that wait to be accepted.
    changed: bool,
}

/// A paragraph that is open, with the number that it is shown with.
#[derive(Default)]
struct Paragraph {
    form: Option<Form>,
    label: Option<String>,
    line: Line,
}

impl Walker {
    fn visit(&mut self, node: Node<'_>) -> Result<(), Fault> {
        match node {
            Node::Start(start) => {
                let name = start.name().into_inner().to_owned();
                if self.remark_from.is_some() {
                    if matches!(name.as_str(), "text:p" | "text:s" | "text:tab" | "text:line-break") {
                        self.remarks.add(" ");
                    }
                } else if self.skipped_from.is_none() {
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
                    _ if self.remark_from.is_some_and(|from| self.path.len() > from) => Ok(()),
                    _ if self.remark_from.take().is_some() => {
                        if let Some(mark) = self.remarks.end() {
                            self.add(&mark);
                        }
                        Ok(())
                    }
                    Some(from) if self.path.len() > from => Ok(()),
                    Some(_) => {
                        self.skipped_from = None;
                        Ok(())
                    }
                    None => self.end(&name),
                }
            }
            Node::Text(text) => {
                let inside = |name: &str| self.path.iter().any(|outer| outer == name);
                let last = self.path.last().map(String::as_str);
                if self.remark_from.is_some() {
                    match last {
                        Some("dc:creator") => self.remarks.by(&text),
                        _ if inside("text:p") && last != Some("dc:date") => self.remarks.add(&text),
                        _ => {}
                    }
                } else if self.skipped_from.is_none() {
                    match last {
                        Some("text:number") => self.given.push_str(&text),
                        _ => self.add_collapsed(&text),
                    }
                }
                Ok(())
            }
        }
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "office:annotation" => {
                self.remark_from = Some(self.path.len());
                self.remarks.begin("");
            }
            "text:span" => {
                let outer = self.spans.last().copied().unwrap_or_default();
                let own = self.styles.set(&attribute(start, "style-name").unwrap_or_default());
                let level = if own.level == Level::On { outer.level } else { own.level };
                self.spans.push(Set { level, struck: own.struck || outer.struck });
            }
            "text:h" => {
                let level = attribute(start, "outline-level").and_then(|level| level.parse().ok());
                let level = level.unwrap_or(1);
                let plain = attribute(start, "is-list-header").is_some_and(|is| is == "true");
                let style = attribute(start, "style-name").unwrap_or_default();
                let label = if self.lists.depth() > 0 {
                    std::mem::take(&mut self.item).then(|| self.lists.next(&self.styles, &style)).flatten()
                } else if plain {
                    None
                } else {
                    self.lists.next_heading(&self.styles, usize::from(level), start)
                };
                self.open(Form::Heading(level), label, &style);
            }
            "text:p" => {
                let style = attribute(start, "style-name").unwrap_or_default();
                let item = std::mem::take(&mut self.item);
                let label = item.then(|| self.lists.next(&self.styles, &style)).flatten();
                let depth = self.lists.depth().saturating_sub(1);
                let form = match label {
                    _ if self.styles.is_title(&style) => Form::Heading(1),
                    None if item => Form::Item(depth),
                    Some(_) => Form::Numbered(depth),
                    None => Form::Paragraph,
                };
                self.open(form, label, &style);
            }
            "text:list" => self.lists.open(start),
            "text:list-item" => {
                self.item = true;
                self.given.clear();
                self.lists.begin_item(start);
            }
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
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.line.add(Set::default(), &mark);
                }
            }
            _ => self.styles.take(name, start),
        }
    }

    /// Begins a paragraph: all of its letters may be struck by its style.
    fn open(&mut self, form: Form, label: Option<String>, style: &str) {
        self.spans.push(Set { struck: self.styles.set(style).struck, ..Set::default() });
        self.paragraphs.push(Paragraph { form: Some(form), label, line: Line::default() });
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        match name {
            "text:p" | "text:h" => {
                self.spans.pop();
                let Some(Paragraph { form, label, mut line }) = self.paragraphs.pop() else { return Ok(()) };
                let given = std::mem::take(&mut self.given);
                let label = Some(given).filter(|given| !given.trim().is_empty()).or(label);
                let form = match (form.unwrap_or(Form::Paragraph), &label) {
                    (Form::Item(depth), Some(_)) => Form::Numbered(depth),
                    (form, _) => form,
                };
                let text = line.take();
                let text = match label {
                    Some(label) if !text.trim().is_empty() => format!("{} {}", label.trim(), text.trim()),
                    _ => text,
                };
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
                self.lists.close();
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
        let Some(Paragraph { line, .. }) = self.paragraphs.last_mut() else { return };
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
        if let Some(Paragraph { line, .. }) = self.paragraphs.last_mut() {
            line.add(self.spans.last().copied().unwrap_or_default(), text);
        }
    }
}
