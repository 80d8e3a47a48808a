//! A running debate: its record so far, and whose turn it is.

use futures::future::join;

use super::spoken::{Taken, acknowledged, asks_nothing};
use crate::steps::{Steps, Stop};
use domain::{Act, Debate, DebateBrief, DebatePhase, Degraded, Evidence, Missing, Proposition, Side, Slot};

/// A running debate. It is made anew by each run, from what the journal gives back.
pub(super) struct DebateRun<'a> {
    pub(super) steps: &'a Steps,
    pub(super) brief: &'a DebateBrief,
    pub(super) debate: Debate,
    /// Highest number of the evidence that each side was asked to acknowledge: Pro, Con.
    heard: [u32; 2],
}

impl<'a> DebateRun<'a> {
    /// Before the first turn.
    pub(super) fn new(steps: &'a Steps, brief: &'a DebateBrief, proposition: Proposition) -> Self {
        Self { steps, brief, debate: Debate::new(proposition, brief.preset), heard: [0; 2] }
    }

    /// Says on the live card which phase it is and whose turn.
    pub(super) fn phase(&self, phase: DebatePhase, whose: &str) {
        let preset = self.brief.preset;
        self.steps.phase(preset.number(phase), preset.count(), &format!("{}: {whose}", phase.name()));
    }

    /// Both sides at once: neither sees the other's, one check looks at both, and Pro's card stands before Con's.
    /// Meanwhile what the `next` round needs is looked up.
    pub(super) async fn together(&mut self, act: Act, next: Option<Act>) -> Result<(), Stop> {
        let both = |act| [Side::Pro, Side::Con].map(|side| Slot::new(act, side));
        self.hear(&both(act), next.map(both).as_ref().map_or(&[], |slots| slots)).await
    }

    /// One side, with everything before it on record.
    pub(super) async fn alone(&mut self, slot: Slot) -> Result<(), Stop> {
        self.hear(&[slot], &[]).await
    }

    /// Has sides take their turns while for the turns `ahead` of these what they need is looked up.
    pub(super) async fn hear(&mut self, slots: &[Slot], ahead: &[Slot]) -> Result<(), Stop> {
        let run = &*self;
        let looked_up = run.steps.all(ahead.iter().map(|slot| run.look_up(*slot)));
        let (taken, looked_up) = join(run.round(slots), looked_up).await;
        looked_up?;
        for taken in taken? {
            self.note(taken);
        }
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

    /// Evidence that a side never acknowledged, and what came when it had no turn left.
    pub(super) fn passed_over(&self) -> Vec<Degraded> {
        let mut notes = Vec::new();
        for side in [Side::Pro, Side::Con] {
            let heard = self.heard[side as usize];
            let open = self.pending(side, &self.debate.evidence);
            let numbers =
                open.iter().filter(|evidence| evidence.hinge.is_none()).map(|evidence| evidence.number);
            let (silent, late): (Vec<u32>, Vec<u32>) = numbers.partition(|number| *number <= heard);
            for (late, numbers) in [(false, silent), (true, late)] {
                notes.extend((!numbers.is_empty()).then_some(Degraded::Evidence { side, late, numbers }));
            }
        }
        notes
    }

    /// Puts a turn on record, or that it is missing. A follow-up without a question is no turn.
    fn note(&mut self, taken: Taken) {
        let Taken { slot, evidence, outcome } = taken;
        if slot.act != Act::FollowUp {
            let heard = &mut self.heard[slot.side as usize];
            *heard = evidence.iter().map(|evidence| evidence.number).fold(*heard, u32::max);
        }
        self.take_in(evidence);
        match outcome {
            Ok(turn) if asks_nothing(&turn.body) => {}
            Ok(turn) => self.debate.turns.push(turn),
            Err(why) => self.debate.missing.push(Missing { slot, why }),
        }
    }
}
