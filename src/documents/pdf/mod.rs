//! PDF: the text of its pages, line by line as it stands on them.

mod widths;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc, output_doc_page};

use super::{
    Fault, MAX_TEXT,
    extract::{Extract, Places},
    text,
};
use crate::domain::Omitted;

/// A step down the page by so much of the letters' size begins a new line.
const NEW_LINE: f64 = 0.7;

/// A gap by so much of the letters' size is a space.
const SPACE: f64 = 0.1;

/// A gap between two lines that is so much larger than most of them ends a paragraph.
const PARAGRAPH: f64 = 1.4;

/// Where one letter of so many is unknown, the text is not what the page says. Fewer are the spaces and the ornaments
/// that some programs do not name.
const KNOWN: usize = 3;

/// Reads the pages. One whose drawing the parser cannot follow makes it panic; then the pages are read one by one,
/// and such a page by a plainer way.
pub(super) fn read(bytes: &[u8]) -> Result<Extract, Fault> {
    let mut document = Document::load_mem(bytes).map_err(|_| Fault::Broken)?;
    if document.is_encrypted() && !document.was_encrypted() {
        return Err(Fault::Encrypted);
    }
    widths::spell_out(&mut document);
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    if numbers.is_empty() {
        return Err(Fault::Broken);
    }
    let mut pages = Pages::default();
    let drawn = catch_unwind(AssertUnwindSafe(|| output_doc(&document, &mut pages)));
    if pages.is_full {
        return Err(Fault::TooMuchText);
    }
    if !matches!(drawn, Ok(Ok(()))) {
        pages = Pages::default();
        for number in numbers {
            pages.add_page(&document, number)?;
        }
    }
    if pages.unknown * KNOWN > pages.letters {
        return Err(Fault::Unlettered);
    }
    if text::is_blank(&pages.text) {
        return Err(Fault::Scanned);
    }
    let len = pages.text.trim_end().len();
    pages.text.truncate(len);
    let starts = pages.starts.into_iter().map(|start| start.min(len)).collect();
    let omitted = if pages.blank.is_empty() { Vec::new() } else { vec![Omitted::Pages(pages.blank)] };
    Ok(Extract { text: pages.text, places: Places::Pages(starts), omitted })
}

/// The pages so far, and the lines of the one that is drawn.
#[derive(Default)]
struct Pages {
    text: String,
    starts: Vec<usize>,
    /// Pages without text, from 1.
    blank: Vec<u32>,
    lines: Vec<Line>,
    pen: Option<Pen>,
    is_full: bool,
    /// Letters that were drawn, and how many of them nobody knows.
    letters: usize,
    unknown: usize,
}

/// A line of a page.
struct Line {
    text: String,
    /// How far it stands below the line before it; less than nothing where it stands above it.
    step: f64,
    /// How high its letters are.
    size: f64,
}

/// Where the last letter ended: along its line, and across it.
#[derive(Clone, Copy)]
struct Pen {
    along: f64,
    across: f64,
    size: f64,
}

impl Pages {
    /// Reads one page that could not be drawn with the others.
    fn add_page(&mut self, document: &Document, number: u32) -> Result<(), Fault> {
        let before = (self.text.len(), self.starts.len());
        let drawn = catch_unwind(AssertUnwindSafe(|| output_doc_page(document, self, number)));
        if self.is_full {
            return Err(Fault::TooMuchText);
        }
        if matches!(drawn, Ok(Ok(()))) {
            return Ok(());
        }
        self.text.truncate(before.0);
        self.starts.truncate(before.1);
        self.blank.retain(|&page| page as usize <= before.1);
        self.lines.clear();
        self.pen = None;
        let plain = catch_unwind(AssertUnwindSafe(|| document.extract_text(&[number])));
        match plain {
            // Where it does not know a font it says so in the text.
            Ok(Ok(text))
                if !(text.contains("Unimplemented?")
                    || text::is_blank(&text) && draws_text(document, number)) =>
            {
                self.lines.extend(text.lines().map(|line| Line {
                    text: line.to_owned(),
                    step: 0.0,
                    size: 0.0,
                }));
                self.close_page();
                Ok(())
            }
            _ => Err(Fault::Broken),
        }
    }

