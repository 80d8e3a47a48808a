//! What the members found in themselves after reading one another.

use std::collections::BTreeMap;

use super::{
    super::{card, limits, markdown},
    COUNCIL, WHOLE, members,
};
use domain::{ClaimId, Color, Embed, Look, Philosopher, Post, SelfCritique, SessionId, Tree};

/// What the members changed in themselves, all on one card; who could not be asked is named.
#[must_use]
pub fn self_critique_card(
    session: &SessionId,
    look: Look,
    critiques: &[SelfCritique],
    missing: &[Philosopher],
) -> Vec<Post> {
    let lines: Vec<String> = critiques.iter().map(line).collect();
    let mut fields = Vec::new();
    if !missing.is_empty() {
        let value =
            format!("{} gave no {}: what was claimed stands as it was.", members(missing), look.name());
        fields.push(card::field("⚠️ No answer", value).inside());
    }
    let mut models: Vec<String> = Vec::new();
    for critique in critiques {
        if !models.contains(&critique.answered_by) {
            models.push(critique.answered_by.clone());
        }
    }
    let description = if lines.is_empty() {
        format!("No critic gave a {}, so nothing was changed.", look.name())
    } else if critiques.len() == 1 && missing.is_empty() {
        format!(
            "It read its own claims again; there were no others to read beside them.\n\n{}",
            lines.join("")
        )
    } else {
        format!(
            "{}\n\n{}",
            match look {
                Look::First =>
                    "Each read the others' claims, without names, and looked for its own mistakes.",
                Look::Second =>
                    "Each read once more what was left, its own and the others', and looked again.",
            },
            lines.join("\n\n")
        )
    };
    let embed = Embed {
        author: if models.is_empty() { String::new() } else { card::answered_by(&card::listed(&models)) },
        title: format!("{COUNCIL} The council · {}", look.name()),
        description,
        color: if missing.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        footer: dropped(critiques),
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, &look.key().into(), "Whole self-critique")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// All self-critiques: title and text.
#[must_use]
pub fn whole_self_critiques(look: Look, critiques: &[SelfCritique], trees: &[Tree]) -> (String, String) {
    let mut parts = Vec::new();
    for critique in critiques {
        parts.push(format!("### {}", critique.member));
        parts.push(critique.reflection.clone());
        let adjusted: Vec<String> = (critique.adjustments.iter())
            .map(|adjusted| {
                format!(
                    "- **{}** {}: {}{}",
                    adjusted.target,
                    moved(adjusted.delta),
                    markdown::inline(&adjusted.reasoning, WHOLE),
                    claimed("It had claimed", &adjusted.target, trees)
                )
            })
            .collect();
        if !adjusted.is_empty() {
            parts.push(format!("**Changed**\n{}", adjusted.join("\n")));
        }
        let opposed: Vec<String> = (critique.oppositions.iter())
            .map(|opposed| {
                format!(
                    "- **{}** against **{}**: {}{}{}",
                    opposed.own,
                    opposed.other,
                    markdown::inline(&opposed.why, WHOLE),
                    claimed(&opposed.own.to_string(), &opposed.own, trees),
                    claimed(&opposed.other.to_string(), &opposed.other, trees)
                )
            })
            .collect();
        if !opposed.is_empty() {
            parts.push(format!("**Cannot both hold**\n{}", opposed.join("\n")));
        }
        if critique.dropped > 0 {
            parts.push(format!("*{}*", dropped(std::slice::from_ref(critique))));
        }
    }
    (format!("{COUNCIL} The council · {}", look.name()), parts.join("\n\n"))
}

/// What a member found in itself, how many of its claims it changed, and how many it says cannot hold beside another's.
fn line(critique: &SelfCritique) -> String {
    let (raised, lowered) = (moved_claims(critique, 1.0), moved_claims(critique, -1.0));
    let mut changed = Vec::new();
    if raised > 0 {
        changed.push(format!("⬆️ surer of {}", card::count(raised, "claim")));
    }
    if lowered > 0 {
        changed.push(format!("⬇️ less sure of {}", card::count(lowered, "claim")));
    }
    if changed.is_empty() {
        changed.push("no claim changed".to_owned());
    }
    if !critique.oppositions.is_empty() {
        changed.push(format!("↔️ {} named", card::count(critique.oppositions.len(), "contradiction")));
    }
    let found = markdown::inline(&critique.reflection, 220);
    let found = if found.is_empty() { "Said nothing of itself.".to_owned() } else { found };
    format!("**{}** · {}\n{found}", critique.member, changed.join(" · "))
}

/// How many claims are surer (`sign` 1) or less sure (−1) once what was said of each is added up.
fn moved_claims(critique: &SelfCritique, sign: f64) -> usize {
    let mut sums: BTreeMap<&ClaimId, f64> = BTreeMap::new();
    for adjusted in &critique.adjustments {
        *sums.entry(&adjusted.target).or_default() += adjusted.delta;
    }
    sums.values().filter(|sum| **sum * sign > 0.0).count()
}

/// `⬇️ less sure by 20 of 100`.
fn moved(delta: f64) -> String {
    let by = card::percent(delta.abs()).replace(" %", "");
    match delta {
        up if up > 0.0 => format!("⬆️ surer by {by} of 100"),
        down if down < 0.0 => format!("⬇️ less sure by {by} of 100"),
        _ => "as sure as before".to_owned(),
    }
}

/// A claim's words on a line of their own below an item.
fn claimed(before: &str, id: &ClaimId, trees: &[Tree]) -> String {
    let claim = trees.iter().find(|tree| tree.member == id.member).and_then(|tree| tree.claim(id));
    claim.map_or_else(String::new, |claim| format!("\n  *{before}:* {}", markdown::inline(&claim.claim, 400)))
}

/// How much named no claim there is.
fn dropped(critiques: &[SelfCritique]) -> String {
    match critiques.iter().map(|critique| critique.dropped).sum() {
        0 => String::new(),
        1 => "1 remark left out: it named a claim that does not exist or is not the critic's own.".to_owned(),
        dropped => format!(
            "{} left out: they named claims that do not exist or are not the critic's own.",
            card::count(dropped, "remark")
        ),
    }
}
