//! What the team brings in and asks: evidence, clarifications, and answers that may not be shown.

use super::{
    super::{card, limits, markdown, text},
    NO_JUDGE, ask, one, second_look,
};
use domain::{
    Addressee, Clarification, Color, Embed, Evidence, Post, Row, SessionId, Side, StepKey,
    neutrality::Judgement,
};

/// What somebody brought as evidence, with the sentence that says who takes it up.
#[must_use]
pub fn evidence_card(session: &SessionId, evidence: &Evidence, taken_up: &str) -> Post {
    let source = markdown::member_inline(&evidence.source, 360);
    let source = if source.trim().is_empty() { "no source named".to_owned() } else { source };
    let embed = Embed {
        title: format!("📎 E{} · evidence from {}", evidence.number, text::label(&evidence.author_name, 100)),
        description: format!("> {}", markdown::member_inline(&evidence.claim, 1_200)),
        color: Color::Neutral,
        fields: vec![card::field("Source", source), card::field("What now", taken_up)],
        footer: "Nobody has checked it. It is quoted as what somebody said.".to_owned(),
        ..Embed::default()
    };
    let sides = [Side::Pro, Side::Con].map(|side| ask(session, Addressee::Advocate(side)));
    one(Post { rows: vec![Row::Buttons(sides.into())], ..card::post(embed) })
}

/// A clarification with the moderator's answer; without one where it could not answer without taking a side.
#[must_use]
pub fn clarification_card(
    session: &SessionId,
    step: &StepKey,
    clarification: &Clarification,
    judgement: &Judgement,
) -> Vec<Post> {
    let asked = markdown::inline(&clarification.text, 620);
    let (said, color, next) = match &clarification.answer {
        Some(answer) => {
            (markdown::short(answer, 2_400), Color::Synthesis, "Both sides read it from now on. ")
        }
        None => (
            "⚠️ **Not answered:** in three tries the moderator could not answer without taking a side, so nothing of \
             it is shown. Ask it in another way."
                .to_owned(),
            Color::Caution,
            "",
        ),
    };
    let embed = Embed {
        author: format!("{} asked for clarification", text::plain(&clarification.author_name, 100)),
        title: "⚖️ Moderator · clarification".to_owned(),
        description: format!("> {asked}\n\n{said}"),
        color,
        fields: second_look(judgement, false).into_iter().collect(),
        footer: format!("{next}{NO_JUDGE}"),
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

/// A clarification that no model answered, with the reason as a sentence without its full stop.
#[must_use]
pub fn clarification_missing_card(
    session: &SessionId,
    step: &StepKey,
    clarification: &Clarification,
    why: &str,
) -> Vec<Post> {
    let asked = markdown::inline(&clarification.text, 620);
    let embed = Embed {
        author: format!("{} asked for clarification", text::plain(&clarification.author_name, 100)),
        title: "⚖️ Moderator · clarification".to_owned(),
        description: format!("> {asked}\n\n⚠️ **Not answered:** {why}. Ask the moderator again with `/ask`."),
        color: Color::Caution,
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

/// Why the moderator's answer to a question is not shown: which rules it broke, three times.
#[must_use]
pub fn answer_withheld_card(
    session: &SessionId,
    step: &StepKey,
    (author, question): (&str, &str),
    why: &[String],
) -> Vec<Post> {
    let lines: Vec<String> = why.iter().map(|why| format!("- {}", markdown::inline(why, 200))).collect();
    let mut fields = Vec::new();
    if !lines.is_empty() {
        fields
            .push(card::field("Which rules it broke", card::lines(&lines, card::FIELD_ROOM, "like these.")));
    }
    let embed = Embed {
        author: format!("{} asked", text::plain(author, 100)),
        title: "⚖️ Moderator · answer withheld".to_owned(),
        description: format!(
            "> {}\n\n⚠️ In three tries the answer took a side, so it is not shown. Ask what the sides hold or what \
             the answer depends on, or ask Pro or Con.",
            markdown::member_inline(question, 400)
        ),
        color: Color::Caution,
        fields,
        footer: NO_JUDGE.to_owned(),
        ..Embed::default()
    };
    let mut row = card::raw_only(session, step);
    if let Row::Buttons(buttons) = &mut row {
        buttons.extend(Addressee::ALL.into_iter().map(|who| ask(session, who)));
    }
    limits::fit(Post { rows: vec![row], ..card::post(embed) })
}
