//! Self-critique: every member reads its own tree and the others' under letters, and says what of its own it holds for
//! less or more sure. Code applies it; a member that cannot be had to look is named, and its tree stays as it is.

use super::council::Council;
use crate::{
    domain::{ContextNote, ModelName, Philosopher, Seat, SelfCritique, StepKey, Tree},
    prompt::{self, reply::critique::SelfCritiqueReply},
    render,
    steps::{Answered, Failure, Question, Stop},
};

/// What the members say of themselves.
#[derive(Default)]
pub(super) struct Looked {
    /// What each says, in the order of the council.
    pub(super) critiques: Vec<SelfCritique>,
    /// Whose model could not answer, and which did.
    pub(super) stand_ins: StandIns,
    /// Who could not be had to look.
    pub(super) missing: Vec<Philosopher>,
}

/// Whose model could not answer, and which did.
type StandIns = Vec<(Philosopher, ModelName)>;

/// Who reads whom, the first under the letter A.
type Orders = Vec<(Philosopher, Vec<Philosopher>)>;

/// Has every member that has a tree look at it, all at once. Without a single claim there is nothing to look at.
pub(super) async fn look(
    council: &Council<'_>,
    trees: &[Tree],
    notes: &[ContextNote],
) -> Result<Looked, Stop> {
    let steps = council.steps;
    if trees.iter().all(|tree| tree.claims.is_empty()) {
        return Ok(Looked::default());
    }
    let key = StepKey::from("self-critique");
    // Kept first, so that a retry of what came after asks nobody again.
    if let (Some(critiques), Some((stand_ins, missing))) =
        (steps.kept(key.clone()).await?, steps.kept::<(StandIns, Vec<Philosopher>)>("self/course").await?)
    {
        return Ok(Looked { critiques, stand_ins, missing });
    }
    let members: Vec<Philosopher> = trees.iter().map(|tree| tree.member).collect();
    let orders: Orders =
        steps.keep("self/order", &orders(&members, steps.seed("self/order")), Vec::new()).await?;
    let readers = council.members().filter_map(|(member, seat)| {
        let own = trees.iter().find(|tree| tree.member == member)?;
        let (_, order) = orders.iter().find(|(reader, _)| *reader == member)?;
        let others: Vec<&Tree> =
            order.iter().filter_map(|other| trees.iter().find(|tree| tree.member == *other)).collect();
        Some((seat, own, others))
    });
    let asked = readers.map(|(seat, own, others)| async move {
        Ok((own.member, ask(council, seat, own, &others, notes).await?))
    });
    let mut looked = Looked::default();
    for (member, outcome) in steps.all(asked).await? {
        match outcome {
            Ok(Answered { value, stand_in }) => {
                looked.stand_ins.extend(stand_in.map(|model| (member, model)));
                looked.critiques.push(value);
            }
            Err(_) => looked.missing.push(member),
        }
    }
    let course = (looked.stand_ins, looked.missing);
    (looked.stand_ins, looked.missing) = steps.keep("self/course", &course, Vec::new()).await?;
    let cards =
        render::critique::self_critique_card(steps.session(), &key, &looked.critiques, &looked.missing);
    looked.critiques = steps.keep(key, &looked.critiques, cards).await?;
    Ok(looked)
}

async fn ask(
    council: &Council<'_>,
    seat: &Seat,
    own: &Tree,
    others: &[&Tree],
    notes: &[ContextNote],
) -> Result<Result<Answered<SelfCritique>, Failure>, Stop> {
    let steps = council.steps;
    let question = Question {
        key: StepKey::new(format!("self-critique/{}", own.member.as_str())),
        who: own.member.to_string(),
        prompt: prompt::critique::self_critique(steps.prompts(), council.reading(), own, others, notes),
    };
    let said = steps.ask_seat(
        seat,
        question,
        |reply, _| {
            let said = prompt::parse::<SelfCritiqueReply>(&reply.text)?.value;
            said.into_self_critique(own, others, &reply.answered)
        },
        |_, _, _| Vec::new(),
    );
    said.await
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
