//! PDF: the text of its pages, line by line as it stands on them.
//!
//! The parser (`hayro`) follows what a page draws and hands over each letter with its place; which of them make a
//! line, a word and a paragraph is decided here (`lines`). One page is read at a time and spoils no other: what cannot
//! be read of a file is named by its pages.

mod columns;
mod doubtful;
mod drawing;
mod fields;
#[cfg(test)]
mod font_tests;
mod letters;
mod lines;
mod numbered;
mod numbers;
mod order;
mod scan;
mod strokes;
#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use hayro_interpret::InterpreterCache;
use hayro_syntax::{
    DecryptionError, LoadPdfError, Pdf, PdfData,
    object::{Array, Dict},
};

use self::{drawing::Stop, fields::Fields, lines::Sheet};
use super::{
    Fault, MAX_TEXT,
    extract::{Drawn, Extract, Places},
    text,
};
use crate::confine;
use domain::{Omitted, Pictured};

/// After so many pages the fonts and what else was kept of them is forgotten: pages mostly share them with their
/// neighbours, and a file may have thousands.
const KEPT: usize = 48;

/// What a page is without that which can be read on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lack {
    /// It shows pictures, and no text.
    Pictured,
    /// It shows lines and areas, and no text.
    Drawn,
    /// Most of its letters are unknown.
    Unlettered,
    /// The parser cannot follow it.
    Broken,
    /// There was no time left for it.
    Late,
}

impl Lack {
    /// Pages that lack it.
    fn of(self, pages: Vec<u32>) -> Omitted {
        match self {
            Self::Pictured => Omitted::Pictured(pages),
            Self::Drawn => Omitted::Pages(pages),
            Self::Unlettered => Omitted::Unlettered(pages),
            Self::Broken => Omitted::Broken(pages),
            Self::Late => Omitted::Late(pages),
        }
    }
}

/// Reads the pages until so much of the processor's time is used; those that are left then are named. With `pictures`, the
/// first of those without text come as such, as far as there is time.
pub(super) fn read(bytes: &[u8], until: Duration, pictures: bool) -> Result<Extract, Fault> {
    let data = PdfData::from(bytes.to_vec());
    let mut pages = Pages::default();
    let mut asked = HashSet::new();
    // A page at which the parser gives up may leave its tables locked, so it begins anew behind that page.
    while let Some(count) = open(&data, |pdf| pages.add(pdf, &mut asked, until))?? {
        if pages.starts.len() >= count {
            break;
        }
    }
    let drawn = if pictures { scan::pages(&data, &pages.to_be_seen(), until) } else { Vec::new() };
    pages.finish(drawn)
}

/// Opens a file, and does something with it. Nothing comes of it where the parser gives up on the whole file.
fn open<T>(data: &PdfData, what: impl FnOnce(&Pdf) -> T) -> Result<T, Fault> {
    let opened = catch_unwind(AssertUnwindSafe(|| Pdf::new(data.clone())));
    match opened {
        Ok(Ok(pdf)) if !pdf.pages().is_empty() => {
            match catch_unwind(AssertUnwindSafe(|| elsewhere(&pdf))).unwrap_or_default() {
                Some(fault) => Err(fault),
                None => Ok(what(&pdf)),
            }
        }
        Ok(Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) => Err(Fault::Encrypted),
        _ => Err(Fault::Broken),
    }
}

/// Why the pages of a file are not what it says: a form that its program draws anew each time has a page that asks to wait
/// for it, and a portfolio has a cover.
fn elsewhere(pdf: &Pdf) -> Option<Fault> {
    let root = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    if root.contains_key("Collection") {
        return Some(Fault::Portfolio);
    }
    let form = root.get::<Dict<'_>>("AcroForm").filter(|form| form.contains_key("XFA"))?;
    let fields = form.get::<Array<'_>>("Fields").is_some_and(|fields| fields.raw_iter().next().is_some());
    let drawn_anew = root.get::<bool>("NeedsRendering").unwrap_or_default() || !fields;
    drawn_anew.then_some(Fault::LiveForm)
}

/// The pages so far.
#[derive(Default)]
struct Pages {
    text: String,
    starts: Vec<usize>,
    /// Pages from 1, and what they lack.
    lacking: Vec<(u32, Lack)>,
    /// Pages on which text is painted over.
    painted: Vec<u32>,
}

