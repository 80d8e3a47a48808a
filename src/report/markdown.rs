//! A report as Markdown, to be read as it is or put into a wiki.

use std::fmt::Write as _;

use super::{Card, Report, Section};

/// The whole report.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!("# {}\n\n", escaped(&report.heading));
    let _ = writeln!(out, "{}\n", dated(report));
    if let Some(caution) = &report.caution {
        let _ = writeln!(out, "> **Read with care:** {}\n", caution.replace('\n', " "));
    }
    if let Some(problem) = &report.problem {
        let _ = writeln!(out, "## What was asked\n\n{}\n", quoted(problem));
    }
    for one in &report.sections {
        section(&mut out, one);
    }
    if let Some(inside) = &report.inside {
        let _ = writeln!(out, "## How it came about\n\n{}\n", escaped(&inside.to_string()));
        for said in &inside.degraded {
            let _ = writeln!(out, "- {said}");
        }
    }
    format!("{}\n", out.trim_end())
}

/// By which protocol, from when to when.
pub(super) fn dated(report: &Report) -> String {
    let ended = report.ended.as_ref().map(|ended| format!(" to {ended}")).unwrap_or_default();
    format!("/{} · {}{ended} · session {}", report.protocol, report.started, report.session)
}

fn section(out: &mut String, section: &Section) {
    for (place, card) in section.cards.iter().enumerate() {
        self::card(out, card, place == 0);
    }
    if let Some(whole) = &section.whole {
        let _ = writeln!(out, "### {}: the whole text\n\n{}\n", escaped(&whole.title), below(&whole.text));
    }
}

fn card(out: &mut String, card: &Card, first: bool) {
    if !card.title.is_empty() {
        let _ = writeln!(out, "{} {}\n", if first { "##" } else { "###" }, escaped(&card.title));
    }
    if let Some(by) = &card.by {
        let _ = writeln!(out, "*{}*\n", escaped(by));
    }
    if !card.text.is_empty() {
        let _ = writeln!(out, "{}\n", card.text);
    }
    for field in &card.fields {
        let _ = writeln!(out, "**{}**\n\n{}\n", escaped(&field.name), field.text);
    }
    if let Some(picture) = &card.picture {
        let _ = writeln!(out, "*Picture: {}*\n", escaped(&picture.alt));
    }
    if let Some(note) = &card.note {
        let _ = writeln!(out, "*{}*\n", escaped(note));
    }
}

/// A whole text with its headings below that of its section.
fn below(text: &str) -> String {
    let mut fenced = false;
    let line = |line: &str| {
        fenced ^= line.trim_start().starts_with("```");
        let marks = line.bytes().take_while(|&b| b == b'#').count();
        if fenced || marks == 0 || !line[marks..].starts_with(' ') {
            return line.to_owned();
        }
        format!("{}{}", "#".repeat((marks + 3).min(6)), &line[marks..])
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A member's text as a quotation, whatever markup is in it.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A line that is to be read as it is.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
