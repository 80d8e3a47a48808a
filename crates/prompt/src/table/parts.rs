//! What a table holds for questions about it.

use crate::{fence, followup::Part, quote::output_text, scoring};
use domain::{ConflictResolution, ModuleOutput, Numbered, Research, Score, Solution, Supported, Synthesis};

/// Its parts so far; what has not happened yet is empty.
#[must_use]
pub fn parts(
    outputs: &[ModuleOutput],
    (synthesis, research): (Option<&Synthesis>, Option<&Research>),
    solutions: &[Solution],
    points: &[Score],
) -> Vec<Part> {
    let mut parts: Vec<Part> = outputs
        .iter()
        .map(|output| {
            let by = output.spoken_for_by.as_ref().map(|by| format!(" (spoken for by {by})"));
            let name =
                format!("{}, round {}{}", output.module, output.round.number(), by.unwrap_or_default());
            Part::new(name, output_text("analysis", output))
        })
        .collect();
    parts.extend(synthesis.map(|synthesis| Part::new("memo", memo_text(synthesis))));
    parts.extend(research.and_then(research_text).map(|text| Part::new("deep research", text)));
    if !points.is_empty() {
        parts.push(Part::new("scoring", scoring::record(solutions, points)));
        let reasons = points.iter().filter(|score| !score.reasoning.is_empty());
        let reasons: Vec<String> =
            reasons.map(|score| format!("{}: {}", score.scorer, score.reasoning)).collect();
        if !reasons.is_empty() {
            parts.push(Part::new("reasons for the points", fence("reasons", &reasons.join("\n"))));
        }
    }
    parts
}

/// The memo, whole, fenced.
pub(super) fn memo_text(memo: &Synthesis) -> String {
    // What became of objections and of the draft is for people; who reads on needs what came of it.
    let memo = Synthesis { resolutions: Vec::new(), edits: Vec::new(), ..memo.clone() };
    fence("memo", &forms::whole(&memo))
}

/// What was looked into after the synthesis, and what the pages found say to it; nothing where nothing was.
pub(super) fn research_text(research: &Research) -> Option<String> {
    let line = |one: &ConflictResolution| {
        let supports = match &one.finding {
            Supported::Module(module) => format!("the pages found support {module}"),
            Supported::InPart => "the pages found support each position in part".to_owned(),
            Supported::Neither => "the pages found support neither".to_owned(),
            Supported::Confirmed => "the pages found confirm it".to_owned(),
            Supported::Refuted => "the pages found refute it".to_owned(),
            Supported::Unsettled => "not settled by what was found".to_owned(),
        };
        let next = &one.updated_recommendation;
        let next = if next.is_empty() { String::new() } else { format!(" What to do: {next}") };
        format!("Looked into: {}: {supports}. {}{next}", one.topic, one.verdict)
    };
    let mut lines: Vec<String> = research.resolutions.iter().map(line).collect();
    lines.extend(
        research.sources.iter().map(|Numbered { number, source }| {
            format!("[{number}] {} — {}", source.title, source.url.as_str())
        }),
    );
    (!lines.is_empty()).then(|| fence("deep-research", &lines.join("\n")))
}
