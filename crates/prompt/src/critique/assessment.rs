//! The request for the assessment: what code put together is put into words.

use minijinja::context;
use serde_json::json;

use super::{
    ASSESSOR, DocumentPlan, MAX_ASSESSMENT_TOKENS,
    anonymous::Anonymous,
    material::{beside, material},
};
use crate::{
    Prompts, RULES, fence,
    length::Length,
    quote::{notes_text, severity_name},
    reply::critique::AssessmentReply,
    schema,
};
use domain::{
    Consolidated, ContextNote, Contradiction, Document, Finding, Philosopher, Prompt, one_line, shortened,
};

/// Most quotations of a finding that are shown, and most characters of each.
const QUOTATIONS: [(usize, usize); 3] = [(4, 300), (2, 160), (1, 80)];

/// The assessor words what code put together. The reply is an
/// [`AssessmentReply`](crate::reply::critique::AssessmentReply).
#[must_use]
pub fn assessment(
    prompts: &Prompts,
    reading: DocumentPlan<'_>,
    consolidated: &Consolidated,
    missing: &[Philosopher],
    notes: &[ContextNote],
) -> Prompt {
    let document = &reading.brief.document;
    let names = Anonymous::new(&document.text);
    let readers = Philosopher::ALL.len() - missing.len();
    let told = |(quotations, length)| {
        let findings: Vec<String> = (consolidated.voted().iter())
            .map(|finding| finding_text(document, &names, finding, readers, (quotations, length)))
            .collect();
        findings.join("\n\n")
    };
    let contradictions: Vec<String> =
        consolidated.contradictions.iter().map(|c| contradiction_text(&names, c)).collect();
    let contradictions = contradictions.join("\n");
    let room = reading.brief.room().saturating_sub(contradictions.chars().count());
    let fits = |text: &String| text.chars().count() <= room;
    let findings = QUOTATIONS.into_iter().map(told).find(fits);
    let findings = findings.unwrap_or_else(|| told(QUOTATIONS[QUOTATIONS.len() - 1]));
    let length = findings.chars().count() + contradictions.chars().count();
    let values = context! {
        findings => fence("findings", &findings),
        count => consolidated.voted().len(),
        others => consolidated.findings.len() - consolidated.voted().len(),
        contradictions => (!contradictions.is_empty()).then(|| fence("contradictions", &contradictions)),
        readers,
        missing => missing.len(),
        unread => reading.plan.unread.iter().map(ToString::to_string).collect::<Vec<_>>(),
        notes => notes_text(notes),
    };
    let labels: Vec<String> = consolidated.voted().iter().map(|finding| finding.id.to_string()).collect();
    let mut schema = schema::strict::<AssessmentReply>("assessment");
    schema::set(&mut schema, "/properties/points", "minItems", json!(labels.len()));
    schema::set(&mut schema, "/properties/points", "maxItems", json!(labels.len()));
    if !labels.is_empty() {
        schema::set(&mut schema, "/properties/points/items/properties/finding", "enum", json!(labels));
    }
    let files = [RULES, "critique/material.md", "critique/assessment.md"];
    let shared = material(reading, beside(reading, length));
    let prompt = prompts.request(
        &files,
        (&shared, &values),
        schema,
        Length::growing(reading.brief.effort, MAX_ASSESSMENT_TOKENS),
    );
    Prompt { temperature: Some(ASSESSOR), ..prompt }
}

/// A finding without who holds it.
fn finding_text(
    document: &Document,
    names: &Anonymous,
    finding: &Finding,
    readers: usize,
    (quotations, length): (usize, usize),
) -> String {
    let mut lines = vec![format!(
        "{}. {} ({}, confidence {:.2}, held by {} of {readers}): {}",
        finding.id,
        names.text(&finding.area),
        severity_name(finding.severity),
        finding.confidence.get(),
        finding.held_by.len(),
        names.text(&finding.critique)
    )];
    for evidence in finding.evidence.iter().take(quotations) {
        let quote = one_line(&evidence.quote);
        let quote = shortened(&quote, length);
        lines.push(match evidence.found {
            Some(span) => format!("   On {}: “{quote}”", document.place(span)),
            None => "   A quotation given for it is not in the text.".to_owned(),
        });
    }
    lines.join("\n")
}

fn contradiction_text(names: &Anonymous, contradiction: &Contradiction) -> String {
    let findings: Vec<String> = contradiction.findings.iter().map(ToString::to_string).collect();
    let on = if findings.is_empty() { "-".to_owned() } else { format!("- On {}:", findings.join(" and ")) };
    let (first, second) = &contradiction.claims;
    let (first, second, why) = (names.text(first), names.text(second), names.text(&contradiction.why));
    format!("{on} one reader holds: {first} Another holds: {second} Both cannot be so: {why}")
}
