//! What a critique begins with: who reads, how much at once, and whether there are calls enough for it.

use super::at_once;
use crate::{
    error::UserError,
    protocols::seating::{Wanted, user},
};
use domain::{
    Brief, Budgets, Caps, CritiqueBrief, OptionName, OptionWords, Philosopher, TreeDepth, plan_calls,
    sections,
};

/// What these options make of it.
pub(in crate::protocols) fn wanted(words: &OptionWords) -> anyhow::Result<Wanted> {
    let depth = words.whole(OptionName::Depth).map_err(user)?;
    let depth =
        depth.and_then(|levels| TreeDepth::new(u8::try_from(levels).ok()?)).unwrap_or(TreeDepth::USUAL);
    Ok(Wanted::new(move |seating, problem, document| {
        let Some(document) = document else { anyhow::bail!("a critique without a document") };
        let mut brief = CritiqueBrief {
            problem,
            document,
            depth,
            at_once: seating.document_chars,
            members: seating.panel(Philosopher::ALL.len()),
            reviewer: seating.beside(&seating.appointed.mediator),
            checker: seating.checker(),
            language: seating.language(),
            effort: seating.effort,
            today: seating.today(),
        };
        // By how long it is, as far as that is known before its pictures were read.
        let expected = CritiqueBrief { document: brief.document.as_expected(), ..brief.clone() };
        brief.at_once = at_once(&expected, &seating.budgets.session);
        suffices(&expected, seating.budgets, seating.allowed)?;
        Ok(Brief::Critique(brief))
    }))
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
