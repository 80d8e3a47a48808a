//! The reminder before the second asking closes.

use super::{super::text, have_voted, opinions};
use crate::domain::{Does, Electorate, OpinionVote, Pings, Post, Row, SessionId};

/// Said before the second asking closes, to the role that is asked or to those of the named members who have not
/// said so. A name in a text notifies nobody; `pings` does, and is filled only where the rules allow it, and never
/// with everyone.
#[must_use]
pub fn opinion_reminder(session: &SessionId, question: &str, vote: &OpinionVote) -> Post {
    let mut pings = Pings::default();
    match &vote.rules.electorate {
        Electorate::Everyone => {}
        Electorate::Role(role) => pings.roles.push(*role),
        Electorate::Named(members) => {
            let said = |member| vote.ballots.iter().any(|(voter, _)| *voter == member);
            pings.users = members.iter().copied().filter(|member| !said(*member)).collect();
        }
    }
    let roles = pings.roles.iter().map(|role| format!("<@&{role}> "));
    let whom: String = roles.chain(pings.users.iter().map(|member| format!("<@{member}> "))).collect();
    if !vote.rules.ping {
        pings = Pings::default();
    }
    let until = vote.deadline.map_or_else(String::new, |at| format!(" It closes <t:{at}:R>."));
    let content = format!(
        "{whom}⏰ **{}** What do you think now that the debate is over?{until} {}. If you have \
         voted, there is nothing to do.",
        text::label(question, 200),
        have_voted(vote.ballots.len()),
    );
    Post {
        content,
        rows: vec![Row::Buttons(opinions(session, Does::OpinionAfter))],
        pings,
        ..Post::default()
    }
}
