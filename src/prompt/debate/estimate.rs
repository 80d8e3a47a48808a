//! What a debate takes at most, first tries alone.

use super::{Transcript, neutrality, normalise, queries, synthesis, turn, turn_check};
use crate::{
    domain::{Act, Body, CallsTogether, Debate, DebateBrief, DebatePhase, DebateTurn, Offered, Side, Slot},
    prompt::{
        Prompts,
        estimate::{together, written},
        looked_up::MOST_FOUND_TOKENS,
    },
};

/// Its calls, in the order in which they follow one another: a turn may read all that was said before it.
#[must_use]
pub fn calls(prompts: &Prompts, brief: &DebateBrief) -> Vec<CallsTogether> {
    let debate = Debate::new(brief.typed(), brief.preset);
    let mut calls = vec![together(1, &normalise(prompts, brief, &[]), 0)];
    let mut said = 0_u64;
    for (act, turns) in turns(brief) {
        let slot = Slot::new(act, Side::Con);
        let request =
            turn(prompts, brief, (&debate, Transcript::Full), slot, (&[], &Offered::default()), None);
        let check = turn_check(prompts, brief, &debate.proposition, &empty(slot));
        let mut found = 0;
        if brief.looks_up_for(act) {
            calls.push(together(turns, &queries(prompts, brief, &debate, slot), said));
            found = MOST_FOUND_TOKENS;
        }
        calls.push(together(turns, &request, said.saturating_add(found)));
        calls.push(together(turns, &check, written(&request)));
        said = said.saturating_add(written(&request).saturating_mul(turns as u64));
    }
    let written_up = synthesis(prompts, brief, (&debate, Transcript::Full), None);
    calls.push(together(1, &written_up, said));
    calls.push(together(1, &neutrality(prompts, brief, &debate.proposition, &[]), written(&written_up)));
    calls
}

/// A turn in which nothing is said yet.
fn empty(slot: Slot) -> DebateTurn {
    let body = Body::Answers { answers: Vec::new() };
    DebateTurn {
        slot,
        in_short: String::new(),
        body,
        acknowledged: Vec::new(),
        answered_by: String::new(),
        dropped_citations: 0,
        marks: Vec::new(),
        sources: Vec::new(),
        searched: None,
    }
}

/// The turns of each place, with how many start together.
fn turns(brief: &DebateBrief) -> Vec<(Act, usize)> {
    let mut turns = Vec::new();
    for phase in brief.preset.phases() {
        match phase {
            DebatePhase::Opening => turns.push((Act::Opening, 2)),
            DebatePhase::Constructive => {
                turns.extend(brief.preset.themes().iter().map(|theme| (Act::Constructive(*theme), 2)));
            }
            DebatePhase::CrossExamination => {
                let acts = [Act::Questions, Act::Answers, Act::FollowUp, Act::FollowUpAnswer];
                turns.extend(acts.iter().chain(&acts).map(|act| (*act, 1)));
            }
            DebatePhase::Rebuttal => turns.extend([(Act::Rebuttal, 1); 2]),
            DebatePhase::Closing => turns.extend([(Act::Closing, 1); 2]),
            DebatePhase::Synthesis => {}
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{Brief, Preset, Searching},
        sample::debate::brief,
    };

    #[test]
    fn what_the_advocates_look_up_is_counted_where_they_do() {
        let asked = |preset, searching| {
            let brief = DebateBrief { searching, ..brief(preset) };
            let number: u32 = calls(&Prompts::embedded(), &brief).iter().map(|calls| calls.calls).sum();
            (number, Brief::Debate(brief).searches())
        };
        for (preset, searches) in [(Preset::Full, 8), (Preset::Quick, 4)] {
            let (without, none) = asked(preset, Searching::Off);
            assert_eq!(none, 0);
            assert_eq!(asked(preset, Searching::On), (without + searches, searches));
        }
    }
}
