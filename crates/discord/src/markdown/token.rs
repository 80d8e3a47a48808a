//! Words with their emphasis, and how they are written.

use super::super::text::{self, length};

/// How a word is set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) strike: bool,
}

impl Style {
    fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// Markup before and, reversed, after what is set so.
    fn markers(self) -> [&'static str; 3] {
        let mark = |on: bool, marker| if on { marker } else { "" };
        [mark(self.bold, "**"), mark(self.italic, "*"), mark(self.strike, "~~")]
    }
}

/// The smallest thing a line is made of. Texts are raw here, escaped only when written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A word, or a piece of one.
    Text(String, Style),
    /// Code inside a line.
    Code(String, Style),
    /// An address of the web.
    Link(String, Style),
    /// Between words.
    Space,
    /// Between lines.
    Break,
}

impl Token {
    fn style(&self) -> Style {
        match self {
            Self::Text(_, style) | Self::Code(_, style) | Self::Link(_, style) => *style,
            Self::Space | Self::Break => Style::default(),
        }
    }

    /// The same in another style.
    fn styled(self, style: Style) -> Self {
        match self {
            Self::Text(text, _) => Self::Text(text, style),
            Self::Code(code, _) => Self::Code(code, style),
            Self::Link(url, _) => Self::Link(url, style),
            gap => gap,
        }
    }

    /// The same, set in `more` beside its own style.
    pub(super) fn set(self, more: Style) -> Self {
        let own = self.style();
        let both = Style {
            bold: own.bold || more.bold,
            italic: own.italic || more.italic,
            strike: own.strike || more.strike,
        };
        self.styled(both)
    }

    /// An address as its host and path, which is no address for Discord.
    pub(super) fn without_link(self) -> Self {
        match self {
            Self::Link(url, style) => Self::Text(text::host_and_path(&url), style),
            other => other,
        }
    }

    fn is_gap(&self) -> bool {
        matches!(self, Self::Space | Self::Break)
    }

    /// What a reader sees of it, without markup.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text, _) | Self::Code(text, _) => text.clone(),
            Self::Link(url, _) => text::host_and_path(url),
            Self::Space | Self::Break => " ".to_owned(),
        }
    }

    /// Units it may need at most, its markup included.
    fn cost(&self, line_end: &str) -> usize {
        let marks: usize = self.style().markers().iter().map(|marker| marker.len() * 2).sum();
        let body = match self {
            Self::Space => 1,
            Self::Break => length(line_end),
            Self::Text(text, _) => length(&written(text, true)) + 2,
            other => length(&body(other, false)) + 1,
        };
        body + marks
    }

    /// What it costs, where that is at most `room`. A word far too long, of which piece after piece is cut off,
    /// is not written out each time to learn that it still is: no markup makes a text shorter, and no character
    /// takes more than three bytes for each of its units.
    fn cost_up_to(&self, room: usize, line_end: &str) -> Option<usize> {
        let bytes = match self {
            Self::Text(text, _) | Self::Code(text, _) | Self::Link(text, _) => text.len(),
            Self::Space | Self::Break => 0,
        };
        if bytes / 3 > room {
            return None;
        }
        Some(self.cost(line_end)).filter(|&cost| cost <= room)
    }
}

/// Tokens as they come in: gaps never double, and what touches is set alike.
#[derive(Default)]
pub(super) struct Line {
    tokens: Vec<Token>,
}

impl Line {
    /// Tokens that were changed, so that those which touch and are set alike now become one again.
    pub(super) fn of(tokens: impl Iterator<Item = Token>) -> Vec<Token> {
        let mut line = Self::default();
        tokens.for_each(|token| line.push(token));
        line.tokens
    }

    /// Adds running text: words and the gaps between them.
    pub(super) fn text(&mut self, raw: &str, style: Style) {
        let clean = text::clean(raw);
        let mut rest = clean.as_str();
        while let Some(c) = rest.chars().next() {
            if c.is_whitespace() {
                self.space();
                rest = rest.trim_start();
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                self.push(Token::Text(rest[..end].to_owned(), style));
                rest = &rest[end..];
            }
        }
    }

    /// Adds a word, code or link. Directly after something set in another way it is set as that: Markdown
    /// cannot change from one emphasis to another inside a word.
    pub(super) fn push(&mut self, token: Token) {
        let before = self.tokens.last().filter(|last| !last.is_gap());
        let Some(before) = before else { return self.tokens.push(token) };
        let style = before.style();
        let set = |own: Style| if own.is_plain() || style.is_plain() { own } else { style };
        let own = token.style();
        let token = token.styled(set(own));
        if let (Some(Token::Text(word, own)), Token::Text(more, style)) = (self.tokens.last_mut(), &token)
            && own == style
        {
            return word.push_str(more);
        }
        // Two spans of code that touch would be read as one, and a backtick of the text as part of one's fence.
        let touch = match (self.tokens.last(), &token) {
            (Some(Token::Code(..)), Token::Code(..)) => true,
            (Some(Token::Text(text, _)), Token::Code(..)) => text.ends_with('`'),
            (Some(Token::Code(..)), Token::Text(text, _)) => text.starts_with('`'),
            _ => false,
        };
        if touch {
            self.tokens.push(Token::Space);
        }
        self.tokens.push(token);
    }

