//! Self-critique: every member reads its own tree and the others' under letters, and says what of its own it holds for
//! less or more sure. Code applies it; a member for whom no model answers is named, and its tree stays as it is. In a
//! deep session everybody looks once more, at what is left after the first time.

use super::{PHASES, council::Council};
use crate::{
    prompt::{self, reply::critique::SelfCritiqueReply},
    render,
    steps::{Answered, Question, Stop},
};
use domain::{ContextNote, Countable, Look, Philosopher, Piece, Seat, SelfCritique, StepKey, Tree, adjusted};

/// Who reads whom, the first under the letter A.
type Orders = Vec<(Philosopher, Vec<Philosopher>)>;

/// Has every member that has a tree look at it, all at once, and in a deep session once more; what each says, in the
/// order of the looks and of the council. Without a single claim there is nothing to look at.
pub(super) async fn look(council: &Council<'_>, trees: &[Tree]) -> Result<Vec<SelfCritique>, Stop> {
    let mut looked = Vec::new();
    for look in Look::of(council.brief.effort) {
        let left = adjusted(trees, &looked);
        if left.iter().all(|tree| tree.claims.is_empty()) {
            break;
        }
        if *look == Look::Second {
            council.steps.phase(2, PHASES, "Self-critique: what is left, once more");
        }
        looked.extend(look_once(council, *look, &left).await?);
    }
    Ok(looked)
}

async fn look_once(council: &Council<'_>, look: Look, trees: &[Tree]) -> Result<Vec<SelfCritique>, Stop> {
    let (steps, key) = (council.steps, StepKey::from(look.key()));
    let notes = steps.notes(names(look).0).await?;
    let silent = |critiques: &[SelfCritique]| -> Vec<Philosopher> {
        let spoke = |member| critiques.iter().any(|critique| critique.member == member);
        trees.iter().map(|tree| tree.member).filter(|member| !spoke(*member)).collect()
    };
    // Once kept, a retry of what came after asks nobody again.
    let critiques = if let Some(kept) = steps.kept::<Vec<SelfCritique>>(key.clone()).await? {
        kept
    } else {
        let critiques = ask_all(council, look, trees, &notes).await?;
        let missing = silent(&critiques);
        let cards = render::critique::self_critique_card(steps.session(), look, &critiques, &missing);
        steps.keep(key.clone(), &critiques, cards).await?
    };
    let piece = |member| match look {
        Look::First => Piece::SelfCritique(member),
        Look::Second => Piece::SelfCritiqueAgain(member),
    };
    let missing = silent(&critiques).into_iter().map(|member| piece(member).missing(None));
    let remarks = Countable::Remarks.counted(critiques.iter().map(|critique| critique.dropped).sum());
    steps.note_degraded(key, missing.chain(remarks)).await?;
    Ok(critiques)
}

/// The keys of the team's notes and of the order in which the others are read.
fn names(look: Look) -> (&'static str, &'static str) {
    match look {
        Look::First => ("self/notes", "self/order"),
        Look::Second => ("self-again/notes", "self-again/order"),
    }
}

async fn ask_all(
    council: &Council<'_>,
    look: Look,
    trees: &[Tree],
    notes: &[ContextNote],
) -> Result<Vec<SelfCritique>, Stop> {
    let steps = council.steps;
    let members: Vec<Philosopher> = trees.iter().map(|tree| tree.member).collect();
    let orders: Orders =
        steps.keep(names(look).1, &orders(&members, steps.seed(names(look).1)), Vec::new()).await?;
    let readers = council.members().filter_map(|(member, seat)| {
        let own = trees.iter().find(|tree| tree.member == member)?;
        let (_, order) = orders.iter().find(|(reader, _)| *reader == member)?;
        let others: Vec<&Tree> =
            order.iter().filter_map(|other| trees.iter().find(|tree| tree.member == *other)).collect();
        Some((seat, own, others))
    });
    let asked = readers
        .map(|(seat, own, others)| async move { ask(council, (seat, look), own, &others, notes).await });
    Ok(steps.all(asked).await?.into_iter().flatten().collect())
}

/// What a member says of its own tree; nothing if no model could.
async fn ask(
    council: &Council<'_>,
    (seat, look): (&Seat, Look),
    own: &Tree,
    others: &[&Tree],
    notes: &[ContextNote],
) -> Result<Option<SelfCritique>, Stop> {
    let steps = council.steps;
    let key = StepKey::from(look.key()).child(own.member.as_str());
    let question = Question {
        key: key.clone(),
        who: own.member.to_string(),
        prompt: prompt::critique::self_critique(
            steps.prompts(),
            council.document_plan(),
            look,
            own,
            others,
            notes,
        ),
    };
    let said = steps.ask_seat(
        seat,
        question,
        |reply, _| {
            let said = prompt::parse::<SelfCritiqueReply>(&reply.text)?;
            let read = (&council.brief.document, council.sections());
            said.into_self_critique(own, others, read, &reply.answered)
        },
        |_, _, _| Vec::new(),
    );
    let Ok(Answered { value, stand_in }) = said.await? else { return Ok(None) };
    steps.note_degraded(key, Piece::SelfCritique(own.member).stood_in(stand_in.as_ref())).await?;
    Ok(Some(value))
}

/// Everybody reads all the others, each in an order of its own.
fn orders(members: &[Philosopher], seed: u64) -> Orders {
    let order = |reader: Philosopher| {
        let others: Vec<Philosopher> = members.iter().copied().filter(|member| *member != reader).collect();
        let seed = prompt::seed(&[&seed.to_string(), reader.as_str()]);
        let order = prompt::shuffled(others.len(), seed);
        order.into_iter().filter_map(|at| others.get(at).copied()).collect()
    };
    members.iter().map(|reader| (*reader, order(*reader))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everybody_reads_all_others_and_the_orders_differ() {
        let members = [Philosopher::Aristotle, Philosopher::Kant, Philosopher::Popper, Philosopher::Russell];
        let mut seen = BTreeSet::new();
        for seed in 0..20 {
            let orders = orders(&members, seed);
            assert_eq!(orders.len(), members.len());
            for (reader, others) in &orders {
                let mut all = [&others[..], &[*reader]].concat();
                all.sort();
                assert_eq!(all, members, "nobody reads itself, and nobody is left out");
            }
            seen.insert(orders[0].1.clone());
        }
        assert!(seen.len() > 3, "{seen:?}");
        assert_eq!(orders(&[Philosopher::Kant], 1), [(Philosopher::Kant, vec![])]);
    }
}
