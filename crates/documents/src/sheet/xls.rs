//! XLS, as Excel wrote it before 2007: the values of cells as they are shown.
//!
//! The cells are read by `office_oxide`. It does not tell which rows and columns are hidden, nor which letters are raised or
//! struck through, so that much is looked up here (\[MS-XLS\] 2.4): the one is left out and the other said.

use std::{
    collections::{HashMap, HashSet},
    io::Cursor,
};

use office_oxide::{
    cfb::CfbReader,
    ir::SheetKind,
    xls::{CellValue, Sheet, XlsDocument, XlsError},
};

use super::{Line, Sheets};
use crate::{Fault, extract::Extract};
use domain::Omitted;

/// Where a workbook stands in its file; the second is of before 1997.
const STREAMS: [&str; 2] = ["Workbook", "Book"];

const BEGIN: u16 = 0x0809;
const END: u16 = 0x000a;
const LISTED: u16 = 0x0085;
const FONT: u16 = 0x0031;
const ROW: u16 = 0x0208;
const COLUMNS: u16 = 0x007d;
const OTHER_ROWS: u16 = 0x0225;

/// Reads a workbook; nothing where the file is something else.
pub(crate) fn read(bytes: &[u8]) -> Option<Result<Extract, Fault>> {
    let mut file = CfbReader::new(Cursor::new(bytes)).ok()?;
    // Other documents hold workbooks, too, deeper inside.
    let stream = STREAMS.iter().find(|name| file.has_root_entry(name))?;
    let records = file.open_stream(stream);
    drop(file);
    Some(records.map_err(|_| Fault::Broken).and_then(|records| read_book(bytes, &records)))
}

fn read_book(bytes: &[u8], records: &[u8]) -> Result<Extract, Fault> {
    let book = XlsDocument::from_reader(Cursor::new(bytes)).map_err(|error| match error {
        XlsError::Encrypted | XlsError::EncryptionNotSupported(_) => Fault::Encrypted,
        _ => Fault::Broken,
    })?;
    let unshown = Unshown::of(records);
    let is_table = |sheet: &&Sheet| matches!(sheet.kind, SheetKind::Worksheet | SheetKind::Dialog);
    let tables: Vec<_> = book.sheets.iter().filter(is_table).collect();
    // Where the two do not agree on the sheets, what is hidden cannot be told from what is shown.
    if book.truncated() || tables.len() != unshown.sheets.len() {
        return Err(Fault::Broken);
    }
    let shown: Vec<_> = tables.iter().zip(&unshown.sheets).filter(|(sheet, _)| !sheet.hidden).collect();
    let mut sheets = Sheets::default();
    for (at, (sheet, hidden)) in shown.iter().enumerate() {
        if sheets.begin(&sheet.name, shown.len() - at - 1) {
            rows(sheet, hidden, &mut sheets);
        }
    }
    let charts =
        !book.chart_text().is_empty() || book.sheets.iter().any(|sheet| sheet.kind == SheetKind::Chart);
    let others = [
        (!book.images().is_empty(), Omitted::Pictures),
        (charts, Omitted::Charts),
        (shown.iter().any(|(sheet, _)| !sheet.comments.is_empty()), Omitted::Comments),
        (book.sheets.iter().any(|sheet| sheet.hidden), Omitted::HiddenSheets),
        (unshown.marks, Omitted::Marks),
    ];
    sheets.finish(others.into_iter().filter(|(there, _)| *there).map(|(_, what)| what).collect())
}

/// Adds the rows of a sheet that are shown.
fn rows(sheet: &Sheet, hidden: &Hidden, sheets: &mut Sheets) {
    for (at, cells) in sheet.rows.iter().enumerate() {
        let row_hidden = hidden.row(at);
        let mut line = Line::default();
        for (column, value) in
            cells.iter().enumerate().filter(|(_, value)| !matches!(value, CellValue::Empty))
        {
            let text = sheet.display_text(at, column).unwrap_or_default();
            if text.trim().is_empty() {
                // A number that its format does not show.
                let number = matches!(value, CellValue::Number(_)).then_some(Omitted::HiddenCells);
                sheets.tell(number.filter(|_| !row_hidden));
            } else if hidden.columns.iter().any(|(first, last)| (*first..=*last).contains(&column)) {
                sheets.tell((!row_hidden).then_some(Omitted::HiddenColumns));
            } else {
                line.add(column, &text);
            }
        }
        line.end();
        if row_hidden {
            sheets.tell(line.any.then_some(Omitted::HiddenRows));
        } else if !sheets.add(u32::try_from(at + 1).unwrap_or(u32::MAX), &line) {
            return;
        }
    }
}

