//! What was read of a document, and what of it is not in the text.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{MAX_PICTURES, MAX_TEXT, encoding, picture, text};
use domain::{Document, Landmark, Omission, Omitted, Pictured, Unit};

/// What was read of a document. It crosses a pipe, so whoever gets it asks first whether it is sound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Extract {
    /// Clean text.
    pub(super) text: String,
    /// How places in it are told.
    pub(super) places: Places,
    /// What of the document is not in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) omitted: Vec<Omitted>,
    /// What of it only a model can read that sees pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pictures: Vec<Drawn>,
}

/// A picture as it crosses the pipe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Drawn {
    /// The page that it shows, from 1; `None`: the file is the picture.
    pub(super) page: Option<u32>,
    /// What it is.
    pub(super) media: String,
    /// Its bytes in base64.
    pub(super) base64: String,
}

/// How places in a document are told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Places {
    /// By its lines.
    Lines,
    /// By its paragraphs, each a line of the text.
    Paragraphs,
    /// By its pages, which begin at these bytes of the text, and their lines.
    Pages(Vec<usize>),
    /// By parts of another kind, such as slides and sheets, which begin at these bytes of the text; and what is counted in
    /// them.
    Parts(Unit, Vec<(usize, Landmark)>),
}

/// Most kinds of things that are omitted of one document.
const KINDS: usize = 64;

/// Most parts of one document, pages aside.
pub(super) const MAX_PARTS: usize = 8_000;

/// Longest name of a part, in characters.
pub(super) const NAME: usize = 60;

impl Extract {
    /// Of which nothing is omitted.
    pub(super) fn whole(text: String, places: Places) -> Self {
        Self { text, places, omitted: Vec::new(), pictures: Vec::new() }
    }

    /// Whether it is what a reader may answer: clean, of a length that fits, with pages in order.
    pub(super) fn is_sound(&self) -> bool {
        let (pages, parts) = match &self.places {
            Places::Lines | Places::Paragraphs => (&[][..], &[][..]),
            Places::Pages(starts) => (&starts[..], &[][..]),
            Places::Parts(_, parts) => (&[][..], &parts[..]),
        };
        self.text.len() <= MAX_TEXT
            && !(text::is_blank(&self.text) && self.pictures.is_empty())
            && self.has_sound_pictures(pages.len())
            && self.text.chars().all(text::stays)
            && pages.is_sorted()
            && pages.iter().all(|&start| self.text.is_char_boundary(start))
            && u32::try_from(pages.len()).is_ok()
            && parts.len() <= MAX_PARTS
            && parts.is_sorted_by_key(|(at, _)| *at)
            && parts.iter().all(|(at, part)| self.text.is_char_boundary(*at) && is_named(part))
            && self.omitted.len() <= KINDS
            && self.omitted.iter().all(|omitted| match omitted {
                Omitted::Pages(missing)
                | Omitted::Pictured(missing)
                | Omitted::Unlettered(missing)
                | Omitted::Broken(missing)
                | Omitted::Late(missing)
                | Omitted::Painted(missing) => {
                    missing.is_sorted_by(|one, next| one < next)
                        && missing.iter().all(|&page| (1..=pages.len()).contains(&(page as usize)))
                }
                Omitted::Rows { sheet, .. } => is_name(sheet),
                Omitted::Sheets(names) | Omitted::Attachments(names) => {
                    names.len() <= MAX_PARTS && names.iter().all(|name| is_name(name))
                }
                Omitted::ReadAs(label) => encoding::is_one(label),
                // No reader says so.
                Omitted::Unseen(_) | Omitted::ByModel { .. } => false,
                Omitted::Pictures
                | Omitted::HeadersAndFooters
                | Omitted::Comments
                | Omitted::Charts
                | Omitted::HiddenSlides
                | Omitted::HiddenSheets
                | Omitted::HiddenRows
                | Omitted::HiddenColumns
                | Omitted::HiddenCells
                | Omitted::Formulas
                | Omitted::Numbers
                | Omitted::Marks
                | Omitted::Parts
                | Omitted::Changes => true,
            })
    }

