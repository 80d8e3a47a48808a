//! The assessor's words, held to what code put together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::says_something;
use crate::reply::{ParseError, words::Cleaner};
use domain::{Assessment, Consolidated, Finding, Severity, Span, find_quote, lapses, shortened};

/// Most characters kept of the whole; 180 words have about 1,200.
const MAX_TEXT: usize = 2_400;
/// Most characters kept of a finding's words.
const MAX_CRITIQUE: usize = 600;
/// Most characters kept of an area.
const MAX_AREA: usize = 60;

/// A finding in the assessor's words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointReply {
    /// Its label.
    #[schemars(length(max = 8))]
    pub finding: String,
    /// What it is about, in a few words.
    #[schemars(length(max = 60))]
    pub area: String,
    /// What is wrong or missing, and what follows.
    #[schemars(length(max = 450))]
    pub critique: String,
}

/// What the assessor writes: the findings before what they come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssessmentReply {
    /// One for each finding.
    #[schemars(length(max = 10))]
    pub points: Vec<PointReply>,
    /// What they come to, in Markdown.
    #[schemars(length(max = 1800))]
    pub final_assessment: String,
}

impl AssessmentReply {
    /// The assessment: findings keep what code made of them and get the assessor's words; one it left out keeps the
    /// member's words; one there is not is dropped. Words that are personal, praise or advise are an error at first
    /// (`strict`), which names the sentences, and are kept and counted after that. Words in quotation marks that do
    /// not stand in the evidence lose their marks, for they are nobody's. `unread` and `missing` are the caller's to
    /// fill.
    pub fn into_assessment(
        self,
        consolidated: &Consolidated,
        answered_by: &str,
        strict: bool,
    ) -> Result<Assessment, ParseError> {
        let mut clean = Cleaner::default();
        let text = only_real_quotations(&clean.text(&self.final_assessment), &consolidated.findings);
        let mut points = Vec::new();
        for reply in &self.points {
            let Some(finding) = find(&consolidated.findings, &reply.finding) else { continue };
            // The first word on a finding counts.
            if points.iter().any(|(id, _, _)| *id == finding.id) {
                continue;
            }
            let critique = only_real_quotations(&clean.line(&reply.critique), std::slice::from_ref(finding));
            points.push((finding.id, clean.line(&reply.area), critique));
        }
        if strict {
            let texts = std::iter::once(&text).chain(points.iter().map(|(_, _, critique)| critique));
            let sentences: Vec<String> =
                texts.flat_map(|text| lapses(text)).map(|sentence| format!("“{sentence}”")).collect();
            if !sentences.is_empty() {
                return Err(ParseError::Tone(shortened(&sentences.join(" "), 600)));
            }
        }
        let mut assessment = unworded(consolidated);
        assessment.marked += count(&text);
        for (id, area, critique) in points {
            let Some(finding) = assessment.findings.iter_mut().find(|finding| finding.id == id) else {
                continue;
            };
            if !says_something(&critique) {
                continue;
            }
            assessment.marked += count(&critique);
            finding.critique = shortened(&critique, MAX_CRITIQUE);
            if says_something(&area) {
                finding.area = shortened(&area, MAX_AREA);
            }
        }
        if says_something(&text) {
            assessment.text = shortened(&text, MAX_TEXT);
        } else if strict {
            return Err(ParseError::Empty("final_assessment"));
        }
        assessment.answered_by = Some(answered_by.to_owned());
        Ok(assessment)
    }
}

fn count(text: &str) -> u32 {
    u32::try_from(lapses(text).len()).unwrap_or(u32::MAX)
}

/// The assessment in the words of members and code, where no assessor answered.
#[must_use]
pub fn unworded(consolidated: &Consolidated) -> Assessment {
    Assessment {
        text: in_short(&consolidated.findings),
        findings: consolidated.findings.clone(),
        contradictions: consolidated.contradictions.clone(),
        unread: Vec::new(),
        missing: Vec::new(),
        skipped: Vec::new(),
        claims: consolidated.claims,
        below_floor: consolidated.below_floor,
        merged: consolidated.merged,
        lesser: consolidated.lesser,
        marked: 0,
        answered_by: None,
    }
}

/// What there is, in a sentence by code.
fn in_short(findings: &[Finding]) -> String {
    let grave = findings.iter().filter(|finding| finding.severity <= Severity::High).count();
    let areas: Vec<&str> = findings.iter().take(3).map(|finding| finding.area.as_str()).collect();
    match findings.len() {
        0 => "No significant findings.".to_owned(),
        1 => format!("One finding. It concerns: {}.", areas.join("; ")),
        n => format!(
            "{n} findings, {grave} of them of high or critical severity. The weightiest concern: {}.",
            areas.join("; ")
        ),
    }
}

/// The finding of a label: `F1`, `f 1`, `1`, `Finding F1`.
fn find<'a>(findings: &'a [Finding], label: &str) -> Option<&'a Finding> {
    let start = label.find(|c: char| c.is_ascii_digit())?;
    let digits = label[start..].split(|c: char| !c.is_ascii_digit()).next()?;
    let number: u8 = digits.parse().ok()?;
    findings.iter().find(|finding| finding.id.0 == number)
}

/// The text with quotation marks only around words that stand in what the findings rest on. Marks around one or two
/// words set off a term, and stay.
pub(super) fn only_real_quotations(text: &str, findings: &[Finding]) -> String {
    const PAIRS: [(char, char); 4] = [('“', '”'), ('"', '"'), ('«', '»'), ('„', '“')];
    let stands = |quote: &str| {
        findings.iter().flat_map(|finding| &finding.evidence).any(|evidence| {
            let whole = Span { start: 0, end: evidence.quote.len() };
            evidence.found.is_some() && find_quote(&evidence.quote, whole, quote).is_some()
        })
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c| PAIRS.iter().any(|(open, _)| *open == c)) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some(open) = from.chars().next() else { break };
        let inside = &from[open.len_utf8()..];
        let closed = PAIRS.iter().filter(|pair| pair.0 == open).find_map(|(_, close)| {
            let end = inside.find(*close)?;
            Some((&inside[..end], &inside[end + close.len_utf8()..], *close))
        });
        let Some((quote, after, close)) = closed else {
            out.push(open);
            rest = inside;
            continue;
        };
        if quote.split_whitespace().count() < 3 || stands(quote) {
            out.push(open);
            out.push_str(quote);
            out.push(close);
        } else {
            out.push_str(quote);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
