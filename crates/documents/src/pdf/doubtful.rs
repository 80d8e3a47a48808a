//! Fonts of which the file does not say which letter has which number.
//!
//! A font that was made for one file may number its letters as it likes: the place of "5" may show a 3, and no reader
//! can tell. The parser takes the usual numbers for granted there. Letters that are wrong are seen to be nonsense; a
//! number that is wrong is not seen by anybody, so the digits of such a font are read only where the shapes of its
//! letters show that its numbers are the usual ones.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use hayro_interpret::font::Glyph;
use hayro_syntax::{
    object::{Dict, Name, Object, Stream},
    page::{Page, Resources},
};

/// A font's letters stand where everybody has them.
const NONSYMBOLIC: u32 = 1 << 5;

/// How deep drawings lie in one another.
const DEEPEST: usize = 6;

/// Most drawings of a page that are looked through for fonts.
const MOST: usize = 256;

/// The letters that are the narrowest of every font whose letters differ in width.
const NARROW: [char; 3] = ['i', 'j', 'l'];

/// Letters that are wider than those in all such fonts.
const WIDE: [char; 12] = ['a', 'b', 'd', 'e', 'g', 'h', 'm', 'n', 'o', 'p', 'u', 'w'];

/// So many different wide letters have to be seen, and one narrow one, before shapes tell anything.
const ENOUGH: usize = 5;

/// Widths of digits that differ by less are the same, in thousandths of the letters' size.
const SAME: f32 = 1.0;

/// The doubtful fonts of a page.
#[derive(Default)]
pub(super) struct Doubtful {
    /// What their programs come to.
    programs: HashSet<u64>,
    /// Which of the fonts that were drawn with they are, by the parser's key.
    fonts: HashMap<u128, Option<u64>>,
    /// How wide their letters are, by the program and the letter that the usual numbers give.
    widths: HashMap<(u64, char), f32>,
}

impl Doubtful {
    /// Those that a page names, and the drawings on it.
    pub(super) fn of<'a>(page: &'a Page<'a>) -> Self {
        let mut doubtful = Self::default();
        fonts(page, &mut |font| {
            let program = Some(font).filter(|font| is_doubtful(font)).and_then(program);
            doubtful.programs.extend(program.as_deref().map(sum));
        });
        doubtful
    }

    /// Whether there are none, as on almost every page.
    pub(super) fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// The program of a letter's font, if that is one of them.
    fn program(&mut self, glyph: &Glyph<'_>) -> Option<u64> {
        let Glyph::Outline(outline) = glyph else { return None };
        let data = outline.font_data()?;
        let programs = &self.programs;
        *self.fonts.entry(data.cache_key).or_insert_with(|| {
            let bytes: &[u8] = (*data.data).as_ref();
            Some(sum(bytes)).filter(|sum| programs.contains(sum))
        })
    }

    /// Looks at a letter that the page draws.
    pub(super) fn see(&mut self, glyph: &Glyph<'_>) {
        let Some(program) = self.program(glyph) else { return };
        let Glyph::Outline(outline) = glyph else { return };
        let usual = char::from_u32(outline.char_code()).filter(char::is_ascii_alphanumeric);
        if let (Some(usual), Some(width)) = (usual, outline.advance_width()) {
            self.widths.insert((program, usual), width);
        }
    }

    /// Whether nobody can tell which digit it is. All letters of the page have to be seen before.
    pub(super) fn is_unsure(&mut self, glyph: &Glyph<'_>) -> bool {
        self.program(glyph).is_some_and(|program| !self.is_usual(program))
    }

    /// Whether the shapes of a font's letters show that its numbers are the usual ones: each narrow letter is narrower
    /// than each wide one, and digits are of one width. A font that numbers its letters as they come has other letters
    /// in those places.
    fn is_usual(&self, program: u64) -> bool {
        let width = |letter: &char| self.widths.get(&(program, *letter)).copied();
        let digits: Vec<f32> = ('0'..='9').filter_map(|digit| width(&digit)).collect();
        let least = digits.iter().copied().fold(f32::MAX, f32::min);
        are_usual(width) && digits.iter().all(|digit| (digit - least).abs() < SAME)
    }
}

