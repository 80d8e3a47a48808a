//! What one side said at one place, short first.

use super::{
    super::{card, limits, markdown, text},
    ask, bring, color, marked, sign, stood_in,
};
use crate::domain::{
    Acknowledgement, Act, Addressee, Aim, AnswerKind, Argument, Bearing, Body, Color, CrossAnswer, Debate,
    DebateTurn, Embed, Evidence, EvidenceKind, Field, ModelName, Post, RebuttalPoint, Row, SessionId, Slot,
    StepKey, Theme, first_sentence,
};

/// What stands where a list had to be cut.
const WHOLE: &str = "in the whole turn.";

/// Most points of a turn that get a field each, so that the card stays about a phone's screen long.
const POINTS: usize = 3;

/// A turn: short first. `step` is what its buttons lead to; `stand_in` answered where the side's own model could not.
#[must_use]
pub fn turn_cards(
    session: &SessionId,
    step: &StepKey,
    turn: &DebateTurn,
    debate: &Debate,
    stand_in: Option<&ModelName>,
) -> Vec<Post> {
    let who = Addressee::Advocate(turn.slot.side);
    let mut fields: Vec<Field> = stood_in(stand_in).into_iter().collect();
    fields.extend(said(turn, debate));
    if !turn.acknowledged.is_empty() {
        let lines: Vec<String> =
            turn.acknowledged.iter().map(|taken| acknowledged(taken, &debate.evidence)).collect();
        fields.push(card::field("📎 On the team's evidence", card::lines(&lines, 480, WHOLE)));
    }
    fields.extend(marked(&turn.marks));
    let embed = Embed {
        author: card::answered_by(&turn.answered_by),
        title: heading(turn.slot),
        description: markdown::short(&turn.in_short, 240),
        color: color(who),
        fields,
        footer: card::dropped(turn.dropped_citations),
        ..Embed::default()
    };
    let mut row = card::whole_and_raw(session, step, "Whole turn");
    if let Row::Buttons(buttons) = &mut row {
        buttons.push(ask(session, who));
        // After the closings nobody takes it up any more.
        if turn.slot.act != Act::Closing {
            buttons.push(bring(session));
        }
    }
    limits::fit(Post { rows: vec![row], ..card::post(embed) })
}

