//! What is said before a vote of points closes: to everybody, and to whoever wants to close it early.

use super::{
    super::{card, text},
    turnout,
};
use domain::{ButtonStyle, CustomId, Does, Row, SessionId, Vote};

/// Text and button of the reminder.
pub(super) fn reminder(session: &SessionId, vote: &Vote) -> (String, Row) {
    let quorum = match (vote.rules.quorum, vote.missing()) {
        (0, _) | (_, 0) => String::new(),
        (quorum, more) => format!(" {more} more are needed for the quorum of {quorum}."),
    };
    let content = format!(
        "⏰ The vote on **{}** closes <t:{}:R>. {}.{quorum} If you have voted, there is nothing to do.",
        text::label(&vote.question, 200),
        vote.deadline.unwrap_or_default(),
        turnout(vote)
    );
    let spread = card::button(
        CustomId::new(session, Does::VoteSpread),
        "Spread 10 points",
        "🎚️",
        ButtonStyle::Primary,
    );
    (content, Row::Buttons(vec![spread]))
}

/// What it means to close it now.
pub(super) fn before_closing(vote: &Vote) -> String {
    let means = format!(
        "{}. It would stay open until <t:{1}:f> (<t:{1}:R>). Once it is closed, nobody can vote or change a ballot, \
         and it cannot be opened again.",
        turnout(vote),
        vote.deadline.unwrap_or_default()
    );
    if vote.missing() == 0 {
        return means;
    }
    format!(
        "{means}\n\n⚠️ The quorum of {} is not reached: the result would not be binding.",
        vote.rules.quorum
    )
}
