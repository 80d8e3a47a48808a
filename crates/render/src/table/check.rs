//! The memo on its way: who objected to how much in its draft.

use super::super::{card, limits, text};
use domain::{Color, Embed, Post, SessionId, StepKey};

/// What the check came to, in a line or two: who has how many objections, who has none, and who could not check.
#[must_use]
pub fn check_card(
    session: &SessionId,
    step: &StepKey,
    objections: &[(String, usize)],
    absent: &[String],
) -> Vec<Post> {
    let name = |who: &String| text::label(who, 90);
    let (objecting, silent): (Vec<_>, Vec<_>) = objections.iter().partition(|(_, number)| *number > 0);
    let all: usize = objecting.iter().map(|(_, number)| number).sum();
    let each: Vec<String> = objecting.iter().map(|(who, number)| format!("{} {number}", name(who))).collect();
    let nothing: Vec<String> = silent.iter().map(|(who, _)| name(who)).collect();
    let mut lines = Vec::new();
    if !each.is_empty() {
        lines.push(format!("**{}:** {}.", card::count(all, "objection"), each.join("; ")));
    }
    if !nothing.is_empty() {
        lines.push(format!("No objection: {}.", nothing.join("; ")));
    }
    let unchecked = lines.is_empty();
    if !absent.is_empty() {
        let absent: Vec<String> = absent.iter().map(name).collect();
        lines.push(format!("⚠️ Could not check it: {}.", absent.join("; ")));
    }
    if unchecked {
        lines.push("Nobody could check it, so nobody but its writer has read the memo.".to_owned());
    }
    let embed = Embed {
        title: (if unchecked { "⚠️ The draft was not checked" } else { "🔍 The draft was checked" })
            .to_owned(),
        description: lines.join("\n"),
        color: if unchecked { Color::Caution } else { Color::Neutral },
        ..Embed::default()
    };
    let rows = vec![card::raw_only(session, step)];
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() })
}
