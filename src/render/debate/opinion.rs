//! The panel on which the team votes with the debate behind it.

use super::{
    super::{card, text, vote::electorate},
    have_voted, one, opinion_sign, opinions,
};
use crate::domain::{
    Button, ButtonStyle, Closed, Color, CustomId, Does, Embed, Field, Opens, Opinion, OpinionState,
    OpinionVote, Opinions, Post, Row, SessionId,
};

/// The panel on which the team votes after the debate. `before` is how many voted before it.
#[must_use]
pub fn opinion_panel(session: &SessionId, question: &str, vote: &OpinionVote, before: usize) -> Post {
    let open = vote.state == OpinionState::Open;
    let how = if !open {
        "This vote is closed."
    } else if vote.rules.live {
        "The debate is over: vote now, whether or not you voted before it. Counts are shown while the vote is open, \
         never who voted for what; you can change your vote until it closes."
    } else {
        "The debate is over: vote now, whether or not you voted before it. Your vote is secret; you can change it \
         until the vote closes."
    };
    let earlier = match before {
        0 => "Nobody voted before the debate, so it cannot be shown how opinions moved.".to_owned(),
        1 => "1 voted before the debate.".to_owned(),
        _ => format!("{} voted before the debate.", card::thousands(before as u64)),
    };
    let mut fields = vec![card::inline("🗳️ Turnout", so_far(vote))];
    match &vote.state {
        OpinionState::Open => {
            if let Some(deadline) = vote.deadline {
                fields.push(card::inline("⏳ Closes", format!("<t:{deadline}:R>\n<t:{deadline}:f>")));
            }
            fields.push(card::inline("👥 Who may vote", electorate(&vote.rules.electorate)));
            if vote.rules.live {
                fields.push(standings(vote));
            }
        }
        OpinionState::Started => {}
        OpinionState::Closed(why) => {
            let value = format!("{} How opinions moved is posted in this thread.", closed(why));
            fields.push(card::field("🔒 Closed", value));
        }
    }
    let embed = Embed {
        title: "🗳️ What do you think now?".to_owned(),
        description: format!("## {}\n{how}\n{earlier}", text::label(question, 640)),
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

/// The question before the second asking is closed early.
#[must_use]
pub fn confirm_opinion_close(session: &SessionId, said: usize) -> Post {
    let description = format!(
        "{}. Once the vote is closed, nobody can vote or change their vote, and it cannot be opened again.",
        have_voted(said)
    );
    let embed = Embed {
        title: "🔒 Close the vote now?".to_owned(),
        description,
        color: Color::Caution,
        footer: "To leave it open, do nothing.".to_owned(),
        ..Embed::default()
    };
    let id = CustomId::new(session, Does::OpinionCloseSure);
    let sure = card::button(id, "Close it for everyone", "🔒", ButtonStyle::Danger);
    Post { rows: vec![Row::Buttons(vec![sure])], ..card::post(embed) }
}

/// The button below a closed asking and its result.
pub(super) fn decide(session: &SessionId) -> Button {
    card::button(CustomId::new(session, Opens::Decide), "Record decision", "📝", ButtonStyle::Primary)
}

/// Turnout, and how far the quorum is.
fn so_far(vote: &OpinionVote) -> String {
    let came = vote.ballots.len();
    let turnout = match vote.rules.electorate.size() {
        Some(all) => format!("{came} of {all} {} voted", if all == 1 { "has" } else { "have" }),
        None => have_voted(came),
    };
    match (vote.rules.quorum, missing(vote)) {
        (0, _) => turnout,
        (quorum, 0) => format!("{turnout}\nQuorum of {quorum} reached"),
        (quorum, more) => format!("{turnout}\nQuorum of {quorum}: {more} more needed"),
    }
}

/// How many are missing for the quorum.
pub(super) fn missing(vote: &OpinionVote) -> usize {
    usize::try_from(vote.rules.quorum).unwrap_or(usize::MAX).saturating_sub(vote.ballots.len())
}

/// Counts while it is open, in the order that never changes.
fn standings(vote: &OpinionVote) -> Field {
    let mut counts = Opinions::default();
    for (_, opinion) in &vote.ballots {
        counts[*opinion as usize] += 1;
    }
    let line = |opinion: Opinion| {
        format!("{} {}: {}", opinion_sign(opinion), opinion.name(), counts[opinion as usize])
    };
    card::field("📊 So far", Opinion::ALL.map(line).join("\n"))
}

/// What closed it.
pub(super) fn closed(closed: &Closed) -> String {
    match closed {
        Closed::Deadline => "It closed at its deadline.".to_owned(),
        Closed::Everyone => "It closed when everyone who may vote had voted.".to_owned(),
        Closed::Person(name) => format!("{} closed it.", text::label(name, 60)),
    }
}
