//! The question to the team.

use std::collections::BTreeMap;

use super::super::{card, confirmation, decision, limits, markdown, text};
use domain::{
    Color, CustomId, Does, Embed, Modal, Opens, Post, Row, SessionId, Standing, TeamQuestion, TextInput,
    WaitKind, WaitOutcome,
};

/// The question: with buttons while it waits for an answer.
#[must_use]
pub fn team_card(session: &SessionId, asked: &TeamQuestion, standing: &Standing) -> Post {
    let mut lines = vec![markdown::short(&asked.question, 1_200)];
    lines.extend(asked.why.iter().map(|why| format!("- {}", markdown::inline(why, 300))));
    let lapsed = "⌛ Nobody answered within a day, so the investigation went on without.".to_owned();
    let closed = match standing.outcome {
        WaitOutcome::Expired => Some((Color::Neutral, lapsed)),
        _ => confirmation::closed(WaitKind::Team, &standing.outcome),
    };
    let (color, state, rows): (Color, String, Vec<Row>) = match closed {
        Some((color, state)) => (color, state, Vec::new()),
        None => (
            Color::Active,
            "⏳ Press **Answer**, then **Go on**; or **Go on** alone, and it goes on without an answer. I wait for a day."
                .to_owned(),
            vec![confirmation::buttons(session, WaitKind::Team, Some(standing.revision))],
        ),
    };
    let mut fields = Vec::new();
    if let Some(answer) = &asked.answer {
        let by = text::label(&asked.by, 80);
        fields.push(card::field(format!("The team's answer, by {by}"), markdown::member_inline(answer, 900)));
    }
    let embed = Embed {
        title: "🙋 A question to the team".to_owned(),
        description: format!("{}\n\n{state}", lines.join("\n")),
        color,
        fields,
        ..Embed::default()
    };
    limits::one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// The form in which it is answered.
#[must_use]
pub fn team_form(session: &SessionId, asked: &TeamQuestion) -> Modal {
    let input = TextInput {
        id: "answer".to_owned(),
        label: "Your answer".to_owned(),
        placeholder: "What the investigation needs to know, up to 1,000 characters".to_owned(),
        value: asked.answer.clone().unwrap_or_default(),
        paragraph: true,
        required: true,
        max: 4_000,
    };
    Modal {
        id: CustomId::new(session, Does::TeamSent),
        title: "A question to the team".to_owned(),
        inputs: vec![input.into()],
    }
}

/// A refusal of an answer that gives back what was written, with a button that opens the form again.
#[must_use]
pub fn team_refused(session: &SessionId, refusal: Post, written: &BTreeMap<String, String>) -> Post {
    let text = written.values().next().map(String::as_str).unwrap_or_default();
    decision::give_back_whole(refusal, &[("Your answer", text)], CustomId::new(session, Opens::TeamAnswer))
}
