//! The panel on which a team gives points.

use super::{
    super::{card, limits, points::chance, table::checked, text},
    decide, described, expert_notes, fields, name, raised_by,
};
use domain::{
    ButtonStyle, Color, CustomId, Does, Embed, Field, MAX_SOLUTIONS, Opens, Post, Row, Select, SelectOption,
    SessionId, Solution, Tally, Vote, VoteState,
};

/// What is voted on, how many have voted and until when, with the controls; once it is closed, what became of it.
pub(super) fn panel(session: &SessionId, vote: &Vote) -> Post {
    let tally = Tally::count(vote);
    let open = vote.state == VoteState::Open;
    let how = if !open {
        "This vote is closed."
    } else if vote.rules.live {
        "Everyone has 10 points: put them all on one or spread them. Sums are shown while it is open, never \
         who gave what; you can change your ballot until it closes."
    } else {
        "Everyone has 10 points: put them all on one or spread them. Ballots are secret until it closes; you \
         can change yours until then."
    };
    let mut fields = fields(vote, || standings(vote, &tally), "The result is posted in this thread.");
    let notes = expert_notes(vote);
    if !notes.is_empty() {
        fields.push(
            card::field("⚠️ About the experts' points", card::lines(&notes, card::FIELD_ROOM, "")).inside(),
        );
    }
    let mut embed = Embed {
        title: format!("🗳️ Vote · {}", text::label(&vote.question, 200)),
        description: how.to_owned(),
        color: if open { Color::Active } else { Color::Neutral },
        fields,
        footer: "The experts' points are advice. They are never added to the team's.".to_owned(),
        ..Embed::default()
    };
    // It is edited in place, so it is always one message.
    let mut room = (limits::EMBEDS_TOTAL - MARGIN).saturating_sub(limits::size(&embed));
    let mut lines = lines(vote, &tally, room);
    room -= lines.iter().map(|line| text::length(line) + 2).sum::<usize>().min(room);
    add_checks(&mut lines, &vote.solutions, room);
    let (first, more) = parted(&lines, DESCRIPTION - how.chars().count());
    embed.description = format!("{how}\n\n{first}");
    let rows = if open { controls(session, vote) } else { vec![Row::Buttons(vec![decide(session)])] };
    let more = Embed { description: more, color: embed.color, ..Embed::default() };
    let embeds = [embed].into_iter().chain((!more.description.is_empty()).then_some(more)).collect();
    Post { embeds, rows, ..Post::default() }
}

/// What is kept free of all that the texts of a message may have, in units.
const MARGIN: usize = 64;

/// Most characters of what stands in the panel's first embed.
const DESCRIPTION: usize = 4_000;

/// The lines that fit into `most` characters, and the others, for a second embed.
fn parted(lines: &[String], most: usize) -> (String, String) {
    let mut room = most;
    let fitting = lines.iter().take_while(|line| {
        let left = room.checked_sub(text::length(line) + 2);
        room = left.unwrap_or_default();
        left.is_some()
    });
    let (first, more) = lines.split_at(fitting.count());
    (first.join("\n\n"), more.join("\n\n"))
}

/// Adds to the solutions' lines what checks found, as far as there is room; of the others, where it stands.
fn add_checks(lines: &mut [String], solutions: &[Solution], mut room: usize) {
    for (line, solution) in lines.iter_mut().zip(solutions) {
        let whole = checked(&solution.provenance);
        let there = if solution.provenance.sharper.is_empty() { "" } else { ELSEWHERE };
        let fits = |text: &str| text::length(text) <= room && text::length(line) + text::length(text) < LINE;
        let Some(text) = [whole.as_str(), there].into_iter().find(|text| fits(text)) else { continue };
        room -= text::length(text);
        line.push_str(text);
    }
}

/// Where what was found out stands, if the panel has no room for it.
const ELSEWHERE: &str = "\n🔬 More was found out since: read *Deep research* above.";

/// Most units of an option with all that belongs to it.
const LINE: usize = 3_600;

/// The solutions, each with all that is said of it as far as there is room; the longest texts go first.
fn lines(vote: &Vote, tally: &Tally, room: usize) -> Vec<String> {
    let solutions = &vote.solutions;
    let mut whole: Vec<bool> = vec![true; solutions.len()];
    loop {
        let lines =
            solutions.iter().zip(&whole).map(|(solution, whole)| line(solution, (vote, tally), *whole));
        let lines: Vec<String> = lines.collect();
        let needed: usize = lines.iter().map(|line| text::length(line) + 2).sum();
        let longest = (0..solutions.len()).filter(|at| whole[*at]).max_by_key(|at| text::length(&lines[*at]));
        match longest {
            Some(at) if needed > room => whole[at] = false,
            _ => return lines,
        }
    }
}

/// A solution with who raised it, what the experts gave it and how likely those who gave it points hold it to be.
fn line(solution: &Solution, (vote, tally): (&Vote, &Tally), whole: bool) -> String {
    let said = if whole { described(solution) } else { String::new() };
    let title = format!("{}\n{said}", name(solution, 120));
    let title = title.trim_end();
    let by = raised_by(solution);
    if solution.proposed {
        let by = if by.is_empty() { by } else { format!(" by {by}") };
        return format!("{title}\n-# proposed{by} · not scored by the experts");
    }
    let place = usize::from(solution.id.0).saturating_sub(1);
    let points = tally.experts.points.get(place).copied().unwrap_or_default();
    let experts = match tally.experts.voters {
        0 => String::new(),
        voters => format!("experts gave {points} of {} points", voters * 10),
    };
    let by = if by.is_empty() { by } else { format!("from {by}") };
    let chance = chance(&vote.experts, place).unwrap_or_default();
    let below: Vec<String> = [by, experts, chance].into_iter().filter(|part| !part.is_empty()).collect();
    format!("{title}\n-# {}", below.join(" · ")).trim_end_matches("\n-# ").to_owned()
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
