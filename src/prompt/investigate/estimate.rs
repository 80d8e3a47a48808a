//! What an investigation takes at most.

use super::{Found, Matter, Turn, answer, check, checked, compare, scoring, scout, turn};
use crate::{
    domain::{
        CallsTogether, Compared, InvestigateBrief, Level, MOST_PROBES, Mode, Offered, ScoutAnswer, ScoutId,
    },
    prompt::{
        Prompts,
        estimate::{together, written},
        question::question,
    },
};

/// Its calls, in the order in which they follow one another.
#[must_use]
pub fn calls(prompts: &Prompts, brief: &InvestigateBrief) -> Vec<CallsTogether> {
    let scouts = brief.scouts.len();
    let alone = scout(prompts, brief, 0, &[]);
    let said = (scouts as u64).saturating_mul(written(&alone));
    let compared = compare(prompts, brief, &[]);
    let matter = Matter { topic: "", positions: &[] };
    let probe = check(prompts, brief, &matter, true);
    let shown = checked(prompts, brief, &matter, None, &Offered::default());
    let found = Found {
        compared: &Compared::default(),
        ledger: &[],
        records: &[],
        ended: None,
        alone: &[],
        stated: &[],
        critics: &[],
        notes: &[],
    };
    let last = answer(prompts, brief, &found);
    let own = ScoutAnswer {
        scout: ScoutId(1),
        understood: String::new(),
        answer: String::new(),
        reasoning: String::new(),
        claims: Vec::new(),
        confidence: Level::Low,
        answered_by: String::new(),
        dropped_citations: 0,
    };
    let points = scoring(prompts, brief, (&own, &[]), &[], &[]);
    let mut calls = Vec::new();
    if brief.problem.is_longer_than_a_line() {
        calls.push(together(1, &question(prompts, &brief.problem, brief.language.as_deref(), &[]), 0));
    }
    calls.extend([together(scouts, &alone, 0), together(1, &compared, said)]);
    if brief.mode == Mode::Structured {
        // Disagreements, and as many claims of one alone.
        let most = 2 * MOST_PROBES;
        calls.extend([together(most, &probe, 0), together(most, &shown, 1_000)]);
    } else {
        let empty = Turn {
            compared: &Compared::default(),
            opening: None,
            models: &[],
            records: &[],
            left: brief.limits,
            searching: true,
            asked: false,
            strict: true,
            notes: &[],
        };
        let next = turn(prompts, brief, &empty);
        // Each turn has the calls before it, so on the average half of what the loop may read.
        let turns = brief.limits.calls as usize;
        let read = brief.limits.tokens / u64::from(brief.limits.calls.max(1)) / 2;
        calls.extend([together(turns, &next, read), together(turns, &probe, 0)]);
    }
    calls.extend([
        together(2, &last, written(&compared).saturating_add(4_000)),
        together(scouts, &points, 600),
    ]);
    calls
}
