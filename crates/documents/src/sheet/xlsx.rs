//! XLSX: its sheets in their order, the values of formulas as they were last worked out.

use std::{collections::HashMap, ops::ControlFlow};

use quick_xml::events::BytesStart;

use super::{Line, Sheets, number::Format};
use crate::{
    Fault,
    extract::Extract,
    levels::{Level, Line as Letters, Set},
    omitted,
    package::{Node, Package, attribute, local},
    relations,
};
use domain::Omitted;

/// Most formats of numbers, and most of cells.
const FORMATS: usize = 65_536;

/// Most runs of columns that a sheet may say it does not show.
const HIDDEN: usize = 16_384;

/// A sheet as the main part lists it.
struct Listed {
    name: String,
    id: String,
    hidden: bool,
}

/// Reads the sheets that the main part of this name lists.
pub(crate) fn read(package: &mut Package<'_>, main: &str) -> Result<Extract, Fault> {
    let relations = relations::of(package, main)?;
    let (mut listed, mut since_1904) = (Vec::new(), false);
    package.walk(main, |node| {
        let Node::Start(start) = node else { return Ok(()) };
        match local(&start) {
            "sheet" => listed.push(Listed {
                name: attribute(&start, "name").unwrap_or_default(),
                id: attribute(&start, "id").unwrap_or_default(),
                hidden: attribute(&start, "state").is_some_and(|state| state != "visible"),
            }),
            "workbookPr" => {
                since_1904 = attribute(&start, "date1904").is_some_and(|is| matches!(&*is, "1" | "true"));
            }
            _ => {}
        }
        Ok(())
    })?;
    let looks = match relations::first(&relations, "styles") {
        Some(part) => looks(package, &part)?,
        None => Vec::new(),
    };
    let shared = match relations::first(&relations, "sharedStrings") {
        Some(part) => Shared::read(package, &part)?,
        None => Shared::default(),
    };
    let mut others = omitted::of_office(package, "xl");
    others.extend(listed.iter().any(|sheet| sheet.hidden).then_some(Omitted::HiddenSheets));
    listed.retain(|sheet| !sheet.hidden);
    let mut sheets = Sheets::default();
    for (at, sheet) in listed.iter().enumerate() {
        // A sheet that is a chart has no cells.
        let part = relations::by_id(&relations, &sheet.id).filter(|part| part.kind == "worksheet");
        let Some(part) = part else { continue };
        if sheets.begin(&sheet.name, listed.len() - at - 1) {
            let mut walker = Walker::new(&mut sheets, &shared, &looks, since_1904);
            package.walk_until(&part.target, |node| Ok(walker.visit(node)))?;
        }
    }
    sheets.finish(others)
}

/// Texts that several cells have, one behind the other.
#[derive(Default)]
struct Shared {
    text: String,
    ends: Vec<u32>,
}

impl Shared {
    fn read(package: &mut Package<'_>, part: &str) -> Result<Self, Fault> {
        let mut shared = Self::default();
        let mut words = Words::default();
        package.walk(part, |node| {
            if words.follow(&node) == Some("si") {
                shared.text.push_str(&words.line.take());
                shared.ends.push(u32::try_from(shared.text.len()).map_err(|_| Fault::Unpacks)?);
            }
            Ok(())
        })?;
        Ok(shared)
    }

    fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)? as usize;
        let start =
            at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |start| *start as usize);
        self.text.get(start..end)
    }
}

/// A text as it is read: how letters are read aloud is written between them, and not shown.
#[derive(Default)]
struct Words {
    path: Vec<String>,
    line: Letters,
    set: Set,
}

impl Words {
    /// Whether what stands here is shown.
    fn is_said(&self) -> bool {
        self.path.last().is_some_and(|name| name == "t") && !self.path.iter().any(|name| name == "rPh")
    }

