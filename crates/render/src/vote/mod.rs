//! What people see of a vote, of whatever kind: the panel it is cast on, the reminder, the question before it is closed
//! early, and the result; of a vote of points also the private panel for spreading them, and forms.
//!
//! Invariant: while a vote is open nothing here tells how anybody voted, and sums only where its rules say live.
//! Experts and team stand side by side and are never summed. Called by `steps` and `session` for what stands in the
//! thread and by `bot` and `session` for what one person sees.

mod forms;
mod panel;
mod reminder;
mod result;
mod sides;
mod spread;
#[cfg(test)]
mod tests;

pub use forms::{propose_form, typed_form};
pub use spread::spread;

use super::{card, debate, markdown, text};
use domain::{
    Allocation, Basis, Button, ButtonStyle, Closed, Color, CustomId, Does, Electorate, Embed, Field, Opens,
    Pings, Post, Row, SessionId, Solution, Tally, Vote, VoteKind, VoteState, citations::without_marks,
};

/// Most members named one by one; there is no room for fifty.
const NAMED: usize = 20;

/// The vote as it stands: how many have voted and until when, with the controls; once it is closed, what became of it.
#[must_use]
pub fn panel(session: &SessionId, vote: &Vote) -> Post {
    match vote.kind {
        VoteKind::Points => panel::panel(session, vote),
        VoteKind::Opinion => debate::opinion_panel(session, vote),
    }
}

/// Said before the vote closes, to the role that may vote or to those of the named members who have not voted.
#[must_use]
pub fn reminder(session: &SessionId, vote: &Vote) -> Post {
    let (whom, pings) = called(vote);
    let (content, row) = match vote.kind {
        VoteKind::Points => reminder::reminder(session, vote),
        VoteKind::Opinion => debate::opinion_reminder(session, vote),
    };
    Post { content: format!("{whom}{content}"), rows: vec![row], pings, ..Post::default() }
}

/// Asked privately before somebody closes the vote: what it means, and the button that does it.
#[must_use]
pub fn confirm_close(session: &SessionId, vote: &Vote) -> Post {
    let (description, does) = match vote.kind {
        VoteKind::Points => (reminder::before_closing(vote), Does::VoteCloseSure),
        VoteKind::Opinion => (debate::before_closing(vote), Does::OpinionCloseSure),
    };
    let embed = Embed {
        title: "🔒 Close the vote now?".to_owned(),
        description,
        color: Color::Caution,
        footer: "To leave it open, do nothing.".to_owned(),
        ..Embed::default()
    };
    let id = CustomId::new(session, does);
    let sure = card::button(id, "Close it for everyone", "🔒", ButtonStyle::Danger);
    Post { rows: vec![Row::Buttons(vec![sure])], ..card::post(embed) }
}

/// The result of a closed vote. It only shows sums; what a member voted is nobody else's to see.
#[must_use]
pub fn result(session: &SessionId, vote: &Vote) -> Vec<Post> {
    match vote.kind {
        VoteKind::Points => result::result(session, vote),
        VoteKind::Opinion => debate::swing_card(session, &vote.swing(), vote),
    }
}

/// Who leads in the team's vote, in words.
pub(super) fn team(vote: &Vote) -> String {
    sides::headline(vote, &Tally::count(vote).team, "Nobody voted.")
}

/// Whom a reminder calls. A name in a text notifies nobody; the pings do, and are filled only where the rules allow
/// it, and never with everyone.
fn called(vote: &Vote) -> (String, Pings) {
    let mut pings = Pings { users: vote.waiting_for().collect(), ..Pings::default() };
    if let Electorate::Role(role) = &vote.rules.electorate {
        pings.roles.push(*role);
    }
    let roles = pings.roles.iter().map(|role| format!("<@&{role}> "));
    let whom = roles.chain(pings.users.iter().map(|member| format!("<@{member}> "))).collect();
    (whom, if vote.rules.ping { pings } else { Pings::default() })
}

/// What a panel says of turnout and end: `standings` stand there while the vote is open, if its rules say so;
/// `posted` says where to read on once it is closed.
pub(super) fn fields(vote: &Vote, standings: impl FnOnce() -> Field, posted: &str) -> Vec<Field> {
    let mut fields = vec![card::inline("🗳️ Turnout", so_far(vote))];
    match &vote.state {
        VoteState::Open => {
            if let Some(deadline) = vote.deadline {
                fields.push(card::inline("⏳ Closes", format!("<t:{deadline}:R>\n<t:{deadline}:f>")));
            }
            fields.push(card::inline("👥 Who may vote", electorate(&vote.rules.electorate)));
            if vote.rules.live {
                fields.push(standings());
            }
        }
        VoteState::Closed(why) => {
            fields.push(card::field("🔒 Closed", format!("{} {posted}", closed(why))));
        }
    }
    fields
}

