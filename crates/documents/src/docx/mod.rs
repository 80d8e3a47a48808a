//! DOCX: the paragraphs of its main part with the numbers that they are shown with, and below them the notes and the
//! comments, each named as what it is.

mod numbers;
mod styles;
mod symbols;
#[cfg(test)]
mod tests;

use quick_xml::events::BytesStart;

use self::{
    numbers::Numbers,
    styles::{Letters, Look, Styles, outline},
};
use super::{
    Fault, MAX_TEXT,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
    formula::{self, Formula},
    levels::{Line, Set},
    omitted,
    package::{Node, Package, attribute, local},
    relations,
};
use domain::Omitted;

/// The parts with notes: what they are to the main part, where they are if nothing says it, and what their marks begin with,
/// so that the kinds are told apart.
const NOTES: [(&str, &str, &str); 2] =
    [("footnotes", "word/footnotes.xml", ""), ("endnotes", "word/endnotes.xml", "e")];

/// Most cells of a row that one cell is as wide as.
const WIDEST: usize = 64;

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
    let numbers = Numbers::read(package, &part("numbering", "word/numbering.xml"));
    let uncounted = numbers.is_err();
    let numbers = numbers.unwrap_or_default();
    let styles = Styles::read(package, &part("styles", "word/styles.xml"), &numbers)?;
    let mut walker = Walker::new(&styles, numbers);
    let heads = relations.iter().filter(|relation| relation.kind == "header");
    for mark in watermarks(package, heads.map(|head| head.target.as_str())) {
        walker.blocks.push(Form::Paragraph, &format!("Watermark: {mark}"))?;
    }
    package.walk(main, |node| walker.visit(node))?;
    for (kind, usual, mark) in NOTES {
        walker.end_part()?;
        walker.note_mark = mark;
        package.walk(&part(kind, usual), |node| walker.visit(node))?;
    }
    let mut text = walker.finish()?;
    // Remarks that are broken or too long cost the document nothing but themselves.
    walker.note_mark = "c";
    let remarks = package.walk(&part("comments", "word/comments.xml"), |node| walker.visit(node));
    let remarks = remarks.and_then(|_| walker.finish()).ok();
    let remarks = remarks.filter(|remarks| text.len() + remarks.len() + 2 <= MAX_TEXT);
    if let Some(remarks) = remarks.as_deref().filter(|remarks| !remarks.is_empty()) {
        text.push_str(if text.is_empty() { "" } else { "\n\n" });
        text.push_str(remarks);
    }
    let mut omitted = omitted::of_docx(package, main);
    omitted.extend(remarks.is_none().then_some(Omitted::Comments));
    omitted.extend(uncounted.then_some(Omitted::Numbers));
    omitted.extend(walker.changed.then_some(Omitted::Changes));
    omitted.extend(walker.unread.then_some(Omitted::Formulas));
    Ok(Extract { omitted, ..Extract::whole(text, Places::Paragraphs) })
}

/// What is written across the pages, such as `DRAFT`: it stands in the heads of pages as a drawing.
fn watermarks<'a>(package: &mut Package<'_>, heads: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut marks = Vec::new();
    for head in heads {
        // A head that cannot be read is told as one with something in it.
        let _ = package.walk(head, |node| {
            if let Node::Start(start) = node
                && local(&start) == "textpath"
                && let Some(mark) = attribute(&start, "string")
                && !marks.contains(&mark)
                && marks.len() < 4
            {
                marks.push(mark);
            }
            Ok(())
        });
    }
    marks
}

