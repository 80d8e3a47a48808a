//! The debate as the journal holds it, for questions: they are answered from what is there at that moment, while it
//! goes on and after its end.

use super::spoken::{KeptTurn, asks_nothing};
use crate::steps::{Journal, Steps, Stop};
use domain::{
    Act, Clarification, Debate, DebateBrief, DebatePhase, Hinge, Missing, NeutralSynthesis, Preset,
    Proposition, Side, Slot, StepKey, WaitKind,
};

/// The step in which the moderator's synthesis is kept.
#[must_use]
pub fn synthesis_key() -> StepKey {
    StepKey::from("synthesis")
}

/// The panel of the synthesis's hinges, and the step that posts it.
#[must_use]
pub fn hinges_key() -> StepKey {
    StepKey::from("hinges")
}

/// The debate so far.
pub(super) async fn read(steps: &Steps, brief: &DebateBrief) -> Result<Debate, Stop> {
    let journal = steps.journal();
    // At least as it was typed.
    let proposition = proposed(&journal).await?.unwrap_or_else(|| brief.typed());
    let kept: Vec<(_, KeptTurn)> = journal.all_kept("turn/").await?;
    let missing: Vec<(_, Missing)> = journal.all_kept("turn/").await?;
    let clarified: Vec<(_, Clarification)> = journal.all_kept("clarified/").await?;
    let mut turns: Vec<_> = kept.into_iter().map(|(_, spoken)| spoken.turn).collect();
    turns.retain(|turn| !asks_nothing(&turn.body));
    let order = slots(brief.preset);
    let place = |slot: Slot| order.iter().position(|other| *other == slot);
    turns.sort_by_key(|turn| place(turn.slot));
    // A turn that was missing and taken when the session was tried again is not missing.
    let mut missing: Vec<_> = missing.into_iter().map(|(_, missing)| missing).collect();
    missing.retain(|missing| turns.iter().all(|turn| turn.slot != missing.slot));
    missing.sort_by_key(|missing| place(missing.slot));
    let mut clarifications: Vec<_> = clarified.into_iter().map(|(_, clarified)| clarified).collect();
    clarifications.sort_by_key(|clarified| clarified.id);
    let evidence = journal.evidence().await?;
    Ok(Debate { turns, missing, evidence, clarifications, ..Debate::new(proposition, brief.preset) })
}

/// The moderator's synthesis, once there is one, with its hinges as they were last looked at.
pub(super) async fn synthesis(steps: &Steps) -> Result<Option<NeutralSynthesis>, Stop> {
    let Some(mut kept) = steps.kept::<NeutralSynthesis>(synthesis_key()).await? else { return Ok(None) };
    kept.synthesis.decision_hinges = hinges(&steps.journal()).await?;
    Ok(Some(kept))
}

/// The synthesis's hinges, each as it was last looked at; none where there is no synthesis, or where they were
/// withheld.
pub(super) async fn hinges(journal: &Journal) -> Result<Vec<Hinge>, Stop> {
    let Some(kept) = journal.kept::<NeutralSynthesis>(&synthesis_key()).await? else { return Ok(Vec::new()) };
    let mut hinges = kept.synthesis.decision_hinges;
    let mut looked_at: Vec<(StepKey, Hinge)> = journal.all_kept("hinge/").await?;
    // By the number of the evidence, and not as text, where 10 comes before 9.
    looked_at.sort_by_key(|(key, _)| numbers(key).map(|(_, evidence)| evidence));
    for (key, hinge) in looked_at {
        let place = numbers(&key).and_then(|(number, _)| number.checked_sub(1));
        if let Some(there) = place.and_then(|place| hinges.get_mut(place)) {
            *there = hinge;
        }
    }
    Ok(hinges)
}

/// Hinge and evidence of a step in which a hinge was looked at again.
fn numbers(key: &StepKey) -> Option<(usize, u32)> {
    let (hinge, evidence) = key.as_str().strip_prefix("hinge/")?.split_once('/')?;
    Some((hinge.parse().ok()?, evidence.parse().ok()?))
}

/// The proposition as people have edited it or started the debate with it; before they are asked to, as it was
/// normalised.
pub(super) async fn proposed(journal: &Journal) -> Result<Option<Proposition>, Stop> {
    match journal.confirmation(WaitKind::Proposition).await? {
        Some(proposition) => Ok(Some(proposition)),
        None => Ok(journal.stored("normalise").await?.into_iter().next()),
    }
}

/// All places for turns in the order of a debate.
pub(super) fn slots(preset: Preset) -> Vec<Slot> {
    use Side::{Con, Pro};
    let both = |act| [Slot::new(act, Pro), Slot::new(act, Con)];
    let exchange = |asks: Side| {
        let answers = asks.other();
        [
            Slot::new(Act::Questions, asks),
            Slot::new(Act::Answers, answers),
            Slot::new(Act::FollowUp, asks),
            Slot::new(Act::FollowUpAnswer, answers),
        ]
    };
    let answering = |act| {
        let mut sides = both(act);
        if !preset.answers_at_once() {
            sides.reverse();
        }
        sides.to_vec()
    };
    let of = |phase: &DebatePhase| match phase {
        DebatePhase::Case | DebatePhase::Opening | DebatePhase::Constructive => {
            preset.cases().filter(|act| act.phase() == *phase).flat_map(both).collect()
        }
        DebatePhase::CrossExamination => [exchange(Pro), exchange(Con)].concat(),
        DebatePhase::Rebuttal => answering(Act::Rebuttal),
        DebatePhase::Closing => answering(Act::Closing),
        DebatePhase::Synthesis => Vec::new(),
    };
    preset.phases().iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_its_turn_in_the_order_of_the_debate() {
        let all = |preset| slots(preset).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            all(Preset::Quick),
            [
                "Pro · case",
                "Con · case",
                "Pro · rebuttal",
                "Con · rebuttal",
                "Pro · closing",
                "Con · closing"
            ]
        );
        let full = all(Preset::Full);
        assert_eq!(full.len(), 2 + 6 + 8 + 2 + 2);
        assert_eq!(full[8..10], ["Pro · questions", "Con · answers"]);
        assert_eq!(full[12..14], ["Con · questions", "Pro · answers"]);
        assert_eq!(full[18..], ["Con · closing", "Pro · closing"]);
    }
}
