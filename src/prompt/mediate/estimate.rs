//! What a mediation takes at most.

use super::{
    gaps, independent, plain, queries, research_queries, resolution, revision, scoring, select, synthesis,
    worth,
};
use crate::{
    domain::{
        CallsTogether, Gravity, MOST_RESEARCHED, Matter, MediateBrief, Offered, PlainAnswer, RaciRow, Round,
        Searching, SourceList,
    },
    prompt::{
        Prompts,
        estimate::{together, written},
        looked_up::MOST_FOUND_TOKENS,
        question::question,
        solutions::duplicates,
    },
};

/// Its calls, in the order in which they follow one another.
#[must_use]
pub fn calls(prompts: &Prompts, brief: &MediateBrief) -> Vec<CallsTogether> {
    let chosen = brief.selects().map(|_| choosing(prompts, brief));
    let brief = &brief.at_most();
    // Of those that may be made for the question, the last has as much to read as may be.
    let longest = if chosen.is_some() { brief.panel.seats.last() } else { brief.panel.seats.first() };
    let Some(seat) = longest else { return Vec::new() };
    let (modules, module) = (brief.seats.len(), &seat.module);
    let nothing = Offered::default();
    let alone = independent(prompts, brief, module, &nothing, &[]);
    let round = (modules as u64).saturating_mul(written(&alone));
    let seated: Vec<_> = brief.panel.seats.iter().map(|seat| seat.module.clone()).collect();
    let rows = if brief.extras.raci { RaciRow::rows(&brief.panel, &seated) } else { Vec::new() };
    let mediator = synthesis(prompts, brief, (&[], &SourceList::default()), &[], &rows, &[]);
    let points = scoring(prompts, brief, (module, None), None, &[], &[]);
    let searches = brief.extras.searching == Searching::On;
    // What is looked up is written by a call each; what it finds is read by the next.
    let looked_up =
        |round| searches.then(|| together(modules, &queries(prompts, brief, (module, round), None, &[]), 0));
    let mut calls: Vec<CallsTogether> = chosen.into_iter().flatten().collect();
    calls.extend(looked_up(Round::Independent));
    let found = if searches { MOST_FOUND_TOKENS } else { 0 };
    calls.push(together(modules, &alone, found));
    if brief.extras.baseline {
        calls.push(together(1, &plain(prompts, brief), 0));
    }
    if brief.problem.is_longer_than_a_line() {
        calls.push(together(
            1,
            &question(prompts, &brief.problem, brief.language.as_deref(), &brief.offers_beside()),
            0,
        ));
    }
    let mut told = written(&mediator);
    calls.extend(looked_up(Round::Revision));
    calls.extend([
        together(
            modules,
            &revision(prompts, brief, module, (&[], 0), &nothing, &[]),
            round.saturating_add(found),
        ),
        together(1, &mediator, round.saturating_mul(2)),
        together(1, &duplicates(prompts, &brief.problem, &[]), written(&mediator)),
    ]);
    if brief.extras.researches() {
        let matter = Matter {
            modules: seated.iter().take(2).cloned().collect(),
            topic: String::new(),
            description: String::new(),
            gravity: Gravity::Critical,
        };
        let said = written(&alone).saturating_mul(2).saturating_add(written(&mediator));
        let asked = research_queries(prompts, brief, &matter, &[], &[]);
        let weighed = resolution(prompts, brief, &matter, (&[], &[]), &nothing, &[]);
        calls.push(together(MOST_RESEARCHED, &asked, said));
        calls.push(together(MOST_RESEARCHED, &weighed, said.saturating_add(MOST_FOUND_TOKENS)));
        told = told.saturating_add(written(&weighed).saturating_mul(MOST_RESEARCHED as u64));
    }
    calls.push(together(modules, &points, round.saturating_add(told)));
    if brief.extras.baseline {
        let none =
            PlainAnswer { answer: String::new(), recommendations: Vec::new(), answered_by: String::new() };
        calls.push(together(1, &worth(prompts, brief, &none, &[]), written(&mediator).saturating_mul(2)));
    }
    calls
}

/// The two calls that say who looks at it.
fn choosing(prompts: &Prompts, brief: &MediateBrief) -> [CallsTogether; 2] {
    let select = select(prompts, brief, &[]);
    let chosen = written(&select);
    [together(1, &select, 0), together(1, &gaps(prompts, brief, &[], &[]), chosen)]
}