/// What a workbook does not show, or not as plain letters.
#[derive(Default)]
struct Unshown {
    /// Of each table, in the order in which they are listed.
    sheets: Vec<Hidden>,
    /// A font is raised, lowered or struck through.
    marks: bool,
}

/// What of a sheet is not shown.
#[derive(Default)]
struct Hidden {
    rows: HashMap<usize, bool>,
    /// Those that are not listed.
    other_rows: bool,
    /// The first and the last of each run.
    columns: HashSet<(usize, usize)>,
}

impl Hidden {
    fn row(&self, row: usize) -> bool {
        self.rows.get(&row).copied().unwrap_or(self.other_rows)
    }
}

impl Unshown {
    fn of(records: &[u8]) -> Self {
        let mut all = Self::default();
        let mut starts = Vec::new();
        for (kind, data) in part(records, 0) {
            match kind {
                // A table, and no chart or program.
                LISTED if data.get(5) == Some(&0) => {
                    let start = data.first_chunk::<4>().map(|start| u32::from_le_bytes(*start) as usize);
                    starts.push(start.unwrap_or(usize::MAX));
                }
                FONT => {
                    all.marks |= word(data, 8).is_some_and(|level| level != 0)
                        || word(data, 2).is_some_and(|look| look & 8 != 0);
                }
                _ => {}
            }
        }
        all.sheets = starts.into_iter().map(|start| Hidden::of(records, start)).collect();
        all
    }
}

impl Hidden {
    /// Of the sheet that begins here.
    fn of(records: &[u8], start: usize) -> Self {
        let mut hidden = Self::default();
        for (kind, data) in part(records, start) {
            let number = |at| word(data, at).map_or(0, usize::from);
            match kind {
                ROW => drop(hidden.rows.insert(number(0), number(12) & 0x20 != 0)),
                OTHER_ROWS => hidden.other_rows = number(0) & 2 != 0,
                COLUMNS if number(8) & 1 != 0 || number(4) == 0 => {
                    hidden.columns.insert((number(0), number(2)));
                }
                _ => {}
            }
        }
        hidden
    }
}

fn word(data: &[u8], at: usize) -> Option<u16> {
    data.get(at..at + 2)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

/// The records of a part of the workbook, without those of the charts on it.
fn part(records: &[u8], start: usize) -> impl Iterator<Item = (u16, &[u8])> {
    let mut rest = records.get(start..).unwrap_or_default();
    let mut depth = 0_u32;
    std::iter::from_fn(move || {
        loop {
            let (kind, length) = (word(rest, 0)?, usize::from(word(rest, 2)?));
            let data = rest.get(4..4 + length)?;
            rest = &rest[4 + length..];
            match kind {
                BEGIN => depth += 1,
                END if depth <= 1 => return None,
                END => depth -= 1,
                _ if depth == 1 => return Some((kind, data)),
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERS: &[u8] = include_bytes!("../../../../tests/documents/offers.xls");

    #[test]
    fn values_are_read_as_they_are_shown_and_what_is_hidden_is_named() {
        let extract = read(OFFERS).unwrap().unwrap();
        assert_eq!(
            extract.text,
            "# Offers\nOffer | Price | | Since | Share\nNorth | 1,200.00 € | | 2026-05-03 | 12.5%\n\n\
             Sum | 2,300.00 € | | | 62.5%\n\n# More\n-5.5 | TRUE | #DIV/0!\n1000000 | 0.3\nmerged | | after"
        );
        assert_eq!(
            extract.omitted,
            [Omitted::HiddenColumns, Omitted::HiddenRows, Omitted::HiddenSheets, Omitted::Marks]
        );
        assert!(extract.is_sound());
    }

    #[test]
    fn what_is_cut_off_or_leads_back_to_itself_is_refused() {
        let whole = read(OFFERS).unwrap().unwrap().text;
        let mut refused = 0;
        for len in (512..OFFERS.len()).step_by(256) {
            // What the title of the file was in is not missed.
            match read(&OFFERS[..len]) {
                Some(Ok(extract)) => assert_eq!(extract.text, whole, "{len}"),
                _ => refused += 1,
            }
        }
        assert!(refused > 10, "{refused}");
        // Each sector of the file is followed by the first one.
        let mut looped = OFFERS.to_vec();
        let table =
            512 * (1 + usize::try_from(u32::from_le_bytes(*OFFERS[76..].first_chunk().unwrap())).unwrap());
        for entry in looped[table..table + 512].chunks_exact_mut(4) {
            entry.copy_from_slice(&[0; 4]);
        }
        assert!(!matches!(read(&looped), Some(Ok(_))));
    }
}
