//! RTF: what a reader of the document sees, by the specification of version 1.9.1. Of the crates for it, `rtf-parser` was
//! found to corrupt text; what is needed of the format is small.

mod charset;
mod token;

use std::collections::HashMap;

use self::{
    charset::Charset,
    token::{Token, Tokens},
};
use super::{
    Fault,
    blocks::{Blocks, Form},
    extract::{Extract, Places},
    levels::{Level, Line, Set},
    remarks::Remarks,
};
use domain::Omitted;

/// How deep groups may lie inside one another.
const DEEPEST: usize = 5_000;

/// Longest number of an item, in bytes.
const LABEL: usize = 40;

/// Most fonts that are known by their numbers.
const FONTS: usize = 10_000;

/// Groups that are not the text that a reader sees. Of a shape, what it says of itself; of an object, its bytes.
const SKIPPED: [&[u8]; 38] = [
    b"fonttbl",
    b"colortbl",
    b"stylesheet",
    b"info",
    b"listtable",
    b"listoverridetable",
    b"rsidtbl",
    b"revtbl",
    b"generator",
    b"themedata",
    b"colorschememapping",
    b"latentstyles",
    b"datastore",
    b"xmlnstbl",
    b"filetbl",
    b"pgptbl",
    b"pict",
    b"objdata",
    b"objclass",
    b"objname",
    b"fldinst",
    b"bkmkstart",
    b"bkmkend",
    b"sp",
    b"shprslt",
    b"nonesttables",
    b"nesttableprops",
    b"pntxtb",
    b"pntxta",
    b"pnseclvl",
    b"atnid",
    b"atndate",
    b"xe",
    b"tc",
    b"rxe",
    b"mmathPr",
    b"template",
    b"falt",
];

/// What stands above and below the text of every page.
const MARGINS: [&[u8]; 8] =
    [b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr", b"footerf"];

/// Groups that older programs pass over, and that have text in them all the same.
const READ: [&[u8]; 3] = [b"shpinst", b"shptxt", b"footnote"];

/// Reads a document.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, Fault> {
    let mut reader = Reader::default();
    let mut tokens = Tokens::new(bytes);
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(b"bin", Some(count)) => tokens.pass_over(usize::try_from(count).unwrap_or_default()),
            token => reader.take(token)?,
        }
        if reader.ended {
            break;
        }
    }
    reader.finish()
}

/// What a group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Group {
    /// Text that is read.
    #[default]
    Text,
    /// A note below the text.
    Note,
    /// A comment at its edge, and the name of whoever made the next one.
    Remark,
    Author,
    /// The number that an item is shown with.
    Label,
    /// Not read.
    Skipped,
    /// The list of fonts.
    Fonts,
}

/// What holds within a group, and ends with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    group: Group,
    hidden: bool,
    deleted: bool,
    font: Option<i32>,
    /// How its letters are set.
    set: Set,
    /// So many letters stand behind each `\u` for programs that do not know it.
    instead: u32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            group: Group::Text,
            hidden: false,
            deleted: false,
            font: None,
            set: Set::default(),
            instead: 1,
        }
    }
}

impl State {
    fn is_read(self) -> bool {
        matches!(self.group, Group::Text | Group::Note | Group::Remark)
    }
}

/// What a paragraph is.
#[derive(Clone, Copy, Default)]
struct Look {
    heading: Option<u8>,
    item: bool,
    depth: usize,
    in_table: bool,
}

