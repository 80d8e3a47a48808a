//! HTML: what a browser would show of a page as text. Its tags are read one after the other and no tree is built of
//! them, so that elements inside one another cost nothing, however deep.

mod encoding;
mod lists;
mod set;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind,
    },
};

use self::{
    lists::{List, Table},
    set::Styles,
};
use super::{
    Fault,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
    formula::{self, Formula},
    levels::Line,
};
use domain::Omitted;

pub(super) use encoding::decode;

/// How deep elements may lie inside one another; browsers stop at 512.
const DEEPEST: usize = 5_000;

/// What in a page is not its text.
const SKIPPED: [&str; 14] = [
    "script", "style", "template", "noscript", "title", "svg", "iframe", "object", "audio", "video",
    "canvas", "datalist", "textarea", "select",
];

/// Elements that have no end.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements whose end need not be written, so that they are not counted as open.
const UNENDED: [&str; 19] = [
    "html", "head", "body", "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody",
    "tfoot", "colgroup", "caption", "rp", "rt",
];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 45] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
    "caption",
];

/// Reads a page.
pub(super) fn read(page: &str) -> Result<Extract, Fault> {
    read_as(page, false)
}

/// Reads a page that is written by the rules of XML: every element may end where it begins.
pub(super) fn read_xml(page: &str) -> Result<Extract, Fault> {
    read_as(page, true)
}

fn read_as(page: &str, xml: bool) -> Result<Extract, Fault> {
    let sink = Sink { page: RefCell::new(Page::default()), xml };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut rest = page;
    while !rest.is_empty() {
        // In pieces, so that it stops soon after the limit.
        let mut cut = rest.len().min(65_536);
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        input.push_back(StrTendril::from(&rest[..cut]));
        // It stops behind each script, which nobody here runs.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
        if let Some(fault) = tokenizer.sink.page.borrow().fault {
            return Err(fault);
        }
        rest = &rest[cut..];
    }
    tokenizer.end();
    let mut page = tokenizer.sink.page.take();
    page.flush();
    match page.fault {
        Some(fault) => Err(fault),
        None => Ok(Extract {
            omitted: page.unread.then_some(Omitted::Formulas).into_iter().collect(),
            ..Extract::whole(page.blocks.finish()?, Places::Paragraphs)
        }),
    }
}

