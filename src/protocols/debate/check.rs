//! The check of what sides have said: one for all turns of a round.

use super::{
    running::DebateRun,
    spoken::asks_nothing,
    turn::{Candidate, Place, Request, Said},
};
use crate::{
    prompt,
    steps::{Question, Steps, Stop},
};
use domain::{DebateTurn, Slot, StepKey};

impl DebateRun<'_> {
    /// What tries break, each with its place in the round: by the rules that code is certain of, and by the judgement of a
    /// cheap model, which looks at all of them at once. The debate goes on without it.
    pub(super) async fn judged(
        &self,
        steps: &Steps,
        number: u8,
        places: &[Place],
        said: Vec<(usize, Said)>,
    ) -> Result<Vec<(usize, Candidate)>, Stop> {
        let Self { brief, debate, .. } = self;
        let turns = said.iter().map(|(_, said)| &said.answered.value);
        let turns: Vec<&DebateTurn> = turns.filter(|turn| !asks_nothing(&turn.body)).collect();
        let mut judged = None;
        if !turns.is_empty() {
            let slots: Vec<Slot> = turns.iter().map(|turn| turn.slot).collect();
            let names: Vec<&str> = slots.iter().map(|slot| slot.side.name()).collect();
            let question = Question {
                key: check_key(&slots, number),
                who: format!("Check of {}", names.join(" and ")),
                prompt: prompt::debate::turn_check(steps.prompts(), brief, &debate.proposition, &turns),
            };
            let read = |reply: &domain::Reply, _| prompt::debate::read_turn_check(reply, &turns);
            let asked = steps.ask_seat(&brief.checker, question, read, |_, _, _| Vec::new()).await?;
            judged = asked.ok().map(|answered| answered.value.into_iter());
        }
        let candidates = said.into_iter().map(|(at, said)| {
            let Request { debate, pending, .. } = &places[at].request;
            let turn = &said.answered.value;
            let mut marks = domain::breaks(turn, debate, pending, brief.effort);
            let asks = !asks_nothing(&turn.body);
            let unchecked = asks && judged.is_none();
            let found = judged.as_mut().filter(|_| asks).and_then(Iterator::next);
            for mark in found.into_iter().flatten() {
                if !marks.contains(&mark) {
                    marks.push(mark);
                }
            }
            (at, Candidate { said, marks, unchecked })
        });
        Ok(candidates.collect())
    }
}

/// The step of a check: below a turn, or beside the turns that it looks at together.
pub(super) fn check_key(slots: &[Slot], number: u8) -> StepKey {
    let of = match slots {
        [one] => one.step(),
        both => both.first().map_or_else(|| StepKey::from("turn"), |slot| slot.act.step()),
    };
    of.child(format!("check-{number}"))
}
