//! What did not go as planned, in sentences for the last line.

use super::statements::TurnStatements;
use crate::domain::{Basis, ExpertPoints, Minutes, ModelName, Proposal, Role};

/// How a roundtable went.
pub(super) struct Course<'a> {
    pub(super) proposal: &'a Proposal,
    pub(super) gatekeeper_stand_in: Option<ModelName>,
    pub(super) analyses: &'a TurnStatements,
    pub(super) rebuttals: &'a TurnStatements,
    pub(super) minutes: &'a Minutes,
    pub(super) notary_stand_in: Option<ModelName>,
    pub(super) points: &'a [ExpertPoints],
}

/// One sentence for each thing that was degraded; empty if nothing was.
pub(super) fn degraded(course: &Course<'_>) -> Vec<String> {
    let Course { proposal, analyses, rebuttals, minutes, .. } = course;
    let name = |expert| proposal.name_of(expert);
    let mut sentences = Vec::new();
    if proposal.answered_by.is_none() {
        sentences.push("The gatekeeper could not answer, so stock roles were proposed.".to_owned());
    } else if proposal.roles.iter().any(Role::is_stock) {
        sentences.push("The gatekeeper proposed too few roles; stock ones took the other places.".to_owned());
    }
    if let Some(model) = &course.gatekeeper_stand_in {
        sentences
            .push(format!("The question was restated by {model}, because the gatekeeper's model failed."));
    }
    let stand_ins = |spoken: &TurnStatements, turn: &str| -> Vec<String> {
        let stand_ins = spoken.stand_ins.iter();
        stand_ins
            .map(|(expert, model)| format!("{}'s {turn} was written by {model}.", name(*expert)))
            .collect()
    };
    sentences.extend(stand_ins(analyses, "analysis"));
    sentences.extend(
        analyses.missing.iter().map(|expert| format!("{} could not answer and is missing.", name(*expert))),
    );
    if analyses.statements.len() == 1 {
        sentences.push("Only one expert spoke, so there were no rebuttals.".to_owned());
    }
    sentences.extend(stand_ins(rebuttals, "rebuttal"));
    sentences.extend(rebuttals.missing.iter().map(|expert| format!("{} gave no rebuttal.", name(*expert))));
    if minutes.answered_by.is_none() {
        sentences.push("The notary could not answer; the record is the experts' own summaries.".to_owned());
    }
    if let Some(model) = &course.notary_stand_in {
        sentences.push(format!("The record was written by {model}, because the notary's model failed."));
    }
    if minutes.dropped_solutions > 0 {
        let were = counted(minutes.dropped_solutions, "solution");
        sentences
            .push(format!("{were} left out of the record, because no expert had said anything like it."));
    }
    let cited = [&analyses.statements[..], &rebuttals.statements[..]].concat();
    let dropped: u32 =
        cited.iter().map(|said| said.dropped_citations).sum::<u32>() + minutes.dropped_citations;
    if dropped > 0 {
        sentences.push(format!("{} taken out, because nothing was searched.", counted(dropped, "citation")));
    }
    for expert in course.points {
        match expert.basis {
            Basis::Given => {}
            Basis::Scaled => {
                sentences.push(format!("{}'s points did not add up to 10 and were scaled.", expert.title));
            }
            Basis::Even => sentences.push(format!(
                "{} gave no usable points; ten were spread evenly and are not counted.",
                expert.title
            )),
        }
    }
    sentences
}

/// `1 citation was`, `2 citations were`.
fn counted(number: u32, one: &str) -> String {
    if number == 1 { format!("1 {one} was") } else { format!("{number} {one}s were") }
}
