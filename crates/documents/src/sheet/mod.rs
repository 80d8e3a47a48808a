//! Sheets as text: the name of each in a line, then its rows, each in a line with bars between its cells. Of a sheet that is
//! larger than there is room for, the first rows are read, and no more of it is unpacked.
//!
//! `calamine` was weighed: it holds all cells of a sheet at once, empty ones too, and does not know how numbers are shown;
//! nor, of an XLS, which rows and columns are hidden.

mod number;
pub(super) mod ods;
pub(super) mod xls;
pub(super) mod xlsx;

use super::{
    Fault, MAX_TEXT,
    extract::{Extract, MAX_PARTS, Places, name_of},
    text,
};
use domain::{Landmark, Omitted, Unit};

/// So much of the room is kept for each of the sheets that follow.
const KEPT: usize = 64 << 10;

/// So many empty rows are left empty; more of them are left out.
const EMPTY_ROWS: u32 = 4;

/// So many empty cells in a row are left empty; more of them are one with dots.
const EMPTY_CELLS: usize = 30;

/// Longest cell, in bytes.
const LONGEST: usize = 32 << 10;

/// The sheets so far.
#[derive(Debug, Default)]
pub(super) struct Sheets {
    text: String,
    parts: Vec<(usize, Landmark)>,
    omitted: Vec<Omitted>,
    /// What of them is not shown.
    unshown: Vec<Omitted>,
    /// Sheets for which there was no room.
    left_out: Vec<String>,
    /// The sheet that is read: its name, the last row that was written, and where its room ends.
    name: String,
    last: u32,
    end: usize,
    full: bool,
}

/// A row as it grows.
#[derive(Debug, Default)]
struct Line {
    text: String,
    cells: usize,
    /// What is not empty in it.
    any: bool,
}

impl Sheets {
    /// Begins a sheet, behind which so many others follow. False: there is no room for it.
    fn begin(&mut self, name: &str, others: usize) -> bool {
        let name = name_of(name);
        let room = MAX_TEXT.saturating_sub(self.text.len() + 2);
        let share = room.saturating_sub(KEPT.saturating_mul(others)).max(room / (others + 1));
        if share < name.len() + 100 || self.parts.len() >= MAX_PARTS {
            self.left_out.push(name);
            return false;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let at = self.text.len();
        self.end = at + share;
        self.parts.push((at, Landmark::Sheet { name: name.clone(), row: 0 }));
        self.text.push_str("# ");
        self.text.push_str(&name);
        (self.name, self.last, self.full) = (name, 0, false);
        true
    }

    /// Adds a row of the sheet, by its number from 1. False: there is no room for it and what follows.
    fn add(&mut self, row: u32, line: &Line) -> bool {
        let line = line.text.trim();
        if self.full || text::is_blank(line) {
            return !self.full;
        }
        let row = row.max(self.last + 1);
        let gap = row - self.last;
        let is_far = gap > EMPTY_ROWS + 1;
        if self.text.len() + line.len() + 8 > self.end || (is_far && self.parts.len() >= MAX_PARTS) {
            self.omitted.push(Omitted::Rows { sheet: self.name.clone(), from: row });
            self.full = true;
            return false;
        }
        let breaks = if is_far { 2 } else { gap as usize };
        self.text.extend(std::iter::repeat_n('\n', breaks));
        if is_far {
            self.parts.push((self.text.len(), Landmark::Sheet { name: self.name.clone(), row }));
        }
        self.text.push_str(line);
        self.last = row;
        true
    }

    /// Names something of them that is left out.
    fn tell(&mut self, what: Option<Omitted>) {
        self.unshown.extend(what.filter(|what| !self.unshown.contains(what)));
    }

    /// All of them, with what is not in them besides.
    fn finish(mut self, others: Vec<Omitted>) -> Result<Extract, Fault> {
        if self.parts.len() == self.text.lines().count() && self.omitted.is_empty() {
            // Names alone are nothing to read.
            return Err(Fault::Empty);
        }
        // Each sheet that is cut short is named, up to as many as can be told.
        self.omitted.truncate(20);
        self.left_out.truncate(MAX_PARTS);
        self.omitted.extend((!self.left_out.is_empty()).then_some(Omitted::Sheets(self.left_out)));
        self.omitted.extend(self.unshown);
        self.omitted.extend(others);
        let places = Places::Parts(Unit::Row, self.parts);
        Ok(Extract { omitted: self.omitted, ..Extract::whole(self.text, places) })
    }
}

impl Line {
    /// Adds a cell in a column, from 0, behind the last one.
    fn add(&mut self, column: usize, cell: &str) {
        let cell = text::clean(cell);
        let cell = cell.trim();
        if text::is_blank(cell) || column < self.cells {
            return;
        }
        let end =
            (0..=cell.len().min(LONGEST)).rev().find(|end| cell.is_char_boundary(*end)).unwrap_or_default();
        let empty = column - self.cells;
        if empty > EMPTY_CELLS {
            self.text.push_str("… | ");
        } else {
            self.text.push_str(&"| ".repeat(empty));
        }
        for word in cell[..end].split(['\n', '\t']).map(str::trim).filter(|word| !word.is_empty()) {
            self.text.push_str(word);
            self.text.push(' ');
        }
        self.text.push_str("| ");
        self.cells = column + 1;
        self.any = true;
    }

