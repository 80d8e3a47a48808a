//! The panel that a team votes on, the reminder before it closes, and the question before it is closed early.

use super::{
    super::{card, text},
    closed, decide, electorate, expert_notes, missing, name, raised_by, turnout,
};
use crate::domain::{
    ButtonStyle, Color, CustomId, Does, Electorate, Embed, Field, MAX_SOLUTIONS, Opens, Pings, Post, Row,
    Select, SelectOption, SessionId, Solution, Tally, Vote, VoteState,
};

/// The vote as it stands: what is voted on, how many have voted and until when, with the controls; once it is
/// closed, what became of it.
#[must_use]
pub fn panel(session: &SessionId, vote: &Vote) -> Post {
    let tally = Tally::count(vote);
    let open = vote.state == VoteState::Open;
    let how = if !open {
        "This vote is closed."
    } else if vote.rules.live {
        "Everyone has 10 points: give them to one solution or spread them. Sums are shown while it is open, never \
         who gave what; you can change your ballot until it closes."
    } else {
        "Everyone has 10 points: give them to one solution or spread them. Ballots are secret until it closes; you \
         can change yours until then."
    };
    let lines: Vec<String> = vote.solutions.iter().map(|solution| line(solution, &tally)).collect();
    let mut fields = vec![card::inline("🗳️ Turnout", so_far(vote))];
    match &vote.state {
        VoteState::Open => {
            fields.push(card::inline("⏳ Closes", format!("<t:{0}:R>\n<t:{0}:f>", vote.deadline)));
            fields.push(card::inline("👥 Who may vote", electorate(&vote.rules.electorate)));
            if vote.rules.live {
                fields.push(standings(vote, &tally));
            }
        }
        VoteState::Closed(why) => {
            let value = format!("{} The result is posted in this thread.", closed(why));
            fields.push(card::field("🔒 Closed", value));
        }
    }
    let notes = expert_notes(vote);
    if !notes.is_empty() {
        fields.push(card::field("⚠️ About the experts' points", card::lines(&notes, card::FIELD_ROOM, "")));
    }
    let embed = Embed {
        title: format!("🗳️ Vote · {}", text::label(&vote.question, 200)),
        description: format!("{how}\n\n{}", lines.join("\n")),
        color: if open { Color::Active } else { Color::Neutral },
        fields,
        footer: "The experts' points are advice. They are never added to the team's.".to_owned(),
        ..Embed::default()
    };
    let rows = if open { controls(session, vote) } else { vec![Row::Buttons(vec![decide(session)])] };
    Post { embeds: vec![embed], rows, ..Post::default() }
}

/// A solution with who raised it and what the experts gave it.
fn line(solution: &Solution, tally: &Tally) -> String {
    let title = name(solution, 120);
    let by = raised_by(solution);
    if solution.proposed {
        let by = if by.is_empty() { by } else { format!(" by {by}") };
        return format!("{title}\nproposed{by} · not scored by the experts");
    }
    let place = usize::from(solution.id.0).saturating_sub(1);
    let points = tally.experts.points.get(place).copied().unwrap_or_default();
    let experts = match tally.experts.voters {
        0 => String::new(),
        voters => format!("experts gave {points} of {} points", voters * 10),
    };
    let by = if by.is_empty() { by } else { format!("from {by}") };
    let below: Vec<String> = [by, experts].into_iter().filter(|part| !part.is_empty()).collect();
    format!("{title}\n{}", below.join(" · ")).trim_end().to_owned()
}

/// Turnout, and how far the quorum is.
fn so_far(vote: &Vote) -> String {
    let turnout = turnout(vote);
    match (vote.rules.quorum, missing(vote)) {
        (0, _) => turnout,
        (quorum, 0) => format!("{turnout}\nQuorum of {quorum} reached"),
        (quorum, more) => format!("{turnout}\nQuorum of {quorum}: {more} more needed"),
    }
}

/// The team's sums while the vote is open.
fn standings(vote: &Vote, tally: &Tally) -> Field {
    if vote.ballots.is_empty() {
        return card::field("📊 So far", "No points yet.");
    }
    let line = |(place, solution): (usize, &Solution)| {
        let points = tally.team.points.get(place).copied().unwrap_or_default();
        let from = tally.team.approvals.get(place).copied().unwrap_or_default();
        format!("**{}** {}, from {from}", solution.id, card::count(points, "point"))
    };
    let lines: Vec<String> = vote.solutions.iter().enumerate().map(line).collect();
    card::field("📊 The team so far", lines.join("\n"))
}

