//! What the team attached, as text, and where in it something stands.

use std::fmt;

use serde::{Deserialize, Serialize};

mod omission;
mod pictured;

pub use omission::{Omission, Omitted};
pub use pictured::{PictureText, Pictured, PicturesRead, ReadPictures};

/// A part of a document's text, as byte offsets on the borders of characters; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Span {
    /// Its length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether another lies wholly within it.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// How many bytes are in both.
    #[must_use]
    pub fn shared(self, other: Self) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }
}

/// What a place in a text is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Lines of the file, such as in Markdown, source code and pages of a PDF.
    #[default]
    Line,
    /// Paragraphs, where the file has no lines, such as in DOCX, ODT and HTML.
    Paragraph,
    /// Rows of a sheet.
    Row,
}

/// What begins at a place in the text. Places are counted from the last one before them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Landmark {
    /// A file, of several that were put together or the only one.
    File {
        /// Its name.
        name: String,
        /// What places in it are counted in.
        unit: Unit,
    },
    /// A page of a file that has pages, from 1.
    Page(u32),
    /// A slide, from 1.
    Slide(u32),
    /// Rows of a sheet.
    Sheet {
        /// Its name.
        name: String,
        /// The row that begins here, from 1; 0 is the line with the sheet's name.
        row: u32,
    },
    /// A chapter of a book, by what it is called.
    Chapter(String),
}

/// A text the team attached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Its file name.
    pub name: String,
    /// What it says.
    pub text: String,
    /// sha-256 of its bytes, in hex.
    pub sha256: String,
    /// Where in the text (byte offset) a file or a part of one begins, in order; without any it is one file of lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landmarks: Vec<(usize, Landmark)>,
    /// What of its files is not in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Omission>,
    /// Its pictures whose words are not in the text yet, for a model to read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Pictured>,
}

/// Where something stands, as people look it up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// In which file, where the document is made of several.
    pub file: Option<String>,
    /// On which page, slide or sheet, or in which chapter, where the file has such.
    pub part: Option<Landmark>,
    /// What is counted.
    pub unit: Unit,
    /// The first line or paragraph, from 1, on that page or in that file.
    pub first: u32,
    /// The last; the same as the first where it is one.
    pub last: u32,
}

impl Document {
    /// All of it.
    #[must_use]
    pub fn whole(&self) -> Span {
        Span { start: 0, end: self.text.len() }
    }

    /// The text of a part; nothing where the span is not one of this text.
    #[must_use]
    pub fn part(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Where a part stands: its first and last line or paragraph, counted from the last page, or other part, or file that begins before
    /// it. Of a part that goes on over several pages, it is what stands on the first. White space at its ends does not
    /// count, and a span that is none of this text is taken for the nearest that is.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let span = self.trimmed(span);
        let before = |landmark: &&(usize, Landmark)| landmark.0 <= span.start;
        let is_file = |landmark: &&(usize, Landmark)| matches!(landmark.1, Landmark::File { .. });
        let file = self.landmarks.iter().rfind(|landmark| before(landmark) && is_file(landmark));
        let last = self.landmarks.iter().rfind(before);
        let (name, unit) = match file {
            Some((_, Landmark::File { name, unit })) => (Some(name), *unit),
            _ => (None, Unit::default()),
        };
        let part = last.map(|(_, landmark)| landmark).filter(|part| !matches!(part, Landmark::File { .. }));
        let origin = floor(&self.text, last.map_or(0, |(at, _)| *at));
        let next = self.landmarks.iter().map(|(at, _)| *at).find(|at| *at > span.start);
        let end = span.end.min(floor(&self.text, next.unwrap_or(span.end)));
        // The last character that counts; one that begins at the end of the part stands behind it.
        let shown = self.text.get(span.start..end).unwrap_or_default().trim_end();
        let within = shown.char_indices().last().map_or(0, |(at, _)| at);
        // The empty lines between the paragraphs of a page are not on the page; an empty row is one.
        let filled = unit != Unit::Row && (unit == Unit::Paragraph || part.is_some());
        // Of a sheet, a part begins with whatever row it says.
        let before = match part {
            Some(Landmark::Sheet { row, .. }) => row.saturating_sub(1),
            _ => 0,
        };
        let named = matches!(part, Some(Landmark::Sheet { row: 0, .. }));
        let counted = |at| before.saturating_add(self.counted(origin, at, filled)) - u32::from(named);
        let first = counted(span.start);
        let last = counted(span.start + within);
        let several = self.landmarks.iter().filter(is_file).nth(1).is_some();
        let file = name.filter(|_| several).cloned();
        Place { file, part: part.cloned(), unit, first, last: last.max(first) }
    }

    /// A span on the borders of characters, without white space at its ends unless it has nothing else.
    fn trimmed(&self, span: Span) -> Span {
        let start = floor(&self.text, span.start);
        let end = floor(&self.text, span.end).max(start);
        let part = self.part(Span { start, end });
        let lead = part.len() - part.trim_start().len();
        if lead == part.len() {
            return Span { start, end };
        }
        Span { start: start + lead, end: start + part.trim_end().len() }
    }

    /// The number of the line at a place, from 1, counted from `origin`; `filled`: only lines that have something in
    /// them count, as paragraphs and the lines of a page do.
    fn counted(&self, origin: usize, at: usize, filled: bool) -> u32 {
        let line_end = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
        let lines = self.text.get(origin..line_end).unwrap_or_default().split('\n');
        let count = lines.filter(|line| !filled || !line.trim().is_empty()).count().max(1);
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// The nearest border of a character at or before a place.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

impl fmt::Display for Place {
    /// `page 3, lines 12 to 14`, with the file before it where there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}, ")?;
        }
        match &self.part {
            Some(Landmark::Page(page)) => write!(f, "page {page}, ")?,
            Some(Landmark::Slide(slide)) => write!(f, "slide {slide}, ")?,
            // The line with its name is no row.
            Some(Landmark::Sheet { name, .. }) if self.last == 0 => return write!(f, "sheet {name}"),
            Some(Landmark::Sheet { name, .. }) => write!(f, "sheet {name}, ")?,
            Some(Landmark::Chapter(title)) => write!(f, "“{title}”, ")?,
            Some(Landmark::File { .. }) | None => {}
        }
        let unit = match self.unit {
            Unit::Line => "line",
            Unit::Paragraph => "paragraph",
            Unit::Row => "row",
        };
        if self.first.max(1) == self.last {
            write!(f, "{unit} {}", self.last)
        } else {
            write!(f, "{unit}s {} to {}", self.first.max(1), self.last)
        }
    }
}

#[cfg(test)]
mod tests;
