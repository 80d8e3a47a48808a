//! A document that is longer than the seats read at once: one call for each section notes what it says, all at the same
//! time, and the notes with their places stand for the document from then on. What nobody read is named.

use futures::future::try_join_all;

use crate::{
    prompt::{self, reply::NotesReply},
    render,
    steps::{Journal, Question, Steps, Stop},
};
use domain::{
    Brief, Degraded, Digest, Document, DocumentSection, ReadInSections, SectionId, SectionNotes, StepKey,
    sections,
};

/// The step in which the notes are kept; each section's is below it.
const KEY: &str = "reading";

/// The brief with notes in place of its document, where that is read in sections.
pub(super) async fn in_sections(
    steps: &Steps,
    brief: Brief,
    how: Option<&ReadInSections>,
) -> Result<Brief, Stop> {
    let Some((how, document)) = how.zip(brief.document().cloned()) else { return Ok(brief) };
    if document.text.chars().count() <= how.at_once {
        return Ok(brief);
    }
    let digest = if let Some(kept) = steps.kept(KEY).await? {
        kept
    } else {
        let all = sections(&document, how.at_once);
        let most = Digest::most_sections(how.at_once, steps.caps().calls / 4);
        let (read, left) = all.split_at(most.min(all.len()));
        steps.phase(0, brief.phases(), &format!("Reading the document in {} sections", read.len()));
        let room = how.at_once / read.len().max(1);
        let of = |section| note(steps, (how, &brief), (&document, section), room);
        let notes = try_join_all(read.iter().map(of)).await?;
        let unread = read.iter().zip(&notes).filter(|(_, notes)| notes.is_none()).map(|(section, _)| section);
        let unread = unread.chain(left).map(|section| (section.id, section.title.clone())).collect();
        let digest = Digest { read: notes.into_iter().flatten().collect(), unread };
        let card = render::reading::card(steps.session(), &KEY.into(), &document, &digest);
        steps.keep(KEY, &digest, vec![card]).await?
    };
    let unread: Vec<SectionId> = digest.unread.iter().map(|(id, _)| *id).collect();
    steps.note_degraded(KEY, (!unread.is_empty()).then_some(Degraded::NotNoted(unread))).await?;
    Ok(brief.with_document(digest.as_document(&document)))
}

/// What a section says; nothing where nobody could be asked.
async fn note(
    steps: &Steps,
    (how, brief): (&ReadInSections, &Brief),
    (document, section): (&Document, &DocumentSection),
    room: usize,
) -> Result<Option<SectionNotes>, Stop> {
    let place = render::reading::place(document, section.span);
    let question = Question {
        key: StepKey::from(KEY).child(section.id.0.to_string()),
        who: format!("Reader {}", section.id),
        prompt: prompt::reading::notes(steps.prompts(), document, (section, &place), room, brief.language()),
    };
    let read = |reply: &domain::Reply, _| prompt::parse::<NotesReply>(&reply.text)?.into_notes(room);
    let noted = steps.ask_seat(&how.reader, question, read, |_, _, _| Vec::new()).await?;
    Ok(noted.ok().map(|noted| SectionNotes {
        id: section.id,
        title: section.title.clone(),
        place,
        notes: noted.value,
    }))
}

/// The brief as its session went on with it: with notes where the document was read in sections.
pub(super) async fn as_read(steps: &Steps, brief: Brief) -> Result<Brief, Stop> {
    let digest: Option<Digest> = steps.kept(KEY).await?;
    let document = digest.zip(brief.document()).map(|(digest, document)| digest.as_document(document));
    Ok(match document {
        Some(document) => brief.with_document(document),
        None => brief,
    })
}

/// All notes, with the card's title; nothing for another card.
pub(super) async fn full_text(journal: &Journal, card: &StepKey) -> Result<Option<(String, String)>, Stop> {
    if card.as_str() != KEY {
        return Ok(None);
    }
    let digest: Option<Digest> = journal.kept(&KEY.into()).await?;
    Ok(digest.map(|digest| render::reading::whole(&digest)))
}
