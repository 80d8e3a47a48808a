//! What says the same is put together, and one who was no reader, and has reviewed the text alone, writes the review. Where no
//! model can, the findings stand in the members' own words; where there are none, nothing is asked and the card says so plainly.

use super::council::Council;
use crate::{
    prompt::{
        asked_of_drafts,
        reply::critique::{read_compared, read_review},
    },
    protocols::drafts::{Choice, Drafting, Reader},
    render::critique::review_cards,
    steps::{Answered, Question, Stop, Try},
};
use domain::{
    ChosenDraft, ClaimId, Countable, Degraded, FirstAnswer, Grouped, Philosopher, Piece, Reply, Review,
    SectionId, SelfCritique, Skipped, StepKey, Tree, Written, grouped, stayed,
};
use forms::Asked;

/// The step in which it is kept; the calls stand below it. `review` is what a decision's second look is called.
pub(super) const REVIEW: &str = "reviewed";

/// The claims that stay, those that say the same in one group. Code puts them together, by what one call over all of them and
/// the members themselves say; whoever writes the review looks at each group once more.
pub(super) async fn compare(
    council: &Council<'_>,
    trees: &[Tree],
    critiques: &[SelfCritique],
) -> Result<Grouped, Stop> {
    let Council { steps, brief, .. } = *council;
    // Two claims can be compared.
    if stayed(trees).len() < 2 {
        return Ok(grouped(trees, critiques, &[]));
    }
    let key = StepKey::from(REVIEW).child("compared");
    let labels = council.labels(trees);
    let question = Question {
        key: key.clone(),
        who: "Comparing".to_owned(),
        prompt: council.desk(&[]).compare(trees, &labels),
    };
    let asked = Asked::at(brief.effort);
    let read = |reply: &Reply, attempt| read_compared(&reply.text, (&asked, attempt == Try::First), &labels);
    let answered = steps.ask_seat(&brief.checker, question, read, |_, _, _| Vec::new()).await?;
    let (same, noted): (Vec<Vec<ClaimId>>, _) = match answered {
        Ok(Answered { value, stand_in }) => (value, Piece::Comparing.stood_in(stand_in.as_ref())),
        Err(failure) => (Vec::new(), Some(Piece::Comparing.missing(Some(failure.sentence())))),
    };
    steps.note_degraded(key, noted).await?;
    Ok(grouped(trees, critiques, &same))
}

/// The draft of the review, written and chosen while the six look back. `None` where nobody claims anything, where the text is
/// read in sections, or where no model could say.
pub(super) async fn draft(council: &Council<'_>, trees: &[Tree]) -> Result<Option<ChosenDraft>, Stop> {
    let Council { steps, brief, .. } = *council;
    if council.sections().len() > 1 || stayed(trees).is_empty() {
        return Ok(None);
    }
    let notes = steps.notes("self/notes").await?;
    let drafting = Drafting {
        step: REVIEW,
        who: "Reviewer",
        writer: &brief.reviewer,
        seats: &brief.members,
        many: FirstAnswer::asked(Written::Review, brief.effort),
        prompt: council.desk(&notes).first_review(),
        asked: Asked::at(brief.effort),
        of: Written::Review,
    };
    let drafts = drafting.ask(steps).await?;
    // An only one has nobody to read it: the review's own writer does, with all that the six found.
    let readers = if drafts.len() > 1 { drafting.asked_alone() } else { Vec::new() };
    let reader = |(place, seat)| Reader {
        name: format!("Draft reader {place}"),
        step: format!("chosen-{place}"),
        seat,
    };
    let key = StepKey::from(REVIEW).child("alone");
    let choice = Choice {
        key: key.child("chosen"),
        read_below: key,
        of: Written::Review,
        readers: (1_usize..).zip(readers).map(reader).collect(),
        asked: asked_of_drafts(brief.effort, drafts.len()),
        pages: 0,
    };
    let prompt = |_, drafts: &[_], order: &[usize]| council.desk(&notes).choice(drafts, order);
    choice.make(steps, drafts, prompt, |_| Vec::new()).await
}

