//! What people choose between, whole, and how it came about.

use super::{
    super::{card, text},
    packed, paragraphs,
    research::sharper,
};
use domain::{Embed, Provenance, Solution};

/// The solutions below a title, each whole and with who raised it, in as many embeds as they need.
pub(super) fn listed(title: &str, solutions: &[Solution]) -> Vec<Embed> {
    packed(title, solutions.iter().map(solution), "\n\n")
}

fn solution(solution: &Solution) -> String {
    let raisers: Vec<String> = solution.raised_by.iter().map(|name| text::label(name, 90)).collect();
    let from =
        if raisers.is_empty() { String::new() } else { format!("\n-# raised by {}", card::listed(&raisers)) };
    let title = text::label(&solution.title, card::NAME_ROOM);
    let whole = paragraphs(&solution.description);
    let whole = if whole.is_empty() { whole } else { format!("\n{whole}") };
    format!("**{} · {title}**{whole}{from}{}", solution.id, checked(&solution.provenance))
}

/// What checks found of a solution, for every card on which people choose; each on a line of its own.
pub(crate) fn checked(of: &Provenance) -> String {
    let quoted = |text: &String| format!("“{}”", text::label(text, card::NAME_ROOM));
    let also: Vec<String> = of.also.iter().map(quoted).collect();
    let also = if also.is_empty() {
        String::new()
    } else {
        format!("\n🔗 Put together with the same: {}", card::listed(&also))
    };
    format!("{also}{}", sharper(&of.sharper))
}