/// A document as it is read.
#[derive(Default)]
struct Reader {
    blocks: Blocks,
    state: State,
    groups: Vec<State>,
    /// The group that begins may be passed over by whoever does not know its first word.
    starred: bool,
    fonts: HashMap<i32, Option<Charset>>,
    font_listed: Option<i32>,
    page: Option<Charset>,
    /// Letters that are not decoded yet, of one font.
    bytes: Vec<u8>,
    units: Vec<u16>,
    /// So many letters that follow are another way to write the one before them.
    pass: u32,
    paragraph: Line,
    look: Look,
    /// The number that the paragraph is shown with, or the sign of its list.
    label: String,
    /// The cells of the row that is open.
    cells: Vec<String>,
    /// The notes, and the paragraph that went on around the one that is open.
    notes: Vec<String>,
    around: Option<(Line, Look)>,
    remarks: Remarks,
    author: String,
    ended: bool,
    omitted: Vec<Omitted>,
}

impl Reader {
    fn take(&mut self, token: Token<'_>) -> Result<(), Fault> {
        match token {
            Token::Open => {
                self.flush();
                self.pass = 0;
                if self.groups.len() >= DEEPEST {
                    return Err(Fault::TooDeep);
                }
                self.groups.push(self.state);
                self.starred = false;
            }
            Token::Close => {
                self.flush();
                self.pass = 0;
                self.starred = false;
                let Some(outer) = self.groups.pop() else { return Ok(()) };
                let ended = self.state.group != outer.group;
                if ended && matches!(self.state.group, Group::Note | Group::Remark) {
                    let (around, look) = self.around.take().unwrap_or_default();
                    let said = std::mem::replace(&mut self.paragraph, around).take();
                    self.look = look;
                    self.end_note(&said);
                }
                self.state = outer;
                self.ended = self.groups.is_empty();
            }
            Token::Byte(_) if self.pass > 0 => self.pass -= 1,
            Token::Byte(byte) => {
                self.starred = false;
                if self.is_shown() {
                    self.flush_units();
                    self.bytes.push(byte);
                }
            }
            Token::Symbol(b'*') => self.starred = true,
            Token::Symbol(_) if self.pass > 0 => self.pass -= 1,
            Token::Symbol(sign) => {
                self.flush();
                match sign {
                    b'~' => self.add(" "),
                    b'_' => self.add("-"),
                    b'\\' | b'{' | b'}' => self.add(&char::from(sign).to_string()),
                    b'\r' | b'\n' => self.end_paragraph(Form::Paragraph)?,
                    b'\t' => self.add("\t"),
                    _ => {}
                }
            }
            Token::Word(b"u", Some(unit)) => {
                self.flush_bytes();
                self.pass = self.state.instead;
                if self.is_shown() {
                    // Above 32,767 it is written as what is left of 65,536.
                    self.units.extend(u16::try_from(unit & 0xffff));
                }
            }
            Token::Word(_, _) if self.pass > 0 => self.pass -= 1,
            Token::Word(word, number) => {
                self.flush();
                let starred = std::mem::take(&mut self.starred);
                self.word(word, number, starred)?;
            }
        }
        Ok(())
    }

