//! How the team votes with the debate behind it: the panel, the reminder, and what is said before it is closed early.

use super::{
    super::{
        card, text,
        vote::{decide, fields, have_voted},
    },
    one, opinion_sign, opinions,
};
use domain::{
    Ballot, ButtonStyle, Color, CustomId, Does, Embed, Field, Opinion, Opinions, Post, Row, SessionId, Vote,
    VoteState,
};

/// The panel on which the team votes after the debate.
pub(crate) fn opinion_panel(session: &SessionId, vote: &Vote) -> Post {
    let open = vote.state == VoteState::Open;
    let how = if !open {
        "This vote is closed."
    } else if vote.rules.live {
        "The debate is over: vote now, whether or not you voted before it. Counts are shown while the vote is open, \
         never who voted for what; you can change your vote until it closes."
    } else {
        "The debate is over: vote now, whether or not you voted before it. Your vote is secret; you can change it \
         until the vote closes."
    };
    let before = vote.earlier.len();
    let earlier = match before {
        0 => "Nobody voted before the debate, so it cannot be shown how opinions moved.".to_owned(),
        1 => "1 voted before the debate.".to_owned(),
        _ => format!("{} voted before the debate.", card::thousands(before as u64)),
    };
    let fields = fields(vote, || standings(vote), "How opinions moved is posted in this thread.");
    let embed = Embed {
        title: "🗳️ What do you think now?".to_owned(),
        description: format!("## {}\n{how}\n{earlier}", text::label(&vote.question, 640)),
        color: if open { Color::Active } else { Color::Neutral },
        fields,
        footer: "These are opinions, not a verdict: no side wins or loses here.".to_owned(),
        ..Embed::default()
    };
    let rows = if open {
        let close =
            card::button(CustomId::new(session, Does::OpinionClose), "Close", "🔒", ButtonStyle::Secondary);
        vec![Row::Buttons(opinions(session, Does::OpinionAfter)), Row::Buttons(vec![close])]
    } else {
        vec![Row::Buttons(vec![decide(session)])]
    };
    one(Post { rows, ..card::post(embed) })
}

/// Text and buttons of the reminder.
pub(crate) fn opinion_reminder(session: &SessionId, vote: &Vote) -> (String, Row) {
    let until = vote.deadline.map_or_else(String::new, |at| format!(" It closes <t:{at}:R>."));
    let content = format!(
        "⏰ **{}** What do you think now that the debate is over?{until} {}. If you have voted, there is nothing to do.",
        text::label(&vote.question, 200),
        have_voted(vote.ballots.len()),
    );
    (content, Row::Buttons(opinions(session, Does::OpinionAfter)))
}

/// What it means to close it now.
pub(crate) fn before_closing(vote: &Vote) -> String {
    format!(
        "{}. Once the vote is closed, nobody can vote or change their vote, and it cannot be opened again.",
        have_voted(vote.ballots.len())
    )
}

/// Counts while it is open, in the order that never changes.
fn standings(vote: &Vote) -> Field {
    let mut counts = Opinions::default();
    for opinion in vote.ballots.iter().filter_map(Ballot::opinion) {
        counts[opinion as usize] += 1;
    }
    let line = |opinion: Opinion| {
        format!("{} {}: {}", opinion_sign(opinion), opinion.name(), counts[opinion as usize])
    };
    card::field("📊 So far", Opinion::ALL.map(line).join("\n"))
}
