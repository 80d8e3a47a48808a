//! What a debate holds for questions about it.

use super::{Transcript, question_text, transcript, transcript::level_name};
use crate::{fence, followup::Part};
use domain::{
    Debate, DebateSynthesis, Favors, Hinge, Knowledge, NeutralSynthesis, Opinion, RootCause, Section, Swing,
    citations::without_marks,
};

/// Its parts so far; what has not happened yet is left out, a turn for which no model answered is named.
pub(super) fn parts(
    (debate, transcript): (&Debate, Transcript),
    synthesis: Option<&NeutralSynthesis>,
) -> Vec<Part> {
    let mut parts = vec![Part::new("proposition", question_text(&debate.proposition))];
    parts.extend(debate.turns.iter().map(|turn| {
        let text = match transcript {
            Transcript::Full => transcript::everything(turn),
            Transcript::Condensed => transcript::compact(turn),
        };
        // Each turn cites by numbers of its own, and an answer cites no page.
        Part::new(turn.slot.to_string(), without_marks(&text))
    }));
    for evidence in &debate.evidence {
        let text = match evidence.hinge {
            None => transcript::evidence_taken(evidence, debate),
            Some(_) => transcript::evidence(evidence),
        };
        let name = format!("E{}", evidence.number);
        parts.push(Part { shown: format!("evidence {name}"), name, text });
    }
    for (place, clarification) in debate.clarifications.iter().enumerate() {
        let text = transcript::clarification(clarification);
        parts.extend(text.map(|text| Part::new(format!("clarification {}", place + 1), text)));
    }
    parts.extend(synthesis.map(|synthesis| Part::new("synthesis", neutral_text(synthesis))));
    parts
}

/// How the team's opinions moved, for questions about a debate: sums only, for who thought what stays secret.
#[must_use]
pub fn swing_part(swing: &Swing) -> Part {
    let counts = |counts: [u32; 3]| {
        let each =
            Opinion::ALL.iter().zip(counts).map(|(opinion, count)| format!("{} {count}", opinion.name()));
        each.collect::<Vec<_>>().join(", ")
    };
    let mut lines =
        vec![format!("Before: {}.", counts(swing.before)), format!("After: {}.", counts(swing.after))];
    // Of one or two, how many changed their minds would tell who thinks what.
    let changed = if swing.shows_moves() {
        format!("{} of them changed their minds", swing.changed())
    } else {
        "too few to say how many of them changed their minds".to_owned()
    };
    lines.push(format!(
        "{} voted both times; {changed}. It says what the team thinks, not who was right.",
        swing.both()
    ));
    for (from, moved) in Opinion::ALL.iter().zip(swing.moved).filter(|_| swing.shows_moves()) {
        lines.push(format!("From {} to: {}.", from.name(), counts(moved)));
    }
    Part { name: "swing".into(), shown: "swing of opinions".into(), text: fence("swing", &lines.join("\n")) }
}

/// A synthesis as it was posted, and what was withheld of it.
fn neutral_text(synthesis: &NeutralSynthesis) -> String {
    let withheld = |section: Section| synthesis.withheld.iter().any(|withheld| withheld.section == section);
    let mut lines = synthesis_lines(&synthesis.synthesis);
    let gone = Section::ALL.into_iter().filter(|section| withheld(*section));
    lines.extend(gone.map(|section| format!("(Withheld, for it did not stay neutral: {}.)", section.name())));
    fence("synthesis", &lines.join("\n"))
}

/// A whole synthesis, fenced.
pub(super) fn synthesis_text(synthesis: &DebateSynthesis) -> String {
    fence("synthesis", &synthesis_lines(synthesis).join("\n"))
}

/// A synthesis part by part, as far as there is something in it; without the moderator's word on itself.
#[must_use]
pub fn passages(synthesis: &DebateSynthesis) -> Vec<(Section, String)> {
    let parts = Section::ALL.into_iter().filter(|section| *section != Section::Check);
    let told = parts.map(|section| (section, section_lines(synthesis, section).join("\n")));
    told.filter(|(_, text)| !text.is_empty()).collect()
}

fn synthesis_lines(synthesis: &DebateSynthesis) -> Vec<String> {
    Section::ALL.into_iter().flat_map(|section| section_lines(synthesis, section)).collect()
}

fn section_lines(synthesis: &DebateSynthesis, section: Section) -> Vec<String> {
    match section {
        Section::Summary => vec![format!("Summary: {}", synthesis.executive_summary)],
        Section::Agreements => (synthesis.areas_of_agreement.iter())
            .map(|agreement| {
                let shared = agreement.shared_evidence.join(" / ");
                let shared = if shared.is_empty() { shared } else { format!(" Shared evidence: {shared}") };
                format!("Both hold, on {}: {}{shared}", agreement.topic, agreement.description)
            })
            .collect(),
        Section::Disagreements => (synthesis.core_disagreements.iter())
            .map(|part| {
                let bridge = if part.bridgeable { "could be bridged" } else { "cannot be bridged" };
                format!(
                    "They part on {} ({}; {bridge}). Pro holds: {} Con holds: {}",
                    part.topic,
                    cause_name(part.root_cause),
                    part.pro_position,
                    part.con_position
                )
            })
            .collect(),
        Section::Between => (synthesis.between.iter())
            .map(|one| {
                format!(
                    "Between the two, named by {}: {} Pro would object: {} Con would object: {}",
                    one.named_by, one.position, one.pro_objection, one.con_objection
                )
            })
            .collect(),
        Section::Assumptions => (synthesis.assumption_conflicts.iter())
            .map(|conflict| {
                format!(
                    "Assumptions that clash. Pro: {} Con: {} What hangs on it: {}",
                    conflict.pro_assumption, conflict.con_assumption, conflict.impact_on_debate
                )
            })
            .collect(),
        Section::Gaps => (synthesis.evidence_gaps.iter())
            .map(|gap| {
                let state = knowledge_name(gap.current_state);
                format!("Not known ({state}): {} Why it matters: {}", gap.question, gap.why_it_matters)
            })
            .collect(),
        Section::Hinges => synthesis.decision_hinges.iter().enumerate().map(hinge_line).collect(),
        Section::Complexity if synthesis.complexity_assessment.is_empty() => Vec::new(),
        Section::Complexity => vec![format!("How hard it is: {}", synthesis.complexity_assessment)],
        Section::Check => Vec::new(),
    }
}

/// A hinge in a line, with its number.
pub(super) fn hinge_line((place, hinge): (usize, &Hinge)) -> String {
    let favors = match hinge.then_favors {
        Favors::Pro => "favors Pro",
        Favors::Con => "favors Con",
        Favors::Neutral => "favors neither",
    };
    format!(
        "Hinge {}. If true: {} Then it {favors}. Evidence so far: {} Confidence that it is true: {}.",
        place + 1,
        hinge.if_true,
        hinge.known(),
        level_name(hinge.confidence)
    )
}

fn cause_name(cause: RootCause) -> &'static str {
    match cause {
        RootCause::Factual => "factual",
        RootCause::Values => "values",
        RootCause::Priorities => "priorities",
        RootCause::Assumptions => "assumptions",
        RootCause::EvidenceInterpretation => "reading of the evidence",
    }
}

fn knowledge_name(knowledge: Knowledge) -> &'static str {
    match knowledge {
        Knowledge::Unknown => "unknown",
        Knowledge::Contested => "contested",
        Knowledge::Projected => "projected",
    }
}
