//! Model Markdown (`CommonMark` with tables) as Discord Markdown, whole and in parts.
//!
//! Discord's dialect lacks tables, images, HTML, footnotes and headings below the third level, shows single
//! line ends as such, and ends a fence where a message ends. So the text is parsed, and written anew in what
//! Discord understands. Any input gives valid parts; a part of an
//! ordinary text, given again, comes back as it is.
//!
//! An address in words of a model or a document is shown as its host and path, which nobody can press: what a model was
//! talked into may lead anywhere. Only an address that a member wrote stays one, whole and without a label over it. In
//! the prose of a card nothing becomes a heading or a quotation: those are the card's own. Only in a text that a card is there
//! for do they stay.

mod blocks;
mod formula;
mod link;
mod pack;
mod piece;
mod signs;
mod table;
#[cfg(test)]
mod tests;
mod token;

use comrak::{Arena, Options};

pub use self::signs::parse;
use self::{
    piece::{Body, Piece},
    token::{Line, Style, Token},
};
use super::text::{self, length};

/// Fewest units a part may be limited to; below it, there is no room for a fence and anything in it.
const FEWEST: usize = 64;

/// Stands between `]` and `:` while parsing, so that no text is taken for a link reference definition, which
/// would make it vanish. Cleaning removes it from whatever came in, and so it never comes out.
const NO_DEFINITION: char = '\u{e000}';

/// The text in parts of at most `most` units each (64 at least), split by its structure: never inside a fence
/// or a list item, unless that alone is longer, then with the fence closed and opened again.
#[must_use]
pub fn parts(markdown: &str, most: usize) -> Vec<String> {
    pack::pack(without_links(pieces(markdown)), most.max(FEWEST))
}

/// The same for the prose of a card: its headings are bold lines, its quotations are in italics.
#[must_use]
pub fn prose(markdown: &str, most: usize) -> Vec<String> {
    pack::pack(as_prose(without_links(pieces(markdown))), most.max(FEWEST))
}

/// The same for a text that a card is there for, such as a memo: its headings are of the third level, below the card's own
/// title, and its quotations stay, for what is to be sent or put in stands in them.
#[must_use]
pub fn body(markdown: &str, most: usize) -> Vec<String> {
    let mut pieces = without_links(pieces(markdown));
    for piece in pieces.iter_mut().filter(|piece| piece.is_heading()) {
        "### ".clone_into(&mut piece.marker);
    }
    pack::pack(pieces, most.max(FEWEST))
}

/// The first part of a card's prose, with `…` if there is more.
#[must_use]
pub fn short(markdown: &str, most: usize) -> String {
    first_of(prose(markdown, most.saturating_sub(2)))
}

/// The same for words of a member: their addresses stay.
#[must_use]
pub fn member_short(markdown: &str, most: usize) -> String {
    first_of(pack::pack(as_prose(pieces(markdown)), most.saturating_sub(2).max(FEWEST)))
}

fn first_of(parts: Vec<String>) -> String {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_default();
    match parts.next() {
        None => first,
        Some(_) if first.ends_with("```") => format!("{first}\n…"),
        Some(_) => format!("{first} …"),
    }
}

/// An address, written so that nothing in it can end it early; `None` unless it leads to the web and is short enough.
#[must_use]
pub fn address(url: &str) -> Option<String> {
    link::web(url)
}

/// A text on one line of at most `most` units, with `…` if there is more. Emphasis and code stay.
#[must_use]
pub fn inline(markdown: &str, most: usize) -> String {
    on_one_line(without_links(pieces(markdown)), most)
}

/// The same for words of a member: their addresses stay.
#[must_use]
pub fn member_inline(markdown: &str, most: usize) -> String {
    on_one_line(pieces(markdown), most)
}

fn on_one_line(pieces: Vec<Piece>, most: usize) -> String {
    let mut line = Line::default();
    for piece in pieces {
        line.space();
        match piece.body {
            Body::Words(tokens) => tokens.into_iter().for_each(|token| match token {
                Token::Space | Token::Break => line.space(),
                other => line.push(other),
            }),
            Body::Code { head, lines, .. } => {
                let code: Vec<&str> =
                    head.iter().chain(&lines).flat_map(|line| line.split_whitespace()).collect();
                line.push(Token::Code(code.join(" "), Style::default()));
            }
        }
    }
    let tokens = line.finish();
    let whole = token::write(&tokens, "\n");
    if length(&whole) <= most {
        return whole;
    }
    let first = token::chunks(tokens, most.saturating_sub(1), "\n").next().unwrap_or_default();
    text::cut(&format!("{first}…"), most)
}

/// The text with its addresses as words.
fn without_links(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for piece in &mut pieces {
        if let Body::Words(tokens) = &mut piece.body {
            *tokens = Line::of(std::mem::take(tokens).into_iter().map(Token::without_link));
        }
    }
    pieces
}

/// The text without headings and quotations, whose words are bold or in italics instead.
fn as_prose(pieces: Vec<Piece>) -> Vec<Piece> {
    let restyled = |piece: Piece| {
        let set = Style { bold: piece.is_heading(), italic: piece.quote, ..Style::default() };
        let marker = if piece.is_heading() { String::new() } else { piece.marker };
        let body = match piece.body {
            Body::Words(tokens) => Body::Words(Line::of(tokens.into_iter().map(|token| token.set(set)))),
            code @ Body::Code { .. } => code,
        };
        Piece { marker, quote: false, body, ..piece }
    };
    pieces.into_iter().map(restyled).collect()
}

/// The text's structure, flat.
fn pieces(markdown: &str) -> Vec<Piece> {
    let clean = text::clean(markdown).replace("]:", &format!("]{NO_DEFINITION}:"));
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    let arena = Arena::new();
    blocks::pieces(parse(&arena, &clean, &options))
}