/// `**S1 · Pilot in one district**`.
pub(super) fn name(solution: &Solution, most: usize) -> String {
    format!("**{} · {}**", solution.id, text::label(&solution.title, most))
}

/// Longest text of an option on a card, in characters.
const LONGEST: usize = 2_800;

/// All that is said of an option, as far as a card has room for one. What a member writes has brackets and addresses of its own.
fn described(solution: &Solution) -> String {
    let text = &solution.description;
    if solution.proposed {
        markdown::member_short(text, LONGEST)
    } else {
        markdown::short(&without_marks(text), LONGEST)
    }
}

/// `Market, Cost and Risk`, shortened where there are many.
fn raised_by(solution: &Solution) -> String {
    few(&solution.raised_by, 4)
}

/// Names on a line; after so many, only how many more there are.
fn few(names: &[String], most: usize) -> String {
    let shown = names.iter().map(|name| text::label(name, 32));
    if names.len() <= most + 1 {
        return card::listed(&shown.collect::<Vec<_>>());
    }
    let shown: Vec<String> = shown.take(most).chain([format!("{} more", names.len() - most)]).collect();
    card::listed(&shown)
}

/// `3 have voted`, `3 of 5 have voted`.
fn turnout(vote: &Vote) -> String {
    let came = vote.ballots.len();
    match vote.rules.electorate.size() {
        Some(all) => format!("{came} of {all} {} voted", if all == 1 { "has" } else { "have" }),
        None => have_voted(came),
    }
}

/// `Nobody has voted yet`, `1 has voted`, `3 have voted`.
pub(super) fn have_voted(votes: usize) -> String {
    match votes {
        0 => "Nobody has voted yet".to_owned(),
        1 => "1 has voted".to_owned(),
        _ => format!("{} have voted", card::thousands(votes as u64)),
    }
}

/// Turnout, and how far the quorum is.
fn so_far(vote: &Vote) -> String {
    let turnout = turnout(vote);
    match (vote.rules.quorum, vote.missing()) {
        (0, _) => turnout,
        (quorum, 0) => format!("{turnout}\nQuorum of {quorum} reached"),
        (quorum, more) => format!("{turnout}\nQuorum of {quorum}: {more} more needed"),
    }
}

/// Who may vote, in words; mentions are shown and notify nobody.
fn electorate(electorate: &Electorate) -> String {
    match electorate {
        Electorate::Everyone => "Everyone who sees this thread".to_owned(),
        Electorate::Role(role) => format!("Whoever has the role <@&{role}>"),
        Electorate::Named(members) => {
            let mut shown: Vec<String> =
                members.iter().take(NAMED).map(|member| format!("<@{member}>")).collect();
            if members.len() > NAMED {
                shown.push(format!("{} more", members.len() - NAMED));
            }
            card::listed(&shown)
        }
    }
}

/// What closed a vote.
pub(super) fn closed(closed: &Closed) -> String {
    match closed {
        Closed::Deadline => "It closed at its deadline.".to_owned(),
        Closed::Everyone => "It closed when everyone who may vote had voted.".to_owned(),
        Closed::Start => "It closed when the session went on.".to_owned(),
        Closed::Person(name) => format!("{} closed it.", text::label(name, 60)),
    }
}

/// What there is to know about how experts' points came about; nothing where all are as given.
fn expert_notes(vote: &Vote) -> Vec<String> {
    let titles = |basis: Basis| -> Vec<String> {
        vote.experts.iter().filter(|expert| expert.basis == basis).map(|e| e.title.clone()).collect()
    };
    let mut notes = Vec::new();
    let even = titles(Basis::Even);
    if !even.is_empty() {
        notes.push(format!(
            "{} gave no points that could be used. They were spread evenly and are not counted as an opinion.",
            few(&even, 6)
        ));
    }
    let scaled = titles(Basis::Scaled);
    if !scaled.is_empty() {
        notes.push(format!("{}: the points did not add up to 10 and were scaled to 10.", few(&scaled, 6)));
    }
    notes
}

/// A ballot on a line: `S1 3 · S2 7`.
#[must_use]
pub fn ballot(allocation: &Allocation) -> String {
    let given = (1..).zip(allocation.points()).filter(|(_, points)| **points > 0);
    given.map(|(place, points)| format!("S{place} {points}")).collect::<Vec<_>>().join(" · ")
}

/// The button below a closed vote and its result.
pub(super) fn decide(session: &SessionId) -> Button {
    card::button(CustomId::new(session, Opens::Decide), "Record decision", "📝", ButtonStyle::Primary)
}
