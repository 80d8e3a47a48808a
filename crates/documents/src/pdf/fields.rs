//! What members filled into a form and what they noted beside a page: it is not drawn by the page itself.

use std::collections::HashSet;

use hayro_interpret::kurbo::Rect;
use hayro_syntax::{
    object::{Array, Dict, Name, Object, ObjectIdentifier, String as Bytes},
    page::Page,
};

use crate::text;

/// Tells a field of a form from the others of its file.
pub(super) type FieldId = ObjectIdentifier;

/// Most notes and fields that are read of one page.
const MOST: usize = 4_096;

/// How deep fields lie in one another.
const DEEPEST: usize = 16;

/// An annotation that is not shown.
const HIDDEN: u32 = 1 << 1 | 1 << 5;

/// A field for a password.
const PASSWORD: u32 = 1 << 13;

/// Most lines of text that one mark goes through.
const MARKED: usize = 256;

/// A button that only does something.
const PUSH: u32 = 1 << 16;

/// What stands in the fields and the notes of a page, a line for each.
#[derive(Default)]
pub(super) struct Fields(Vec<String>);

impl Fields {
    /// Those of a page. A field may stand on several; it is told once.
    pub(super) fn of(page: &Page<'_>, told: &mut HashSet<FieldId>) -> Self {
        let Some(all) = page.raw().get::<Array<'_>>("Annots") else { return Self::default() };
        let lines = all.iter::<Dict<'_>>().take(MOST).filter_map(|one| {
            if one.get::<u32>("F").unwrap_or(0) & HIDDEN != 0 {
                return None;
            }
            let kind = one.get::<Name<'_>>("Subtype")?;
            match kind.as_str() {
                "Widget" => field(&one, told),
                // A window of another note, which says the same, and what leads to elsewhere.
                "Popup" | "Link" => None,
                kind => note(&one, kind),
            }
        });
        Self(lines.collect())
    }

    /// A page's text with them below it.
    pub(super) fn after(self, mut page: String) -> String {
        for (number, line) in self.0.iter().enumerate() {
            if !page.is_empty() {
                page.push_str(if number == 0 { "\n\n" } else { "\n" });
            }
            page.push_str(line);
        }
        page
    }
}

/// `Form field Surname: Müller`
fn field(widget: &Dict<'_>, told: &mut HashSet<FieldId>) -> Option<String> {
    let chain = chain(widget);
    let own = chain.iter().find(|dict| dict.contains_key("T")).unwrap_or(widget);
    let inherited = |key: &str| chain.iter().find_map(|dict| dict.get::<Object<'_>>(key));
    let flags = chain.iter().find_map(|dict| dict.get::<u32>("Ff")).unwrap_or(0);
    let kind = chain.iter().find_map(|dict| dict.get::<Name<'_>>("FT"))?;
    let value = match kind.as_str() {
        "Tx" if flags & PASSWORD == 0 => values(inherited("V")?, None),
        "Ch" => values(inherited("V")?, inherited("Opt")),
        "Btn" if flags & PUSH == 0 => {
            let state = widget.get::<Name<'_>>("AS").or_else(|| inherited("V")?.into_name());
            let state = state.map_or_else(|| "Off".to_owned(), |state| state.as_str().to_owned());
            match state.as_str() {
                // Another box of the same field may be the one that is ticked.
                "Off" if chosen(own, inherited("V")) => return None,
                "Off" => "not checked".to_owned(),
                "Yes" | "On" | "1" => "checked".to_owned(),
                other => format!("checked ({other})"),
            }
        }
        _ => return None,
    };
    if text::is_blank(&value) || own.obj_id().is_some_and(|id| !told.insert(id)) {
        return None;
    }
    let label = chain.iter().find_map(|dict| string(dict, "TU")).or_else(|| {
        let names: Vec<String> = chain.iter().rev().filter_map(|dict| string(dict, "T")).collect();
        (!names.is_empty()).then(|| names.join("."))
    });
    Some(format!(
        "Form field {}: {}",
        one_line(&label.unwrap_or_else(|| "without a name".into())),
        one_line(&value)
    ))
}

/// Whether any box of a field is ticked.
fn chosen(field: &Dict<'_>, value: Option<Object<'_>>) -> bool {
    let on = |name: Option<Name<'_>>| name.is_some_and(|name| name.as_str() != "Off");
    let boxes = field.get::<Array<'_>>("Kids");
    let ticked = boxes
        .is_some_and(|boxes| boxes.iter::<Dict<'_>>().take(MOST).any(|one| on(one.get::<Name<'_>>("AS"))));
    ticked || on(value.and_then(Object::into_name))
}

