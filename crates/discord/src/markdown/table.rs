//! Tables, which Discord lacks: aligned in a block of code where they are narrow, else an item for each row.

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
        items(rows, indent)
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

/// `- **Name:** header value · header value`, an item for each row below the header of the names. Of a table of two columns the
/// second header stands beside the first: it would be the same in each item.
fn items(rows: &[Vec<Vec<Token>>], indent: usize) -> Vec<Piece> {
    let Some((header, rest)) = rows.split_first() else { return Vec::new() };
    let titles: Vec<String> = header.iter().map(|title| plain(title)).collect();
    let above = if titles.len() == 2 || rest.is_empty() { titles.len() } else { 1 };
    let above: Vec<&str> =
        titles.iter().take(above).map(String::as_str).filter(|title| !title.is_empty()).collect();
    let mut lead = Line::default();
    lead.text(&above.join(" · "), BOLD);
    let lead = Piece::paragraph(lead.finish(), indent, false);
    let items = rest.iter().map(|row| Piece {
        marker: "- ".to_owned(),
        indent,
        quote: false,
        body: Body::Words(item(row, &titles)),
    });
    std::iter::once(lead).chain(items).filter(|piece| !piece.is_empty()).collect()
}

const BOLD: Style = Style { bold: true, italic: false, strike: false };

fn item(row: &[Vec<Token>], titles: &[String]) -> Vec<Token> {
    let mut line = Line::default();
    let mut named = false;
    // A dash stands for nothing.
    let says = |cell: &[Token]| !matches!(plain(cell).trim(), "" | "-" | "–" | "—");
    for (column, cell) in row.iter().enumerate().filter(|(_, cell)| says(cell)) {
        let name = column == 0 && row.len() > 1;
        if column > 1 && named {
            line.space();
            line.text("·", Style::default());
            line.space();
        }
        named |= column > 0;
        if let Some(title) =
            titles.get(column).filter(|title| column > 0 && titles.len() != 2 && !title.is_empty())
        {
            line.text(title, Style::default());
            line.space();
        }
        for token in cell {
            match token.clone() {
                Token::Space => line.space(),
                word => line.push(if name { word.set(BOLD) } else { word }),
            }
        }
        if name {
            line.text(":", BOLD);
            line.space();
        }
    }
    line.finish()
}
