//! The moderator's synthesis: summary first, then where the sides meet, where and why they part, and what it hangs on.

use super::{
    super::{card, limits, markdown, text},
    NO_JUDGE, ask, favors, marked, second_look, stood_in,
};
use domain::{
    Addressee, Agreement, AssumptionConflict, Color, CoreDisagreement, Embed, EvidenceGap, Field, Hinge,
    Knowledge, ModelName, NeutralSynthesis, Post, RootCause, Row, Section, SessionId, StepKey, Withheld,
    first_sentence,
};

const WHOLE: &str = "in the whole synthesis.";

/// The moderator's synthesis, without its hinges' buttons, which are on the panel of hinges.
#[must_use]
pub fn synthesis_cards(
    session: &SessionId,
    step: &StepKey,
    synthesis: &NeutralSynthesis,
    stand_in: Option<&ModelName>,
) -> Vec<Post> {
    let said = &synthesis.synthesis;
    let mut embeds = vec![summary(synthesis, stand_in)];
    let sections = [
        (Section::Agreements, blocks(&said.areas_of_agreement, 700, agreement)),
        (Section::Disagreements, blocks(&said.core_disagreements, 1_500, disagreement)),
        (Section::Assumptions, blocks(&said.assumption_conflicts, 800, conflict)),
        (Section::Gaps, blocks(&said.evidence_gaps, 700, gap)),
        (Section::Hinges, blocks(&said.decision_hinges, 900, hinge)),
        (Section::Complexity, Some(markdown::inline(first_sentence(&said.complexity_assessment), 240))),
    ];
    for (section, text) in sections {
        let text = text.unwrap_or_default();
        if !text.trim().is_empty() {
            embeds.push(Embed {
                title: format!("{} {}", emoji(section), section.name()),
                description: text.trim_end().to_owned(),
                color: Color::Synthesis,
                ..Embed::default()
            });
        }
    }
    if let Some(last) = embeds.last_mut() {
        last.footer = match said.dropped_citations {
            0 => NO_JUDGE.to_owned(),
            dropped => format!("{NO_JUDGE} {}", card::dropped(dropped)),
        };
    }
    let mut row = card::whole_and_raw(session, step, "Whole synthesis");
    if let Row::Buttons(buttons) = &mut row {
        buttons.push(ask(session, Addressee::Moderator));
    }
    limits::fit(Post { embeds, rows: vec![row], ..Post::default() })
}

/// Stands in place of a synthesis for which no model answered.
#[must_use]
pub fn no_synthesis_card(session: &SessionId, step: &StepKey, why: &str) -> Vec<Post> {
    let why = markdown::inline(why, 600);
    let embed = Embed {
        title: "⚖️ Moderator · no synthesis".to_owned(),
        description: format!(
            "⚠️ {} What both sides said stands above, and you can still vote.",
            text::sentence(&why)
        ),
        color: Color::Caution,
        footer: NO_JUDGE.to_owned(),
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

fn summary(synthesis: &NeutralSynthesis, stand_in: Option<&ModelName>) -> Embed {
    let mut fields: Vec<Field> = stood_in(stand_in).into_iter().collect();
    if !synthesis.withheld.is_empty() {
        let lines: Vec<String> = synthesis.withheld.iter().map(withheld).collect();
        let value = format!(
            "These parts took a side in every try, so they are not shown:\n{}",
            card::lines(&lines, card::FIELD_ROOM - 120, "like these.")
        );
        fields.push(card::field("🚫 Withheld", value));
    }
    fields.extend(marked(&synthesis.marks));
    fields.extend(second_look(&synthesis.judgement, true));
    let summary = markdown::short(&synthesis.synthesis.executive_summary, 1_200);
    let hidden = synthesis.withheld.iter().any(|part| part.section == Section::Summary);
    let description = match () {
        () if hidden => "The summary is withheld; what can be shown stands below.".to_owned(),
        () if summary.trim().is_empty() => "There is no summary.".to_owned(),
        () => summary,
    };
    Embed {
        author: card::answered_by(&synthesis.synthesis.answered_by),
        title: "⚖️ Moderator · synthesis".to_owned(),
        description,
        color: Color::Synthesis,
        fields,
        ..Embed::default()
    }
}

/// Which part is withheld and why; nothing of its text.
pub(super) fn withheld(withheld: &Withheld) -> String {
    let why: Vec<String> = withheld.why.iter().map(|why| markdown::inline(why, 160)).collect();
    let why = if why.is_empty() { "it took a side".to_owned() } else { why.join("; ") };
    format!("- **{}**: {}", withheld.section.name(), text::cut(&why, 400))
}

fn emoji(section: Section) -> &'static str {
    match section {
        Section::Summary => "⚖️",
        Section::Agreements => "🤝",
        Section::Disagreements => "↔️",
        Section::Assumptions => "🧱",
        Section::Gaps => "❔",
        Section::Hinges => "🔎",
        Section::Complexity => "🧩",
        Section::Check => "🪞",
    }
}

fn blocks<T>(parts: &[T], room: usize, block: impl Fn(&T) -> String) -> Option<String> {
    let blocks: Vec<String> = parts.iter().map(|part| format!("{}\n", block(part))).collect();
    (!blocks.is_empty()).then(|| card::lines(&blocks, room, WHOLE))
}

fn agreement(agreement: &Agreement) -> String {
    format!(
        "**{}**\n{}",
        text::label(&agreement.topic, 100),
        markdown::inline(first_sentence(&agreement.description), 180)
    )
}

/// Both positions are cut at the same length and not at a sentence, for first sentences may be of any length and
/// neither side gets more room.
fn disagreement(part: &CoreDisagreement) -> String {
    format!(
        "**{}**\n🔵 **Pro holds:** {}\n🔶 **Con holds:** {}\n-# {}; {}",
        text::label(&part.topic, 100),
        markdown::inline(&part.pro_position, 160),
        markdown::inline(&part.con_position, 160),
        root_cause(part.root_cause),
        bridgeable(part.bridgeable)
    )
}

fn conflict(conflict: &AssumptionConflict) -> String {
    format!(
        "🔵 **Pro assumes:** {}\n🔶 **Con assumes:** {}",
        markdown::inline(&conflict.pro_assumption, 160),
        markdown::inline(&conflict.con_assumption, 160)
    )
}

fn gap(gap: &EvidenceGap) -> String {
    format!("{}\n-# {}", markdown::inline(&gap.question, 180), knowledge(gap.current_state))
}

/// In a line; the panel of open questions says the rest.
fn hinge(hinge: &Hinge) -> String {
    format!("**If true:** {}\n-# {}", markdown::inline(&hinge.if_true, 160), favors(hinge.then_favors))
}

/// Why the sides part, in plain words.
pub(super) fn root_cause(cause: RootCause) -> &'static str {
    match cause {
        RootCause::Factual => "they disagree about the facts",
        RootCause::Values => "they value different things",
        RootCause::Priorities => "they share the same aims and rank them differently",
        RootCause::Assumptions => "they take different things for granted",
        RootCause::EvidenceInterpretation => "they read the same evidence differently",
    }
}

pub(super) fn bridgeable(bridgeable: bool) -> &'static str {
    if bridgeable { "something could bring them together" } else { "nothing in sight brings them together" }
}

pub(super) fn knowledge(state: Knowledge) -> &'static str {
    match state {
        Knowledge::Unknown => "nobody knows",
        Knowledge::Contested => "sources disagree",
        Knowledge::Projected => "expected, not yet seen",
    }
}
