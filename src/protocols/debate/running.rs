//! A running debate: its record so far, and whose turn it is.

use super::{
    course::{Course, KeptTurn, Taken, acknowledged, asks_nothing},
    proposition::Opened,
};
use crate::{
    domain::{Act, Debate, DebateBrief, DebatePhase, Evidence, Missing, Side, Slot},
    steps::{Steps, Stop},
};

/// A running debate. It is made anew by each run, from what the journal gives back.
pub(super) struct DebateRun<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a DebateBrief,
    pub(super) debate: Debate,
    pub(super) course: Course,
}

impl<'a> DebateRun<'a> {
    /// Before the first turn.
    pub(super) fn new(steps: &'a Steps, brief: &'a DebateBrief, opened: Opened) -> Self {
        let course = Course { gatekeeper_stand_in: opened.stand_in, ..Course::default() };
        Self { steps, brief, debate: Debate::new(opened.proposition, brief.preset), course }
    }

    /// Says on the live card which phase it is and whose turn.
    pub(super) fn phase(&self, phase: DebatePhase, whose: &str) {
        let preset = self.brief.preset;
        self.steps.phase(preset.number(phase), preset.count(), &format!("{}: {whose}", phase.name()));
    }

    /// Both sides at once: neither sees the other's, each card is posted as it comes, and a slow side keeps nobody
    /// waiting but the next round.
    pub(super) async fn together(&mut self, act: Act) -> Result<(), Stop> {
        let taken = {
            let run = &*self;
            let sides = [Side::Pro, Side::Con].map(|side| run.take(Slot::new(act, side)));
            run.steps.all(sides).await?
        };
        for taken in taken {
            self.note(taken);
        }
        Ok(())
    }

    /// One side, with everything before it on record.
    pub(super) async fn alone(&mut self, slot: Slot) -> Result<(), Stop> {
        let taken = self.take(slot).await?;
        self.note(taken);
        Ok(())
    }

    /// Whether a side has said anything so far.
    pub(super) fn has_spoken(&self, side: Side) -> bool {
        self.debate.turns.iter().any(|turn| turn.slot.side == side)
    }

    /// What the team brought in that a side has not acknowledged in its turns so far.
    pub(super) fn pending(&self, side: Side, evidence: &[Evidence]) -> Vec<Evidence> {
        let open = evidence.iter().filter(|evidence| !acknowledged(&self.debate, side, evidence.number));
        open.cloned().collect()
    }

    /// Takes evidence on record; what is on record already stays as it is.
    pub(super) fn take_in(&mut self, evidence: Vec<Evidence>) {
        if evidence.len() > self.debate.evidence.len() {
            self.debate.evidence = evidence;
        }
    }

    /// Puts a turn on record, or that it is missing. A follow-up without a question is no turn.
    fn note(&mut self, taken: Taken) {
        let Taken { slot, evidence, outcome } = taken;
        if slot.act != Act::FollowUp {
            let heard = &mut self.course.heard[slot.side as usize];
            *heard = evidence.iter().map(|evidence| evidence.number).fold(*heard, u32::max);
        }
        self.take_in(evidence);
        match outcome {
            Ok(KeptTurn { turn, stand_in, unchecked }) => {
                self.course.stand_ins.extend(stand_in.map(|model| (slot, model)));
                self.course.unchecked += u32::from(unchecked);
                if !asks_nothing(&turn.body) {
                    self.debate.turns.push(turn);
                }
            }
            Err(why) => self.debate.missing.push(Missing { slot, why }),
        }
    }
}
