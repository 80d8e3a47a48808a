//! What a record says of the team where there was a debate instead of a vote: opinions before and after, no points and
//! no names.

use super::super::{card, text};
use domain::{Decision, Field, Opinion, SolutionId, Swing};

/// Fewest who must have said so both times for it to be said how many moved: of one or two, everybody would know whose
/// secret opinion it is.
const FEWEST: u32 = 3;

/// The sides with how many were for them before and after, the chosen one marked.
pub(super) fn options(decision: &Decision, swing: &Swing) -> Field {
    let counted = |opinion: Opinion| {
        let place = opinion as usize;
        format!(
            "{}:\u{a0}{}\u{a0}before, {}\u{a0}after",
            opinion.name(),
            swing.before[place],
            swing.after[place]
        )
    };
    let mut lines: Vec<String> = Vec::new();
    for solution in &decision.vote.solutions {
        let mark = if solution.id == decision.chosen { "✅" } else { "▫️" };
        let team = side(solution.id)
            .map_or_else(|| "in their own words, not\u{a0}voted\u{a0}on".to_owned(), counted);
        lines.push(format!("{mark} **{} {}** · {team}", solution.id, text::label(&solution.title, 160)));
    }
    lines.push(format!("▫️ {}", counted(Opinion::Undecided)));
    if swing.both() >= FEWEST {
        lines.push(format!(
            "-# {} of the {} who voted both times changed their mind.",
            swing.changed(),
            swing.both()
        ));
    }
    let name = "Options, with what the team thought before and after the debate";
    card::field(name, card::lines(&lines, card::FIELD_ROOM, "in the debate's thread."))
}

/// Who would have had it otherwise, by what they said after the debate.
pub(super) fn elsewhere(decision: &Decision, swing: &Swing) -> String {
    let all: u32 = swing.after.iter().sum();
    let of = |opinion: Opinion| swing.after[opinion as usize];
    let (against, undecided) = match side(decision.chosen) {
        None => return "The team voted for or against, and not on this.".to_owned(),
        Some(Opinion::For) => (format!("{} against", of(Opinion::Against)), of(Opinion::Undecided)),
        Some(_) => (format!("{} for", of(Opinion::For)), of(Opinion::Undecided)),
    };
    match all {
        0 => "Nobody of the team voted after the debate.".to_owned(),
        all => format!("Of {all} who voted after the debate: {against}, {undecided} undecided."),
    }
}

/// Which opinion a side stands for; none for what somebody decided in their own words.
fn side(solution: SolutionId) -> Option<Opinion> {
    match solution.0 {
        1 => Some(Opinion::For),
        2 => Some(Opinion::Against),
        _ => None,
    }
}