    fn word(&mut self, word: &[u8], number: Option<i32>, starred: bool) -> Result<(), Fault> {
        let on = number != Some(0);
        match word {
            b"fonttbl" => self.state.group = Group::Fonts,
            b"f" if self.state.group == Group::Fonts => self.font_listed = number,
            b"fcharset" | b"cpg" if self.state.group == Group::Fonts => self.list_font(word, number),
            b"pict" => self.skip(self.state.is_read().then_some(Omitted::Pictures)),
            b"listtext" | b"pntext" => {
                (self.look.item, self.state.group) = (true, Group::Label);
                self.label.clear();
            }
            b"footnote" if matches!(self.state.group, Group::Text | Group::Note) => {
                if self.around.is_none() {
                    self.around = Some((std::mem::take(&mut self.paragraph), self.look));
                }
                self.state.group = Group::Note;
            }
            // One within a note would end it.
            b"annotation" if self.state.group == Group::Text && self.around.is_none() => {
                self.around = Some((std::mem::take(&mut self.paragraph), self.look));
                (self.state.group, self.state.set) = (Group::Remark, Set::default());
            }
            b"annotation" => self.skip(Some(Omitted::Comments)),
            b"atnauthor" if self.state.is_read() => {
                self.state.group = Group::Author;
                self.author.clear();
            }
            _ if MARGINS.contains(&word) => self.skip(Some(Omitted::HeadersAndFooters)),
            _ if SKIPPED.contains(&word) || (starred && !READ.contains(&word)) => self.skip(None), // Nothing in it counts for the paragraph that it stands in.
            b"f" if self.state.group == Group::Label => self.state.font = number,
            b"tab" if self.state.group == Group::Label => self.add(" "),
            _ if !self.state.is_read() => {}
            b"ansicpg" => self.page = number.map(charset::of_page),
            b"mac" => self.page = self.page.or(Some(charset::of_page(10_000))),
            b"f" => self.state.font = number,
            b"uc" => {
                self.state.instead = number.and_then(|count| u32::try_from(count).ok()).unwrap_or(1).min(100);
            }
            b"v" => self.state.hidden = on,
            b"deleted" => {
                self.state.deleted = on;
                self.tell(on.then_some(Omitted::Changes));
            }
            b"revised" => self.tell(on.then_some(Omitted::Changes)),
            b"super" => self.state.set.level = if on { Level::Raised } else { Level::On },
            b"sub" => self.state.set.level = if on { Level::Lowered } else { Level::On },
            b"nosupersub" => self.state.set.level = Level::On,
            b"strike" | b"striked" => self.state.set.struck = on,
            b"plain" => {
                (self.state.hidden, self.state.deleted, self.state.font) = (false, false, None);
                self.state.set = Set::default();
            }
            b"pard" => self.look = Look::default(),
            b"intbl" => self.look.in_table = on,
            b"outlinelevel" => {
                let level = number.and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 9);
                self.look.heading = level.map(|level| level + 1);
            }
            b"ls" => self.look.item |= number.is_some_and(|list| list > 0),
            b"ilvl" => {
                self.look.depth = number.and_then(|depth| usize::try_from(depth).ok()).unwrap_or_default();
            }
            b"par" | b"sect" | b"page" | b"column" => self.end_paragraph(Form::Paragraph)?,
            b"line" | b"lbr" => self.end_paragraph(Form::Line)?,
            b"cell" => self.cells.push(self.paragraph.take()),
            b"row" => self.end_row()?,
            b"tab" => self.add("\t"),
            b"emdash" => self.add("—"),
            b"endash" => self.add("–"),
            b"lquote" => self.add("‘"),
            b"rquote" => self.add("’"),
            b"ldblquote" => self.add("“"),
            b"rdblquote" => self.add("”"),
            b"bullet" => self.add("•"),
            b"emspace" | b"enspace" | b"qmspace" | b"nestcell" | b"nestrow" => self.add(" "),
            _ => {}
        }
        Ok(())
    }

    /// A note or a comment ends, and leaves its mark.
    fn end_note(&mut self, said: &str) {
        let mark = if self.state.group == Group::Note {
            self.notes.push(said.to_owned());
            Some(format!("[^{}]", self.notes.len()))
        } else {
            self.remarks.begin(&std::mem::take(&mut self.author));
            self.remarks.add(said);
            self.remarks.end()
        };
        if let Some(mark) = mark {
            self.paragraph.add(Set::default(), &mark);
        }
    }

    /// What a font of the list says of its letters.
    fn list_font(&mut self, word: &[u8], number: Option<i32>) {
        let Some(number) = number else { return };
        let charset = if word == b"cpg" { Some(charset::of_page(number)) } else { charset::of_font(number) };
        if let Some(font) = self.font_listed.filter(|_| self.fonts.len() < FONTS) {
            self.fonts.insert(font, charset);
        }
    }

    /// Reads no more of the group that is open, and tells what it is where that has to be known.
    fn skip(&mut self, what: Option<Omitted>) {
        self.tell(what);
        self.state.group = Group::Skipped;
    }

    fn tell(&mut self, what: Option<Omitted>) {
        self.omitted.extend(what.filter(|what| !self.omitted.contains(what)));
    }

    fn is_shown(&self) -> bool {
        (self.state.is_read() || matches!(self.state.group, Group::Label | Group::Author))
            && !(self.state.hidden || self.state.deleted)
    }

    fn add(&mut self, text: &str) {
        match self.state.group {
            _ if !self.is_shown() => {}
            Group::Label => self.label.push_str(text),
            Group::Author => self.author.push_str(text),
            _ => self.paragraph.add(self.state.set, text),
        }
    }

    fn flush(&mut self) {
        self.flush_bytes();
        self.flush_units();
    }

    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let page = self.page.unwrap_or_else(|| charset::of_page(1252));
        let font = self.state.font.and_then(|font| self.fonts.get(&font).copied().flatten());
        // A font of western letters says nothing that the document does not say better.
        let western = charset::of_page(1252);
        let charset = font.filter(|font| *font != western).unwrap_or(page);
        let text = charset.decode(&self.bytes);
        self.bytes.clear();
        self.add(&text);
    }

    fn flush_units(&mut self) {
        if self.units.is_empty() {
            return;
        }
        let letters: String = char::decode_utf16(std::mem::take(&mut self.units))
            .map(|letter| match letter {
                // How programs write the signs of a font that has no letters.
                Ok('\u{f000}'..='\u{f0ff}') => '•',
                Ok(letter) => letter,
                Err(_) => char::REPLACEMENT_CHARACTER,
            })
            .collect();
        self.add(&letters);
    }

    /// Ends a paragraph, or a line of one.
    fn end_paragraph(&mut self, form: Form) -> Result<(), Fault> {
        if matches!(self.state.group, Group::Note | Group::Remark)
            || self.look.in_table
            || !self.cells.is_empty()
        {
            self.add(" ");
            return Ok(());
        }
        let text = self.paragraph.take();
        let label = std::mem::take(&mut self.label);
        // A single letter is how a font of signs writes a dot.
        let counts = |label: &&str| label.contains(char::is_alphanumeric) && label.len() <= LABEL;
        let dot = |label: &&str| label.chars().count() == 1 && !label.contains(char::is_numeric);
        let label = Some(label.trim()).filter(counts).filter(|label| !dot(label));
        let text = label.map_or(text.clone(), |label| format!("{label} {}", text.trim()));
        let form = match self.look {
            _ if form == Form::Line => Form::Paragraph,
            Look { heading: Some(level), .. } => Form::Heading(level),
            Look { item: true, depth, .. } if label.is_some() => Form::Numbered(depth),
            Look { item: true, depth, .. } => Form::Item(depth),
            _ => form,
        };
        self.blocks.push(form, &text)
    }

    fn end_row(&mut self) -> Result<(), Fault> {
        self.blocks.open_row();
        for cell in std::mem::take(&mut self.cells) {
            self.blocks.open_cell();
            self.blocks.push(Form::Paragraph, &cell)?;
        }
        self.blocks.close_row()
    }

    fn finish(mut self) -> Result<Extract, Fault> {
        self.flush();
        if !self.cells.is_empty() {
            self.end_row()?;
        }
        self.look.in_table = false;
        self.state = State::default();
        self.end_paragraph(Form::Paragraph)?;
        for (note, number) in self.notes.iter().zip(1..) {
            self.blocks.push(Form::Paragraph, &format!("[^{number}]: {}", note.trim()))?;
        }
        let mut text = self.blocks.finish()?;
        self.omitted.extend(self.remarks.append(&mut text).filter(|what| !self.omitted.contains(what)));
        Ok(Extract { omitted: self.omitted, ..Extract::whole(text, Places::Paragraphs) })
    }
}

#[cfg(test)]
mod tests;
