//! The private panel on which one person spreads ten points. The draft is in its buttons: each carries the draft as
//! it will be once it is pressed, so that nothing has to be remembered.

use super::{super::card, name, panel::option};
use domain::{
    Button, ButtonStyle, Changes, Color, CustomId, Does, Draft, Embed, Opens, POINTS_PER_VOTER, Post, Row,
    Select, SessionId, Solution, Vote,
};

/// The draft as bars, with the buttons that change it and the one that casts it.
#[must_use]
pub fn spread(session: &SessionId, vote: &Vote, draft: &Draft) -> Post {
    let lines: Vec<String> =
        vote.solutions.iter().enumerate().map(|(place, solution)| line(solution, place, draft)).collect();
    let given = given(draft);
    let (color, footer) = match given.cmp(&POINTS_PER_VOTER) {
        std::cmp::Ordering::Equal => {
            (Color::Good, "You can cast again until the vote closes; the last counts.")
        }
        _ => (Color::Active, "Only you see this. Nothing counts until you cast it."),
    };
    let embed = Embed {
        title: "🎚️ Spread your 10 points".to_owned(),
        description: format!("**{}**\n\n{}", stand(given), lines.join("\n")),
        color,
        footer: footer.to_owned(),
        ..Embed::default()
    };
    Post { rows: rows(session, vote, draft), ..card::post(embed) }
}

fn given(draft: &Draft) -> u32 {
    draft.points.iter().sum()
}

/// `7 of 10 given, 3 left`.
fn stand(given: u32) -> String {
    match given {
        POINTS_PER_VOTER => "All 10 given. Cast them, and they count.".to_owned(),
        less if less < POINTS_PER_VOTER => {
            format!("{less} of {POINTS_PER_VOTER} given, {} left", POINTS_PER_VOTER - less)
        }
        more => format!("{more} of {POINTS_PER_VOTER} given: take {} back", more - POINTS_PER_VOTER),
    }
}

fn line(solution: &Solution, place: usize, draft: &Draft) -> String {
    let points = draft.points.get(place).copied().unwrap_or_default();
    let filled = usize::try_from(points.min(POINTS_PER_VOTER)).unwrap_or_default();
    let bar = format!("{}{}", "▰".repeat(filled), "▱".repeat(10 - filled));
    let mark = if draft.selected == Some(solution.id) { "▶️ " } else { "" };
    format!("{mark}{}\n`{bar}` {points}", name(solution, 60))
}

fn rows(session: &SessionId, vote: &Vote, draft: &Draft) -> Vec<Row> {
    let place = draft.selected.and_then(|id| vote.solutions.iter().position(|solution| solution.id == id));
    let has = place.and_then(|place| draft.points.get(place)).copied().unwrap_or_default();
    let left = if place.is_some() { POINTS_PER_VOTER.saturating_sub(given(draft)) } else { 0 };
    // Discord refuses a message in which two ids are the same, so what would change nothing, or the same as its
    // neighbour, has an id of its own and cannot be pressed.
    let step = |points: Option<u32>, label: &str, off: Does| match (place, points) {
        (Some(place), Some(points)) => {
            let mut after = draft.clone();
            after.points.resize(after.points.len().max(vote.solutions.len()), 0);
            after.points[place] = points;
            plain(CustomId::new(session, Changes::Spread(after)), label, ButtonStyle::Secondary, false)
        }
        _ => plain(CustomId::new(session, off), label, ButtonStyle::Secondary, true),
    };
    let which = draft.selected.map(|id| id.to_string());
    let to = which.map_or_else(String::new, |id| format!(" {id}"));
    let all = if left > 1 { format!("+{left}, all left") } else { "+ all left".to_owned() };
    let steps = Row::Buttons(vec![
        step(has.checked_sub(1), &format!("−1{to}"), Does::SpreadOffMinus),
        step((left > 0).then_some(has + 1), &format!("+1{to}"), Does::SpreadOffPlus),
        step((left > 1).then_some(has + left), &all, Does::SpreadOffAll),
    ]);
    let cast = CustomId::new(session, Does::SpreadCast(draft.clone()));
    let mut cast = card::button(cast, "Cast my 10 points", "🗳️", ButtonStyle::Success);
    cast.disabled = given(draft) != POINTS_PER_VOTER;
    let typed = CustomId::new(session, Opens::SpreadType(draft.clone()));
    let typed = card::button(typed, "Type them", "⌨️", ButtonStyle::Secondary);
    let last = Row::Buttons(vec![cast, typed]);
    let mut options: Vec<_> = vote.solutions.iter().map(option).collect();
    let placeholder = match place {
        Some(place) => format!("▶️ {}", options[place].label),
        None => "Which solution?".to_owned(),
    };
    for (option, points) in options.iter_mut().zip(&draft.points).filter(|(_, points)| **points > 0) {
        option.description = card::count(*points, "point");
    }
    if options.is_empty() {
        return vec![last];
    }
    let id = CustomId::new(session, Changes::SpreadPick(draft.clone()));
    let pick = Select { id, placeholder, options, range: (1, 1) };
    vec![Row::Select(pick), steps, last]
}

fn plain(id: CustomId, label: &str, style: ButtonStyle, disabled: bool) -> Button {
    Button { id, label: label.to_owned(), style, emoji: None, disabled }
}
