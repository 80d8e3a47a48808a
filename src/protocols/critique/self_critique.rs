//! Self-critique: every member reads its own claims and the others' under numbers, and says what of its own it takes back,
//! narrows or holds for surer, and what it missed. Code applies it; a member for whom no model answers is named, and its tree
//! stays as it is.

use super::council::{Council, SELF, step_of};
use crate::{
    prompt::{self, reply::critique::read_self_critique},
    render::critique::critiques_card,
    steps::{Answered, Question, Stop, Try},
};
use domain::{ContextNote, Countable, Philosopher, Piece, Reply, Seat, SelfCritique, Tree};
use forms::Asked;

/// Has every member that has a tree look at it, all at once, onto one message; what each says, in the order of the council.
/// Without a single claim there is nothing to look at.
pub(super) async fn look(council: &Council<'_>, trees: &[Tree]) -> Result<Vec<SelfCritique>, Stop> {
    if trees.iter().all(|tree| tree.claims.is_empty()) {
        return Ok(Vec::new());
    }
    let notes = &council.steps.notes("self/notes").await?[..];
    let readers = council
        .members()
        .filter_map(|(member, seat)| Some((seat, trees.iter().find(|tree| tree.member == member)?)));
    let asked = readers.map(|(seat, own)| async move { of(council, seat, own, trees, notes).await });
    Ok(council.steps.all(asked).await?.into_iter().flatten().collect())
}

/// What a member says of its own tree; nothing if no model could.
async fn of(
    council: &Council<'_>,
    seat: &Seat,
    own: &Tree,
    trees: &[Tree],
    notes: &[ContextNote],
) -> Result<Option<SelfCritique>, Stop> {
    let (steps, key) = (council.steps, step_of(SELF, own.member));
    let shown = steps.onto(SELF.into());
    let critique = if let Some(kept) = steps.kept::<SelfCritique>(key.clone()).await? {
        kept
    } else {
        let Some(said) = ask(council, seat, own, trees, notes).await? else {
            return gone(council, own.member, trees).await.map(|()| None);
        };
        let card = critiques_card(steps.session(), std::slice::from_ref(&said), &[], trees);
        shown.keep_onto(&key, &said, card).await?;
        said
    };
    let stood_in = Piece::SelfCritique(own.member).stood_in(critique.stand_in.as_ref());
    let remarks = Countable::Remarks.counted(critique.dropped);
    steps.note_degraded(key, stood_in.into_iter().chain(remarks)).await?;
    Ok(Some(critique))
}

async fn ask(
    council: &Council<'_>,
    seat: &Seat,
    own: &Tree,
    trees: &[Tree],
    notes: &[ContextNote],
) -> Result<Option<SelfCritique>, Stop> {
    let steps = council.steps;
    let labels = council.labels(trees);
    let seed = prompt::seed(&[&steps.seed("self/order").to_string(), own.member.as_str()]);
    let question = Question {
        key: step_of(SELF, own.member).child("said"),
        who: own.member.to_string(),
        prompt: council.desk(notes).self_critique(own, trees, &labels, seed),
    };
    let asked = Asked::at(council.brief.effort);
    let read = |reply: &Reply, attempt| {
        let read = (&council.brief.document, council.sections());
        let said = read_self_critique(&reply.text, (&asked, attempt == Try::First), own, &labels, read)?;
        Ok(SelfCritique { answered_by: reply.answered.clone(), ..said })
    };
    let said = steps.ask_seat(seat, question, read, |_, _, _| Vec::new()).await?;
    let whose = |Answered { value, stand_in }| SelfCritique { stand_in, ..value };
    Ok(said.ok().map(whose))
}

/// Says that a member gave none.
async fn gone(council: &Council<'_>, member: Philosopher, trees: &[Tree]) -> Result<(), Stop> {
    let (steps, key) = (council.steps, step_of(SELF, member).child("missing"));
    let card = critiques_card(steps.session(), &[], &[member], trees);
    steps.onto(SELF.into()).keep_onto(&key, &member, card).await?;
    steps.note_degraded(key, [Piece::SelfCritique(member).missing(None)]).await
}
