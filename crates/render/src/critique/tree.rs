//! What a member said, whole: its tree as an indented list, and what it made of it.

use super::{
    super::{card, markdown},
    COUNCIL, WHOLE, line, quotation, section, section_lines, sign, word,
};
use domain::{Change, Claim, Document, DocumentSection, Effect, Ended, SelfCritique, Tree};

/// A member's whole tree as an indented list: title and text.
#[must_use]
pub fn whole_tree(tree: &Tree, document: &Document, sections: &[DocumentSection]) -> (String, String) {
    let mut parts = vec![format!("Looks for {}.", tree.member.looks_for())];
    if tree.claims.is_empty() {
        parts.push("It found nothing wrong or missing in what it read.".to_owned());
    }
    let mut last = None;
    for claim in &tree.claims {
        if sections.len() > 1 && last != Some(claim.section) {
            parts.push(format!("### {}", section(claim.section, sections)));
            last = Some(claim.section);
        }
        let mut lines = Vec::new();
        items(claim, document, 0, &mut lines);
        parts.push(lines.join("\n"));
    }
    if !tree.holds_up.is_empty() {
        let holds = tree.holds_up.iter();
        let holds = holds
            .map(|holds| format!("- {}: {}", quotation::inline(document, &holds.evidence), line(&holds.why)));
        parts.push(format!("### What holds up\n{}", holds.collect::<Vec<_>>().join("\n")));
    }
    if !tree.failed.is_empty() {
        let failed = section_lines(&tree.failed, sections, usize::MAX, "");
        parts.push(format!("### Could not be read\n{failed}"));
    }
    (format!("{COUNCIL} {} · tree", tree.member), parts.join("\n\n"))
}

/// A claim and what hangs below it, each an item of the list.
fn items(claim: &Claim, document: &Document, level: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(level);
    lines.push(format!(
        "{indent}- **{} · {} · {}:** {}",
        claim.id,
        card::severity(claim.severity),
        card::percent(claim.confidence.get()),
        line(&claim.claim)
    ));
    lines.extend(claim.evidence.iter().map(|one| format!("{indent}  {}", quotation::inline(document, one))));
    lines.extend(claim.changes.iter().map(|one| format!("{indent}  *{}*", change(one))));
    lines.extend(ended(claim).map(|why| format!("{indent}  *{why}*")));
    for child in &claim.children {
        items(child, document, level + 1, lines);
    }
}

/// What changed a claim: `A closer look: it holds less (it was 60 % sure). The next line limits it.`
pub(super) fn change(change: &Change) -> String {
    let by = match change.effect {
        Some(Effect::Refuted) => "A closer look: it does not hold",
        Some(Effect::Weaker) => "A closer look: it holds, but milder or in part",
        Some(Effect::Nothing) => "A closer look changed nothing",
        Some(Effect::Stronger) => "A closer look: more speaks for it",
        Some(Effect::BorneOut) => "A closer look: it is borne out",
        None => "After reading the others",
    };
    let before = change.severity.map(|severity| format!("{} and ", word(severity).to_lowercase()));
    let sure = card::percent(change.sure.get());
    let was = format!(" (it was {}{sure} sure before)", before.unwrap_or_default());
    let words = change.words.as_ref().map(|words| format!(" It read: {}", line(words)));
    format!("{by}{was}. {}{}", markdown::inline(&change.why, WHOLE), words.unwrap_or_default())
}

/// Why a branch ends, in words; nothing where nobody wanted to go on.
fn ended(claim: &Claim) -> Option<&'static str> {
    Some(match claim.ended? {
        Ended::TooSmall => "Not looked into: the passage is too small.",
        Ended::Unsure => "Not looked into: less than 30 % sure.",
        Ended::NotFound => "Not looked into: the passage that it names does not stand in the text.",
        Ended::Budget => "Not looked into: there were no more calls for it.",
        Ended::Failed => "⚠️ Not looked into: the call failed.",
        Ended::Depth | Ended::NothingGained => return None,
    })
}

/// What a member makes of its own claims, whole: title and text. `tree`: as it was before.
#[must_use]
pub fn whole_self_critique(critique: &SelfCritique, tree: Option<&Tree>) -> (String, String) {
    let mut parts = vec![critique.reflection.clone()];
    let changed: Vec<String> = (critique.adjustments.iter())
        .map(|one| {
            let before = tree.and_then(|tree| tree.claim(&one.target));
            let was = before.map(|claim| card::percent(claim.confidence.get()));
            let was = was.map(|was| format!("{was} → ")).unwrap_or_default();
            let milder = before.filter(|claim| one.severity > claim.severity);
            let milder = milder.map(|claim| {
                format!(", {} → {} {}", word(claim.severity), sign(one.severity), word(one.severity))
            });
            let now = card::percent(one.confidence.get());
            let mut text = format!(
                "- **{}** ({was}{now}{}): {}",
                one.target,
                milder.unwrap_or_default(),
                line(&one.reasoning)
            );
            for (label, words) in
                [("It read", before.map(|claim| &claim.claim)), ("Narrowed to", one.restated.as_ref())]
            {
                text.push_str(
                    &words.map(|words| format!("\n  *{label}:* {}", line(words))).unwrap_or_default(),
                );
            }
            text
        })
        .collect();
    let against = critique.oppositions.iter().map(|one| {
        format!(
            "- **{}** against **{}**: {} *Settled by:* {}",
            one.own,
            one.other,
            line(&one.why),
            line(&one.settles)
        )
    });
    let same = critique.same.iter().map(|(own, other)| format!("- {own} and {other}"));
    let missed = critique.missed.iter().map(|claim| {
        format!("- **{}** · {}: {}", claim.id, card::severity(claim.severity), line(&claim.claim))
    });
    for (label, lines) in [
        ("Changed", changed),
        ("Missed before", missed.collect()),
        ("Cannot both hold", against.collect()),
        ("Says the same", same.collect::<Vec<_>>()),
    ] {
        if !lines.is_empty() {
            parts.push(format!("**{label}**\n{}", lines.join("\n")));
        }
    }
    (format!("{COUNCIL} {} · self-critique", critique.member), parts.join("\n\n"))
}
