//! The live card of a session that is done: what it came to, first. Whoever reads only the channel knows how it went.

use super::{card, debate, decision, markdown, text, vote};
use domain::{CameOut, Decision, Field, Tally, Vote, VoteKind, VoteState};

/// Most of what was said in short, in characters.
const SAID: usize = 600;
/// Most solutions that are named.
const LEADING: usize = 3;

/// What was said in short, from a text that may be longer: its first paragraph, ending at a sentence.
pub(super) fn said(came_out: &CameOut) -> String {
    let first = came_out.said.trim().split("\n\n").next().unwrap_or_default();
    markdown::short(first, SAID)
}

/// The experts' points, the team's vote, and the decision.
pub(super) fn fields(came_out: &CameOut) -> Vec<Field> {
    let vote = &came_out.vote;
    let experts =
        (vote.kind == VoteKind::Points).then(|| card::field("🧠 The experts' points", leading(vote)));
    let team = card::field("👥 The team", team(vote));
    let decision = came_out
        .decision
        .iter()
        .map(|decision| card::field(format!("📌 Decision {}", decision.number), decided(decision)));
    experts.into_iter().chain([team]).chain(decision).collect()
}

/// `37 of 60 · **S1** Share the meadow`, the leading ones first.
fn leading(vote: &Vote) -> String {
    let tally = Tally::count(vote);
    let (points, ranks) = (&tally.experts.points, tally.experts.ranks());
    let all: u32 = points.iter().sum();
    if all == 0 {
        return "No expert gave points that count.".to_owned();
    }
    let mut places: Vec<usize> =
        (0..vote.solutions.len()).filter(|&place| !vote.solutions[place].proposed).collect();
    places.sort_by_key(|&place| ranks.get(place).copied().unwrap_or(usize::MAX));
    let more = places.len().saturating_sub(LEADING);
    let mut lines: Vec<String> = places
        .into_iter()
        .take(LEADING)
        .map(|place| {
            let given = points.get(place).copied().unwrap_or_default();
            format!("{given} of {all} · {}", vote::name(&vote.solutions[place], 110))
        })
        .collect();
    if more > 0 {
        lines.push(format!("and {}", card::count(i64::try_from(more).unwrap_or(i64::MAX), "other")));
    }
    lines.join("\n")
}

/// Until when the team can say what it thinks, or what it said.
fn team(vote: &Vote) -> String {
    let until = vote.deadline.map(|deadline| format!(" until <t:{deadline}:f>")).unwrap_or_default();
    match (&vote.state, vote.kind) {
        (VoteState::Open, VoteKind::Points) => format!("The vote is open{until}, in the thread."),
        (VoteState::Open, VoteKind::Opinion) => {
            format!("What do you think now? It can be said{until}, in the thread.")
        }
        (VoteState::Closed(_), VoteKind::Opinion) => debate::swing_words(&vote.swing()),
        (VoteState::Closed(_), VoteKind::Points) => {
            let team = vote::team(vote);
            match vote.missing() {
                0 => team,
                _ => format!("{team} The quorum was not reached, so take it as a sign."),
            }
        }
    }
}

/// What was decided and by whom, and how it turned out.
fn decided(decision: &Decision) -> String {
    let by = text::label(&decision.by_name, 60);
    let decided = format!("**{}**, decided by {by}.", text::label(decision.title(), 200));
    let Some(outcome) = &decision.outcome else { return decided };
    let (emoji, word) = decision::verdict(outcome.verdict);
    format!("{decided}\n{emoji} **{word}:** {}", markdown::inline(&outcome.text, 300))
}

#[cfg(test)]
mod tests {
    use super::{super::support::shown, *};
    use crate::sample::{self, mediate::running, session};
    use domain::{Closed, Outcome, SessionState, SolutionId, StatedQuestion, Status, UserId, Verdict};

    /// From the open vote to how the decision turned out; and of a debate, which has no solutions.
    #[test]
    fn the_card_of_a_session_that_is_done_says_what_came_out() {
        let said = "Begin small: a pilot in one district answers the open questions for a tenth of what a launch costs.\n\nThe rest is detail.";
        let done = |vote: Vote, decision: Option<Decision>| {
            let (came_out, ended) =
                (Some(CameOut { said: said.into(), vote, decision }), Some(1_790_000_134));
            let question =
                StatedQuestion { text: Some("Do we build it?".into()), changed_by: None, open: false };
            let status =
                Status { state: SessionState::Done, ended, came_out, question: Some(question), ..running() };
            super::super::status::card(&session(), &status)
        };
        let pilot = sample::vote::pilot();
        let open =
            Vote { state: VoteState::Open, deadline: Some(1_790_000_000), ballots: vec![], ..pilot.clone() };
        let closed = Vote { state: VoteState::Closed(Closed::Deadline), ..pilot.clone() };
        let outcome = Outcome {
            verdict: Verdict::Worked,
            text: "Forty orders a day.".into(),
            by: UserId(2),
            by_name: "Ben".into(),
            at: 1_790_000_000,
        };
        let decision = Decision {
            number: 1,
            vote: closed.clone(),
            swing: None,
            chosen: SolutionId(1),
            rationale: "It is the smallest step.".into(),
            owner: "Ben".into(),
            dissent: String::new(),
            review: None,
            by: UserId(1),
            by_name: "Ada".into(),
            at: 1_790_000_000,
            outcome: Some(outcome),
        };
        let debated = Vote { kind: VoteKind::Opinion, solutions: vec![], experts: vec![], ..open.clone() };
        let cards = [done(open, None), done(closed, Some(decision)), done(debated, None)];
        insta::assert_snapshot!("status_came_out", shown(&cards));
    }
}