/// Goes through a part and gathers its paragraphs.
struct Walker<'a> {
    styles: &'a Styles,
    numbers: Numbers,
    blocks: Blocks,
    /// The elements that are open, outermost first.
    path: Vec<String>,
    /// The paragraphs that are open: one may hold a box of text with others in it.
    paragraphs: Vec<Paragraph>,
    /// How many elements were open where the skipped one began.
    skipped_from: Option<usize>,
    /// How the letters of this run are set: by themselves, and by their style.
    letters: (Letters, Letters),
    /// Their font, which may have signs in the place of letters.
    font: String,
    /// The box of a form that is open, and whether it is ticked.
    ticked: bool,
    formula: Option<Formula>,
    /// Of each cell that is open, how many columns it takes.
    spans: Vec<usize>,
    /// There is a formula that cannot be written in a line.
    unread: bool,
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
    line: Line,
    look: Look,
    /// The end of it was deleted, or it is the large letter that the next one begins with.
    goes_on: bool,
}

impl<'a> Walker<'a> {
    fn new(styles: &'a Styles, numbers: Numbers) -> Self {
        Self {
            styles,
            numbers,
            blocks: Blocks::default(),
            path: Vec::new(),
            paragraphs: Vec::new(),
            skipped_from: None,
            letters: Default::default(),
            font: String::new(),
            ticked: false,
            formula: None,
            spans: Vec::new(),
            unread: false,
            note_mark: "",
            note: None,
            changed: false,
            joined: None,
        }
    }

    /// A part ends: the next one is not what its last paragraph goes on with.
    fn end_part(&mut self) -> Result<(), Fault> {
        match self.joined.take() {
            Some(mut last) => self.blocks.push(Form::Paragraph, &last.line.take()),
            None => Ok(()),
        }
    }