impl Pages {
    /// Reads the pages that are not read yet, up to the end or to one at which the parser gives up. Gives how many
    /// there are.
    fn add(
        &mut self,
        pdf: &Pdf,
        asked: &mut HashSet<fields::FieldId>,
        until: Duration,
    ) -> Result<Option<usize>, Fault> {
        let pages = pdf.pages();
        let mut cache = InterpreterCache::new();
        for (number, page) in pages.iter().enumerate().skip(self.starts.len()) {
            if confine::processor_time() >= until {
                self.close(String::new(), Some(Lack::Late));
                continue;
            }
            if number % KEPT == 0 {
                cache = InterpreterCache::new();
            }
            let room = MAX_TEXT.saturating_sub(self.text.len());
            let mut sheet = Sheet::default();
            let drawn = catch_unwind(AssertUnwindSafe(|| {
                drawing::draw(page, &cache, &mut sheet, until, room);
            }));
            let stop = drawn.err().map(|panic| panic.downcast_ref::<Stop>().copied());
            let struck = catch_unwind(AssertUnwindSafe(|| fields::struck(page))).unwrap_or_default();
            for area in struck {
                sheet.strokes.add(area);
            }
            let noted = catch_unwind(AssertUnwindSafe(|| Fields::of(page, asked))).unwrap_or_default();
            let gave_up = stop == Some(None);
            let (text, lack) = match stop {
                None => judge(&mut sheet),
                Some(Some(Stop::Full)) => return Err(Fault::TooMuchText),
                Some(Some(Stop::Late)) => (String::new(), Some(Lack::Late)),
                Some(None) => (String::new(), Some(Lack::Broken)),
            };
            self.close(noted.after(text), lack);
            let painted = sheet.is_painted_over() && lack.is_none();
            self.painted.extend(u32::try_from(self.starts.len()).ok().filter(|_| painted));
            if self.text.len() > MAX_TEXT {
                return Err(Fault::TooMuchText);
            }
            if gave_up {
                break;
            }
        }
        Ok(Some(pages.len()))
    }

    /// Adds a page.
    fn close(&mut self, page: String, lack: Option<Lack>) {
        self.starts.push(self.text.len());
        if let Some(lack) = lack {
            self.lacking.extend(u32::try_from(self.starts.len()).map(|number| (number, lack)));
        }
        let page = text::clean(&page);
        if !text::is_blank(&page) {
            self.text.push_str(page.trim_end());
            self.text.push_str("\n\n");
        }
    }

    /// The numbers of the pages that lack something.
    fn numbers(&self, lack: Lack) -> Vec<u32> {
        self.lacking.iter().filter(|(_, other)| *other == lack).map(|(number, _)| *number).collect()
    }

    /// The first pages on which only a model that sees pictures can read anything.
    fn to_be_seen(&self) -> Vec<u32> {
        let seen = |(number, lack): &(u32, Lack)| match lack {
            Lack::Pictured | Lack::Drawn | Lack::Unlettered => Some(*number),
            Lack::Broken | Lack::Late => None,
        };
        self.lacking.iter().filter_map(seen).take(Pictured::MOST).collect()
    }

    /// All of it, with what was drawn for a model, or why there is nothing.
    fn finish(mut self, pictures: Vec<Drawn>) -> Result<Extract, Fault> {
        self.lacking.retain(|(number, _)| !pictures.iter().any(|picture| picture.page == Some(*number)));
        let has = |lack| self.lacking.iter().any(|(_, other)| *other == lack);
        if text::is_blank(&self.text) && pictures.is_empty() {
            return Err(match () {
                () if has(Lack::Unlettered) => Fault::Unlettered,
                () if has(Lack::Pictured) => Fault::Scanned,
                () if has(Lack::Late) => Fault::BeyondLimits,
                () if has(Lack::Broken) => Fault::Broken,
                () if has(Lack::Drawn) => Fault::Drawn,
                () => Fault::Empty,
            });
        }
        numbers::name(&mut self.text, &mut self.starts);
        let len = self.text.trim_end().len();
        self.text.truncate(len);
        let kinds = [Lack::Drawn, Lack::Pictured, Lack::Unlettered, Lack::Broken, Lack::Late];
        let kinds = kinds.map(|lack| (lack, self.numbers(lack)));
        let lacking = kinds.into_iter().filter(|(_, pages)| !pages.is_empty());
        let painted = (!self.painted.is_empty()).then_some(Omitted::Painted(self.painted));
        let omitted = lacking.map(|(lack, pages)| lack.of(pages)).chain(painted).collect();
        let starts = self.starts.into_iter().map(|start| start.min(len)).collect();
        Ok(Extract { text: self.text, places: Places::Pages(starts), omitted, pictures })
    }
}

/// What can be read on a page that was drawn, and what it lacks. A text of which much is unknown is no text: a model
/// would make sense of what has none.
fn judge(sheet: &mut Sheet) -> (String, Option<Lack>) {
    if sheet.is_nonsense() {
        return (String::new(), Some(Lack::Unlettered));
    }
    let text = sheet.text();
    let lack = match () {
        () if sheet.damaged => Some(Lack::Broken),
        () if !text::is_blank(&text) => None,
        () if sheet.pictures => Some(Lack::Pictured),
        () if sheet.shapes => Some(Lack::Drawn),
        () => None,
    };
    (text, lack)
}
