//! A parsed document as a flat list of pieces, each of which Discord knows.

use comrak::nodes::{ListType, Node, NodeValue};

use super::{
    link,
    piece::{Body, Piece},
    table,
    token::{Line, Style, Token},
};

/// Deeper than this, lists are shown on one level and emphasis is dropped: nobody means it.
const DEEPEST_LIST: usize = 5;
const DEEPEST: usize = 48;

/// What stands for a line across.
const RULE: &str = "────────";

/// Where in the document a node stands.
#[derive(Clone, Copy, Default)]
struct Place {
    indent: usize,
    lists: usize,
    quote: bool,
    depth: usize,
}

/// The document as pieces, none of them empty.
pub(super) fn pieces(document: Node<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    blocks(document, Place::default(), &mut pieces);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn blocks<'a>(parent: Node<'a>, place: Place, pieces: &mut Vec<Piece>) {
    let mut next_number = None;
    for node in parent.children() {
        let number = next_number.take();
        let value = node.data().value.clone();
        match value {
            NodeValue::List(list) => {
                // Two numbered lists that touch are one for Discord, so the second goes on counting.
                let ordered = list.list_type == ListType::Ordered;
                let start = number.filter(|_| ordered).unwrap_or(list.start);
                for (at, item) in node.children().enumerate() {
                    let marker = if ordered { format!("{}. ", start + at) } else { "- ".to_owned() };
                    self::item(item, marker, place, pieces);
                }
                next_number = ordered.then(|| start + node.children().count());
            }
            NodeValue::CodeBlock(code) => pieces.push(code_block(&code.info, &code.literal)),
            NodeValue::HtmlBlock(html) => {
                let mut line = Line::default();
                for text in html.literal.lines() {
                    line.text(text, Style::default());
                    line.line_end();
                }
                pieces.push(Piece::paragraph(line.finish(), place.indent, place.quote));
            }
            NodeValue::ThematicBreak => {
                let rule = vec![Token::Text(RULE.to_owned(), Style::default())];
                pieces.push(Piece::paragraph(rule, place.indent, place.quote));
            }
            NodeValue::Heading(heading) if place.indent == 0 && !place.quote && place.lists == 0 => {
                let tokens = words(node, Style::default(), false);
                let marker = format!("{} ", "#".repeat(usize::from(heading.level.clamp(1, 3))));
                pieces.push(Piece { marker, indent: 0, quote: false, body: Body::Words(tokens) });
            }
            NodeValue::Heading(_) => {
                let tokens = words(node, Style { bold: true, ..Style::default() }, false);
                pieces.push(Piece::paragraph(tokens, place.indent, place.quote));
            }
            NodeValue::Table(_) => {
                let cells =
                    |row: Node<'a>| row.children().map(|cell| words(cell, Style::default(), false)).collect();
                let rows: Vec<Vec<Vec<Token>>> = node.children().map(cells).collect();
                pieces.extend(table::pieces(&rows, place.indent));
            }
            NodeValue::Paragraph => {
                let tokens = words(node, Style::default(), true);
                pieces.push(Piece::paragraph(tokens, place.indent, place.quote));
            }
            _ if place.depth >= DEEPEST => pieces.push(deep(node, place)),
            NodeValue::BlockQuote => {
                let quote = true;
                blocks(node, Place { quote, depth: place.depth + 1, ..place }, pieces);
            }
            _ => blocks(node, Place { depth: place.depth + 1, ..place }, pieces),
        }
    }
}

/// An item: its own paragraphs as one piece, then what is nested in it. An item without words of its own
/// leaves its place to what is nested.
fn item(node: Node<'_>, marker: String, place: Place, pieces: &mut Vec<Piece>) {
    if place.depth >= DEEPEST {
        return pieces.push(deep(node, place));
    }
    let mut line = Line::default();
    if let NodeValue::TaskItem(task) = &node.data().value {
        line.text(if task.symbol.is_some() { "☑ " } else { "☐ " }, Style::default());
    }
    let own = node.children().take_while(|child| matches!(child.data().value, NodeValue::Paragraph)).count();
    for child in node.children().take(own) {
        inlines(child, Style::default(), true, 0, &mut line);
        line.line_end();
    }
    let tokens = line.finish();
    let width = if tokens.is_empty() || place.lists + 1 >= DEEPEST_LIST { 0 } else { marker.len() };
    let inside =
        Place { indent: place.indent + width, lists: place.lists + 1, depth: place.depth + 1, ..place };
    pieces.push(Piece { marker, indent: place.indent, quote: place.quote, body: Body::Words(tokens) });
    let mut nested = Vec::new();
    blocks(node, inside, &mut nested);
    pieces.extend(nested.into_iter().skip(own));
}