    /// Goes on; gives what has ended.
    fn follow(&mut self, node: &Node<'_>) -> Option<&'static str> {
        match node {
            Node::Start(start) => {
                let name = local(start);
                if self.path.last().is_some_and(|outer| outer == "rPr") {
                    let value = attribute(start, "val");
                    match (name, value.as_deref()) {
                        ("vertAlign", Some("superscript")) => self.set.level = Level::Raised,
                        ("vertAlign", Some("subscript")) => self.set.level = Level::Lowered,
                        ("strike", value) => self.set.struck = !matches!(value, Some("0" | "false")),
                        _ => {}
                    }
                }
                if matches!(name, "r" | "si" | "is") {
                    self.set = Set::default();
                }
                self.path.push(name.to_owned());
            }
            Node::End => {
                let ended = self.path.pop();
                return ["si", "is"].into_iter().find(|name| ended.as_deref() == Some(*name));
            }
            Node::Text(text) => {
                if self.is_said() {
                    self.line.add(self.set, text);
                }
            }
        }
        None
    }
}

/// How the value of a cell is shown.
#[derive(Clone, Default)]
struct Look {
    format: Format,
    struck: bool,
}

/// How cells show their values, by the number that a cell gives.
fn looks(package: &mut Package<'_>, part: &str) -> Result<Vec<Look>, Fault> {
    let (mut own, mut struck, mut looks) = (HashMap::new(), Vec::new(), Vec::new());
    let mut path = Vec::<String>::new();
    package.walk(part, |node| {
        let start = match node {
            Node::Start(start) => start,
            Node::End => {
                path.pop();
                return Ok(());
            }
            Node::Text(_) => return Ok(()),
        };
        let number = |name: &str| attribute(&start, name).and_then(|number| number.parse::<u32>().ok());
        let outer = path.last().map(String::as_str).unwrap_or_default();
        match (local(&start), outer) {
            ("numFmt", "numFmts") if own.len() < FORMATS => {
                let format = Format::of(&attribute(&start, "formatCode").unwrap_or_default());
                own.extend(number("numFmtId").map(|id| (id, format)));
            }
            ("font", "fonts") if struck.len() < FORMATS => struck.push(false),
            ("strike", "font") if path.iter().rev().nth(1).is_some_and(|outer| outer == "fonts") => {
                let on = !attribute(&start, "val").is_some_and(|value| matches!(&*value, "0" | "false"));
                if let Some(font) = struck.last_mut() {
                    *font = on;
                }
            }
            ("xf", "cellXfs") if looks.len() < FORMATS => {
                looks.push((number("numFmtId").unwrap_or_default(), number("fontId")));
            }
            _ => {}
        }
        path.push(local(&start).to_owned());
        Ok(())
    })?;
    let look = |(id, font): (u32, Option<u32>)| Look {
        format: own.get(&id).cloned().unwrap_or_else(|| Format::known(id)),
        struck: font.and_then(|font| struck.get(font as usize).copied()).unwrap_or_default(),
    };
    Ok(looks.into_iter().map(look).collect())
}

/// Goes through a sheet and gathers its rows.
struct Walker<'a> {
    sheets: &'a mut Sheets,
    shared: &'a Shared,
    looks: &'a [Look],
    since_1904: bool,
    words: Words,
    /// The columns that are not shown, from 0, the first and the last of each run; and whether the open row is not.
    hidden: Vec<(usize, usize)>,
    row_hidden: bool,
    row: u32,
    line: Line,
    column: usize,
    cell: Cell,
}

/// A cell as it is read.
#[derive(Default)]
struct Cell {
    column: usize,
    /// What its value is, such as `s` for a shared text.
    kind: String,
    format: usize,
    value: String,
    formula: String,
}

impl<'a> Walker<'a> {
    fn new(sheets: &'a mut Sheets, shared: &'a Shared, looks: &'a [Look], since_1904: bool) -> Self {
        Self {
            sheets,
            shared,
            looks,
            since_1904,
            words: Words::default(),
            hidden: Vec::new(),
            row_hidden: false,
            row: 0,
            line: Line::default(),
            column: 0,
            cell: Cell::default(),
        }
    }

