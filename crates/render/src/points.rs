//! How the experts spread their points, in any protocol.

use super::{
    card::{self, number},
    chart, limits, text,
};
use domain::{
    Allocation, Basis, Color, Embed, ExpertPoints, Field, File, FileBody, Post, SessionId, Solution, StepKey,
    Totals, influences_told,
};

/// The name of the picture in its post.
const PICTURE: &str = "points.png";

/// The points as a picture, a short table and words. Points that were only spread evenly are named and not counted;
/// `abstained` are titles of those who could not score and have no points at all.
#[must_use]
pub fn points_card(
    session: &SessionId,
    step: &StepKey,
    solutions: &[Solution],
    experts: &[ExpertPoints],
    abstained: &[String],
) -> Vec<Post> {
    let counted: Vec<&ExpertPoints> = experts.iter().filter(|expert| expert.basis != Basis::Even).collect();
    let totals =
        Totals::count(solutions.len(), counted.iter().map(|expert| (&expert.allocation, expert.weight)));
    // Who gave what stands in the picture, and in words behind the button.
    let mut fields: Vec<Field> =
        by_history(counted.iter().copied()).or_else(|| weights(&counted)).into_iter().collect();
    if !abstained.is_empty() {
        let value = format!("{} gave no points, so none are counted.", names(abstained));
        fields.push(card::field("⚠️ Did not score", value));
    }
    let titles = |basis| -> Vec<String> {
        experts.iter().filter(|expert| expert.basis == basis).map(|expert| expert.title.clone()).collect()
    };
    let even = titles(Basis::Even);
    if !even.is_empty() {
        let value = format!(
            "{} gave no usable points: ten are spread evenly over the solutions, and not counted as an opinion.",
            names(&even)
        );
        fields.push(card::field("⚠️ Spread evenly", value));
    }
    let scaled = titles(Basis::Scaled);
    if !scaled.is_empty() {
        let value = format!("{}: points did not add up to 10 and were scaled.", names(&scaled));
        fields.push(card::field("⚠️ Scaled", value));
    }
    let description = format!("{}\n\n{}", headline(solutions, &totals), ranking(solutions, &totals, experts));
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
        alt: text::cut(&alt(solutions, &totals, &counted), 1_000),
        body: FileBody::Svg(chart::points(solutions, &counted, &totals)),
    };
    let rows = vec![card::whole_and_raw(session, step, "All points")];
    limits::fit(Post { embeds: vec![embed], rows, files: vec![picture], ..Post::default() })
}

/// `Market, Cost and Risk`, escaped, as many as there is room for.
fn names(titles: &[String]) -> String {
    let labels: Vec<String> = titles.iter().map(|title| text::label(title, 60)).collect();
    card::listed(&labels)
}

/// Who counts more or less by how its earlier advice turned out; nothing where nobody does.
pub(super) fn by_history<'a>(experts: impl IntoIterator<Item = &'a ExpertPoints>) -> Option<Field> {
    let each = experts.into_iter().map(|expert| (text::label(&expert.title, 40), expert.influence));
    Some(card::field("📒 By earlier advice", text::cut(&influences_told(each)?, card::FIELD_ROOM)).inside())
}

/// Who counts more or less than once; nothing where nobody does.
fn weights(experts: &[&ExpertPoints]) -> Option<Field> {
    let other = experts.iter().filter(|expert| (expert.weight - 1.0).abs() > 1e-9);
    let each: Vec<String> = other
        .map(|expert| format!("{} (×{})", text::label(&expert.title, 60), card::factor(expert.weight)))
        .collect();
    (!each.is_empty()).then(|| {
        card::field("⚖️ Count more or less", card::lines(&each, card::FIELD_ROOM, "in the picture.")).inside()
    })
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
        // Its title stands in the first line below.
        [only] => format!("**{}** leads with {}.", only.id, score(only)),
        [one, ..] => {
            let ids: Vec<String> = first.iter().map(|solution| solution.id.to_string()).collect();
            format!("**A tie:** {} share first place with {} each.", card::listed(&ids), score(one))
        }
    }
}