    /// How far the lines of a paragraph stand below one another on this page, in sizes of their letters: most
    /// pages have more steps within paragraphs than between them, and almost all have a quarter of them.
    fn usual_step(&self) -> f64 {
        let steps = self.lines.iter().filter(|line| line.step > 0.0 && line.size > 0.0);
        let mut steps: Vec<f64> = steps.map(|line| line.step / line.size).collect();
        steps.sort_by(f64::total_cmp);
        steps.get(steps.len() / 4).copied().unwrap_or(0.0)
    }

    /// Adds the page that was drawn to the text.
    fn close_page(&mut self) {
        let usual = self.usual_step();
        let mut page = String::new();
        for line in self.lines.drain(..) {
            let text = text::clean(&line.text);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let apart = line.step < 0.0 || (line.step > 0.0 && line.step > usual * PARAGRAPH * line.size);
            if !page.is_empty() {
                page.push_str(if apart { "\n\n" } else { "\n" });
            }
            page.push_str(text);
        }
        self.pen = None;
        self.starts.push(self.text.len());
        if page.is_empty() {
            self.blank.extend(u32::try_from(self.starts.len()));
        } else {
            self.text.push_str(&page);
            self.text.push_str("\n\n");
        }
        self.is_full = self.text.len() > MAX_TEXT;
    }
}

impl OutputDev for Pages {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.lines.clear();
        self.pen = None;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.close_page();
        if self.is_full { Err(OutputError::FormatError(std::fmt::Error)) } else { Ok(()) }
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        letter: &str,
    ) -> Result<(), OutputError> {
        // A line may run in any direction: how far along it and how far across it a letter stands.
        let stretch = place.m11.hypot(place.m12);
        let (right, up) = if stretch > 0.0 { (place.m11 / stretch, place.m12 / stretch) } else { (1.0, 0.0) };
        let along = place.m31 * right + place.m32 * up;
        let across = place.m31 * up - place.m32 * right;
        let size = (font_size * place.m21.hypot(place.m22)).abs();
        let step = self.pen.map_or(0.0, |pen| across - pen.across);
        let (new_line, gap) = match self.pen {
            None => (true, false),
            Some(pen) => {
                let larger = size.max(pen.size);
                let back = along < pen.along - larger;
                let new_line = step.abs() > larger * NEW_LINE || (back && step.abs() > larger * 0.3);
                (new_line, back || along > pen.along + size * SPACE)
            }
        };
        if new_line {
            self.lines.push(Line { text: String::new(), step, size });
        }
        if let Some(line) = self.lines.last_mut() {
            if gap && !new_line && !line.text.ends_with(' ') && !letter.starts_with(' ') {
                line.text.push(' ');
            }
            line.size = line.size.max(size);
            self.letters += 1;
            if letter.is_empty() {
                self.unknown += 1;
                line.text.push(' ');
            }
            push(&mut line.text, letter);
        }
        // Letters that are raised or lowered leave the line where it is.
        let across = match self.pen {
            Some(pen) if !new_line => pen.across,
            _ => across,
        };
        self.pen = Some(Pen { along: along + width * font_size * stretch, across, size });
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Whether a page draws letters, or a form that may draw some.
fn draws_text(document: &Document, number: u32) -> bool {
    let pages = document.get_pages();
    let content = pages.get(&number).map(|id| document.get_and_decode_page_content(*id));
    content.is_none_or(|content| {
        content.is_ok_and(|content| {
            let mut operators = content.operations.iter().map(|operation| operation.operator.as_str());
            operators.any(|operator| matches!(operator, "Tj" | "TJ" | "'" | "\"" | "Do"))
        })
    })
}

/// Adds letters as they read: ligatures as the letters that they are made of, the dots of lists that symbol fonts
/// draw as dots.
fn push(line: &mut String, letters: &str) {
    for letter in letters.chars() {
        match letter {
            '\u{fb00}' => line.push_str("ff"),
            '\u{fb01}' => line.push_str("fi"),
            '\u{fb02}' => line.push_str("fl"),
            '\u{fb03}' => line.push_str("ffi"),
            '\u{fb04}' => line.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => line.push_str("st"),
            '\u{f0b7}' | '\u{f0a7}' => line.push('•'),
            '\u{a0}' => line.push(' '),
            letter => line.push(letter),
        }
    }
}
