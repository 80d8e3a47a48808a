//! How the experts spread their points.

use super::super::{
    card::{self, number},
    chart, limits, text,
};
use crate::domain::{
    Allocation, Color, Embed, File, FileBody, ModuleName, Panel, Post, Score, SessionId, Solution, StepKey,
    Totals,
};

/// The name of the picture in its post.
const PICTURE: &str = "points.png";

/// The points as a picture, a short table and words. `abstained` could not score, so nothing is counted for
/// them; `scaled` gave points that did not add up to ten and were scaled in proportion.
#[must_use]
#[allow(clippy::too_many_arguments)] // one card, eight facts
pub fn points_card(
    session: &SessionId,
    step: &StepKey,
    solutions: &[Solution],
    points: &[(ModuleName, Allocation)],
    abstained: &[ModuleName],
    scaled: &[ModuleName],
    panel: &Panel,
    totals: &Totals,
) -> Vec<Post> {
    let mut fields = Vec::new();
    let given: Vec<String> = points.iter().map(|(name, allocation)| row(name, allocation, panel)).collect();
    if !given.is_empty() {
        fields.push(card::field("Who gave what", card::lines(&given, card::FIELD_ROOM, "in the picture.")));
    }
    if !abstained.is_empty() {
        let value = format!("{} gave no points, so none are counted.", card::modules(abstained));
        fields.push(card::field("⚠️ Did not score", value));
    }
    if !scaled.is_empty() {
        let value = format!("{}: points did not add up to 10 and were scaled.", card::modules(scaled));
        fields.push(card::field("⚠️ Scaled", value));
    }
    let description = format!("{}\n\n{}", headline(solutions, totals), ranking(solutions, totals));
    let embed = Embed {
        title: "📊 The experts' points".to_owned(),
        description,
        color: Color::Synthesis,
        fields,
        footer: "Each expert spreads exactly 10 points. It is advice; the decision is yours.".to_owned(),
        image: Some(PICTURE.to_owned()),
        ..Embed::default()
    };
    let picture = File {
        name: PICTURE.to_owned(),
        alt: text::cut(&alt(solutions, totals), 1_000),
        body: FileBody::Svg(chart::points(solutions, points, panel, totals)),
    };
    let rows = vec![card::whole_and_raw(session, step, "All points")];
    limits::fit(Post { embeds: vec![embed], rows, files: vec![picture], ..Post::default() })
}

/// Whether weights made the weighted totals differ from the plain ones.
fn weighted(totals: &Totals) -> bool {
    totals
        .points
        .iter()
        .zip(&totals.weighted)
        .any(|(&plain, weighted)| (f64::from(plain) - weighted).abs() > 1e-9)
}

/// Who leads, ties named as ties.
fn headline(solutions: &[Solution], totals: &Totals) -> String {
    let ranks = totals.ranks();
    let first: Vec<&Solution> =
        solutions.iter().zip(&ranks).filter(|(_, rank)| **rank == 1).map(|(solution, _)| solution).collect();
    let all: u32 = totals.points.iter().sum();
    let score = |solution: &Solution| {
        let at = solutions.iter().position(|s| s.id == solution.id).unwrap_or_default();
        let plain = totals.points.get(at).copied().unwrap_or_default();
        match totals.weighted.get(at) {
            Some(weighted_points) if weighted(totals) => {
                format!("{} weighted points ({plain} of {all} as given)", number(*weighted_points))
            }
            _ => format!("{plain} of {all} points"),
        }
    };
    match &first[..] {
        _ if all == 0 => "Nobody gave any points.".to_owned(),
        [] => "There is nothing to rank.".to_owned(),
        [only] => format!("**{} · {}** leads with {}.", only.id, text::label(&only.title, 150), score(only)),
        [one, ..] => {
            let ids: Vec<String> = first.iter().map(|solution| solution.id.to_string()).collect();
            format!("**A tie:** {} share first place with {} each.", card::listed(&ids), score(one))
        }
    }
}

/// A line for each solution, best first.
fn ranking(solutions: &[Solution], totals: &Totals) -> String {
    let ranks = totals.ranks();
    let mut order: Vec<usize> = (0..solutions.len()).collect();
    order.sort_by_key(|&at| ranks.get(at).copied().unwrap_or(usize::MAX));
    let line = |&at: &usize| {
        let rank = ranks.get(at).copied().unwrap_or_default();
        let tied = ranks.iter().filter(|&&other| other == rank).count() > 1;
        let points = totals.points.get(at).copied().unwrap_or_default();
        let weight = match totals.weighted.get(at) {
            Some(points) if weighted(totals) => format!(" · {} weighted", number(*points)),
            _ => String::new(),
        };
        let approvals = totals.approvals.get(at).copied().unwrap_or_default();
        format!(
            "`{}{rank}.` **{} · {}**: {}{weight}, from {approvals} of {}",
            if tied { "=" } else { " " },
            solutions[at].id,
            text::label(&solutions[at].title, 100),
            card::count(points, "point"),
            totals.voters
        )
    };
    let shown: Vec<String> = order.iter().map(line).collect();
    card::lines(&shown, 2_400, "in the picture.")
}

/// `📈 Market (×2): S1 5 · S2 3`.
fn row(name: &ModuleName, allocation: &Allocation, panel: &Panel) -> String {
    let weight = panel.seats.iter().find(|seat| seat.module == *name).map(|seat| seat.weight.get());
    let weight = match weight {
        Some(weight) if (weight - 1.0).abs() > 1e-9 => format!(" (×{weight})"),
        _ => String::new(),
    };
    let given: Vec<String> = allocation
        .points()
        .iter()
        .enumerate()
        .filter(|(_, points)| **points > 0)
        .map(|(at, points)| format!("S{} {points}", at + 1))
        .collect();
    format!("{}{weight}: {}", card::module(name), given.join(" · "))
}

/// The picture in words.
fn alt(solutions: &[Solution], totals: &Totals) -> String {
    let bars: Vec<String> = solutions
        .iter()
        .zip(&totals.points)
        .map(|(solution, points)| {
            format!("{} {}: {}", solution.id, text::plain(&solution.title, 60), card::count(*points, "point"))
        })
        .collect();
    format!("Bars of the experts' points. {}.", bars.join("; "))
}

/// Every expert's points and reasons as Markdown: a table, then what each said.
#[must_use]
pub fn all_points(solutions: &[Solution], scores: &[Score]) -> String {
    let cell = |text: &str| text::label(text, 60).replace('|', "/");
    let heads: Vec<&str> = scores.iter().map(|score| score.module.title()).collect();
    let mut lines = vec![
        format!("| Solution | {} |", heads.join(" | ")),
        format!("|---|{}", "---|".repeat(scores.len())),
    ];
    for (place, solution) in solutions.iter().enumerate() {
        let given =
            |score: &Score| score.allocation.points().get(place).copied().unwrap_or_default().to_string();
        let points: Vec<String> = scores.iter().map(given).collect();
        lines.push(format!("| {} {} | {} |", solution.id, cell(&solution.title), points.join(" | ")));
    }
    for score in scores {
        let scaled = if score.scaled { " (scaled to ten)" } else { "" };
        lines.push(format!("\n**{}**{scaled}\n{}", card::module(&score.module), score.reasoning));
    }
    lines.join("\n")
}
