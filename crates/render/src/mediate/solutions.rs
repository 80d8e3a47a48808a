//! What people choose between, whole, and how it came about.

use super::{
    super::{card, text},
    packed, paragraphs,
    research::sharper,
};
use domain::{Embed, Provenance, Solution};

/// The solutions, each whole and with who raised it, in as many embeds as they need.
pub(crate) fn solution_list(solutions: &[Solution]) -> Vec<Embed> {
    listed("💡 What you could do", solutions)
}

/// The same under a title.
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
    format!("**{} · {title}**{whole}{from}{}", solution.id, provenance(&solution.provenance))
}

/// Lines on how a solution came about, each on a line of its own; nothing where there is nothing to say.
fn provenance(of: &Provenance) -> String {
    if of.stands_for.is_empty() {
        return checked(of);
    }
    let items: Vec<String> = of.stands_for.iter().map(|item| text::label(item, card::NAME_ROOM)).collect();
    let how = if of.statements.is_empty() { "stands for" } else { "said in" };
    format!("\n-# {how} {}{}", items.join("; "), checked(of))
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
    let unsaid =
        of.unsaid.as_ref().map(|words| format!("\n⚠️ A check found nobody who said {}", quoted(words)));
    format!("{also}{}{}", unsaid.unwrap_or_default(), sharper(&of.sharper))
}
