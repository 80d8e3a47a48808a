//! Answers to what the team asks in the thread.

use super::{card, limits, markdown, text};
use domain::{Color, Embed, Post, SessionId, StepKey};

/// An answer as its card shows it.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// What it says.
    pub text: &'a str,
    /// What it draws on: `market, round 2`.
    pub grounds: &'a [String],
    /// What the material does not hold, if anything.
    pub missing: Option<&'a str>,
    /// Who answered.
    pub model: &'a str,
}

/// An answer drawn from the session's own material, to what `author` asked.
#[must_use]
pub fn answer_card(
    session: &SessionId,
    step: &StepKey,
    (author, question): (&str, &str),
    answered: &Answered<'_>,
) -> Vec<Post> {
    let first = Embed {
        author: format!("{} asked", text::plain(author, 100)),
        title: format!("💬 Answer · {}", text::label(answered.model, 150)),
        color: if answered.missing.is_some() { Color::Caution } else { Color::Neutral },
        footer: "From this session; what is from elsewhere is marked (from memory).".to_owned(),
        ..Embed::default()
    };
    cards(session, step, question, answered, first)
}

/// Question and answer below the heading of `first`, whose footer stands at the end.
pub(super) fn cards(
    session: &SessionId,
    step: &StepKey,
    question: &str,
    answered: &Answered<'_>,
    first: Embed,
) -> Vec<Post> {
    let Answered { text: answer, grounds, missing, .. } = *answered;
    let asked = markdown::member_inline(question, 400);
    let said = markdown::prose(answer, limits::DESCRIPTION - 1_000);
    let mut said = said.into_iter();
    let mut description = format!("> {asked}\n\n{}", said.next().unwrap_or_else(|| "(no answer)".to_owned()));
    if let Some(missing) = missing {
        let missing = markdown::inline(missing, 300);
        description = format!("{description}\n\n🔍 **Not in this session's material:** {missing}");
    }
    let (color, footer) = (first.color, first.footer.clone());
    let mut embeds = vec![Embed { description, footer: String::new(), ..first }];
    embeds.extend(said.map(|description| Embed { description, color, ..Embed::default() }));
    if let Some(last) = embeds.last_mut() {
        let shown: Vec<String> =
            grounds.iter().map(|ground| format!("- {}", markdown::inline(ground, 200))).collect();
        if !shown.is_empty() {
            last.fields.push(card::field("Drawn from", card::lines(&shown, card::FIELD_ROOM, "places.")));
        }
        last.footer = footer;
    }
    limits::fit(Post { embeds, rows: vec![card::raw_only(session, step)], ..Post::default() })
}