    /// All of the text since the last call.
    fn finish(&mut self) -> Result<String, Fault> {
        self.end_part()?;
        std::mem::take(&mut self.blocks).finish()
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
                    } else if name == "oMath" || self.formula.is_some() {
                        let formula = self.formula.get_or_insert_default();
                        formula.start(&name, |key| attribute(&start, key));
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
                    match &mut self.formula {
                        Some(formula) => formula.text(&text),
                        None => self.add(&symbols::read(&self.font, &text)),
                    }
                }
                Ok(())
            }
        }
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) {
        let value = || attribute(start, "val");
        let inside = |outer: &str| self.path.last().is_some_and(|name| name == outer);
        let of_run = inside("rPr") && self.path.iter().rev().nth(1).is_some_and(|outer| outer == "r");
        let count = || value().and_then(|count| count.parse().ok()).unwrap_or(1_usize).clamp(1, WIDEST);
        match name {
            "p" => self.paragraphs.push(self.joined.take().unwrap_or_default()),
            "r" => (self.letters, self.font) = Default::default(),
            "tr" => self.blocks.open_row(),
            "tc" => {
                self.blocks.open_cell();
                self.spans.push(1);
            }
            "gridSpan" if inside("tcPr") => {
                if let Some(span) = self.spans.last_mut() {
                    *span = count();
                }
            }
            "gridBefore" if inside("trPr") => self.blocks.skip_cells(count()),
            "rStyle" if of_run => {
                self.letters.1 = value().map(|id| self.styles.letters(&id)).unwrap_or_default();
            }
            "rFonts" if of_run => self.font = attribute(start, "ascii").unwrap_or_default(),
            "tab" | "ptab" if inside("r") => self.add("\t"),
            "br" | "cr" if inside("r") => self.add(" "),
            "noBreakHyphen" if inside("r") => self.add("-"),
            "sym" if inside("r") => {
                let code = attribute(start, "char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                if let Some(sign) = code.and_then(char::from_u32) {
                    let font = attribute(start, "font").unwrap_or_default();
                    self.add(&symbols::read(&font, sign.encode_utf8(&mut [0; 4])));
                }
            }
            // A box of a form that older programs made.
            "checkBox" => self.ticked = false,
            "default" | "checked" if inside("checkBox") => {
                self.ticked = !matches!(value().as_deref(), Some("0" | "false" | "off"));
            }
            "footnoteReference" | "endnoteReference" | "commentReference" => {
                let mark = match name {
                    "footnoteReference" => "",
                    "endnoteReference" => "e",
                    _ => "c",
                };
                if let Some(id) = attribute(start, "id") {
                    self.write(Set::default(), &format!("[^{mark}{id}]"));
                }
            }
            // The line above the notes is kept among them.
            "footnote" | "endnote" | "comment" => {
                let text = attribute(start, "type").is_none_or(|kind| kind == "normal");
                let id = attribute(start, "id").filter(|_| text);
                let author = attribute(start, "author").filter(|author| !author.trim().is_empty());
                let by = match (name, author) {
                    ("comment", Some(author)) => format!("Comment by {}: ", author.trim()),
                    ("comment", None) => "Comment: ".to_owned(),
                    _ => String::new(),
                };
                self.note = id.map(|id| format!("[^{}{id}]: {by}", self.note_mark));
            }
            name if of_run && self.letters.0.take(name, value().as_deref()) => {}
            _ => {
                let Some(paragraph) = self.paragraphs.last_mut() else { return };
                let look = &mut paragraph.look;
                match name {
                    "pStyle" => {
                        let style = value().map(|id| self.styles.look(&id)).unwrap_or_default();
                        *look = Look {
                            heading: look.heading.or(style.heading),
                            item: look.item.or(style.item),
                            list: look.list.or(style.list),
                        };
                    }
                    "framePr" => {
                        let drop = attribute(start, "dropCap").is_some_and(|drop| drop != "none");
                        paragraph.goes_on |= drop;
                    }
                    "outlineLvl" => look.heading = value().and_then(|level| outline(&level)),
                    "numPr" => look.item = Some(look.item.unwrap_or(0)),
                    "ilvl" => look.item = value().and_then(|level| level.parse().ok()),
                    "numId" => match value().and_then(|list| list.parse().ok()) {
                        Some(0) => (look.item, look.list) = (None, None),
                        list => look.list = list,
                    },
                    _ => {}
                }
            }
        }
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        if let Some(formula) = &mut self.formula {
            if let Some(line) = formula.end() {
                self.formula = None;
                self.unread |= line == formula::UNREAD;
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.line.add_apart(&line);
                }
            }
            return Ok(());
        }
        match name {
            "p" => {
                let Some(mut paragraph) = self.paragraphs.pop() else { return Ok(()) };
                if paragraph.goes_on {
                    self.joined = Some(Paragraph { line: paragraph.line, ..Paragraph::default() });
                    return Ok(());
                }
                let Look { heading, item, list } = paragraph.look;
                let label = item.zip(list).and_then(|(level, list)| self.numbers.next(list, level));
                let form = match (heading, item, &label) {
                    (Some(level), ..) => Form::Heading(level),
                    (_, Some(depth), None) => Form::Item(depth),
                    (_, Some(depth), Some(_)) => Form::Numbered(depth),
                    _ => Form::Paragraph,
                };
                if paragraph.line.is_blank() {
                    return Ok(());
                }
                let text = paragraph.line.take();
                let text = label.map_or(text.clone(), |label| format!("{label} {}", text.trim()));
                match self.note.take() {
                    Some(mark) => self.blocks.push(Form::Paragraph, &format!("{mark}{}", text.trim())),
                    None => self.blocks.push(form, &text),
                }
            }
            "checkBox" => {
                self.add(if self.ticked { "☑ " } else { "☐ " });
                Ok(())
            }
            "tc" => {
                let span = self.spans.pop().unwrap_or(1);
                self.blocks.skip_cells(span - 1);
                Ok(())
            }
            "tr" => self.blocks.close_row(),
            _ => Ok(()),
        }
    }

    /// Adds letters of a run, unless it is not shown.
    fn add(&mut self, text: &str) {
        let letters = self.letters.0.or(self.letters.1);
        if !letters.are_hidden() {
            self.write(letters.set(), text);
        }
    }

    fn write(&mut self, set: Set, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.line.add(set, text);
        }
    }
}