    /// Whether its pictures are few, and none but those of its pages or the one that it is.
    fn has_sound_pictures(&self, pages: usize) -> bool {
        let of = |picture: &Drawn| picture.page;
        let place = |picture: &Drawn| match picture.page {
            Some(page) => (1..=pages).contains(&(page as usize)),
            None => pages == 0 && self.pictures.len() == 1,
        };
        self.pictures.len() <= Pictured::MOST
            && self.pictures.iter().map(|picture| picture.base64.len()).sum::<usize>() <= MAX_PICTURES
            && self.pictures.is_sorted_by(|one, next| of(one) < of(next))
            && self.pictures.iter().all(|picture| place(picture) && picture::is_sound(picture))
    }

    /// As a document of this name.
    pub(super) fn into_document(self, name: String, sha256: String) -> Document {
        let landmarks = match self.places {
            // A picture stands where its words will.
            Places::Lines if !self.pictures.is_empty() => {
                vec![(0, Landmark::File { name: name.clone(), unit: Unit::Line })]
            }
            Places::Lines => Vec::new(),
            Places::Paragraphs => {
                vec![(0, Landmark::File { name: name.clone(), unit: Unit::Paragraph })]
            }
            Places::Pages(starts) => starts.into_iter().zip((1..).map(Landmark::Page)).collect(),
            Places::Parts(unit, parts) => {
                let file = Landmark::File { name: name.clone(), unit };
                std::iter::once((0, file)).chain(parts).collect()
            }
        };
        let omissions = self.omitted.into_iter().map(|what| Omission { file: name.clone(), what }).collect();
        let of_page = |Drawn { page, media, base64 }: Drawn| Pictured {
            file: name.clone(),
            page,
            media,
            sha256: format!("{:x}", Sha256::digest(&base64)),
            base64: Arc::from(base64),
        };
        let pictures = self.pictures.into_iter().map(of_page).collect();
        Document { name, text: self.text, sha256, landmarks, omissions, pictures }
    }
}

/// Whether a part is called what a reader may call it.
fn is_named(part: &Landmark) -> bool {
    match part {
        Landmark::Slide(_) => true,
        Landmark::Sheet { name, .. } | Landmark::Chapter(name) => is_name(name),
        Landmark::File { .. } | Landmark::Page(_) => false,
    }
}

fn is_name(name: &str) -> bool {
    !name.contains(['\n', '\t']) && name.chars().all(text::stays) && name.chars().count() <= NAME
}

/// The name of a part, on one line and cut.
pub(super) fn name_of(part: &str) -> String {
    let name = text::clean(part).split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() <= NAME {
        return name;
    }
    format!("{}…", name.chars().take(NAME - 1).collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_no_reader_gives_is_not_sound() {
        let extract = |text: &str, places| Extract::whole(text.into(), places);
        let pages = |missing: &[u32]| Extract {
            omitted: vec![Omitted::Pages(missing.to_vec())],
            ..extract("ab", Places::Pages(vec![0, 1, 1]))
        };
        assert!(pages(&[1, 3]).is_sound());
        for broken in [pages(&[0]), pages(&[4]), pages(&[2, 2]), pages(&[3, 1])] {
            assert!(!broken.is_sound(), "{:?}", broken.omitted);
        }
        assert!(extract("a", Places::Lines).is_sound());
        let sheet = Landmark::Sheet { name: name_of(&"é\n ".repeat(100)), row: 0 };
        assert!(extract("a", Places::Parts(Unit::Row, vec![(0, sheet)])).is_sound());
        assert!(extract("éa", Places::Pages(vec![0, 2, 2, 3])).is_sound());
        for broken in [
            extract("", Places::Lines),
            extract("a\u{202e}b", Places::Lines),
            extract("a\r\nb", Places::Paragraphs),
            extract("éa", Places::Pages(vec![1])),
            extract("ab", Places::Pages(vec![1, 0])),
            extract("ab", Places::Pages(vec![3])),
            extract("éa", Places::Parts(Unit::Row, vec![(1, Landmark::Slide(1))])),
            extract("ab", Places::Parts(Unit::Row, vec![(1, Landmark::Slide(1)), (0, Landmark::Slide(2))])),
            extract("ab", Places::Parts(Unit::Row, vec![(0, Landmark::Page(1))])),
            extract("ab", Places::Parts(Unit::Row, vec![(0, Landmark::Chapter("a\nb".into()))])),
            Extract { omitted: vec![Omitted::ReadAs("nonsense".into())], ..extract("ab", Places::Lines) },
            extract(&"a".repeat(MAX_TEXT + 1), Places::Lines),
        ] {
            assert!(!broken.is_sound(), "{:?}", broken.places);
        }
    }
}