/// Whether letters of these widths can be those that the usual numbers give: each narrow one is narrower than each wide one.
pub(super) fn are_usual(width: impl Fn(&char) -> Option<f32>) -> bool {
    let narrow =
        NARROW.iter().filter_map(&width).fold((0, f32::MIN), |(n, most), wide| (n + 1, most.max(wide)));
    let wide =
        WIDE.iter().filter_map(&width).fold((0, f32::MAX), |(n, least), wide| (n + 1, least.min(wide)));
    narrow.0 > 0 && wide.0 >= ENOUGH && narrow.1 < wide.1
}

/// Looks at the fonts that a page names, and the drawings on it.
pub(super) fn fonts<'a>(page: &'a Page<'a>, look: &mut impl FnMut(&Dict<'a>)) {
    let mut left = MOST;
    fonts_of(page.resources(), 0, &mut left, look);
}

fn fonts_of<'a>(resources: &Resources<'a>, depth: usize, left: &mut usize, look: &mut impl FnMut(&Dict<'a>)) {
    for (name, _) in resources.fonts.entries() {
        if let Some(font) = resources.get_font(&name) {
            look(&font);
        }
    }
    if depth == DEEPEST {
        return;
    }
    for (name, _) in resources.x_objects.entries() {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let drawing = resources.get_x_object(&name);
        if let Some(own) = drawing.and_then(|drawing| drawing.dict().get::<Dict<'_>>("Resources")) {
            fonts_of(&Resources::new(own), depth + 1, left, look);
        }
    }
}

/// Whether a font's numbers are its own affair: a TrueType font that is told neither what its letters say nor by whose
/// table they are numbered, and is not said to have everybody's letters (ISO 32000-1, 9.6.6.4).
fn is_doubtful(font: &Dict<'_>) -> bool {
    let is = |key: &str, name: &str| font.get::<Name<'_>>(key).is_some_and(|is| is.as_str() == name);
    let encoded = match font.get::<Object<'_>>("Encoding") {
        Some(Object::Name(_)) => true,
        Some(Object::Dict(own)) => own.contains_key("BaseEncoding") || own.contains_key("Differences"),
        _ => false,
    };
    let flags = descriptor(font).and_then(|descriptor| descriptor.get::<u32>("Flags"));
    is("Subtype", "TrueType")
        && !encoded
        && font.get::<Stream<'_>>("ToUnicode").is_none()
        && flags.unwrap_or(0) & NONSYMBOLIC == 0
}

fn descriptor<'a>(font: &Dict<'a>) -> Option<Dict<'a>> {
    font.get::<Dict<'_>>("FontDescriptor")
}

/// The program that a file brings for a font.
fn program<'a>(font: &Dict<'a>) -> Option<std::borrow::Cow<'a, [u8]>> {
    descriptor(font)?.get::<Stream<'_>>("FontFile2")?.decoded_data().ok()
}

pub(super) fn sum(program: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font(widths: &[(char, f32)]) -> Doubtful {
        let widths = widths.iter().map(|&(letter, width)| ((7, letter), width)).collect();
        Doubtful { widths, ..Doubtful::default() }
    }

    #[test]
    fn the_widths_of_its_letters_show_that_a_font_is_numbered_as_usual() {
        let letters = [('i', 222.0), ('l', 222.0), ('a', 556.0), ('e', 556.0), ('n', 556.0), ('o', 556.0)];
        let more = [('m', 833.0), ('1', 556.0), ('2', 556.0)];
        let usual = [&letters[..], &more[..]].concat();
        assert!(font(&usual).is_usual(7));
        assert!(font(&usual[..7]).is_usual(7), "without digits");
        for (why, font) in [
            ("another font's", font(&usual).is_usual(8)),
            ("too few letters", font(&letters).is_usual(7)),
            ("digits alone", font(&more[1..]).is_usual(7)),
            ("no narrow letter", font(&usual[2..]).is_usual(7)),
            ("digits of several widths", font(&[&usual[..], &[('3', 300.0)]].concat()).is_usual(7)),
            ("a wide i", font(&[&usual[..], &[('i', 600.0)]].concat()).is_usual(7)),
            (
                "letters of one width",
                font(&usual.iter().map(|(l, _)| (*l, 600.0)).collect::<Vec<_>>()).is_usual(7),
            ),
        ] {
            assert!(!font, "{why}");
        }
    }
}
