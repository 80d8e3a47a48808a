//! The widths of letters, in the one of the format's two notations that the parser understands.
//!
//! A font lists them as `first [w w w]` or as `first last w`. pdf-extract 0.12 takes nothing from the second, so that
//! such a letter is as wide as the font's default, often 0, and a gap opens in the middle of a word.

use pdf_extract::{Dictionary, Document, Object};

/// Highest number of a letter in such a font.
const LAST: i64 = 65_535;

/// Most widths of one font; more letters than that it cannot have.
const MOST: usize = 2 * 65_536;

/// Writes the widths of all fonts of a document in the first notation.
pub(super) fn spell_out(document: &mut Document) {
    let is_font = |object: &Object| {
        object.as_dict().is_ok_and(|font| {
            let kind = font.get(b"Subtype").and_then(Object::as_name);
            matches!(kind, Ok(b"CIDFontType0" | b"CIDFontType2")) && font.has(b"W")
        })
    };
    let fonts: Vec<_> =
        document.objects.iter().filter(|(_, object)| is_font(object)).map(|(id, _)| *id).collect();
    for id in fonts {
        let spelled = document.get_dictionary(id).ok().and_then(|font| spelled(document, font));
        if let (Some(widths), Ok(Object::Dictionary(font))) = (spelled, document.get_object_mut(id)) {
            font.set("W", Object::Array(widths));
        }
    }
}

/// The widths of a font; nothing where they are not as they should be, and then they stay as they are.
fn spelled(document: &Document, font: &Dictionary) -> Option<Vec<Object>> {
    let value = |object: &Object| document.dereference(object).ok().map(|(_, value)| value.clone());
    let widths = value(font.get(b"W").ok()?)?;
    let mut rest = widths.as_array().ok()?.iter();
    let mut spelled = Vec::new();
    let mut count = 0;
    while let Some(first) = rest.next() {
        let first = value(first)?.as_i64().ok()?;
        let list = match value(rest.next()?)? {
            Object::Array(list) => list.iter().map(value).collect::<Option<Vec<_>>>()?,
            last => {
                let last = last.as_i64().ok()?.min(LAST);
                let width = value(rest.next()?)?;
                (first.max(0)..=last).map(|_| width.clone()).collect()
            }
        };
        count += list.len();
        if count > MOST || list.iter().any(|width| width.as_float().is_err()) {
            return None;
        }
        spelled.extend([Object::Integer(first), Object::Array(list)]);
    }
    Some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_become_lists() {
        let mut document = Document::new();
        let list = document.add_object(vec![
            Object::Integer(3),
            vec![Object::Real(300.0)].into(),
            5.into(),
            7.into(),
            Object::Integer(600),
        ]);
        let mut font = Dictionary::new();
        font.set("Subtype", Object::Name(b"CIDFontType2".to_vec()));
        font.set("W", Object::Reference(list));
        let font = document.add_object(font);
        spell_out(&mut document);
        let widths = document.get_dictionary(font).unwrap().get(b"W").unwrap().as_array().unwrap();
        let six = Object::Integer(600);
        assert_eq!(
            widths,
            &[
                3.into(),
                vec![Object::Real(300.0)].into(),
                5.into(),
                vec![six.clone(), six.clone(), six].into()
            ]
        );
    }
}
