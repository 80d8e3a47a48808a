//! Experts and team in words and side by side in a table that a phone shows without breaking its lines.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{
    super::{card, text},
    name,
};
use domain::{Solution, Tally, Totals, Vote};

/// Columns of a fixed-width font that fit a phone inside a card.
const COLUMNS: usize = 34;
/// Sides closer than this on every solution nearly agree.
const NEAR: f64 = 0.05;

/// Whether the experts' weights made their weighted totals differ from their points.
pub(super) fn weighted(totals: &Totals) -> bool {
    let pairs = totals.points.iter().zip(&totals.weighted);
    pairs.into_iter().any(|(&plain, weighted)| (f64::from(plain) - weighted).abs() > 1e-9)
}

/// Who leads on one side, ties named as ties; `nobody` where there is nothing to count.
pub(super) fn headline(vote: &Vote, totals: &Totals, nobody: &str) -> String {
    let shares = totals.shares();
    let all: u32 = totals.points.iter().sum();
    let first: Vec<usize> = totals
        .ranks()
        .into_iter()
        .enumerate()
        .filter(|(_, rank)| *rank == 1)
        .map(|(place, _)| place)
        .collect();
    let (Some(&one), true) = (first.first(), shares.iter().any(|share| *share > 0.0)) else {
        return nobody.to_owned();
    };
    let (share, points) = (card::percent(shares[one]), totals.points[one]);
    let by_weight = weighted(totals);
    match &first[..] {
        [_] if by_weight => {
            format!(
                "{} leads with {share} by weight ({points} of {all} points as given).",
                name(&vote.solutions[one], 100)
            )
        }
        [_] => format!("{} leads with {share} ({points} of {all} points).", name(&vote.solutions[one], 100)),
        tied => {
            let ids: Vec<String> =
                tied.iter().map(|&place| format!("**{}**", vote.solutions[place].id)).collect();
            let each =
                if by_weight { " by weight".to_owned() } else { format!(" ({points} of {all} points)") };
            format!("A tie: {} with {share} each{each}.", card::listed(&ids))
        }
    }
}

/// Where the sides differ most, as a field's name and value; nothing while one of them has not voted.
pub(super) fn difference(vote: &Vote, tally: &Tally) -> Option<(&'static str, String)> {
    if tally.experts.voters == 0 || tally.team.voters == 0 {
        return None;
    }
    let gaps = tally.widest_gaps(vote);
    let told: Vec<String> = gaps
        .iter()
        .filter(|gap| card::percent(gap.experts) != card::percent(gap.team))
        .map(|gap| {
            let (experts, team) = (card::percent(gap.experts), card::percent(gap.team));
            format!("**{}**: the experts gave it {experts}, the team {team}", gap.solution)
        })
        .collect();
    let told = told.join("\n");
    Some(match gaps.first() {
        Some(gap) if (gap.experts - gap.team).abs() >= NEAR => ("↔️ Where you differ most", told),
        Some(_) if !told.is_empty() => {
            ("🤝 You nearly agree", format!("The widest difference is small.\n{told}"))
        }
        _ => ("🤝 You agree", "Experts and team gave every solution the same share.".to_owned()),
    })
}

/// Whether both sides put the same first, as a line; nothing while one of them has not voted.
pub(super) fn together(vote: &Vote, tally: &Tally) -> String {
    let first = |totals: &Totals| -> Vec<String> {
        let ranks = totals.ranks().into_iter().zip(&vote.solutions);
        ranks.filter(|(rank, _)| *rank == 1).map(|(_, solution)| format!("**{}**", solution.id)).collect()
    };
    let (experts, team) = (first(&tally.experts), first(&tally.team));
    if tally.experts.voters == 0 || tally.team.voters == 0 {
        return String::new();
    }
    let both: Vec<String> = experts.iter().filter(|id| team.contains(id)).cloned().collect();
    if experts == team {
        format!("🤝 Both put {} first.\n", card::listed(&experts))
    } else if both.is_empty() {
        "↔️ They put different solutions first.\n".to_owned()
    } else {
        format!("🤝 First on both sides, though tied: {}.\n", card::listed(&both))
    }
}

/// The table: two rows a solution, the experts' and the team's; only the titles where nobody gave anything.
pub(super) fn table(vote: &Vote, tally: &Tally) -> String {
    if tally.experts.voters == 0 && tally.team.voters == 0 {
        let titles: Vec<String> = vote.solutions.iter().map(|solution| name(solution, 120)).collect();
        return titles.join("\n");
    }
    let mut out = format!("```\n{}\n", row("", ["share", "pts", "from", "rank"]));
    for (place, solution) in vote.solutions.iter().enumerate() {
        let _ = writeln!(out, "{}", heading(solution));
        let experts = match tally.experts.voters {
            _ if solution.proposed => "  experts  not scored".to_owned(),
            0 => "  experts  no points".to_owned(),
            _ => cells("  experts", &tally.experts, place),
        };
        let team = match tally.team.voters {
            0 => "  team     nobody voted".to_owned(),
            _ => cells("  team", &tally.team, place),
        };
        let _ = writeln!(out, "{experts}\n{team}");
    }
    format!("{out}```\n-# from: how many gave it at least one point · =: a tie")
}

/// `S1 Pilot in one district`, no wider than the table.
fn heading(solution: &Solution) -> String {
    let line = text::plain(&format!("{} {}", solution.id, solution.title), 100);
    if line.width() <= COLUMNS {
        return line;
    }
    let mut cut = String::new();
    for grapheme in line.graphemes(true) {
        if cut.width() + grapheme.width() >= COLUMNS {
            break;
        }
        cut.push_str(grapheme);
    }
    format!("{}…", cut.trim_end())
}

fn cells(side: &str, totals: &Totals, place: usize) -> String {
    let ranks = totals.ranks();
    let rank = ranks.get(place).copied().unwrap_or_default();
    let tied = ranks.iter().filter(|&&other| other == rank).count() > 1;
    let at = |numbers: &[u32]| numbers.get(place).copied().unwrap_or_default().to_string();
    row(
        side,
        [
            &card::percent(totals.shares().get(place).copied().unwrap_or_default()),
            &at(&totals.points),
            &at(&totals.approvals),
            &format!("{}{rank}", if tied { "=" } else { "" }),
        ],
    )
}

/// A line of 33 columns, unless a number is longer than any team will make it.
fn row(side: &str, [share, points, from, rank]: [&str; 4]) -> String {
    format!("{side:<10}{share:>6}{points:>6}{from:>6}{rank:>5}")
}
