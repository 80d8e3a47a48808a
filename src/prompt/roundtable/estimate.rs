//! What a roundtable takes at most.

use super::{analysis, gatekeeper, notary, rebuttal, scoring};
use crate::{
    domain::{CallsTogether, Letters, Proposal, RoundtableBrief, Stage, Statement},
    prompt::{
        Prompts,
        estimate::{together, written},
        question::question,
        solutions::{duplicates, said},
    },
};

/// Its calls, in the order in which they follow one another.
#[must_use]
pub fn calls(prompts: &Prompts, brief: &RoundtableBrief) -> Vec<CallsTogether> {
    let models = brief.experts.iter().map(|seat| seat.model.clone()).collect();
    let proposal = Proposal::stock(&brief.problem, models);
    let Some(role) = proposal.roles.first() else { return Vec::new() };
    let experts = brief.experts.len();
    let alone = analysis(prompts, brief, &proposal, role, &[]);
    let turn = (experts as u64).saturating_mul(written(&alone));
    let answer = rebuttal(
        prompts,
        brief,
        &proposal,
        role,
        (&[], &Letters { reader: role.id, others: Vec::new() }),
        &[],
    );
    let minutes = notary(prompts, brief, &proposal, &[], &[]);
    let silent = Statement {
        expert: role.id,
        stage: Stage::Rebuttal,
        stance: String::new(),
        summary: String::new(),
        reasons: Vec::new(),
        answered_by: String::new(),
        dropped_citations: 0,
    };
    let points = scoring(prompts, (brief, &proposal), (role, &silent), None, &[], &[]);
    let mut calls = Vec::new();
    if brief.problem.is_longer_than_a_line() {
        calls.push(together(1, &question(prompts, &brief.problem, brief.language.as_deref(), &[]), 0));
    }
    calls.extend([
        together(1, &gatekeeper(prompts, brief, &[]), 0),
        together(experts, &alone, 0),
        together(experts, &answer, turn),
        together(1, &minutes, turn.saturating_mul(2)),
        together(1, &said(prompts, &brief.problem, &[], &[]), turn.saturating_add(written(&minutes))),
        together(1, &duplicates(prompts, &brief.problem, &[]), written(&minutes)),
        together(experts, &points, turn.saturating_add(written(&minutes))),
    ]);
    calls
}
