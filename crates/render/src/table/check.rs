//! The memo on its way: who objected to how much in its draft.

use super::super::{card, limits, text};
use domain::{ChosenDraft, Color, Embed, Post, SessionId, StepKey};

/// What the check came to, in a line or two: how many put the draft first, who has how many objections to it, who has none, and who
/// could not read it.
#[must_use]
pub fn check_card(session: &SessionId, step: &StepKey, chosen: &ChosenDraft) -> Vec<Post> {
    let ChosenDraft { among, chose, readers, absent, .. } = chosen;
    let objections: Vec<(&String, usize)> = readers
        .iter()
        .map(|who| (who, chosen.objections.iter().filter(|objection| objection.from == *who).count()))
        .collect();
    let name = |who: &String| text::label(who, 90);
    let (objecting, silent): (Vec<_>, Vec<_>) = objections.iter().partition(|(_, number)| *number > 0);
    let all: usize = objecting.iter().map(|(_, number)| number).sum();
    let each: Vec<String> = objecting.iter().map(|(who, number)| format!("{} {number}", name(who))).collect();
    let nothing: Vec<String> = silent.iter().map(|(who, _)| name(who)).collect();
    let mut lines = Vec::new();
    if *among > 1 && !objections.is_empty() {
        let of = objections.len();
        lines.push(format!("{chose} of {of} put this draft first among {among}, each written alone."));
    }
    if !each.is_empty() {
        lines.push(format!("**{}:** {}.", card::count(all, "objection"), each.join("; ")));
    }
    if !nothing.is_empty() {
        lines.push(format!("No objection: {}.", nothing.join("; ")));
    }
    let unchecked = objections.is_empty();
    if !absent.is_empty() {
        let absent: Vec<String> = absent.iter().map(name).collect();
        lines.push(format!("⚠️ Could not check it: {}.", absent.join("; ")));
    }
    if unchecked {
        lines.push(
            "Nobody could check it, so the memo is written from a draft that nobody else has read."
                .to_owned(),
        );
    }
    let embed = Embed {
        title: (if unchecked { "⚠️ The draft was not checked" } else { "🔍 The draft was checked" })
            .to_owned(),
        description: lines.join("\n"),
        color: if unchecked { Color::Caution } else { Color::Neutral },
        ..Embed::default()
    };
    let rows = vec![card::whole_and_raw(session, step, "The draft")];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}
