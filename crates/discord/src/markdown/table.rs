//! Tables, which Discord lacks: aligned in a block of code where they are narrow, else a record for each row.

use unicode_width::UnicodeWidthStr;

use super::{
    piece::{Body, Piece},
    token::{Line, Style, Token},
};

/// Widest table, in columns of a fixed-width font, that a card shows without breaking its lines.
const WIDEST: usize = 56;

/// A table's rows, the header first, each a list of cells.
pub(super) fn pieces(rows: &[Vec<Vec<Token>>], indent: usize) -> Vec<Piece> {
    let shown: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
    let columns = shown.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let whole = widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1);
    if shown.iter().flatten().all(String::is_empty) {
        Vec::new()
    } else if whole <= WIDEST {
        vec![aligned(&shown, &widths)]
    } else {
        records(rows, indent)
    }
}

fn plain(cell: &[Token]) -> String {
    cell.iter().map(Token::shown).collect()
}

fn aligned(rows: &[Vec<String>], widths: &[usize]) -> Piece {
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width()))));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = rows.iter().map(line);
    let head = lines.next().into_iter();
    let rule = widths.iter().map(|&width| "─".repeat(width)).collect::<Vec<_>>().join("  ");
    Piece::code(String::new(), head.chain([rule]).collect(), lines.collect())
}

/// `- **Header:** value`, a line for each cell that holds something.
fn records(rows: &[Vec<Vec<Token>>], indent: usize) -> Vec<Piece> {
    let Some((header, rest)) = rows.split_first() else { return Vec::new() };
    if rest.is_empty() {
        let mut line = Line::default();
        for cell in header {
            cell.iter().cloned().for_each(|token| line.push(token));
            line.line_end();
        }
        return vec![Piece::paragraph(line.finish(), indent, false)];
    }
    let bold = Style { bold: true, ..Style::default() };
    let record = |row: &Vec<Vec<Token>>| {
        let mut line = Line::default();
        for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let name = header.get(column).map(|name| plain(name)).unwrap_or_default();
            if !name.is_empty() {
                line.text(&format!("{name}:"), bold);
                line.space();
            }
            cell.iter().cloned().for_each(|token| match token {
                Token::Space => line.space(),
                other => line.push(other),
            });
            line.line_end();
        }
        Piece { marker: "- ".to_owned(), indent, quote: false, body: Body::Words(line.finish()) }
    };
    rest.iter().map(record).filter(|piece| !piece.is_empty()).collect()
}