/// A line for each solution, best first.
fn ranking(solutions: &[Solution], totals: &Totals, experts: &[ExpertPoints]) -> String {
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
        let chance = chance(experts, at).map(|chance| format!(" · {chance}")).unwrap_or_default();
        format!(
            "`{}{rank}.` **{} · {}**: {}{weight}, from\u{a0}{approvals}\u{a0}of\u{a0}{}{chance}",
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

/// `chance 55 to 70 %`: what those who gave the solution at a place points think of it; nothing where nobody said.
pub(super) fn chance(experts: &[ExpertPoints], place: usize) -> Option<String> {
    let (low, high) = ExpertPoints::chance(experts, place)?;
    let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
    Some(format!("chance\u{a0}{}\u{a0}%", range.replace(' ', "\u{a0}")))
}

/// `Market (×2): S1 5 · S2 3`.
fn row(expert: &ExpertPoints) -> String {
    let weight = if (expert.weight - 1.0).abs() > 1e-9 {
        format!(" (×{})", card::factor(expert.weight))
    } else {
        String::new()
    };
    let given: Vec<String> = expert
        .allocation
        .points()
        .iter()
        .enumerate()
        .filter(|(_, points)| **points > 0)
        .map(|(at, points)| format!("S{} {points}", at + 1))
        .collect();
    format!("{}{weight}: {}", text::plain(&expert.title, 90), given.join(" · "))
}

/// The picture in words.
fn alt(solutions: &[Solution], totals: &Totals, experts: &[&ExpertPoints]) -> String {
    let bars: Vec<String> = solutions
        .iter()
        .zip(&totals.points)
        .map(|(solution, points)| {
            format!("{} {}: {}", solution.id, text::plain(&solution.title, 60), card::count(*points, "point"))
        })
        .collect();
    let given: Vec<String> = experts.iter().map(|expert| row(expert)).collect();
    format!("Bars of the experts' points. {}. {}", bars.join("; "), given.join("; ")).trim_end().to_owned()
}

/// An expert's points with what decided them, for the whole table.
#[derive(Clone, Copy, Debug)]
pub struct Reasoned<'a> {
    /// The expert's title.
    pub title: &'a str,
    /// Its points.
    pub allocation: &'a Allocation,
    /// Where they come from.
    pub basis: Basis,
    /// What decided it, in its words.
    pub reasoning: &'a str,
    /// The chances it sees, by the places of the solutions.
    pub chances: &'a [Option<u8>],
}

/// Every expert's points and reasons as Markdown: a table, then what each said.
#[must_use]
pub fn all_points(solutions: &[Solution], scores: &[Reasoned<'_>]) -> String {
    let cell = |text: &str| text::label(text, 60).replace('|', "/");
    let heads: Vec<String> = scores.iter().map(|score| cell(score.title)).collect();
    let mut lines = vec![
        format!("| Solution | {} |", heads.join(" | ")),
        format!("|---|{}", "---|".repeat(scores.len())),
    ];
    for (place, solution) in solutions.iter().enumerate() {
        let given = |score: &Reasoned<'_>| {
            let points = score.allocation.points().get(place).copied().unwrap_or_default();
            let chance = score.chances.get(place).copied().flatten();
            format!("{points}{}", chance.map(|chance| format!(" ({chance} %)")).unwrap_or_default())
        };
        let points: Vec<String> = scores.iter().map(given).collect();
        lines.push(format!("| {} {} | {} |", solution.id, cell(&solution.title), points.join(" | ")));
    }
    if scores.iter().any(|score| score.chances.iter().any(Option::is_some)) {
        lines.push("\nIn brackets the chance that each sees for what it gave points to.".to_owned());
    }
    for score in scores {
        let basis = match score.basis {
            Basis::Given => "",
            Basis::Scaled => " (scaled to ten)",
            Basis::Even => " (gave none that could be used; spread evenly and not counted)",
        };
        lines.push(format!("\n**{}**{basis}\n{}", text::label(score.title, 90), score.reasoning));
    }
    lines.join("\n")
}
