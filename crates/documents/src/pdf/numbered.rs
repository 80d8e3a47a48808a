//! Fonts of many letters whose file does not say by itself what they are, but by whose list they are numbered.
//!
//! Adobe has lists of the letters of Japanese, Chinese and Korean, and each number of them stands for one letter. And some
//! programs number the letters as Unicode does, and say it by a name only. The parser looks neither up where the font
//! comes with the file.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use hayro_interpret::{
    font::Glyph,
    hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded},
};
use hayro_syntax::{
    object::{Array, Dict, Name, Stream, String as Bytes},
    page::Page,
};

use super::doubtful::{fonts, sum};

thread_local! {
    /// Lists that were looked up before: every page has the same fonts.
    static LISTS: RefCell<HashMap<Vec<u8>, List>> = RefCell::default();
}

/// A list, if there is one of that name.
type List = Option<Rc<CMap>>;

/// How the letters of a font are numbered.
#[derive(Clone)]
enum Numbers {
    /// As Unicode does.
    Unicode,
    /// By a list; with the one that gives their numbers of those that the page writes, if these are others.
    Listed { letters: Rc<CMap>, written: List },
}

/// The fonts of a page that are numbered so.
#[derive(Default)]
pub(super) struct Numbered {
    /// By what their programs come to; nothing where another font of the page has the same program.
    programs: HashMap<u64, Option<Numbers>>,
    /// By the parser's key.
    fonts: HashMap<u128, Option<Numbers>>,
}

impl Numbered {
    /// Those of a page.
    pub(super) fn of<'a>(page: &'a Page<'a>) -> Self {
        let mut numbered = Self::default();
        let mut any = false;
        fonts(page, &mut |font| any |= numbers(font).is_some());
        if any {
            fonts(page, &mut |font| {
                if let Some(program) = program(font) {
                    let numbers = numbers(font);
                    let one = numbered.programs.entry(sum(&program)).or_insert_with(|| numbers.clone());
                    // Two that are numbered alike are mostly the same font, named twice.
                    if std::mem::discriminant(one) != std::mem::discriminant(&numbers) {
                        *one = None;
                    }
                }
            });
        }
        numbered
    }

    /// What a letter says by its number, if its font is one of them.
    pub(super) fn read(&mut self, glyph: &Glyph<'_>) -> Option<BfString> {
        if self.programs.is_empty() {
            return None;
        }
        let Glyph::Outline(outline) = glyph else { return None };
        let data = outline.font_data()?;
        let programs = &self.programs;
        let numbers = self.fonts.entry(data.cache_key).or_insert_with(|| {
            let bytes: &[u8] = (*data.data).as_ref();
            programs.get(&sum(bytes)).cloned().flatten()
        });
        let code = outline.char_code();
        match numbers.as_ref()? {
            Numbers::Unicode => char::from_u32(code).map(BfString::Char),
            Numbers::Listed { letters, written } => {
                let number = match written {
                    Some(written) => (1..=4).find_map(|length| written.lookup_cid_code(code, length))?,
                    None => code,
                };
                letters.lookup_bf_string(number)
            }
        }
    }
}

/// How a font's letters are numbered, where it does not say what each is.
fn numbers(font: &Dict<'_>) -> Option<Numbers> {
    let own = font.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
    if font.get::<Stream<'_>>("ToUnicode").is_some() {
        return None;
    }
    let encoding = font.get::<Name<'_>>("Encoding")?;
    let as_they_are = matches!(encoding.as_str(), "Identity-H" | "Identity-V");
    let said = font.get::<Name<'_>>("ToUnicode");
    if said.is_some_and(|name| matches!(name.as_str(), "Identity-H" | "Identity-V")) {
        // Numbers that are those of the font's own drawings are no letters, whatever is said of them.
        let apart = own.get::<Stream<'_>>("CIDToGIDMap").is_some();
        return (as_they_are && apart).then_some(Numbers::Unicode);
    }
    let info = own.get::<Dict<'_>>("CIDSystemInfo")?;
    let (by, of) = (info.get::<Bytes<'_>>("Registry")?, info.get::<Bytes<'_>>("Ordering")?);
    let letters = CidFamily::from_registry_ordering(&by, &of).ucs2_cmap().and_then(list)?;
    let written = if as_they_are { None } else { Some(list(CMapName::from_bytes(encoding.as_ref()))?) };
    Some(Numbers::Listed { letters, written })
}

fn list(name: CMapName<'_>) -> List {
    LISTS.with_borrow_mut(|lists| {
        let load = || CMap::parse(load_embedded(name)?, load_embedded).map(Rc::new);
        lists.entry(name.to_bytes().to_vec()).or_insert_with(load).clone()
    })
}

/// The program that a file brings for a font.
fn program(font: &Dict<'_>) -> Option<Vec<u8>> {
    let own = font.get::<Array<'_>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let described = own.as_ref().unwrap_or(font).get::<Dict<'_>>("FontDescriptor")?;
    let stream = ["FontFile2", "FontFile3"].iter().find_map(|key| described.get::<Stream<'_>>(*key))?;
    stream.decoded_data().ok().map(std::borrow::Cow::into_owned)
}