    /// Adds a gap between words.
    pub(super) fn space(&mut self) {
        if self.tokens.last().is_some_and(|last| !last.is_gap()) {
            self.tokens.push(Token::Space);
        }
    }

    /// Ends the line.
    pub(super) fn line_end(&mut self) {
        while self.tokens.last() == Some(&Token::Space) {
            self.tokens.pop();
        }
        if self.tokens.last().is_some_and(|last| !last.is_gap()) {
            self.tokens.push(Token::Break);
        }
    }

    /// The tokens, without a gap at either end.
    pub(super) fn finish(mut self) -> Vec<Token> {
        while self.tokens.last().is_some_and(Token::is_gap) {
            self.tokens.pop();
        }
        self.tokens
    }
}

/// Tokens as Discord Markdown; every emphasis that is opened is closed. `line_end` stands between lines.
pub(super) fn write(tokens: &[Token], line_end: &str) -> String {
    let mut out = String::new();
    let mut open = Style::default();
    let mut line_start = true;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Space => out.push(' '),
            Token::Break => {
                out.push_str(line_end);
                line_start = true;
            }
            word => {
                if open.is_plain() {
                    out.extend(word.style().markers());
                    open = word.style();
                }
                // A label that was never closed is none, and does not look like one either.
                if matches!(word, Token::Link(..)) && out.ends_with("](") {
                    out.truncate(out.len() - 1);
                    out.push_str("\\(");
                }
                out.push_str(&body(word, line_start));
                line_start = false;
            }
        }
        let next = tokens[at + 1..].iter().find(|token| !token.is_gap());
        if !token.is_gap() && next.is_none_or(|next| next.style() != open) {
            out.extend(open.markers().into_iter().rev());
            open = Style::default();
        }
    }
    out
}

/// A token without its emphasis.
fn body(token: &Token, line_start: bool) -> String {
    match token {
        Token::Text(text, _) => written(text, line_start),
        Token::Code(code, _) => {
            let code = text::defuse(&text::no_fence(code));
            if code.contains('`') { format!("`` {code} ``") } else { format!("`{code}`") }
        }
        Token::Link(url, _) => format!("<{url}>"),
        Token::Space => " ".to_owned(),
        Token::Break => "\n".to_owned(),
    }
}

/// A word as it is written: no markup, no mention and no address in it.
fn written(text: &str, line_start: bool) -> String {
    text::defuse(&text::escape(&text::unlinked(text), line_start))
}

/// Tokens in lines or groups of lines of at most `most` units, written one after the other as they are asked
/// for. Words longer than that are split between graphemes, links too long to be written are shown as text.
pub(super) fn chunks(tokens: Vec<Token>, most: usize, line_end: &str) -> impl Iterator<Item = String> {
    let mut waiting: Vec<Token> = tokens.into_iter().rev().collect();
    std::iter::from_fn(move || {
        loop {
            let mut chunk = chunk(&mut waiting, most, line_end)?;
            while chunk.last().is_some_and(Token::is_gap) {
                chunk.pop();
            }
            let written = write(&chunk, line_end);
            if !written.is_empty() {
                return Some(written);
            }
        }
    })
}

/// As many tokens from the end of those waiting as fit together, or `None` where none are left.
fn chunk(waiting: &mut Vec<Token>, most: usize, line_end: &str) -> Option<Vec<Token>> {
    let mut chunk: Vec<Token> = Vec::new();
    let mut used = 0;
    waiting.last()?;
    while let Some(token) = waiting.pop() {
        let cost = token.cost_up_to(most - used, line_end);
        match cost {
            Some(_) if token.is_gap() && chunk.is_empty() => {}
            Some(cost) => {
                used += cost;
                chunk.push(token);
            }
            None if !chunk.is_empty() => {
                waiting.push(token);
                break;
            }
            None => {
                // Escaping and defusing make three units of one at most; marks and backticks need ten more.
                let room = (most.saturating_sub(16) / 3).max(1);
                waiting.extend(smaller(token, room).into_iter().rev());
            }
        }
    }
    Some(chunk)
}

/// A token that fits nowhere, as smaller ones of at most `room` raw units.
fn smaller(token: Token, room: usize) -> Vec<Token> {
    let halves = |text: String| {
        let head = text::head(&text, room);
        let head =
            if head.is_empty() { &text[..text.chars().next().map_or(0, char::len_utf8)] } else { head };
        (head.to_owned(), text[head.len()..].to_owned())
    };
    match token {
        Token::Text(text, style) => {
            let (head, tail) = halves(text);
            // A mark that is set costs more than it is worth in a word this long.
            let style = if room < 8 { Style::default() } else { style };
            [head, tail].into_iter().filter(|t| !t.is_empty()).map(|t| Token::Text(t, style)).collect()
        }
        Token::Code(code, style) => {
            let (head, tail) = halves(code);
            let pieces = [head, tail].into_iter().filter(|t| !t.trim().is_empty());
            pieces.map(|t| Token::Code(t.trim().to_owned(), style)).collect()
        }
        link @ Token::Link(..) => {
            let mut words = Line::default();
            words.text(&link.shown(), link.style());
            words.finish()
        }
        gap => vec![gap],
    }
}