/// The review. Once kept, a retry of what came after asks nobody again.
pub(super) async fn write(
    council: &Council<'_>,
    grouped: Grouped,
    (trees, missing): (&[Tree], &[Philosopher]),
    (critiques, draft): (&[SelfCritique], Option<&ChosenDraft>),
) -> Result<Review, Stop> {
    let Council { steps, brief, .. } = *council;
    let key = StepKey::from(REVIEW);
    let review = if let Some(kept) = steps.kept::<Review>(key.clone()).await? {
        kept
    } else {
        let written = ask(council, &grouped, (trees, missing), (critiques, draft)).await?;
        let unread = unread(council, trees);
        let skipped = skipped(&unread, trees);
        let written = written.unwrap_or_else(|| Review::plain(grouped));
        let review = Review { unread, skipped, missing: missing.to_vec(), ..written };
        let cards = review_cards(steps.session(), &key, &review, &brief.document, council.sections());
        steps.keep(key.clone(), &review, cards).await?
    };
    steps.note_degraded(key, degraded(council, &review)).await?;
    Ok(review)
}

/// Has the review written, where anything was found; nothing where no model can.
async fn ask(
    council: &Council<'_>,
    grouped: &Grouped,
    (trees, missing): (&[Tree], &[Philosopher]),
    (critiques, draft): (&[SelfCritique], Option<&ChosenDraft>),
) -> Result<Option<Review>, Stop> {
    let Council { steps, brief, .. } = *council;
    if grouped.groups.is_empty() {
        return Ok(None);
    }
    let notes = steps.notes("reviewed/notes").await?;
    let key = StepKey::from(REVIEW).child("written");
    let labels = council.labels(trees);
    let question = Question {
        key: key.clone(),
        who: "Reviewer".to_owned(),
        prompt: council.desk(&notes).review((grouped, &labels), (trees, critiques), missing, draft),
    };
    let asked = Asked::at(brief.effort);
    let read = |reply: &Reply, attempt| {
        let asked = (&asked, attempt == Try::First);
        read_review(&reply.text, asked, (grouped, &labels), &brief.document.text, &reply.answered)
    };
    let written = steps.ask_seat(&brief.reviewer, question, read, |_, _, _| Vec::new()).await?;
    let Ok(Answered { value, stand_in }) = written else { return Ok(None) };
    steps.note_degraded(key, Piece::Review.stood_in(stand_in.as_ref())).await?;
    Ok(Some(value))
}

/// What is to be said of the review and of what it rests on.
fn degraded(council: &Council<'_>, review: &Review) -> Vec<Degraded> {
    let planned = |section: &&SectionId| council.plan().read.contains(section);
    let nobody: Vec<SectionId> = review.unread.iter().filter(planned).copied().collect();
    let unreadable = (!nobody.is_empty()).then_some(Degraded::Unreadable(nobody));
    let skipped = review.skipped.iter().map(|Skipped { member, sections }| Degraded::Skipped {
        member: *member,
        sections: sections.clone(),
    });
    let unwritten = review.answered_by.is_none() && !review.no_findings();
    let unwritten = unwritten.then(|| Piece::Review.missing(None));
    let counted = [(Countable::MarkedSentences, review.marked), (Countable::Misquotations, review.misquoted)];
    let counted = counted.into_iter().filter_map(|(what, number)| what.counted(number));
    unreadable.into_iter().chain(skipped).chain(unwritten).chain(counted).collect()
}

/// What nobody read: what the plan leaves out, and sections at which every member's call failed.
fn unread(council: &Council<'_>, trees: &[Tree]) -> Vec<SectionId> {
    let plan = council.plan();
    let failed = |section: &&SectionId| trees.iter().all(|tree| tree.failed.contains(section));
    let mut unread = plan.unread.clone();
    unread.extend(plan.read.iter().filter(failed));
    unread.sort();
    unread
}

/// What single members did not read though others did.
fn skipped(unread: &[SectionId], trees: &[Tree]) -> Vec<Skipped> {
    let skips = |tree: &Tree| {
        let sections: Vec<SectionId> =
            tree.failed.iter().copied().filter(|section| !unread.contains(section)).collect();
        (!sections.is_empty()).then_some(Skipped { member: tree.member, sections })
    };
    trees.iter().filter_map(skips).collect()
}
