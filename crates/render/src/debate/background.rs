//! The whole proposition, behind its card.

use std::fmt::Write as _;

use domain::Proposition;

/// Title and whole text of a proposition, as Markdown.
#[must_use]
pub fn whole_proposition(proposition: &Proposition) -> (String, String) {
    let Proposition { raw, question, context, changed, objection, .. } = proposition;
    let mut text = format!("{question}\n");
    let stakeholders = context.stakeholders.join(", ");
    for (name, said) in [
        ("As it was typed", raw.as_str()),
        ("What was changed", changed),
        ("Why it cannot be debated", objection.as_deref().unwrap_or_default()),
        ("Where", &context.geography),
        ("When", &context.timeframe),
        ("Field", &context.domain),
        ("Who is affected", &stakeholders),
        ("Background", &context.background),
    ] {
        if !said.trim().is_empty() {
            let _ = write!(text, "\n**{name}:** {said}\n");
        }
    }
    ("The proposition".to_owned(), text)
}