/// The card of a turn for which no model answered, with the reason as a sentence without its full stop.
#[must_use]
pub fn missing_card(session: &SessionId, step: &StepKey, slot: Slot, why: &str) -> Vec<Post> {
    let why = markdown::inline(why, 600);
    let embed = Embed {
        title: format!("{}: missing", heading(slot)),
        description: format!("⚠️ {}. The debate goes on without it.", why.trim_end_matches('.')),
        color: Color::Caution,
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

/// `🔵 Pro · opening`, `🔶 Con · answers to Pro`.
pub(super) fn heading(slot: Slot) -> String {
    let who = Addressee::Advocate(slot.side);
    let to = match slot.act {
        Act::Questions | Act::FollowUp | Act::Answers => format!(" to {}", slot.side.other().name()),
        _ => String::new(),
    };
    match slot.act {
        Act::Constructive(theme) if theme != Theme::Combined => {
            format!("{} {} · arguments: {}", sign(who), slot.side.name(), theme.name())
        }
        _ => format!("{} {slot}{to}", sign(who)),
    }
}

/// The parts of a turn as fields.
fn said(turn: &DebateTurn, debate: &Debate) -> Vec<Field> {
    match &turn.body {
        Body::Opening { position, preview, .. } => {
            let mut fields = part("Position", position, 260);
            fields.extend(list("Strongest arguments", &numbered(preview, 140)));
            fields
        }
        Body::Arguments { framework, arguments } => {
            let mut fields: Vec<Field> =
                framework.iter().flat_map(|framework| part("Ethical framework", framework, 120)).collect();
            let lines: Vec<String> = (1..).zip(arguments).map(argument).collect();
            fields.extend(list("Arguments", &lines));
            fields
        }
        Body::Questions { questions } if questions.is_empty() => {
            vec![card::field("Questions", "No further question.")]
        }
        Body::Questions { questions } => {
            let line = |(number, asked): (usize, &crate::domain::CrossQuestion)| {
                format!(
                    "**{number}.** {}\n-# aims at {}",
                    markdown::inline(&asked.question, 200),
                    aim(asked.aims_at)
                )
            };
            list("Questions", &(1..).zip(questions).map(line).collect::<Vec<_>>()).into_iter().collect()
        }
        Body::Answers { answers } => {
            few(answers.iter().map(|answer| answered(answer, turn.slot, debate)).collect())
        }
        Body::Rebuttal { points } => few((1..).zip(points).map(rebutted).collect()),
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => [
            ("Why we disagree", why_we_disagree),
            ("The other side's best point", opponents_best_point),
            ("What would change my mind", what_would_change_my_mind),
            ("What stays uncertain", uncertainty),
        ]
        .into_iter()
        .flat_map(|(name, text)| part(name, text, 200))
        .collect(),
    }
}

/// The first fields, and how many more there are.
fn few(mut fields: Vec<Field>) -> Vec<Field> {
    let more = fields.len().saturating_sub(POINTS);
    if more > 0 {
        fields.truncate(POINTS);
        fields.push(card::field(format!("…and {more} more"), format!("All {} stand {WHOLE}", more + POINTS)));
    }
    fields
}

/// A field with the first sentence, where there is something to put into it.
fn part(name: &str, text: &str, most: usize) -> Vec<Field> {
    let text = markdown::inline(first_sentence(text), most);
    if text.trim().is_empty() { Vec::new() } else { vec![card::field(name, text)] }
}

fn list(name: &str, lines: &[String]) -> Option<Field> {
    (!lines.is_empty()).then(|| card::field(name, card::lines(lines, card::FIELD_ROOM, WHOLE)))
}

fn numbered(texts: &[String], most: usize) -> Vec<String> {
    (1..)
        .zip(texts)
        .map(|(at, text): (usize, _)| format!("**{at}.** {}", markdown::inline(text, most)))
        .collect()
}

fn argument((number, argument): (usize, &Argument)) -> String {
    format!(
        "**{number}.** {}\n-# {} · {} confidence",
        markdown::inline(&argument.claim, 200),
        kind(argument.evidence),
        super::level(argument.confidence)
    )
}

/// An answer below the question it answers, so that nobody has to scroll back for it.
fn answered(answer: &CrossAnswer, slot: Slot, debate: &Debate) -> Field {
    let name = match question(answer.question, slot, debate) {
        Some(question) => format!("{}. {}", answer.question, text::label(question, 110)),
        None => format!("Question {}", answer.question),
    };
    let said = markdown::inline(first_sentence(&answer.answer), 200);
    card::field(name, format!("{}{said}", taken(answer.kind)))
}

/// What was asked, by its number.
pub(super) fn question(number: u8, slot: Slot, debate: &Debate) -> Option<&str> {
    let act = if slot.act == Act::FollowUpAnswer { Act::FollowUp } else { Act::Questions };
    let asked = debate.turn(Slot::new(act, slot.side.other()))?;
    let Body::Questions { questions } = &asked.body else { return None };
    let question = questions.get(usize::from(number).checked_sub(1)?)?;
    Some(&question.question)
}

/// What is answered and the first sentence of the answer. The other side's case at its strongest and what holds even
/// if it is right are in the whole turn.
fn rebutted((number, point): (usize, &RebuttalPoint)) -> Field {
    let mut lines = Vec::new();
    if !point.quotation.trim().is_empty() {
        lines.push(format!("> {}", markdown::inline(&point.quotation, 110)));
    }
    lines.push(markdown::inline(first_sentence(&point.answer), 200));
    card::field(format!("Point {number}"), lines.join("\n"))
}

/// `E1 (Output rose …) used: …`.
fn acknowledged(taken: &Acknowledgement, evidence: &[Evidence]) -> String {
    let brought = evidence.iter().find(|evidence| evidence.number == taken.evidence);
    let claim = brought.map_or_else(String::new, |brought| format!(" ({})", text::label(&brought.claim, 40)));
    format!(
        "**E{}**{claim} {}: {}",
        taken.evidence,
        bearing(taken.bearing),
        markdown::inline(first_sentence(&taken.how), 140)
    )
}

pub(super) fn bearing(bearing: Bearing) -> &'static str {
    match bearing {
        Bearing::Used => "used",
        Bearing::DoesNotBear => "does not apply",
    }
}

pub(super) fn kind(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Fact => "fact",
        EvidenceKind::Projection => "projection",
        EvidenceKind::Analogy => "analogy",
        EvidenceKind::Value => "value",
    }
}

pub(super) fn aim(aim: Aim) -> &'static str {
    match aim {
        Aim::Assumptions => "what the other side takes for granted",
        Aim::Evidence => "what its case rests on",
        Aim::Logic => "how one thing follows from another",
    }
}

/// Stands before an answer that is not simply one.
pub(super) fn taken(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Direct => "",
        AnswerKind::DoesNotKnow => "**Does not know:** ",
        AnswerKind::ChallengesPremise => "**Challenges the premise:** ",
    }
}
