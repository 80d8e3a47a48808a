//! HTML: what a browser would show of a page as text. Its tags are read one after the other and no tree is built of
//! them, so that elements inside one another cost nothing, however deep.

mod encoding;

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind,
    },
};

use super::{
    Fault,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
};

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
        None => Ok(Extract::whole(page.blocks.finish()?, Places::Paragraphs)),
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
    line: String,
    heading: Option<u8>,
    /// An item of a list has begun whose first paragraph is to come.
    item: bool,
    lists: usize,
    preformatted: usize,
    /// The line before ended with a break inside its paragraph.
    broken: bool,
    /// The element whose text is not shown.
    skipped: Option<Skipped>,
    /// Of each table that is open, whether a row of it is.
    tables: Vec<bool>,
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
        if start && !empty && (SKIPPED.contains(&name) || is_hidden(tag)) {
            self.skipped = Some(Skipped { name: name.to_owned(), open: 1, inner: 0 });
            return;
        }
        if BLOCKS.contains(&name) {
            self.flush();
            self.broken = false;
        }
        if start { self.start(name) } else { self.end(name) }
    }

    fn start(&mut self, name: &str) {
        match name {
            "br" => {
                let anything = !self.line.trim().is_empty();
                self.flush();
                self.broken = anything;
            }
            "ul" | "ol" | "menu" | "dir" => self.lists += 1,
            "li" => self.item = true,
            "pre" | "listing" | "xmp" => self.preformatted += 1,
            "table" => self.tables.push(false),
            "tr" => {
                self.close_row();
                if let Some(open) = self.tables.last_mut() {
                    *open = true;
                    self.blocks.open_row();
                }
            }
            "td" | "th" => {
                self.flush();
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
                self.lists = self.lists.saturating_sub(1);
                self.item = false;
            }
            "li" => self.item = false,
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
        if let Some(open) = self.tables.last_mut().filter(|open| **open) {
            *open = false;
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
        if self.preformatted > 0 {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    self.flush();
                }
                self.line.push_str(line);
            }
            return;
        }
        for c in text.chars() {
            if !(c.is_ascii_whitespace() || c == '\u{a0}') {
                self.line.push(c);
            } else if !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
        }
    }

    /// Ends the paragraph that is open.
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.trim().is_empty() {
            return;
        }
        let form = match self.heading {
            Some(level) => Form::Heading(level),
            None if std::mem::take(&mut self.item) => Form::Item(self.lists.saturating_sub(1)),
            None if std::mem::take(&mut self.broken) => Form::Line,
            None => Form::Paragraph,
        };
        // The next line of what is preformatted follows without a gap.
        self.broken = self.preformatted > 0;
        let pushed = self.blocks.push(form, &line);
        self.note(pushed);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(page: &str) -> String {
        read(page).unwrap().text
    }

    #[test]
    fn text_is_what_a_browser_shows() {
        assert_eq!(text("<html><title>T</title><body>a <b>b</b>c\n\n d&nbsp;&amp;&lt;e"), "a bc d &<e");
        assert_eq!(text("<html><p>a<p>b<br>c<br><br>d</p>e"), "a\n\nb\nc\n\nd\n\ne");
        assert_eq!(text("<html><script>if(a<b){'</p>'}</script><style>p{}</style>a<!-- b -->"), "a");
        assert_eq!(
            text("<html><div hidden>a<div>b</div></div><p style='display: none'>c</p><i>d</i><img hidden>e"),
            "de"
        );
        assert_eq!(text("<html><noscript>a</noscript><svg><text>b</text></svg><template>c</template>d"), "d");
        // A hidden element whose end is not written swallows nothing that follows.
        assert_eq!(text("<html><p hidden>a<p>b</p>c"), "b\n\nc");
        assert_eq!(text("<html><ul><li hidden>a <b>b</b><li>c</ul>d"), "- c\n\nd");
        assert_eq!(text("<html><div><p hidden>a</div>b"), "b");
        assert_eq!(text("<html><table><tr hidden><td>a<tr><td>b</table>c"), "b\n\nc");
        assert_eq!(text("<html><pre>a\n  b\n\nc</pre>d"), "a\n  b\nc\n\nd");
        assert_eq!(text("<html><textarea><b></textarea>a<plaintext><b>"), "a<b>");
    }

    #[test]
    fn headings_lists_and_tables() {
        assert_eq!(text("<html><h1>A</h1>b<h3>C <i>d</i></h3>e"), "# A\n\nb\n\n### C d\n\ne");
        assert_eq!(
            text("<html><ul><li>a<li><p>b</p><p>c</p><ol><li>d</ol><li>e</ul>f"),
            "- a\n- b\n\nc\n\n  - d\n- e\n\nf"
        );
        assert_eq!(
            text("<html><table><tr><th>a<th>b<tr><td>c<td><p>d</p><tr><td>e<br>f<td></table>g"),
            "a | b\nc | d\ne f |\n\ng"
        );
        let layout = "<html><table><tr><td><h1>A</h1><table><tr><td>b<td>c</table></td></tr></table>";
        assert_eq!(text(layout), "# A\n\nb | c");
    }

    #[test]
    fn depth_is_counted_for_elements_that_must_end() {
        assert!(read(&format!("<html>{}a", "<p>".repeat(20_000))).is_ok());
        assert!(read(&format!("<html>{}a", "<a id=x />".repeat(20_000))).is_ok());
        assert!(read(&format!("<html>{}a", "<div></div>".repeat(20_000))).is_ok());
        assert_eq!(read(&format!("<html>{}a", "<div>".repeat(20_000))), Err(Fault::TooDeep));
        assert_eq!(read(&"<p>word".repeat(400_000)), Err(Fault::TooMuchText));
    }
}
