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

/// An item for each row below the header of the names: `- **Name:** *header:* value · *header:* value`; a longer row has an item
/// of its own for each value. Of a table of two columns the second header stands beside the first: it would be the same in each
/// item.
fn items(rows: &[Vec<Vec<Token>>], indent: usize) -> Vec<Piece> {
    let Some((header, rest)) = rows.split_first() else { return Vec::new() };
    let titles: Vec<String> = header.iter().map(|title| plain(title)).collect();
    let above = if titles.len() == 2 || rest.is_empty() { titles.len() } else { 1 };
    let above: Vec<&str> =
        titles.iter().take(above).map(String::as_str).filter(|title| !title.is_empty()).collect();
    let mut lead = Line::default();
    lead.text(&above.join(" · "), BOLD);
    let lead = Piece::paragraph(lead.finish(), indent, false);
    let items = rest.iter().flat_map(|row| item(row, &titles, indent));
    std::iter::once(lead).chain(items).filter(|piece| !piece.is_empty()).collect()
}

const BOLD: Style = Style { bold: true, italic: false, strike: false };
const ITALIC: Style = Style { bold: false, italic: true, strike: false };
/// Longest row, in columns, whose values stand one after the other.
const LONGEST: usize = 110;

/// A row: one item, or one with an item below it for each value.
fn item(row: &[Vec<Token>], titles: &[String], indent: usize) -> Vec<Piece> {
    let listed =
        |tokens, indent| Piece { marker: "- ".to_owned(), indent, quote: false, body: Body::Words(tokens) };
    // A dash stands for nothing.
    let says = |cell: &[Token]| !matches!(plain(cell).trim(), "" | "-" | "–" | "—");
    let title = |column: usize| titles.get(column).filter(|title| titles.len() != 2 && !title.is_empty());
    let values: Vec<(Option<&String>, &Vec<Token>)> = (row.iter().enumerate().skip(1))
        .filter(|(_, cell)| says(cell))
        .map(|(column, cell)| (title(column), cell))
        .collect();
    let name = row.first().filter(|name| says(name));
    let mut line = Line::default();
    if let Some(name) = name {
        append(&mut line, name, row.len() > 1);
        if row.len() > 1 {
            line.text(":", BOLD);
        }
    }
    let width = |(title, cell): &(Option<&String>, &Vec<Token>)| {
        title.map_or(0, |title| title.width()) + plain(cell).width() + 3
    };
    if name.is_some() && values.len() > 1 && values.iter().map(width).sum::<usize>() > LONGEST {
        let below = values.into_iter().map(|value| {
            let mut line = Line::default();
            write_value(&mut line, value);
            listed(line.finish(), indent + 2)
        });
        return std::iter::once(listed(line.finish(), indent)).chain(below).collect();
    }
    for (place, value) in values.into_iter().enumerate() {
        line.space();
        if place > 0 {
            line.text("·", Style::default());
            line.space();
        }
        write_value(&mut line, value);
    }
    vec![listed(line.finish(), indent)]
}

fn write_value(line: &mut Line, (title, cell): (Option<&String>, &Vec<Token>)) {
    if let Some(title) = title {
        line.text(&format!("{}:", title.trim_end_matches(':')), ITALIC);
        line.space();
    }
    append(line, cell, false);
}

fn append(line: &mut Line, cell: &[Token], bold: bool) {
    for token in cell {
        match token.clone() {
            Token::Space => line.space(),
            word => line.push(if bold { word.set(BOLD) } else { word }),
        }
    }
}
