//! Answers to what the team asks somebody of the debate.

use super::{
    super::{
        card,
        followup::{Answered, cards},
        text,
    },
    color, second_look, speaker,
};
use domain::{Addressee, Embed, Post, SessionId, StepKey, neutrality::Judgement};

/// An answer of somebody of a debate, in its role, to what `author` asked.
#[must_use]
pub fn addressed_card(
    session: &SessionId,
    step: &StepKey,
    to: Addressee,
    (author, question): (&str, &str),
    (answered, judgement): (&Answered<'_>, &Judgement),
) -> Vec<Post> {
    let author = text::label(author, 100);
    let (title, footer) = match to {
        Addressee::Advocate(_) => (
            format!("{} answers {author}", speaker(to)),
            "In its role, from what was said in this debate, nothing else.",
        ),
        Addressee::Moderator => (
            format!("⚖️ The moderator answers {author}"),
            "From what was said in this debate, nothing else; it never says who is right.",
        ),
    };
    let first = Embed {
        author: card::answered_by(answered.model),
        title,
        color: color(to),
        footer: footer.to_owned(),
        fields: second_look(judgement, false).into_iter().collect(),
        ..Embed::default()
    };
    cards(session, step, question, answered, first)
}
