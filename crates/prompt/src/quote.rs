//! How values of the domain are written into a prompt: outputs without their authors, notes, names.

use super::fence;
use domain::{
    ContextNote, Flag, FlagColor, ModuleOutput, Offered, Redelegation, Round, Severity, Source, Spoken,
};

/// The round's usual name in prompts.
pub(super) fn round_name(round: Round) -> &'static str {
    match round {
        Round::Independent => "round 1",
        Round::Revision => "round 2",
    }
}

/// The whole of an output without its author, fenced.
pub(super) fn output_text(name: &str, output: &ModuleOutput) -> String {
    let text = match &output.said {
        Spoken::Alone(alone) => forms::whole(alone),
        Spoken::Challenge(challenge) => forms::whole(challenge),
    };
    fence(name, &text)
}

/// What an output comes to, without its author, fenced.
pub(super) fn short_text(name: &str, output: &ModuleOutput) -> String {
    let position = output.position();
    let mut lines = vec![
        output.summary().to_owned(),
        format!(
            "Would: {} (chance {} of 100). Would change it: {}",
            position.option, position.success, position.crux
        ),
    ];
    lines.extend(output.flags().iter().map(flag_line));
    fence(name, &lines.join("\n"))
}

pub(super) fn flag_line(flag: &Flag) -> String {
    let color = match flag.color {
        FlagColor::Red => "Red",
        FlagColor::Yellow => "Yellow",
        FlagColor::Green => "Green",
    };
    format!("{color} flag: {}", flag.text)
}

pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::High => "high",
        Severity::Medium => "medium",
        Severity::Low => "low",
    }
}

/// Notes with their authors, each whole inside its fence: a name is chosen by a member too.
pub(super) fn notes_text(notes: &[ContextNote]) -> Vec<String> {
    notes.iter().map(note_text).collect()
}

pub(super) fn note_text(note: &ContextNote) -> String {
    fence("note", &format!("{} wrote:\n{}", note.author_name, note.text))
}

/// How gaps were filled, in words.
pub(super) fn redelegations(redelegated: &[Redelegation]) -> Vec<String> {
    let line = |redelegation: &Redelegation| match redelegation {
        Redelegation::Simpler { module, round } => {
            format!(
                "{module}, {}: answered a shorter prompt only, so its analysis is thinner.",
                round_name(*round)
            )
        }
        Redelegation::Fallback { module, round, .. } => {
            format!("{module}, {}: another model than the one chosen answered.", round_name(*round))
        }
        Redelegation::Heir { module, round, heir } => {
            format!("{module}, {}: could not answer; {heir} spoke for its concerns.", round_name(*round))
        }
        Redelegation::Lost { module, round } => {
            format!("{module}, {}: could not answer, and nobody spoke for its concerns.", round_name(*round))
        }
    };
    redelegated.iter().map(line).collect()
}

/// Pages with their numbers, the first 1, fenced, without what they say. Nothing where there are none.
pub(super) fn sources_text(sources: &[Source]) -> Option<String> {
    pages_text("sources", (1..).zip(sources), false)
}

/// What there is to cite beside what was found just now, in the same way.
pub(super) fn known_text(offered: &Offered) -> Option<String> {
    pages_text("sources", offered.beside(), false)
}

/// What was found just now, whole. Nothing where nothing was.
pub(super) fn found_text(offered: &Offered) -> Option<String> {
    pages_text("search-results", offered.shown(), true)
}

/// Pages by their numbers, fenced; what they say too where they are `whole`.
fn pages_text<'a>(
    name: &str,
    pages: impl Iterator<Item = (usize, &'a Source)>,
    whole: bool,
) -> Option<String> {
    let page = |(number, Source { title, url, excerpt }): (usize, &Source)| {
        let excerpt = if whole { format!("\n{excerpt}") } else { String::new() };
        format!("[{number}] {title} — {}{excerpt}", url.as_str())
    };
    let pages: Vec<String> = pages.map(page).collect();
    (!pages.is_empty()).then(|| fence(name, &pages.join(if whole { "\n\n" } else { "\n" })))
}

/// A name a member or a file chose, made fit for a line outside a fence: letters, digits and `-_.` only, at
/// most 32 of them, so that it can neither open a tag nor start a sentence.
pub(super) fn plain_name(name: &str) -> String {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c)).take(32).collect();
    if plain.is_empty() { "member".to_owned() } else { plain }
}
