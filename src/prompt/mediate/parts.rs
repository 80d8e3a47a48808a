//! What a mediation holds for questions about it.

use crate::{
    domain::{Allocation, ModuleName, ModuleOutput, Solution, Synthesis},
    prompt::{
        fence,
        followup::Part,
        quote::{flag_line, output_text, severity_name},
        scoring,
    },
};

/// Its parts so far; what has not happened yet is empty.
#[must_use]
pub fn parts(
    outputs: &[ModuleOutput],
    synthesis: Option<&Synthesis>,
    solutions: &[Solution],
    points: &[(ModuleName, Allocation)],
) -> Vec<Part> {
    let mut parts: Vec<Part> = outputs
        .iter()
        .map(|output| {
            let by = output.spoken_for_by.as_ref().map(|by| format!(" (spoken for by {by})"));
            let name =
                format!("{}, round {}{}", output.module, output.round.number(), by.unwrap_or_default());
            Part::new(name, output_text("analysis", output, true))
        })
        .collect();
    parts.extend(synthesis.map(|synthesis| Part::new("synthesis", synthesis_text(synthesis))));
    if !points.is_empty() {
        let given: Vec<_> =
            points.iter().map(|(module, allocation)| (module.0.as_str(), allocation.points())).collect();
        parts.push(Part::new("scoring", scoring::record(solutions, &given)));
    }
    parts
}

pub(super) fn synthesis_text(synthesis: &Synthesis) -> String {
    let mut lines =
        vec![format!("By the mediator. Summary: {}\n\n{}\n", synthesis.summary, synthesis.synthesis)];
    for conflict in &synthesis.conflicts {
        let modules: Vec<&str> = conflict.modules.iter().map(|module| module.0.as_str()).collect();
        let (modules, severity) = (modules.join(" and "), severity_name(conflict.severity));
        let carries = conflict.area.as_ref().map(|area| match &conflict.carries {
            Some(position) => format!(" It is about {area}'s side, which carries: {position}"),
            None => format!(" It is about {area}'s side, which holds nothing on it."),
        });
        let (topic, description) = (&conflict.topic, &conflict.description);
        let carries = carries.unwrap_or_default();
        lines.push(format!("Conflict ({severity}; {modules}): {topic}: {description}{carries}"));
    }
    lines.extend(synthesis.flags.iter().map(flag_line));
    for recommendation in &synthesis.recommendations {
        lines.push(format!("Recommendation: {}: {}", recommendation.title, recommendation.description));
    }
    lines.extend(synthesis.gaps.iter().map(|text| format!("Thin or missing: {text}")));
    lines.extend(synthesis.deactivated_disclaimer.iter().map(|text| format!("Left out: {text}")));
    fence("synthesis", &lines.join("\n"))
}
