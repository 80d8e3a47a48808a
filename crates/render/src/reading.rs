//! A document that was read in sections.

use super::{card, limits, text};
use domain::{Color, Digest, Document, Embed, Landmark, Place, Post, SectionNotes, SessionId, Span, StepKey};

/// From where to where a part of a document goes, as people look it up: its pages, where it goes over several. As text, for
/// the name of a file may be in it.
#[must_use]
pub fn place(document: &Document, span: Span) -> String {
    let from = document.place(span);
    let part = document.part(span).trim_end();
    let last = part.char_indices().last().map_or(0, |(at, _)| at);
    let to = document.place(Span { start: span.start + last, end: span.end });
    let file = || from.file.as_ref().map_or_else(String::new, |file| format!("{file}, "));
    let on = || format!("from {} on", Place { last: from.first, ..from.clone() });
    let reach = match (&from.part, &to.part) {
        _ if from.file != to.file => on(),
        (Some(Landmark::Page(first)), Some(Landmark::Page(last))) if first < last => {
            format!("{}pages {first} to {last}", file())
        }
        (Some(Landmark::Slide(first)), Some(Landmark::Slide(last))) if first < last => {
            format!("{}slides {first} to {last}", file())
        }
        (Some(Landmark::Sheet { name: first, .. }), Some(Landmark::Sheet { name: last, .. }))
            if first == last =>
        {
            // From its first row to its last.
            Place { last: to.last, ..from.clone() }.to_string()
        }
        (Some(first), Some(last)) if first != last => on(),
        _ => from.to_string(),
    };
    text::label(&reach, 160)
}

/// What was read of the document, and what was not.
#[must_use]
pub fn card(session: &SessionId, step: &StepKey, document: &Document, digest: &Digest) -> Post {
    let line =
        |notes: &SectionNotes| format!("- {} {} · {}", notes.id, text::label(&notes.title, 60), notes.place);
    let lines: Vec<String> = digest.read.iter().map(line).collect();
    let mut fields = Vec::new();
    if !lines.is_empty() {
        fields.push(card::field("🗺️ Read", card::lines(&lines, card::FIELD_ROOM - 60, "in all notes.")));
    }
    if !digest.unread.is_empty() {
        let lines: Vec<String> =
            digest.unread.iter().map(|(id, title)| format!("- {id} {}", text::label(title, 60))).collect();
        fields.push(card::field(
            "⚠️ Read by nobody",
            card::lines(&lines, card::FIELD_ROOM - 60, "like these."),
        ));
    }
    let description = "The document is longer than the panel can read at once, so it was read section by section. \
                       Everybody has the notes on it, not its every word.";
    let embed = Embed {
        title: format!(
            "📄 {} · read in {}",
            text::label(&document.name, 100),
            card::count(digest.read.len(), "section")
        ),
        description: description.to_owned(),
        color: if digest.unread.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "All notes")];
    limits::one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// All notes, with a title.
#[must_use]
pub fn whole(digest: &Digest) -> (String, String) {
    let of =
        |notes: &SectionNotes| format!("## {} {} ({})\n{}", notes.id, notes.title, notes.place, notes.notes);
    ("Notes on the document".to_owned(), digest.read.iter().map(of).collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::support::{assert_fit, hostile, shown},
        *,
    };
    use crate::sample;
    use domain::SectionId;

    fn document(name: &str) -> Document {
        Document { name: name.into(), ..sample::document("Rent") }
    }

    fn digest(texts: &[String]) -> Digest {
        let notes = |(text, id): (&String, u16)| SectionNotes {
            id: SectionId(id),
            title: text.clone(),
            place: "page 1".into(),
            notes: text.clone(),
        };
        Digest {
            read: texts.iter().zip(1..).map(notes).collect(),
            unread: texts.iter().zip(100..).map(|(text, id)| (SectionId(id), text.clone())).collect(),
        }
    }

    #[test]
    fn what_was_read_and_what_was_not() {
        let session = sample::session();
        let digest = digest(&["Rent".to_owned(), "Wages".to_owned()]);
        let all = Digest { unread: Vec::new(), ..digest.clone() };
        let cards =
            [&digest, &all].map(|digest| card(&session, &"reading".into(), &document("plan.md"), digest));
        insta::assert_snapshot!("reading", shown(&cards));
        assert_eq!(whole(&all).1, "## §1 Rent (page 1)\nRent\n\n## §2 Wages (page 1)\nWages");
    }

    #[test]
    fn a_part_that_goes_over_several_slides_or_sheets_says_so() {
        let of = |parts: [Landmark; 2]| {
            let landmarks = vec![(0, parts[0].clone()), (5, parts[1].clone())];
            let document = Document { landmarks, ..sample::document("one\n\ntwo") };
            place(&document, document.whole())
        };
        let sheet = |name: &str| Landmark::Sheet { name: name.into(), row: 0 };
        assert_eq!(of([Landmark::Slide(2), Landmark::Slide(4)]), "slides 2 to 4");
        assert_eq!(of([Landmark::Page(2), Landmark::Page(4)]), "pages 2 to 4");
        assert_eq!(of([sheet("A"), sheet("B")]), "from sheet A on");
        let rows =
            [Landmark::Sheet { name: "A".into(), row: 3 }, Landmark::Sheet { name: "A".into(), row: 900 }];
        assert_eq!(of(rows), "sheet A, lines 3 to 900", "its file would say that they are rows");
    }

    proptest! {
        #![proptest_config(properties::cases(24))]

        #[test]
        fn whatever_sections_are_called_it_is_one_message(name in hostile(), texts in prop::collection::vec(hostile(), 0..60)) {
            let session = SessionId::from_bits(7);
            let posts = [card(&session, &"reading".into(), &document(&name), &digest(&texts))];
            assert_fit(&posts, &[]);
        }
    }
}
