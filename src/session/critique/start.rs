//! A critique from its start: who reads, how much at once, and whether there are calls enough for it.

use crate::{error::UserError, protocols::critique::at_once, session::Wanted};
use domain::{Brief, Budgets, Caps, CritiqueBrief, Philosopher, TreeDepth, plan_calls, sections};

impl Wanted {
    /// `/critique` of the document, with trees of this depth.
    #[must_use]
    pub fn critique(depth: TreeDepth) -> Self {
        Self::new(move |seating, problem, document| {
            let Some(document) = document else { anyhow::bail!("a critique without a document") };
            let mut brief = CritiqueBrief {
                problem,
                document,
                depth,
                at_once: seating.settings.document_chars,
                members: seating.panel(Philosopher::ALL.len()),
                reviewer: seating.beside(&seating.settings.mediator),
                checker: seating.checker(),
                language: seating.language(),
                effort: seating.effort,
                today: seating.today(),
            };
            // By how long it is, as far as that is known before its pictures were read.
            let expected = CritiqueBrief { document: brief.document.as_expected(), ..brief.clone() };
            brief.at_once = at_once(&expected, &seating.budgets.session);
            suffices(&expected, seating.budgets, seating.settings.budgets.session)?;
            Ok(Brief::Critique(brief))
        })
    }
}

/// Refuses a critique whose session may not call often enough for even one section at depth 1. `allowed` is what whoever
/// runs the bot lets a session use; a server can set less.
fn suffices(brief: &CritiqueBrief, budgets: &Budgets, allowed: Caps) -> anyhow::Result<()> {
    let calls = budgets.session.calls;
    let sections = sections(&brief.document, brief.at_once);
    let fits =
        |calls| plan_calls(&sections, brief.members.len(), (brief.depth, brief.effort), calls).is_some();
    if fits(calls) {
        return Ok(());
    }
    let least = (calls..=calls.saturating_add(1_000)).find(|calls| fits(*calls));
    let needs = least.map_or_else(String::new, |least| format!(" even the shortest takes {least}."));
    let remedy = if calls < allowed.calls {
        "Somebody who manages this server can allow more with `/settings budget`."
    } else {
        "Whoever runs me can allow more with `QUORUM_BUDGET_SESSION_CALLS`."
    };
    UserError::of(format!(
        "A session here may make {calls} calls to models, which is too few for a critique:{needs} {remedy} Nothing was started."
    ))
}
