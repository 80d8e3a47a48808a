//! What a roundtable holds for questions about it.

use super::turn_text;
use crate::{fence, followup::Part, scoring};
use domain::{Basis, Letters, Minutes, Proposal, Scored, Stage, Statement};

/// Its parts so far; what has not happened yet is empty. Names of roles stand inside fences, for people chose them.
#[must_use]
pub fn parts(
    proposal: Option<&Proposal>,
    statements: &[Statement],
    readings: &[Letters],
    minutes: Option<&Minutes>,
    scored: Option<&Scored>,
) -> Vec<Part> {
    let mut parts: Vec<Part> =
        proposal.map(|proposal| Part::new("proposal", proposal_text(proposal))).into_iter().collect();
    for statement in statements {
        let turn = match statement.stage {
            Stage::Analysis => "analysis",
            Stage::Rebuttal => "rebuttal",
        };
        let who = proposal.map_or_else(|| statement.expert.to_string(), |p| p.name_of(statement.expert));
        let reading = readings.iter().find(|reading| reading.reader == statement.expert);
        let mut text = format!("By {who}. {}", turn_text(statement));
        if let (Stage::Rebuttal, Some(reading), Some(proposal)) = (statement.stage, reading, proposal) {
            for (letter, other) in reading.letters() {
                text =
                    format!("{text}\nHere Response {letter} is the analysis by {}.", proposal.name_of(other));
            }
        }
        parts.push(Part {
            name: format!("{}, {turn}", statement.expert),
            shown: format!("{who}, {turn}"),
            text: fence(turn, &text),
        });
    }
    parts.extend(minutes.map(|minutes| Part::new("record", minutes_text(minutes))));
    parts.extend(scored.map(|scored| Part::new("scoring", scoring_text(scored))));
    parts
}

fn proposal_text(proposal: &Proposal) -> String {
    let mut lines = vec![proposal.restated.clone()];
    if !proposal.dimensions.is_empty() {
        lines.push(format!("It hangs on: {}", proposal.dimensions.join("; ")));
    }
    for role in &proposal.roles {
        lines.push(format!("{} is {}: {}", role.id, role.name, role.mission));
    }
    fence("proposal", &lines.join("\n"))
}

fn minutes_text(minutes: &Minutes) -> String {
    let by =
        if minutes.answered_by.is_some() { "By the notary." } else { "The notary failed; a plain summary." };
    let mut lines = vec![format!("{by}\n{}\n", minutes.synthesis)];
    for solution in &minutes.solutions {
        let raised = solution.raised_by.join(" and ");
        lines.push(format!(
            "{} {} (raised by {raised}): {}",
            solution.id, solution.title, solution.description
        ));
    }
    fence("record", &lines.join("\n"))
}

fn scoring_text(scored: &Scored) -> String {
    let counted = scored.experts.iter().filter(|expert| expert.basis != Basis::Even);
    let given: Vec<_> = counted.map(|expert| (expert.title.as_str(), expert.allocation.points())).collect();
    scoring::record(&scored.solutions, &given)
}