/// Takes what the tokenizer finds.
struct Sink {
    page: RefCell<Page>,
    xml: bool,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut page = self.page.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                page.tag(&tag);
                if tag.kind == TagKind::StartTag && !(self.xml && tag.self_closing) {
                    return raw(&tag.name);
                }
            }
            Token::CharacterTokens(text) => page.add(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// How the text of an element is read in which `<` does not begin a tag.
fn raw(name: &str) -> TokenSinkResult<()> {
    match name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

/// An element whose text is not shown, up to its end.
struct Skipped {
    name: String,
    /// How many of its name are open, itself too.
    open: usize,
    /// How many others are open in it whose end has to be written.
    inner: usize,
}

impl Skipped {
    /// Whether this tag still belongs to it. Where its end need not be written, the next of its name ends it, and so does
    /// the end of what it stands in: else a hidden paragraph would swallow all that follows.
    fn goes_on(&mut self, name: &str, start: bool) -> bool {
        let (own, unended) = (self.name == name, UNENDED.contains(&name));
        if UNENDED.contains(&&*self.name) && self.inner == 0 && ((own && start) || !(own || start || unended))
        {
            return false;
        }
        if own {
            self.open = if start { self.open + 1 } else { self.open.saturating_sub(1) };
        } else if !unended {
            self.inner = if start { self.inner + 1 } else { self.inner.saturating_sub(1) };
        }
        self.open > 0
    }
}

/// A page as it is read.
#[derive(Default)]
struct Page {
    blocks: Blocks,
    /// The paragraph that is open.
    line: Line,
    styles: Styles,
    formula: Option<Formula>,
    /// There is a formula that cannot be written in a line.
    unread: bool,
    heading: Option<u8>,
    /// An item of a list has begun whose first paragraph is to come.
    item: bool,
    /// The number of that item.
    label: Option<String>,
    lists: Vec<List>,
    preformatted: usize,
    /// The line before ended with a break inside its paragraph.
    broken: bool,
    /// The element whose text is not shown.
    skipped: Option<Skipped>,
    tables: Vec<Table>,
    depth: usize,
    fault: Option<Fault>,
}

impl Page {
    fn tag(&mut self, tag: &Tag) {
        let name: &str = &tag.name;
        let start = tag.kind == TagKind::StartTag;
        let empty = VOID.contains(&name) || (start && tag.self_closing);
        if !empty && !UNENDED.contains(&name) {
            self.depth = if start { self.depth + 1 } else { self.depth.saturating_sub(1) };
            if self.depth > DEEPEST {
                self.fault = self.fault.or(Some(Fault::TooDeep));
            }
        }
        if let Some(skipped) = &mut self.skipped {
            if empty || skipped.goes_on(name, start) {
                return;
            }
            let ended_here = skipped.name == name && !start;
            self.skipped = None;
            if ended_here {
                return;
            }
        }
        if self.of_formula(tag, start, empty) {
            return;
        }
        if start && !empty && (SKIPPED.contains(&name) || is_hidden(tag)) {
            self.skipped = Some(Skipped { name: name.to_owned(), open: 1, inner: 0 });
            return;
        }
        if BLOCKS.contains(&name) {
            self.flush();
            self.broken = false;
            self.styles.end_block();
        }
        self.styles.follow(tag, start, empty);
        if start { self.start(name, tag) } else { self.end(name) }
    }

    /// Whether a tag belongs to a formula. One that is broken off by a paragraph is not read.
    fn of_formula(&mut self, tag: &Tag, start: bool, empty: bool) -> bool {
        let name = tag.name.rsplit(':').next().unwrap_or_default();
        if self.formula.is_none() && !(name == "math" && start) {
            return false;
        }
        if BLOCKS.contains(&name) {
            self.formula = None;
            self.add_formula(formula::UNREAD);
            return false;
        }
        let formula = self.formula.get_or_insert_default();
        if start {
            formula.start(name, |key| attribute(tag, key));
        }
        if let Some(line) = (!start || empty).then(|| formula.end()).flatten() {
            self.formula = None;
            self.add_formula(&line);
        }
        true
    }

    fn add_formula(&mut self, line: &str) {
        self.unread |= line == formula::UNREAD;
        self.line.add_apart(line);
    }

    fn start(&mut self, name: &str, tag: &Tag) {
        match name {
            "br" => {
                let anything = !self.line.is_blank();
                self.flush();
                self.broken = anything;
            }
            "ul" | "ol" | "menu" | "dir" => self.lists.push(List::of(tag)),
            "li" => {
                self.item = true;
                self.label = self.lists.last_mut().and_then(|list| list.next(tag));
            }
            "input" => {
                let kind = attribute(tag, "type").unwrap_or_default().to_ascii_lowercase();
                if matches!(kind.as_str(), "checkbox" | "radio") {
                    self.line.add_apart(if attribute(tag, "checked").is_some() { "☑ " } else { "☐ " });
                }
            }
            "pre" | "listing" | "xmp" => self.preformatted += 1,
            "table" => self.tables.push(Table::default()),
            "tr" => {
                self.close_row();
                if let Some(table) = self.tables.last_mut() {
                    table.open_row();
                    self.blocks.open_row();
                }
            }
            "td" | "th" => {
                self.flush();
                let before = self.tables.last_mut().map_or(0, |table| table.open_cell(tag));
                self.blocks.skip_cells(before);
                self.blocks.open_cell();
            }
            _ => {
                if let Some(level) = level(name) {
                    self.heading = Some(level);
                }
            }
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "ul" | "ol" | "menu" | "dir" => {
                self.lists.pop();
                (self.item, self.label) = (false, None);
            }
            "li" => (self.item, self.label) = (false, None),
            "pre" | "listing" | "xmp" => self.preformatted = self.preformatted.saturating_sub(1),
            "tr" => self.close_row(),
            "table" => {
                self.close_row();
                self.tables.pop();
            }
            "td" | "th" => self.flush(),
            "p" if !self.line.is_empty() => self.flush(),
            _ if level(name).is_some() => self.heading = None,
            _ => {}
        }
    }

    /// Ends the row of the innermost table, if one is open: its end need not be written.
    fn close_row(&mut self) {
        if self.tables.last_mut().is_some_and(Table::close_row) {
            let closed = self.blocks.close_row();
            self.note(closed);
        }
    }

    fn note(&mut self, done: Result<(), Fault>) {
        self.fault = self.fault.or(done.err());
    }

    fn add(&mut self, text: &str) {
        if self.skipped.is_some() || self.fault.is_some() {
            return;
        }
        if let Some(formula) = &mut self.formula {
            return formula.text(text);
        }
        let set = self.styles.set();
        if self.preformatted > 0 {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    self.flush();
                }
                self.line.add(set, line);
            }
            return;
        }
        let mut run = String::new();
        let mut spaced = self.line.is_empty() || self.line.ends_with_space();
        for c in text.chars() {
            let space = c.is_ascii_whitespace() || c == '\u{a0}';
            if !(space && spaced) {
                run.push(if space { ' ' } else { c });
            }
            spaced = space;
        }
        self.line.add(set, &run);
    }

    /// Ends the paragraph that is open.
    fn flush(&mut self) {
        if self.line.is_blank() {
            self.line = Line::default();
            return;
        }
        let line = self.line.take();
        let depth = self.lists.len().saturating_sub(1);
        let label = self.label.take();
        let form = match (self.heading, &label) {
            (Some(level), _) => Form::Heading(level),
            (None, Some(_)) => {
                self.item = false;
                Form::Numbered(depth)
            }
            (None, None) if std::mem::take(&mut self.item) => Form::Item(depth),
            (None, None) if std::mem::take(&mut self.broken) => Form::Line,
            (None, None) => Form::Paragraph,
        };
        // The next line of what is preformatted follows without a gap.
        self.broken = self.preformatted > 0;
        let line = label.map_or(line.clone(), |label| format!("{label} {}", line.trim_start()));
        let pushed = self.blocks.push(form, &line);
        self.note(pushed);
    }
}

/// What a tag says under a name.
fn attribute(tag: &Tag, name: &str) -> Option<String> {
    let said = tag.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
    Some(said.value.to_string())
}

fn level(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

/// Whether a browser shows nothing of an element.
fn is_hidden(tag: &Tag) -> bool {
    tag.attrs.iter().any(|attribute| {
        let value = || attribute.value.to_ascii_lowercase().replace(char::is_whitespace, "");
        match &*attribute.name.local {
            "hidden" => true,
            "style" => value().contains("display:none") || value().contains("visibility:hidden"),
            _ => false,
        }
    })
}
