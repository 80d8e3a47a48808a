//! The triage as files: a list to read and a table to work with.

use chrono::DateTime;

use super::{
    super::{card, text},
    finding, line, members, quotation, sure,
    triage::{counts, verdict_of},
    word,
};
use domain::{Document, File, FileBody, Review, Triage, TriagedFinding};

/// Columns of the table.
const COLUMNS: [&str; 12] = [
    "finding",
    "severity",
    "theme",
    "title",
    "critique",
    "place",
    "quotation",
    "held by",
    "confidence",
    "verdict",
    "by",
    "at",
];

/// The triage as files: a Markdown list and a table (CSV).
#[must_use]
pub fn triage_export(title: &str, document: &Document, review: &Review, triage: &[Triage]) -> Vec<File> {
    let all = TriagedFinding::all(&review.findings, triage);
    vec![
        File {
            name: "triage.md".to_owned(),
            alt: "The triage as a list, in Markdown".to_owned(),
            body: FileBody::Text(list(title, document, review.readers(), &all)),
        },
        File {
            name: "triage.csv".to_owned(),
            alt: "The triage as a table, for a spreadsheet".to_owned(),
            body: FileBody::Text(table(document, &all)),
        },
    ]
}

fn list(title: &str, document: &Document, readers: usize, all: &[TriagedFinding<'_>]) -> String {
    let mut lines = vec![
        format!("# Triage: {}", text::label(title, 300)),
        String::new(),
        format!(
            "Document: {} (sha-256 {})",
            text::label(&document.name, 300),
            text::label(&document.sha256, 80)
        ),
        String::new(),
        if all.is_empty() { "There are no findings.".to_owned() } else { counts(all) },
        String::new(),
    ];
    for triaged in all {
        let finding = triaged.finding;
        lines.push(format!(
            "- **{} · {} · {}**: {}",
            finding.id,
            card::severity(finding.severity()),
            text::label(finding.name(), 300),
            line(finding.critique())
        ));
        for evidence in finding.evidence() {
            lines.push(format!("  - {}", quotation::inline(document, evidence)));
        }
        lines.push(format!(
            "  - Held by {} ({} of {}), {}",
            members(&finding.held_by()),
            finding.held_by().len(),
            readers,
            sure(finding.confidence())
        ));
        let (emoji, word) = finding::verdict(verdict_of(triaged));
        let by = triaged.triage.map_or_else(String::new, |said| {
            format!(" by {}, {}", text::label(&said.by_name, 100), iso(said.at))
        });
        lines.push(format!("  - {emoji} {word}{by}"));
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// RFC 4180, in UTF-8 with its mark at the start, without which spreadsheets take it for something else.
fn table(document: &Document, all: &[TriagedFinding<'_>]) -> String {
    let mut out = format!("\u{feff}{}\r\n", COLUMNS.join(","));
    for triaged in all {
        let finding = triaged.finding;
        let evidence = finding.evidence();
        let places: Vec<String> = (evidence.iter())
            .map(|evidence| {
                evidence
                    .found
                    .map_or_else(|| "not quoted".to_owned(), |span| document.place(span).to_string())
            })
            .collect();
        let quotes: Vec<&str> = evidence.iter().map(|evidence| evidence.quote.as_str()).collect();
        let holders = finding.held_by();
        let holders: Vec<&str> = holders.iter().map(|member| member.name()).collect();
        let said = triaged.triage;
        let cells = [
            finding.id.to_string(),
            word(finding.severity()).to_lowercase(),
            finding.theme.clone(),
            finding.name().to_owned(),
            finding.critique().to_owned(),
            places.join("; "),
            quotes.join(" | "),
            holders.join("; "),
            format!("{:.2}", finding.confidence().get()),
            verdict_of(triaged).as_str().to_owned(),
            said.map(|said| said.by_name.clone()).unwrap_or_default(),
            said.map(|said| iso(said.at)).unwrap_or_default(),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| self::cell(cell)).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

/// A cell on one line, in quotes, so that no sign in it parts it where a spreadsheet takes `;` for the separator. One that a spreadsheet would reckon with, for it begins as a formula
/// does, gets a `'` before it and is text.
fn cell(cell: &str) -> String {
    let mut cell = text::clean_line(cell);
    if cell.starts_with(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠']) {
        cell.insert(0, '\'');
    }
    format!("\"{}\"", cell.replace('"', "\"\""))
}

/// `2026-09-21T14:13:20Z`; nothing for a time that no calendar has.
fn iso(at: i64) -> String {
    DateTime::from_timestamp(at, 0).map(|at| at.format("%Y-%m-%dT%H:%M:%SZ").to_string()).unwrap_or_default()
}