    /// The row as it stands: the bar behind its last cell is none.
    fn end(&mut self) {
        let len = self.text.trim_end_matches([' ', '|']).len();
        self.text.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: &[(usize, &str)]) -> Line {
        let mut line = Line::default();
        for (column, cell) in cells {
            line.add(*column, cell);
        }
        line.end();
        line
    }

    #[test]
    fn a_row_is_a_line_with_bars_between_its_cells() {
        for (cells, text) in [
            (&[(0, "a"), (1, "b")][..], "a | b"),
            (&[(0, "a"), (3, "d")], "a | | | d"),
            (&[(1, "b"), (2, " two\nlines\t")], "| b | two lines"),
            (&[(0, "a"), (16_000, "z")], "a | … | z"),
            (&[(0, " "), (2, "\u{200b}")], ""),
        ] {
            assert_eq!(line(cells).text, text);
        }
    }

    #[test]
    fn rows_keep_their_numbers() {
        let mut sheets = Sheets::default();
        assert!(sheets.begin("Budget", 0));
        for (row, cell) in [(2, "one"), (3, "two"), (500, "three"), (501, "four")] {
            assert!(sheets.add(row, &line(&[(0, cell)])));
        }
        let extract = sheets.finish(Vec::new()).unwrap();
        assert_eq!(extract.text, "# Budget\n\none\ntwo\n\nthree\nfour");
        let document = extract.into_document("plan.xlsx".into(), String::new());
        let place = |part: &str| {
            let start = document.text.find(part).unwrap();
            document.place(domain::Span { start, end: start + part.len() }).to_string()
        };
        assert_eq!(place("# Budget"), "sheet Budget");
        assert_eq!(place("one"), "sheet Budget, row 2");
        assert_eq!(place("one\ntwo"), "sheet Budget, rows 2 to 3");
        assert_eq!(place("# Budget\n\none"), "sheet Budget, rows 1 to 2");
        assert_eq!(place("three"), "sheet Budget, row 500");
        assert_eq!(place("four"), "sheet Budget, row 501");
    }

    #[test]
    fn each_sheet_has_room_and_what_has_none_is_named() {
        let mut sheets = Sheets::default();
        let long = line(&[(0, &"word ".repeat(200))]);
        assert!(sheets.begin("Large", 1));
        let rows = (1..5_000).take_while(|row| sheets.add(*row, &long)).count();
        assert!(!sheets.add(5_000, &long), "it stays so");
        assert!(sheets.begin("Small", 0));
        assert!(sheets.add(1, &long));
        let extract = sheets.finish(Vec::new()).unwrap();
        assert!(extract.is_sound());
        let from = u32::try_from(rows).unwrap() + 1;
        assert_eq!(extract.omitted, [Omitted::Rows { sheet: "Large".into(), from }]);
        assert!(extract.text.len() > MAX_TEXT - 2 * KEPT);
    }

    #[test]
    fn thousands_of_sheets_and_gaps_stay_within_bounds() {
        let mut sheets = Sheets::default();
        for sheet in 0..9_000 {
            if sheets.begin(&format!("Sheet {sheet}"), 8_999 - sheet) {
                for row in 1..20 {
                    sheets.add(row * 100, &line(&[(0, "a")]));
                }
            }
        }
        let extract = sheets.finish(Vec::new()).unwrap();
        assert!(extract.is_sound(), "{:?}", extract.omitted.len());
        assert!(matches!(extract.omitted.last(), Some(Omitted::Sheets(_))));
        let mut empty = Sheets::default();
        empty.begin("Sheet 1", 0);
        assert_eq!(empty.finish(Vec::new()), Err(Fault::Empty));
    }
}
