//! What a mediation takes at most.

use super::{independent, plain, revision, scoring, synthesis, worth};
use crate::{
    domain::{CallsTogether, MediateBrief, PlainAnswer, RaciRow},
    prompt::{
        Prompts,
        estimate::{together, written},
        question::question,
        solutions::duplicates,
    },
};

/// Its calls, in the order in which they follow one another.
#[must_use]
pub fn calls(prompts: &Prompts, brief: &MediateBrief) -> Vec<CallsTogether> {
    let Some(seat) = brief.panel.seats.first() else { return Vec::new() };
    let (modules, module) = (brief.seats.len(), &seat.module);
    let alone = independent(prompts, brief, module, &[]);
    let round = (modules as u64).saturating_mul(written(&alone));
    let seated: Vec<_> = brief.panel.seats.iter().map(|seat| seat.module.clone()).collect();
    let rows = if brief.extras.raci { RaciRow::rows(&brief.panel, &seated) } else { Vec::new() };
    let mediator = synthesis(prompts, brief, &[], &[], &rows, &[]);
    let points = scoring(prompts, brief, (module, None), None, &[], &[]);
    let mut calls = vec![together(modules, &alone, 0)];
    if brief.extras.baseline {
        calls.push(together(1, &plain(prompts, brief), 0));
    }
    if brief.problem.is_longer_than_a_line() {
        calls.push(together(1, &question(prompts, &brief.problem, brief.language.as_deref()), 0));
    }
    calls.extend([
        together(modules, &revision(prompts, brief, module, &[], 0, &[]), round),
        together(1, &mediator, round.saturating_mul(2)),
        together(1, &duplicates(prompts, &brief.problem, &[]), written(&mediator)),
        together(modules, &points, round.saturating_add(written(&mediator))),
    ]);
    if brief.extras.baseline {
        let none =
            PlainAnswer { answer: String::new(), recommendations: Vec::new(), answered_by: String::new() };
        calls.push(together(1, &worth(prompts, brief, &none, &[]), written(&mediator).saturating_mul(2)));
    }
    calls
}
