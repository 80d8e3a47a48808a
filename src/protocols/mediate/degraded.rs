//! What did not go as planned, in sentences for the last line.

use crate::domain::{Analysis, Redelegation};

/// One sentence for each thing that was degraded; empty if nothing was.
#[must_use]
pub(super) fn degraded(analysis: &Analysis) -> Vec<String> {
    let mut sentences: Vec<String> = analysis.redelegations.iter().map(sentence).collect();
    if let Some(model) = &analysis.mediator_stand_in {
        sentences.push(format!("The synthesis was written by {model}, because the mediator's model failed."));
    }
    let dropped: u32 = analysis.outputs.iter().map(|output| output.dropped_citations).sum::<u32>()
        + analysis.synthesis.dropped_citations;
    if dropped > 0 {
        let were = if dropped == 1 { "1 citation was" } else { &format!("{dropped} citations were") };
        sentences.push(format!("{were} taken out, because nothing was searched."));
    }
    let mut seated: Vec<_> = analysis.outputs.iter().map(|output| &output.module).collect();
    seated.dedup();
    for module in seated.iter().filter(|module| !analysis.points.iter().any(|(scorer, _)| scorer == **module))
    {
        let sentence = format!("{} gave no points.", module.title());
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    for module in &analysis.scaled {
        sentences.push(format!("{}'s points did not add up to 10 and were scaled.", module.title()));
    }
    sentences
}

fn sentence(redelegation: &Redelegation) -> String {
    match redelegation {
        Redelegation::Simpler { module, round } => {
            format!("{} answered round {} only to a simpler question.", module.title(), round.number())
        }
        Redelegation::Fallback { module, round, model } => {
            format!("{} was answered by {model} in round {}.", module.title(), round.number())
        }
        Redelegation::Heir { module, round, heir } => {
            format!(
                "{}'s side was taken over by {} in round {}.",
                module.title(),
                heir.title(),
                round.number()
            )
        }
        Redelegation::Lost { module, round } => {
            format!("{} is missing from round {}.", module.title(), round.number())
        }
    }
}