    fn visit(&mut self, node: Node<'_>) -> ControlFlow<()> {
        match &node {
            Node::Start(start) => self.start(start),
            Node::Text(text) => match self.words.path.last().map(String::as_str) {
                Some("v") => self.cell.value.push_str(text),
                Some("f") => self.cell.formula.push_str(text),
                _ => {}
            },
            Node::End => match self.words.path.last().map(String::as_str) {
                Some("c") => self.end_cell(),
                Some("row") => {
                    let mut line = std::mem::take(&mut self.line);
                    line.end();
                    if self.row_hidden {
                        self.sheets.tell(line.any.then_some(Omitted::HiddenRows));
                    } else if !self.sheets.add(self.row, &line) {
                        return ControlFlow::Break(());
                    }
                }
                // What follows are no cells.
                Some("sheetData") => return ControlFlow::Break(()),
                _ => {}
            },
        }
        if self.words.follow(&node) == Some("is") {
            self.cell.value.push_str(&self.words.line.take());
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        match local(start) {
            "row" => {
                let told = attribute(start, "r").and_then(|row| row.parse().ok());
                self.row = told.unwrap_or(self.row.saturating_add(1));
                self.column = 0;
                self.line = Line::default();
                self.row_hidden = is_hidden(start, "ht");
            }
            "col" if is_hidden(start, "width") && self.hidden.len() < HIDDEN => {
                let number =
                    |name: &str| attribute(start, name).and_then(|number| number.parse::<usize>().ok());
                if let (Some(first), Some(last)) = (number("min"), number("max")) {
                    self.hidden.push((first.saturating_sub(1), last.saturating_sub(1)));
                }
            }
            "c" => {
                let told = attribute(start, "r").and_then(|place| column(&place));
                let format = attribute(start, "s").and_then(|format| format.parse().ok());
                self.cell = Cell {
                    column: told.unwrap_or(self.column),
                    kind: attribute(start, "t").unwrap_or_default(),
                    format: format.unwrap_or_default(),
                    ..Cell::default()
                };
                self.column = self.cell.column + 1;
            }
            _ => {}
        }
    }

    fn end_cell(&mut self) {
        let Cell { column, kind, format, value, formula } = std::mem::take(&mut self.cell);
        let value = value.as_str();
        let plain = Look::default();
        let look = self.looks.get(format).unwrap_or(&plain);
        let shown = match kind.as_str() {
            "s" => {
                value.trim().parse().ok().and_then(|at| self.shared.get(at)).unwrap_or_default().to_owned()
            }
            "str" | "inlineStr" | "e" | "d" => escaped(value),
            "b" => match value.trim() {
                "1" | "true" => "TRUE".to_owned(),
                "" => String::new(),
                _ => "FALSE".to_owned(),
            },
            _ if value.trim().is_empty() => String::new(),
            _ => look.format.show(value, self.since_1904),
        };
        if look.format == Format::Hidden && !value.trim().is_empty() {
            return self.sheets.tell(Some(Omitted::HiddenCells));
        }
        // A program that works nothing out has written what is to be worked out, and no more.
        let shown = if shown.is_empty() && !formula.is_empty() { format!("={formula}") } else { shown };
        let shown = if kind == "s" { escaped(&shown) } else { shown };
        if shown.trim().is_empty() {
            return;
        }
        if self.hidden.iter().any(|(first, last)| (*first..=*last).contains(&column)) {
            return self.sheets.tell((!self.row_hidden).then_some(Omitted::HiddenColumns));
        }
        let struck = look.struck && !shown.starts_with("~~");
        self.line.add(column, &if struck { format!("~~{}~~", shown.trim()) } else { shown });
    }
}

/// Whether a row or a column is not shown: it says so, or it has no height or width.
fn is_hidden(start: &BytesStart<'_>, size: &str) -> bool {
    let says =
        |name: &str, what: &[&str]| attribute(start, name).is_some_and(|value| what.contains(&&*value));
    says("hidden", &["1", "true"]) || says(size, &["0"])
}

/// The column of a place such as `AB12`, from 0.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let column =
        letters.take(4).fold(0, |sum, letter| sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    column.checked_sub(1)
}

/// A text without the way in which characters are written that XML has no room for: `_x000D_`.
fn escaped(text: &str) -> String {
    if !text.contains("_x") {
        return text.to_owned();
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        plain.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let c = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let (shown, read) = c.map_or(('_', 1), |c| (c, 7));
        plain.push(shown);
        rest = &rest[at + read..];
    }
    plain + rest
}

#[cfg(test)]
mod tests;
