//! Text that grows a block at a time, each paragraph on one line of its own, as DOCX, ODT and HTML are read.
//!
//! Headings get the marks of Markdown, items of lists a dash or the number that they are shown with, cells of a row a bar
//! between them. Places in such a text are counted in lines that are not empty, so nothing else may break a line.

use super::{Fault, MAX_TEXT, text};

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A heading of this level, 1 to 6.
    Heading(u8),
    /// A paragraph.
    Paragraph,
    /// An item of a list that lies in so many others.
    Item(usize),
    /// The same, with a number of its own before its text.
    Numbered(usize),
    /// A row of a table.
    Row,
    /// A line that follows the one before it without a gap.
    Line,
}

/// The text so far, and the rows that are still open.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    text: String,
    last: Option<Form>,
    rows: Vec<Row>,
}

/// A row of a table: the blocks of each of its cells.
#[derive(Debug, Default)]
struct Row {
    cells: Vec<Vec<(Form, String)>>,
}

/// Longest row that is written as one line, in bytes; in a longer one the table is there for the layout only.
const LONGEST_ROW: usize = 1_000;

/// Most cells of a row of which some may be left empty for others.
const MOST_CELLS: usize = 1_000;

/// Deepest list that is still drawn as lying in another.
const DEEPEST_ITEM: usize = 8;

impl Blocks {
    /// Adds a block, unless there is nothing to read in it.
    pub(super) fn push(&mut self, form: Form, block: &str) -> Result<(), Fault> {
        let block = text::clean(block).replace('\n', " ");
        let block = if form == Form::Line { block.trim_end() } else { block.trim() };
        if text::is_blank(block) {
            return Ok(());
        }
        match self.rows.last_mut() {
            Some(row) => {
                if row.cells.is_empty() {
                    row.cells.push(Vec::new());
                }
                if let Some(cell) = row.cells.last_mut() {
                    cell.push((form, block.to_owned()));
                }
                Ok(())
            }
            None => self.write(form, block),
        }
    }

    /// Begins a row of a table; it may lie in a cell of another.
    pub(super) fn open_row(&mut self) {
        self.rows.push(Row::default());
    }

    /// Begins the next cell of the open row.
    pub(super) fn open_cell(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(Vec::new());
        }
    }

    /// Leaves so many cells of the open row empty, those that another cell reaches over.
    pub(super) fn skip_cells(&mut self, count: usize) {
        if let Some(row) = self.rows.last_mut() {
            let room = MOST_CELLS.saturating_sub(row.cells.len());
            row.cells.extend(std::iter::repeat_with(Vec::new).take(count.min(room)));
        }
    }

    /// Ends the open row.
    pub(super) fn close_row(&mut self) -> Result<(), Fault> {
        let Some(row) = self.rows.pop() else { return Ok(()) };
        let blocks = || row.cells.iter().flatten();
        let plain = blocks().all(|(form, _)| {
            matches!(form, Form::Paragraph | Form::Line | Form::Item(_) | Form::Numbered(_))
        });
        if plain && blocks().map(|(_, text)| text.len()).sum::<usize>() <= LONGEST_ROW {
            let cell = |cell: &Vec<(Form, String)>| {
                cell.iter().map(|(_, text)| text.trim()).collect::<Vec<_>>().join(" ")
            };
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            if cells.iter().all(String::is_empty) {
                return Ok(());
            }
            return self.push(Form::Row, &cells.join(" | "));
        }
        for (form, text) in row.cells.into_iter().flatten() {
            self.push(form, &text)?;
        }
        Ok(())
    }

    /// Begins a part of the whole, such as a slide: where its first block will stand.
    pub(super) fn begin_part(&mut self) -> usize {
        // What follows a list is no more of it.
        self.last = None;
        if self.text.is_empty() { 0 } else { self.text.len() + 2 }
    }

    /// All of it, with what was left open.
    pub(super) fn finish(mut self) -> Result<String, Fault> {
        while !self.rows.is_empty() {
            self.close_row()?;
        }
        Ok(self.text)
    }

    fn write(&mut self, form: Form, block: &str) -> Result<(), Fault> {
        let close = match form {
            Form::Line => true,
            Form::Item(_) | Form::Numbered(_) => {
                matches!(self.last, Some(Form::Item(_) | Form::Numbered(_)))
            }
            Form::Row => self.last == Some(Form::Row),
            Form::Heading(_) | Form::Paragraph => false,
        };
        if !self.text.is_empty() {
            self.text.push_str(if close { "\n" } else { "\n\n" });
        }
        match form {
            Form::Heading(level) => {
                self.text.push_str(&"######"[..usize::from(level.clamp(1, 6))]);
                self.text.push(' ');
            }
            Form::Item(depth) => {
                self.text.push_str(&"  ".repeat(depth.min(DEEPEST_ITEM)));
                self.text.push_str("- ");
            }
            Form::Numbered(depth) => self.text.push_str(&"  ".repeat(depth.min(DEEPEST_ITEM))),
            _ => {}
        }
        self.text.push_str(block);
        self.last = Some(form);
        if self.text.len() > MAX_TEXT { Err(Fault::TooMuchText) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_a_line_and_what_belongs_together_stands_together() {
        let mut blocks = Blocks::default();
        blocks.push(Form::Heading(2), " Plan ").unwrap();
        blocks.push(Form::Paragraph, "We open\nin\u{202e} May.").unwrap();
        blocks.push(Form::Paragraph, " \u{200b} ").unwrap();
        blocks.push(Form::Item(0), "one").unwrap();
        blocks.push(Form::Item(1), "two").unwrap();
        for cells in [["a", "b"], ["", "d"], ["", ""]] {
            blocks.open_row();
            for cell in cells {
                blocks.open_cell();
                blocks.push(Form::Paragraph, cell).unwrap();
            }
            blocks.close_row().unwrap();
        }
        blocks.push(Form::Paragraph, "code {").unwrap();
        blocks.push(Form::Line, "  deep }").unwrap();
        assert_eq!(
            blocks.finish().unwrap(),
            "## Plan\n\nWe open in May.\n\n- one\n  - two\n\na | b\n| d\n\ncode {\n  deep }"
        );
    }

    #[test]
    fn a_table_for_the_layout_is_no_table() {
        let mut blocks = Blocks::default();
        blocks.open_row();
        blocks.open_cell();
        blocks.push(Form::Heading(1), "Title").unwrap();
        blocks.push(Form::Paragraph, "Text").unwrap();
        blocks.open_row();
        blocks.open_cell();
        blocks.push(Form::Paragraph, "a").unwrap();
        blocks.open_cell();
        blocks.push(Form::Paragraph, "b").unwrap();
        assert_eq!(blocks.finish().unwrap(), "# Title\n\nText\n\na | b");
    }

    #[test]
    fn it_stops_at_the_limit() {
        let mut blocks = Blocks::default();
        let line = "a".repeat(MAX_TEXT / 2);
        blocks.push(Form::Paragraph, &line).unwrap();
        assert_eq!(blocks.push(Form::Paragraph, &line), Err(Fault::TooMuchText));
    }
}