/// Where somebody struck a page's text out, as lines through it.
pub(super) fn struck(page: &Page<'_>) -> Vec<Rect> {
    let Some(all) = page.raw().get::<Array<'_>>("Annots") else { return Vec::new() };
    let is_struck = |one: &Dict<'_>| {
        one.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_str() == "StrikeOut")
            && one.get::<u32>("F").unwrap_or(0) & HIDDEN == 0
    };
    let mut lines = Vec::new();
    for mark in all.iter::<Dict<'_>>().take(MOST).filter(is_struck) {
        let Some(points) = mark.get::<Array<'_>>("QuadPoints") else { continue };
        let points: Vec<f64> = points.iter::<f32>().take(MARKED * 8).map(f64::from).collect();
        for corners in points.as_chunks::<8>().0 {
            let [left, top, right, _, _, bottom, ..] = *corners;
            let across = Rect::new(left, bottom, right, top).abs();
            let y = across.height().mul_add(0.45, across.y0);
            lines.push(Rect::new(across.x0, y, across.x1, y));
        }
    }
    lines
}

/// `Note (highlight) by Anna: Why so late?`
fn note(note: &Dict<'_>, kind: &str) -> Option<String> {
    let said = string(note, "Contents").filter(|said| !text::is_blank(said))?;
    let author = string(note, "T").filter(|author| !text::is_blank(author));
    let by = author.map(|author| format!(" by {}", one_line(&author))).unwrap_or_default();
    let kind = match kind {
        "Text" => "",
        "FreeText" => " (text)",
        "Highlight" => " (highlight)",
        "Underline" => " (underline)",
        "StrikeOut" => " (struck out)",
        "Stamp" => " (stamp)",
        _ => " (mark)",
    };
    Some(format!("Note{kind}{by}: {}", one_line(&said)))
}

/// A field and those that it lies in.
fn chain<'a>(widget: &Dict<'a>) -> Vec<Dict<'a>> {
    let mut chain = vec![widget.clone()];
    while chain.len() < DEEPEST {
        let parent = chain.last().and_then(|dict| dict.get::<Dict<'a>>("Parent"));
        match parent {
            Some(parent) => chain.push(parent),
            None => break,
        }
    }
    chain
}

/// What is filled in; of a choice, as it reads in the list.
fn values(value: Object<'_>, choices: Option<Object<'_>>) -> String {
    let choices = choices.and_then(Object::into_array);
    let read = |value: &Bytes<'_>| {
        let shown = choices.iter().flat_map(Array::iter::<Array<'_>>).take(MOST).find_map(|pair| {
            let mut pair = pair.iter::<Bytes<'_>>();
            let (stored, shown) = (pair.next()?, pair.next()?);
            (stored.as_bytes() == value.as_bytes()).then(|| decoded(shown.as_bytes()))
        });
        shown.unwrap_or_else(|| decoded(value.as_bytes()))
    };
    match value {
        Object::String(one) => read(&one),
        Object::Name(name) => name.as_str().to_owned(),
        Object::Array(several) => {
            several.iter::<Bytes<'_>>().take(MOST).map(|one| read(&one)).collect::<Vec<_>>().join(", ")
        }
        Object::Stream(long) => long.decoded_data().map(|bytes| decoded(&bytes)).unwrap_or_default(),
        _ => String::new(),
    }
}

fn string(dict: &Dict<'_>, key: &str) -> Option<String> {
    dict.get::<Bytes<'_>>(key).map(|bytes| decoded(bytes.as_bytes()))
}

/// Text as the format has it outside of pages: UTF-16 or UTF-8 with their marks, or else its own.
fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => bytes.iter().map(|&byte| own(byte)).collect(),
    }
}

/// A character of the format's own encoding.
fn own(byte: u8) -> char {
    const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ',
        'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x18..=0x1f => LOW[usize::from(byte - 0x18)],
        0x80..=0xa0 => HIGH[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// A value on one line of the text: its own lines would read as lines of the page.
fn one_line(value: &str) -> String {
    text::clean(value).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_in_the_encodings_of_the_format() {
        assert_eq!(decoded(b"\xfe\xff\0M\0\xfc\0l"), "Mül");
        assert_eq!(decoded(b"\xef\xbb\xbfM\xc3\xbcl"), "Mül");
        assert_eq!(decoded(b"M\xfcl \xa05 \x84"), "Mül €5 —");
        assert_eq!(one_line("a\r\nb\u{202e} c"), "a b c");
    }
}
