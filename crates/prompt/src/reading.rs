//! Notes on a section of a document that is too long to be read at once.

use minijinja::context;

use super::{Prompts, RULES, fence, length::Length, quote::plain_name, reply::NotesReply, schema};
use domain::{Document, DocumentSection, Effort, Prompt};

/// Characters of a word with the space behind it, as people's languages have on average.
const WORD: usize = 6;

/// The request; notes have about so many characters. The reply is a [`NotesReply`].
#[must_use]
pub fn notes(
    prompts: &Prompts,
    document: &Document,
    (section, place): (&DocumentSection, &str),
    chars: usize,
    language: Option<&str>,
) -> Prompt {
    let values = context! {
        name => plain_name(&document.name),
        title => plain_name(&section.title),
        place,
        section => fence("section", document.part(section.span)),
        words => chars / WORD,
        language,
    };
    let schema = schema::strict::<NotesReply>("section_notes");
    // A token of most languages has three characters or more.
    let tokens = u32::try_from(chars / 3).unwrap_or(u32::MAX).saturating_add(100);
    let files = [RULES, "", "reading.md"];
    prompts.request(&files, (&context! {}, &values), schema, Length::fixed(Effort::Brief, tokens))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{SectionId, Span};

    #[test]
    fn the_request_holds_the_section_alone_and_its_place() {
        let text = "# Rent\n\nThe rent is 4,000 a month.\n\n# Wages\n\nNobody works on Sundays.";
        let section = DocumentSection {
            id: SectionId(2),
            title: "Wages".into(),
            span: Span { start: text.find("# Wages").unwrap(), end: text.len() },
        };
        let document = crate::sample::document(text);
        let prompt =
            notes(&Prompts::embedded(), &document, (&section, "lines 5 to 7"), 1_200, Some("German"));
        assert_eq!((prompt.shared.as_str(), prompt.max_tokens), ("", 625));
        insta::assert_snapshot!("reading", prompt.task);
    }
}
