//! Pieces packed into parts.

use super::{
    super::text::{self, length},
    piece::{Body, Piece},
    token,
};

/// Parts of at most `most` units, each valid by itself.
pub(super) fn pack(pieces: Vec<Piece>, most: usize) -> Vec<String> {
    let mut packer = Packer { most, done: Vec::new(), now: String::new(), last: None, base: 0, headings: 0 };
    for piece in pieces {
        packer.add(piece);
    }
    packer.flush();
    packer.done
}

struct Packer {
    most: usize,
    done: Vec<String>,
    /// The part being filled.
    now: String,
    /// The last piece in it.
    last: Option<Piece>,
    /// Columns of indentation taken off, so that a part never begins indented. What stands further out lowers it.
    base: usize,
    /// Where in `now` the headings begin with which it ends; a part never ends with a heading.
    headings: usize,
}

impl Packer {
    fn add(&mut self, piece: Piece) {
        let fresh = |last: &Piece| last.is_code() || last.is_heading();
        if self.last.as_ref().is_none_or(fresh) || piece.indent < self.base {
            self.base = piece.indent;
        }
        let gap = self.last.as_ref().map_or("", |last| gap(last, &piece));
        let written = write(&piece, self.base);
        if length(&self.now) + gap.len() + length(&written) <= self.most {
            self.now.push_str(gap);
            self.now.push_str(&written);
            if !piece.is_heading() {
                self.headings = self.now.len();
            }
            self.last = Some(piece);
            return;
        }
        if self.last.is_some() {
            let headings = self.now.split_off(self.headings).trim_start().to_owned();
            // A part of nothing but headings is not moved again, or it would move for ever.
            if self.now.is_empty() || headings.is_empty() || length(&headings) > self.most / 2 {
                self.now.push_str(if self.now.is_empty() || headings.is_empty() { "" } else { "\n" });
                self.now.push_str(&headings);
                self.flush();
            } else {
                self.flush();
                self.now = headings;
                self.headings = 0;
                self.last = Some(Piece { marker: "# ".to_owned(), ..Piece::paragraph(Vec::new(), 0, false) });
            }
            return self.add(piece);
        }
        let mut parts = split(&piece, self.most);
        self.now = parts.pop().unwrap_or_default();
        let is_torn = !parts.is_empty();
        self.done.extend(parts);
        self.headings = self.now.len();
        self.last = Some(piece);
        if is_torn {
            self.go_on_after_a_rest();
        }
    }

    /// What is left of words that were longer than a part is a paragraph at the margin, whatever they began as: what
    /// follows begins at the margin too, and is not taken for one more line of it.
    fn go_on_after_a_rest(&mut self) {
        if let Some(piece) = self.last.as_mut().filter(|piece| !piece.is_code()) {
            piece.marker.clear();
            self.base = usize::MAX;
        }
    }

    fn flush(&mut self) {
        let part = std::mem::take(&mut self.now);
        if !part.trim().is_empty() {
            self.done.push(part);
        }
        self.last = None;
        self.base = 0;
        self.headings = 0;
    }
}

/// What stands between two pieces. A blank line keeps the second from being read as a continuation of the
/// first; elsewhere one line end is enough, and reads better.
fn gap(before: &Piece, after: &Piece) -> &'static str {
    let interrupts = after.marker == "- " || after.marker == "1. ";
    match () {
        () if before.is_code() || after.is_code() || before.is_heading() || after.is_heading() => "\n",
        () if before.quote != after.quote => "\n\n",
        () if after.is_item() && (before.is_item() || interrupts) => "\n",
        () => "\n\n",
    }
}

/// A piece as Discord Markdown, `base` columns of its indentation taken off.
fn write(piece: &Piece, base: usize) -> String {
    match &piece.body {
        Body::Code { info, head, lines } => fenced(info, &[&head[..], lines].concat()),
        Body::Words(tokens) => {
            let indent = " ".repeat(piece.indent.saturating_sub(base));
            let quote = if piece.quote { "> " } else { "" };
            let hang = if piece.is_item() { " ".repeat(piece.marker.len()) } else { String::new() };
            let words = token::write(tokens, &format!("\n{quote}{indent}{hang}"));
            format!("{quote}{indent}{}{words}", piece.marker)
        }
    }
}

fn fenced(info: &str, lines: &[String]) -> String {
    let code = text::defuse(&text::no_fence(&lines.join("\n")));
    format!("```{info}\n{code}\n```")
}

/// A piece longer than a part, in parts: words split between words, code between lines with the fence closed
/// and opened again.
fn split(piece: &Piece, most: usize) -> Vec<String> {
    match &piece.body {
        Body::Words(tokens) => {
            let quote = if piece.quote { "> " } else { "" };
            let room = most - quote.len() - piece.marker.len();
            // Lines of an item hang below its text; what of it stands in a later part is a paragraph there.
            let hang = if piece.is_item() { " ".repeat(piece.marker.len()) } else { String::new() };
            let (hanging, plain) = (format!("\n{quote}{hang}"), format!("\n{quote}"));
            let chunks = token::chunks(tokens.clone(), room, &hanging);
            let part = |(at, chunk): (usize, String)| match at {
                0 => format!("{quote}{}{chunk}", piece.marker),
                _ => format!("{quote}{}", chunk.replace(&hanging, &plain)),
            };
            chunks.enumerate().map(part).collect()
        }
        Body::Code { info, head, lines } => {
            let frame = length(&fenced(info, &[]));
            let head_cost = length(&fenced(info, head)) - frame + 1;
            let head = if head_cost < most / 3 { &head[..] } else { &[] };
            let repeated = if head.is_empty() { 0 } else { head_cost };
            let lines = if head.is_empty() {
                let Body::Code { head, lines, .. } = &piece.body else { return Vec::new() };
                [&head[..], lines].concat()
            } else {
                lines.clone()
            };
            let room = most - frame - repeated;
            let mut blocks: Vec<Vec<String>> = vec![Vec::new()];
            let mut used = 0;
            for line in lines.iter().flat_map(|line| pieces_of(line, room)) {
                let cost = length(&text::defuse(&line)) + 1;
                if used + cost > room {
                    blocks.push(Vec::new());
                    used = 0;
                }
                if let Some(block) =
                    blocks.last_mut().filter(|block| !(block.is_empty() && line.trim().is_empty()))
                {
                    block.push(line);
                    used += cost;
                }
            }
            let full = blocks.into_iter().filter(|block| !block.is_empty());
            full.map(|block| fenced(info, &[head, &block].concat())).collect()
        }
    }
}

/// A line of code in pieces that fit, cut between graphemes.
fn pieces_of(line: &str, room: usize) -> Vec<String> {
    if length(&text::defuse(line)) < room {
        return vec![line.to_owned()];
    }
    // Defusing makes two units of one at most.
    let most = (room.saturating_sub(1) / 2).max(1);
    let mut pieces = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let head = text::head(rest, most);
        let head = if head.is_empty() { rest } else { head };
        pieces.push(head.to_owned());
        rest = &rest[head.len()..];
    }
    pieces
}
