//! The whole assessment, behind its button.

use super::{
    super::{card, markdown, text},
    COUNCIL, WHOLE,
    assessment::{between, counted, marked, nothing, severities, skipped_lines},
    members, omission_sections, quotation, section_lines, sure,
};
use domain::{Assessment, Document, DocumentSection, Finding};

/// The whole assessment, with contradictions and what was not read: title and text.
#[must_use]
pub fn whole_assessment(
    assessment: &Assessment,
    document: &Document,
    sections: &[DocumentSection],
) -> (String, String) {
    let mut parts = Vec::new();
    if assessment.no_findings() {
        parts.push(nothing(assessment, document, sections));
    } else {
        parts.push(format!("**{}**", severities(&assessment.findings)));
        parts.push(counted(assessment));
        parts.push(assessment.text.clone());
    }
    if !assessment.findings.is_empty() {
        parts.push("## Findings".to_owned());
        parts.extend(assessment.findings.iter().map(|finding| whole_finding(assessment, finding, document)));
    }
    if !assessment.contradictions.is_empty() {
        parts.push("## Contradictions".to_owned());
        for contradiction in &assessment.contradictions {
            let (first, second) = &contradiction.claims;
            parts.push(format!(
                "{}\n- {}: {}\n- {}: {}",
                between(contradiction),
                contradiction.first,
                markdown::inline(first, WHOLE),
                contradiction.second,
                markdown::inline(second, WHOLE)
            ));
            parts.push(format!("Both cannot hold: {}", markdown::inline(&contradiction.why, WHOLE)));
        }
    }
    if !assessment.unread.is_empty() {
        parts.push("## Not read by anybody".to_owned());
        parts.push(section_lines(&assessment.unread, sections, usize::MAX, ""));
    }
    if !assessment.missing.is_empty() {
        parts.push(format!("## No answer from\n\n{}", members(&assessment.missing)));
    }
    if !assessment.skipped.is_empty() {
        parts.push(format!("## Not read by everybody\n\n{}", skipped_lines(assessment).join("\n")));
    }
    parts.extend(omission_sections(document));
    parts.push(marked(assessment));
    parts.retain(|part| !part.trim().is_empty());
    (format!("{COUNCIL} Assessment · {}", document.name), parts.join("\n\n"))
}

fn whole_finding(assessment: &Assessment, finding: &Finding, document: &Document) -> String {
    let mut lines = vec![
        format!(
            "### {} · {} · {}",
            finding.id,
            card::severity(finding.severity),
            text::label(&finding.area, 160)
        ),
        finding.critique.clone(),
        format!(
            "*Held by {} ({} of {}), {}*",
            members(&finding.held_by),
            finding.held_by.len(),
            assessment.readers(),
            sure(finding.confidence)
        ),
    ];
    let quotes: Vec<String> = finding
        .evidence
        .iter()
        .map(|evidence| format!("- {}", quotation::inline(document, evidence, WHOLE)))
        .collect();
    lines.push(quotes.join("\n"));
    let claims: Vec<String> = finding.claims.iter().map(ToString::to_string).collect();
    if !claims.is_empty() {
        lines.push(format!("*From {}*", card::listed(&claims)));
    }
    lines.join("\n\n")
}
