//! Where the walk through a page is in its lists and tables: which number the next item has, and which cells of a row are
//! taken by others.

use html5ever::tokenizer::Tag;

use super::{super::numbering::Figures, attribute};

/// Most columns that a cell reaches over, and most that are followed from row to row.
const COLUMNS: usize = 200;

/// A list that is open.
pub(super) struct List {
    /// How its numbers are written, and the next one; nothing where it has dots, or none.
    numbers: Option<(Figures, i64)>,
    step: i64,
}

impl List {
    /// As its tag says.
    pub(super) fn of(tag: &Tag) -> Self {
        let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase();
        let styled = style.split(';').find_map(|one| {
            let (name, value) = one.split_once(':')?;
            name.trim().starts_with("list-style").then(|| value.trim().to_owned())
        });
        let figures = styled.or_else(|| attribute(tag, "type")).map(|kind| Figures::named(&kind));
        let start = attribute(tag, "start").and_then(|start| start.trim().parse().ok());
        let reversed = attribute(tag, "reversed").is_some();
        // Backwards from a number that only those behind it would tell.
        let known = &*tag.name == "ol" && !(reversed && start.is_none());
        let figures = figures.unwrap_or_default();
        let counted = known && !matches!(figures, Figures::Sign | Figures::None);
        Self { numbers: counted.then(|| (figures, start.unwrap_or(1))), step: if reversed { -1 } else { 1 } }
    }

    /// The label of its next item, whose tag this is.
    pub(super) fn next(&mut self, item: &Tag) -> Option<String> {
        let (figures, next) = self.numbers.as_mut()?;
        let number = attribute(item, "value").and_then(|value| value.trim().parse().ok()).unwrap_or(*next);
        *next = number.saturating_add(self.step);
        Some(format!("{}.", figures.write(number)))
    }
}

/// A table that is open.
#[derive(Default)]
pub(super) struct Table {
    /// A row of it is open.
    row: bool,
    column: usize,
    /// How many more rows the cell of each column reaches over.
    below: Vec<usize>,
    /// So many columns behind the last cell belong to it, too.
    beside: usize,
}

impl Table {
    /// Begins a row.
    pub(super) fn open_row(&mut self) {
        (self.row, self.column, self.beside) = (true, 0, 0);
    }

    /// Ends the row, if one is open.
    pub(super) fn close_row(&mut self) -> bool {
        if self.row {
            // What no cell of the row stood before.
            let rest = self.below.iter_mut().skip(self.column + self.beside);
            rest.for_each(|rows| *rows = rows.saturating_sub(1));
        }
        std::mem::take(&mut self.row)
    }

    /// Begins a cell, whose tag this is. Gives how many cells before it are taken by others.
    pub(super) fn open_cell(&mut self, tag: &Tag) -> usize {
        let count = |name: &str, most: usize| {
            attribute(tag, name).and_then(|count| count.trim().parse().ok()).unwrap_or(1).clamp(1, most)
        };
        let mut before = self.beside;
        self.column += self.beside;
        while let Some(rows) = self.below.get_mut(self.column).filter(|rows| **rows > 0) {
            *rows -= 1;
            self.column += 1;
            before += 1;
        }
        let (wide, high) = (count("colspan", 64), count("rowspan", 65_534));
        let end = (self.column + wide).min(COLUMNS);
        if high > 1 && self.below.len() < end {
            self.below.resize(end, 0);
        }
        for column in self.below.iter_mut().take(end).skip(self.column) {
            *column = high - 1;
        }
        self.column += 1;
        self.beside = wide - 1;
        before
    }
}
