//! What an investigation holds for questions about it.

use super::{compared_text, ledger_text, records, scout_text};
use crate::{fence, followup::Part};
use domain::{Call, Check, Compared, InvestigationAnswer, ScoutAnswer, ledger};

/// Its parts so far; what has not happened yet is empty.
#[must_use]
pub fn parts(
    answers: &[ScoutAnswer],
    compared: Option<&Compared>,
    (calls, checks): (&[Call], &[Check]),
    answer: Option<&InvestigationAnswer>,
) -> Vec<Part> {
    let mut parts: Vec<Part> = answers
        .iter()
        .map(|answer| Part {
            name: answer.scout.to_string(),
            shown: answer.scout.title(),
            text: fence("answer", &scout_text(answer)),
        })
        .collect();
    if let Some(compared) = compared {
        parts.push(Part::new("comparison", compared_text(compared)));
        parts.push(Part::new("ledger", ledger_text(&ledger(compared, checks))));
    }
    let purposes = calls.iter().map(|call| &call.action.purpose);
    for (record, about) in
        records(calls, checks).iter().zip(purposes.chain(checks.iter().map(|check| &check.topic)))
    {
        parts.push(Part {
            name: format!("call {}", record.number),
            // Cards have no numbers of theirs.
            shown: format!("“{}”", domain::shortened(about.trim_end_matches(['.', ':']), 80)),
            text: fence("call", &record.text),
        });
    }
    parts.extend(answer.map(|answer| {
        let unresolved = answer.unresolved.join("\n- ");
        let text = format!(
            "{}\n\n{}\n\nStrongest other answer: {}\nWhat would change it: {}\nNot resolved:\n- {unresolved}",
            answer.in_short(),
            answer.text,
            answer.alternative,
            answer.would_change
        );
        Part::new("answer", fence("answer", &text))
    }));
    parts
}
