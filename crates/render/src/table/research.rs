//! What deep research came to: one card of all that was looked into, and the whole behind its button.

use super::super::{card, degraded::not_searching, limits, markdown, sources, text};
use domain::{
    Color, ConflictResolution, Embed, Gravity, Post, Research, Searched, Searching, SessionId, Sharper,
    Solution, StepKey, Supported,
};

/// The card: each matter with what the pages support and what to do by it.
#[must_use]
pub fn research_cards(
    session: &SessionId,
    step: &StepKey,
    research: &Research,
    solutions: &[Solution],
) -> Vec<Post> {
    let (all, _) = research.count();
    if all == 0 {
        return vec![card::post(Embed {
            title: "🔬 Deep research".to_owned(),
            description:
                "There was nothing to look into: no conflict is high or critical, and no flag is red."
                    .to_owned(),
            color: Color::Neutral,
            ..Embed::default()
        })];
    }
    let mut fields = Vec::new();
    if !research.left_out.is_empty() {
        let topics: Vec<String> =
            research.left_out.iter().map(|topic| format!("- {}", text::label(topic, 120))).collect();
        fields.push(card::field("❔ No room was left for", card::lines(&topics, 500, "like these.")));
    }
    fields.extend(sources::field(&research.sources, "in the whole research."));
    let dropped = research.resolutions.iter().map(|one| one.dropped_citations).fold(0, u32::saturating_add);
    let head = Embed {
        author: answered_by(research),
        title: "🔬 Deep research".to_owned(),
        description: format!(
            "{} Experts and team choose with this before them; the options stay as they were written.",
            research_in_short(research)
        ),
        color: Color::Synthesis,
        ..Embed::default()
    };
    // Each matter has an embed of its own: a field has no room for all that is said of it. Pages stand below what cites them.
    let matters = research.resolutions.iter().map(|one| matter(one, solutions));
    let below =
        Embed { fields, footer: sources::removed(dropped), color: Color::Synthesis, ..Embed::default() };
    let below = (!below.fields.is_empty() || !below.footer.is_empty()).then_some(below);
    let embeds = [head].into_iter().chain(matters).chain(below).collect();
    let rows = vec![card::whole_and_raw(session, step, "Whole research")];
    limits::fit(Post { embeds, rows, ..Post::default() })
}

/// In place of the card where nothing could be looked up.
#[must_use]
pub fn no_research_card(searching: Searching) -> Vec<Post> {
    vec![card::post(Embed {
        title: "🔬 No deep research".to_owned(),
        description: format!(
            "It was asked for, but {}. Conflicts and red flags stay as the synthesis has them.",
            not_searching(searching)
        ),
        color: Color::Caution,
        ..Embed::default()
    })]
}

/// How much was looked into and settled, in a sentence; for the last line of a session too.
#[must_use]
pub fn research_in_short(research: &Research) -> String {
    match research.count() {
        (0, _) => "Deep research: nothing was grave enough to be looked into.".to_owned(),
        (all, settled) => {
            let conflicts = research.resolutions.iter().filter(|one| !one.modules.is_empty()).count();
            let looked_into: Vec<String> = [(conflicts, "conflict"), (all - conflicts, "red flag")]
                .into_iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, what)| card::count(number, what))
                .collect();
            let looked_into = card::listed(&looked_into);
            format!("Deep research: {looked_into} looked into, {settled} settled by pages that were found.")
        }
    }
}

/// The whole, in Markdown.
#[must_use]
pub fn research_text(research: &Research) -> String {
    let one = |one: &ConflictResolution| {
        let mut parts = vec![format!("### {}", one.topic)];
        if !one.modules.is_empty() {
            parts.push(format!("Between {}.", card::modules(&one.modules)));
        }
        parts.push(one.evidence.clone());
        parts.push(format!("**{}**", supports(one)));
        parts.push(one.verdict.clone());
        if !one.updated_recommendation.is_empty() {
            parts.push(format!("**What to do:** {}", one.updated_recommendation));
        }
        parts.push(looked_up(one));
        parts.retain(|part| !part.trim().is_empty());
        parts.join("\n\n")
    };
    research.resolutions.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// What was found out that makes an option more specific, for every card on which people choose.
pub(crate) fn sharper(found: &[Sharper]) -> String {
    let one = |Sharper { topic, text }: &Sharper| {
        format!("\n🔬 Found out since on “{}”: {}", text::label(topic, 60), markdown::inline(text, WHOLE))
    };
    found.iter().map(one).collect()
}

fn answered_by(research: &Research) -> String {
    let mut models: Vec<String> = research.resolutions.iter().map(|one| one.answered_by.clone()).collect();
    models.retain(|model| !model.is_empty());
    models.sort();
    models.dedup();
    if models.is_empty() { String::new() } else { card::answered_by(&card::listed(&models)) }
}

fn matter(one: &ConflictResolution, solutions: &[Solution]) -> Embed {
    let (color, gravity) = match one.severity {
        Gravity::Critical => (Color::Danger, "🟥 Critical"),
        Gravity::High => (Color::Caution, "🟧 High"),
        Gravity::Red => (Color::Danger, "🔴 Red flag"),
    };
    let mut lines = vec![format!("**{}**", supports(one))];
    if !one.verdict.is_empty() {
        lines.push(markdown::inline(&one.verdict, WHOLE));
    }
    if !one.updated_recommendation.is_empty() {
        let option = one.option.and_then(|number| solutions.get(number.checked_sub(1)?));
        let option =
            option.filter(|_| one.is_settled()).map(|option| format!(" (stands beside {})", option.id));
        let text = markdown::inline(&one.updated_recommendation, WHOLE);
        lines.push(format!("➡️ {text}{}", option.unwrap_or_default()));
    }
    lines.push(format!("-# {}", looked_up(one)));
    let title = text::label(&format!("{gravity} · {}", one.topic), card::NAME_ROOM);
    Embed { title, description: lines.join("\n"), color, ..Embed::default() }
}

/// Longest text of a matter, in characters: far more than is asked for, in any language.
const WHOLE: usize = 1_500;

/// What became of searching for it.
fn looked_up(one: &ConflictResolution) -> String {
    sources::outcome(&one.searched)
}

/// Which position the pages support; what is not settled says why.
fn supports(one: &ConflictResolution) -> String {
    match &one.finding {
        Supported::Module(module) => format!("The evidence supports {}", text::label(module.title(), 60)),
        Supported::InPart if one.modules.is_empty() => "The evidence bears it out in part".to_owned(),
        Supported::InPart => "The evidence supports each in part".to_owned(),
        Supported::Neither => "The evidence supports neither".to_owned(),
        Supported::Confirmed => "The evidence bears it out".to_owned(),
        Supported::Refuted => "The evidence speaks against it".to_owned(),
        Supported::Unsettled => match (&one.silent, &one.searched) {
            (Some(why), _) => {
                format!("Not settled: no model weighed what was found ({})", text::label(why, 120))
            }
            (None, Searched::Found { .. }) if one.unfounded => {
                "Not settled: the verdict names no page that was found".to_owned()
            }
            (None, Searched::Found { .. }) => "The evidence found does not settle it".to_owned(),
            (None, _) => "Not settled: there is nothing to go by".to_owned(),
        },
    }
}
