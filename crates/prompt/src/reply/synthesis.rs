//! The mediator's reply: the memo.

use forms::Asked;

use super::{ParseError, mending::Mending, module};
use crate::drafts::room;
use domain::{
    ChosenDraft, Conflict, DraftsCheck, DraftsRead, ModuleName, Panel, RaciRow, SourceList, Synthesis,
    Written, citations, one_line,
};

/// What a memo is held to.
#[derive(Clone, Copy, Debug)]
pub struct MemoBounds<'a> {
    /// Who sits there, and who was left out.
    pub panel: &'a Panel,
    /// Who answers for what; empty where nobody asked for it.
    pub raci: &'a [RaciRow],
    /// What was asked for.
    pub asked: &'a Asked,
    /// What there is to cite.
    pub sources: &'a SourceList,
    /// The draft that it mends, each objection to which it has to answer.
    pub draft: Option<&'a ChosenDraft>,
    /// The first time, what is too long or leaves an objection out is an error.
    pub first: bool,
}

/// A memo as it is kept, held to the panel: modules that did not speak are dropped from conflicts and options, a conflict left
/// with fewer than two goes, the worst stands first. By the matrix, which is empty where there is none, a conflict is about a
/// side that somebody answers for.
pub fn read_memo(text: &str, bounds: &MemoBounds<'_>, answered_by: &str) -> Result<Synthesis, ParseError> {
    let MemoBounds { panel, raci, asked, sources, draft, first } = *bounds;
    let objections = draft.map_or(0, |draft| draft.objections.len());
    let seated: Vec<ModuleName> = panel.seats.iter().map(|seat| seat.module.clone()).collect();
    let read = forms::read::<Synthesis>(text, asked, sources.sources().len(), first)?;
    let mut said = read.said;
    if let Some(draft) = draft {
        let meant = said.edits.len();
        let (edits, anew) = (&mut said.edits, &mut said.anew);
        let (room, resolutions) = (room(Written::Memo, asked.effort), &mut said.resolutions[..]);
        let told = Mending { draft, room, first, edits, anew, resolutions }.make()?;
        (said.answer, said.text) = (told.answer, told.text);
        // It tells of all that was meant, and something of that was not done.
        if said.edits.len() < meant {
            said.changed.clear();
        }
    }
    forms::each_text(&mut said, &mut |text| *text = module::named(text, &[]));
    said.options.retain_mut(|option| {
        option.title = unmarked(&option.title);
        if option.title.is_empty() {
            option.title = module::begins(&option.action);
        }
        let by_team = option.raised_by.iter().any(|name| name.0.eq_ignore_ascii_case(TEAM));
        option.raised_by = active(&option.raised_by, &seated);
        option.raised_by.extend(by_team.then(|| ModuleName(TEAM.to_owned())));
        !option.title.is_empty()
    });
    if said.options.is_empty() {
        return Err(ParseError::Empty("options"));
    }
    for (field, text) in [("left_out", &mut said.deactivated_disclaimer), ("gaps", &mut said.gaps)] {
        *text = text.take().filter(|text| module::is_a_change(text));
        if asked.when.contains(&field) && text.is_none() {
            return Err(ParseError::Empty(if field == "gaps" { "gaps" } else { "deactivated_disclaimer" }));
        }
    }
    hold_conflicts(&mut said, raci, &seated);
    said.kept_against.retain_mut(|kept| {
        let from = active(std::slice::from_ref(&kept.from), &seated).pop();
        let is_one = !kept.finding.is_empty() && from.is_some();
        kept.from = from.unwrap_or_else(|| kept.from.clone());
        is_one
    });
    said.unknown.retain(|unknown| !unknown.what.is_empty());
    said.flags = module::worst_first(std::mem::take(&mut said.flags));
    said.resolutions.retain(|answer| (1..=objections).contains(&(answer.objection as usize)));
    let open = unanswered(&said, objections);
    if first && !open.is_empty() {
        let open: Vec<String> = open.iter().map(ToString::to_string).collect();
        return Err(ParseError::Shape(format!("no answer to objection {}", open.join(", "))));
    }
    (said.unanswered, said.objected) = (Vec::new(), Vec::new());
    answered_by.clone_into(&mut said.answered_by);
    said.dropped_citations = read.dropped;
    said.sources = sources.cited_by(&said);
    Ok(said)
}

