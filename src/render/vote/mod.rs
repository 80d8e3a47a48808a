//! What people see of a vote: the panel it is cast on, the private panel for spreading points, forms, the reminder
//! and the result.
//!
//! Invariant: while a vote is open nothing here tells how anybody voted, and sums only where its rules say live.
//! Experts and team stand side by side and are never summed. Called by `steps` for what stands in the thread and by
//! `bot` for what one person sees.

mod forms;
mod panel;
mod result;
#[cfg(test)]
pub(super) mod sample;
mod sides;
mod spread;
#[cfg(test)]
mod tests;

pub use forms::{propose_form, typed_form};
pub use panel::{confirm_close, panel, reminder};
pub use result::result;
pub use spread::spread;

use super::{card, text};
use crate::domain::{
    Allocation, Basis, Button, ButtonStyle, Closed, CustomId, Electorate, Opens, SessionId, Solution, Vote,
};

/// Most members named one by one; there is no room for fifty.
const NAMED: usize = 20;

/// `**S1 · Pilot in one district**`.
fn name(solution: &Solution, most: usize) -> String {
    format!("**{} · {}**", solution.id, text::label(&solution.title, most))
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
        None if came == 0 => "Nobody has voted yet".to_owned(),
        None => format!("{came} {} voted", if came == 1 { "has" } else { "have" }),
    }
}

/// How many ballots are missing for the quorum.
fn missing(vote: &Vote) -> usize {
    usize::try_from(vote.rules.quorum).unwrap_or(usize::MAX).saturating_sub(vote.ballots.len())
}

/// Who may vote, in words; mentions are shown and notify nobody.
pub(super) fn electorate(electorate: &Electorate) -> String {
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
fn closed(closed: &Closed) -> String {
    match closed {
        Closed::Deadline => "It closed at its deadline.".to_owned(),
        Closed::Everyone => "It closed when everyone who was asked had voted.".to_owned(),
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
fn decide(session: &SessionId) -> Button {
    card::button(CustomId::new(session, Opens::Decide), "Record decision", "📝", ButtonStyle::Primary)
}