fn controls(session: &SessionId, vote: &Vote) -> Vec<Row> {
    let full = vote.solutions.len() >= MAX_SOLUTIONS;
    let label = if full { "No room for more (10)" } else { "Propose" };
    let mut propose =
        card::button(CustomId::new(session, Opens::Propose), label, "💡", ButtonStyle::Secondary);
    propose.disabled = full;
    let buttons = Row::Buttons(vec![
        card::button(
            CustomId::new(session, Does::VoteSpread),
            "Spread 10 points",
            "🎚️",
            ButtonStyle::Primary,
        ),
        propose,
        card::button(CustomId::new(session, Does::VoteClose), "Close vote", "🔒", ButtonStyle::Secondary),
    ]);
    let all = Select {
        id: CustomId::new(session, Does::VoteAll),
        placeholder: "All 10 points to…".to_owned(),
        options: vote.solutions.iter().map(option).collect(),
        range: (1, 1),
    };
    if all.options.is_empty() { vec![buttons] } else { vec![Row::Select(all), buttons] }
}

/// A solution in a menu; its value is its number.
pub(super) fn option(solution: &Solution) -> SelectOption {
    SelectOption {
        label: text::plain(&format!("{} · {}", solution.id, solution.title), 100),
        value: solution.id.0.to_string(),
        description: text::plain(&solution.description, 100),
    }
}

/// Said before the vote closes, to the role that may vote or to those of the named members who have not voted. A name
/// in a text notifies nobody; `pings` does, and is filled only where the rules allow it, and never with everyone.
#[must_use]
pub fn reminder(session: &SessionId, vote: &Vote) -> Post {
    let mut pings = Pings::default();
    match &vote.rules.electorate {
        Electorate::Everyone => {}
        Electorate::Role(role) => pings.roles.push(*role),
        Electorate::Named(members) => {
            let voted = |member| vote.ballots.iter().any(|ballot| ballot.voter == member);
            pings.users = members.iter().copied().filter(|member| !voted(*member)).collect();
        }
    }
    let roles = pings.roles.iter().map(|role| format!("<@&{role}> "));
    let whom: String = roles.chain(pings.users.iter().map(|member| format!("<@{member}> "))).collect();
    if !vote.rules.ping {
        pings = Pings::default();
    }
    let quorum = match (vote.rules.quorum, missing(vote)) {
        (0, _) | (_, 0) => String::new(),
        (quorum, more) => format!(" {more} more are needed for the quorum of {quorum}."),
    };
    let content = format!(
        "{whom}⏰ The vote on **{}** closes <t:{}:R>. {}.{quorum} If you have voted, there is nothing to do.",
        text::label(&vote.question, 200),
        vote.deadline,
        turnout(vote)
    );
    let spread = card::button(
        CustomId::new(session, Does::VoteSpread),
        "Spread 10 points",
        "🎚️",
        ButtonStyle::Primary,
    );
    Post { content, rows: vec![Row::Buttons(vec![spread])], pings, ..Post::default() }
}

/// Asked privately before somebody closes the vote: what it means, and the button that does it.
#[must_use]
pub fn confirm_close(session: &SessionId, vote: &Vote) -> Post {
    let mut description = format!(
        "{}. It would stay open until <t:{1}:f> (<t:{1}:R>). Once it is closed, nobody can vote or change a ballot, \
         and it cannot be opened again.",
        turnout(vote),
        vote.deadline
    );
    if missing(vote) > 0 {
        description = format!(
            "{description}\n\n⚠️ The quorum of {} is not reached: the result would not be binding.",
            vote.rules.quorum
        );
    }
    let embed = Embed {
        title: "🔒 Close the vote now?".to_owned(),
        description,
        color: Color::Caution,
        footer: "To leave it open, do nothing.".to_owned(),
        ..Embed::default()
    };
    let sure = card::button(
        CustomId::new(session, Does::VoteCloseSure),
        "Close it for everyone",
        "🔒",
        ButtonStyle::Danger,
    );
    Post { rows: vec![Row::Buttons(vec![sure])], ..card::post(embed) }
}