/// What somebody says of the drafts, who read them in this order. That there is nothing, in whatever words, is no objection.
/// Whoever gives one no mark, or passes it over, is asked once more; then what it says counts.
pub fn read_check(
    text: &str,
    asked: &Asked,
    (order, offered): (&[usize], usize),
    first: bool,
) -> Result<DraftsRead, ParseError> {
    let said = forms::read::<DraftsCheck>(text, asked, offered, first)?.said;
    let mut said = said.by_place(order);
    if first && said.of.iter().any(|draft| draft.act.is_empty()) {
        return Err(ParseError::Shape("`read` has an entry for each text, with its letter alone".to_owned()));
    }
    if first && order.len() > 1 && said.marks.contains(&None) {
        return Err(ParseError::Shape(
            "`marks` has a number from 0 to 100 for the letter of each text".to_owned(),
        ));
    }
    let texts = said.of.iter_mut().flat_map(|draft| [&mut draft.wrong, &mut draft.keep]);
    for text in texts.chain([&mut said.missing]) {
        if !module::is_a_change(text) {
            text.clear();
        }
    }
    Ok(said)
}

/// Who raised what the team itself named.
const TEAM: &str = "team";

/// The numbers of the objections that a memo says nothing of.
#[must_use]
pub fn unanswered(memo: &Synthesis, objections: usize) -> Vec<usize> {
    let answered =
        |number: &usize| memo.resolutions.iter().any(|answer| answer.objection as usize == *number);
    (1..=objections).filter(|number| !answered(number)).collect()
}

/// Holds the conflicts to who sits there, and the flags to the conflicts that they name.
fn hold_conflicts(said: &mut Synthesis, raci: &[RaciRow], seated: &[ModuleName]) {
    let areas: Vec<ModuleName> = raci.iter().map(|row| row.area.clone()).collect();
    // The flags name them by the places they were written in.
    let mut conflicts: Vec<(usize, Conflict)> = (1..).zip(std::mem::take(&mut said.conflicts)).collect();
    conflicts.retain_mut(|(_, conflict)| {
        conflict.modules = active(&conflict.modules, seated);
        conflict.topic = unmarked(&conflict.topic);
        conflict.area = conflict.area.take().and_then(|area| active(&[area], &areas).pop());
        let carries = conflict.carries.take();
        conflict.carries = carries.filter(|text| conflict.area.is_some() && module::is_a_change(text));
        conflict.modules.len() >= 2 && !(conflict.topic.is_empty() && conflict.description.is_empty())
    });
    conflicts.sort_by_key(|(_, conflict)| conflict.severity);
    let (written, conflicts): (Vec<usize>, Vec<Conflict>) = conflicts.into_iter().unzip();
    said.conflicts = conflicts;
    for flag in &mut said.flags {
        flag.raised_by = active(&flag.raised_by, seated);
        let place = |number| written.iter().position(|written| *written == number);
        flag.conflict = flag.conflict.and_then(place).map(|place| place + 1);
    }
}

/// A heading, which stands where no list of sources is, without marks.
fn unmarked(heading: &str) -> String {
    one_line(&citations::renumbered(heading, |_| None))
}

/// The modules of a list that are active, each once, by name or title in any case.
fn active(names: &[ModuleName], active: &[ModuleName]) -> Vec<ModuleName> {
    let mut found: Vec<ModuleName> = Vec::new();
    for name in names {
        let name = name.0.trim();
        let known = active
            .iter()
            .find(|module| module.0.eq_ignore_ascii_case(name) || module.title().eq_ignore_ascii_case(name));
        if let Some(module) = known.filter(|module| !found.contains(module)) {
            found.push(module.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests;