/// All the words below a node that is too deep to be shown as what it is.
fn deep(node: Node<'_>, place: Place) -> Piece {
    let mut line = Line::default();
    flat(node, Style::default(), &mut line);
    Piece::paragraph(line.finish(), place.indent, place.quote)
}

fn flat(node: Node<'_>, style: Style, line: &mut Line) {
    for node in node.descendants() {
        match &node.data().value {
            NodeValue::Text(text) => line.text(text, style),
            NodeValue::Code(code) => line.text(&code.literal, style),
            NodeValue::CodeBlock(code) => line.text(&code.literal, style),
            NodeValue::HtmlInline(html) => line.text(html, style),
            NodeValue::HtmlBlock(html) => line.text(&html.literal, style),
            NodeValue::SoftBreak | NodeValue::LineBreak | NodeValue::Paragraph => line.space(),
            _ => {}
        }
    }
}

fn code_block(info: &str, literal: &str) -> Piece {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_+-.#".contains(c);
    let info = info.split_whitespace().next().unwrap_or_default().to_lowercase();
    let info = if info.len() <= 20 && info.chars().all(plain) { info } else { String::new() };
    let mut lines: Vec<String> = super::text::clean(literal)
        .replace('\t', "    ")
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    Piece::code(info, Vec::new(), lines.split_off(blank))
}

/// The words below a node.
fn words(node: Node<'_>, style: Style, breaks: bool) -> Vec<Token> {
    let mut line = Line::default();
    inlines(node, style, breaks, 0, &mut line);
    line.finish()
}

/// Writes what is below a node; `breaks` keeps line ends, as Discord shows them too.
fn inlines(parent: Node<'_>, style: Style, breaks: bool, depth: usize, line: &mut Line) {
    if depth > DEEPEST {
        return flat(parent, style, line);
    }
    let gap = |line: &mut Line| if breaks { line.line_end() } else { line.space() };
    for node in parent.children() {
        let value = node.data().value.clone();
        match value {
            NodeValue::Text(text) => line.text(&no_footnote(&text), style),
            NodeValue::Code(code) => {
                let literal = super::text::clean_line(&code.literal);
                if !literal.is_empty() {
                    line.push(Token::Code(literal, style));
                }
            }
            NodeValue::SoftBreak | NodeValue::LineBreak => gap(line),
            NodeValue::HtmlInline(html) if is_line_break(&html) => gap(line),
            NodeValue::HtmlInline(html) => line.text(&html, style),
            NodeValue::Emph => inlines(node, Style { italic: true, ..style }, breaks, depth + 1, line),
            NodeValue::Strong => inlines(node, Style { bold: true, ..style }, breaks, depth + 1, line),
            NodeValue::Strikethrough => {
                inlines(node, Style { strike: true, ..style }, breaks, depth + 1, line);
            }
            NodeValue::Link(to) | NodeValue::Image(to) => {
                let mut label = Line::default();
                inlines(node, Style::default(), false, depth + 1, &mut label);
                let label: String = label.finish().iter().map(Token::shown).collect();
                link::push(line, &label, &to.url, style);
            }
            _ => inlines(node, style, breaks, depth + 1, line),
        }
    }
}

fn is_line_break(html: &str) -> bool {
    let tag = html.trim_start_matches('<').trim_end_matches(['>', '/', ' ']);
    tag.eq_ignore_ascii_case("br")
}

/// `[^1]` as `[1]`: there are no footnotes here, but their numbers may still lead a reader.
fn no_footnote(text: &str) -> String {
    text.replace("[^", "[")
}
