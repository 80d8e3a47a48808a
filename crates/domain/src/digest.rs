//! A document that is longer than a seat reads at once, as notes on each of its sections.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{Document, Seat, SectionId, Takes, sections};

/// How a document is read that is longer than the seats read at once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReadInSections {
    /// Characters that are read at once, and that all notes together may have.
    pub at_once: usize,
    /// Who reads.
    pub reader: Seat,
}

impl ReadInSections {
    /// What reading a document takes, and one as long as the notes on it are at most, for what is said of a session
    /// beforehand. `calls` are those that the session may make in all.
    #[must_use]
    pub fn takes(&self, document: &Document, calls: i64) -> (Takes, Document) {
        let all = sections(document, self.at_once).len();
        let read = all.min(Digest::most_sections(self.at_once, calls / 4)).max(1);
        // A token of most languages has three characters or more; some hundred are the task.
        let tokens = |chars: usize| chars as u64 / 3 + 500;
        let section = self.at_once.min(document.text.len().div_ceil(all.max(1)));
        let takes = Takes {
            calls: u32::try_from(read).unwrap_or(u32::MAX),
            turns: 1,
            sent: tokens(section).saturating_mul(read as u64),
            written: tokens(self.at_once / read).saturating_mul(read as u64),
        };
        let notes = document.text.chars().take(self.at_once).collect();
        (takes, Document { text: notes, landmarks: Vec::new(), ..document.clone() })
    }
}

/// What a section says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SectionNotes {
    /// Which section.
    pub id: SectionId,
    /// Its heading, or its first words.
    pub title: String,
    /// Where it stands, as people look it up.
    pub place: String,
    /// What it says.
    pub notes: String,
}

/// The notes on all sections that were read, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Digest {
    /// Those that were read.
    pub read: Vec<SectionNotes>,
    /// Those that nobody read, by number and title.
    pub unread: Vec<(SectionId, String)>,
}

impl Digest {
    /// Fewest characters of notes on a section that are of any use.
    pub const LEAST: usize = 300;

    /// Into how many parts a text of so many characters comes at most, each of so many; and how many of them are read
    /// where each is to have notes of use, and no more than `calls` can be made for it.
    #[must_use]
    pub fn most_sections(at_once: usize, calls: i64) -> usize {
        let calls = usize::try_from(calls).unwrap_or(1);
        (at_once / Self::LEAST).min(calls).max(1)
    }

    /// What stands for the document from then on, in whoever's requests.
    #[must_use]
    pub fn as_document(&self, document: &Document) -> Document {
        let mut text =
            "This document is longer than can be read at once. It was read section by section; these are \
                        notes on what each section says, not its own words unless they are quoted."
                .to_owned();
        for SectionNotes { id, title, place, notes } in &self.read {
            let _ = write!(text, "\n\n## {id} {title} ({place})\n{notes}");
        }
        if !self.unread.is_empty() {
            text.push_str("\n\n## Sections that nobody has read, of which nothing is known\n");
            let lines: Vec<String> =
                self.unread.iter().map(|(id, title)| format!("- {id} {title}")).collect();
            text.push_str(&lines.join("\n"));
        }
        Document { text, landmarks: Vec::new(), ..document.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn document(chars: usize) -> Document {
        sample::document(&"A sentence of the plan.\n\n".repeat(chars / 25))
    }

    #[test]
    fn as_many_sections_are_read_as_calls_and_room_for_notes_allow() {
        for (at_once, calls, most) in [
            (30_000, 30, 30),
            (30_000, 500, 100),
            (3_000, 500, 10),
            (200, 30, 1),
            (30_000, 0, 1),
            (30_000, -4, 1),
        ] {
            assert_eq!(Digest::most_sections(at_once, calls), most, "{at_once} {calls}");
        }
    }

    #[test]
    fn what_is_said_beforehand_is_what_comes() {
        let how = ReadInSections { at_once: 10_000, reader: sample::seat() };
        let document = document(95_000);
        let (takes, notes) = how.takes(&document, 120);
        assert_eq!(usize::try_from(takes.calls).unwrap(), sections(&document, 10_000).len());
        assert_eq!(notes.text.chars().count(), 10_000);
        assert_eq!(how.takes(&document, 8).0.calls, 2, "a quarter of the session's calls at most");
    }

    #[test]
    fn notes_stand_for_the_document_and_say_what_they_are() {
        let digest = Digest {
            read: vec![SectionNotes {
                id: SectionId(1),
                title: "Rent".into(),
                place: "page 2".into(),
                notes: "- 4,000 a month.".into(),
            }],
            unread: vec![(SectionId(2), "Annex".into())],
        };
        let stands = digest.as_document(&document(100));
        assert_eq!((stands.name.as_str(), stands.sha256.as_str()), ("plan.md", &*document(100).sha256));
        for part in [
            "notes on what each section says",
            "## §1 Rent (page 2)\n- 4,000 a month.",
            "nobody has read",
            "- §2 Annex",
        ] {
            assert!(stands.text.contains(part), "{part} in {}", stands.text);
        }
    }
}
