//! The requests of a roundtable: one function for each place in its protocol at which a model is asked.
//!
//! What every call shares holds nobody's role: a reader of others' analyses must not learn who sits at the table.

mod parts;

pub use parts::parts;

use minijinja::{Value, context};
use serde_json::json;

use super::{
    Prompts, RULES, fence,
    length::Length,
    quote::{notes_text, plain_name},
    reply::{AnalysisReply, GatekeeperReply, NotaryReply, RebuttalReply},
    schema,
    scoring::{self, DELIBERATION, Deliberation, MAX_SCORING_TOKENS, Options},
};
use domain::{
    ContextNote, Effort, ExpertId, Letters, MAX_SOLUTIONS, Minutes, Prompt, Proposal, Role, RoundtableBrief,
    Schema, Solution, Stage, Statement,
};

/// Most tokens of the gatekeeper's reply: a restatement and five roles are some 700.
pub const MAX_GATEKEEPER_TOKENS: u32 = 1_100;

/// Most tokens of an analysis or a rebuttal: the schema's bounds come to about 700 tokens of English.
pub const MAX_STATEMENT_TOKENS: u32 = 1_000;

/// Most tokens of the minutes: a synthesis of 250 words and a handful of solutions; the schema's bounds come to some
/// 1,600 tokens of English.
pub const MAX_MINUTES_TOKENS: u32 = 2_000;

const MATERIAL: &str = "roundtable/material.md";

/// Before anybody speaks. The reply is a [`GatekeeperReply`].
#[must_use]
pub fn gatekeeper(prompts: &Prompts, brief: &RoundtableBrief, notes: &[ContextNote]) -> Prompt {
    let experts = brief.experts.len();
    let mut schema = schema::strict::<GatekeeperReply>("gatekeeper_proposal");
    schema::set(&mut schema, "/properties/roles", "minItems", json!(experts));
    schema::set(&mut schema, "/properties/roles", "maxItems", json!(experts));
    let values = context! { experts, ..common(brief, notes) };
    let files = [RULES, MATERIAL, "roundtable/gatekeeper.md"];
    prompts.request(
        &files,
        (&material(brief, None), &values),
        schema,
        Length::fixed(brief.effort, MAX_GATEKEEPER_TOKENS),
    )
}

/// The first turn: an expert alone. The reply is an [`AnalysisReply`].
#[must_use]
pub fn analysis(
    prompts: &Prompts,
    brief: &RoundtableBrief,
    proposal: &Proposal,
    role: &Role,
    notes: &[ContextNote],
) -> Prompt {
    let schema = reasons(schema::strict::<AnalysisReply>("expert_analysis"), brief.effort);
    let values = context! { role => role_text(role), ..common(brief, notes) };
    let files = [RULES, MATERIAL, "roundtable/analysis.md"];
    prompts.request(
        &files,
        (&material(brief, Some(proposal)), &values),
        schema,
        Length::growing(brief.effort, MAX_STATEMENT_TOKENS),
    )
}

/// The second turn: an expert that has its own analysis and the others', under letters in the order of its
/// [`Letters`]. The reply is a [`RebuttalReply`].
#[must_use]
pub fn rebuttal(
    prompts: &Prompts,
    brief: &RoundtableBrief,
    proposal: &Proposal,
    role: &Role,
    (analyses, reading): (&[Statement], &Letters),
    notes: &[ContextNote],
) -> Prompt {
    let of = |expert: ExpertId| analyses.iter().find(|statement| statement.expert == expert);
    let peers: Vec<Value> = (reading.letters())
        .filter_map(|(letter, other)| Some((letter, of(other)?)))
        .map(|(letter, other)| context! { label => letter.to_string(), text => fence("response", &statement_text(other)) })
        .collect();
    let own = of(role.id).map(|own| fence("own", &statement_text(own)));
    let values = context! { own, peers, role => role_text(role), ..common(brief, notes) };
    let schema = reasons(schema::strict::<RebuttalReply>("expert_rebuttal"), brief.effort);
    let files = [RULES, MATERIAL, "roundtable/rebuttal.md"];
    prompts.request(
        &files,
        (&material(brief, Some(proposal)), &values),
        schema,
        Length::growing(brief.effort, MAX_STATEMENT_TOKENS),
    )
}

/// A statement's schema with as many reasons as the effort asks for.
fn reasons(mut schema: Schema, effort: Effort) -> Schema {
    let most = match effort {
        Effort::Brief => 5,
        Effort::Standard => 6,
        Effort::Deep => 8,
    };
    schema::set(&mut schema, "/properties/key_reasoning_points", "maxItems", json!(most));
    schema
}

/// The record: the notary has everything, with who said it. The reply is a [`NotaryReply`] whose schema knows the
/// experts that spoke.
#[must_use]
pub fn notary(
    prompts: &Prompts,
    brief: &RoundtableBrief,
    proposal: &Proposal,
    statements: &[Statement],
    notes: &[ContextNote],
) -> Prompt {
    let said = |role: &&Role| statements.iter().any(|statement| statement.expert == role.id);
    let experts: Vec<Value> = (proposal.roles.iter().filter(said))
        .map(|role| {
            let turns = statements.iter().filter(|statement| statement.expert == role.id).map(numbered_text);
            let text = format!("Role: {}\n\n{}", role.name, turns.collect::<Vec<_>>().join("\n\n"));
            context! { id => role.id.to_string(), text => fence(&role.id.to_string(), &text) }
        })
        .collect();
    let ids: Vec<String> = statements.iter().map(|statement| statement.id().to_string()).collect();
    let missing: Vec<String> =
        proposal.roles.iter().filter(|role| !said(role)).map(|role| role.id.to_string()).collect();
    let mut schema = schema::strict::<NotaryReply>("notary_minutes");
    schema::set(&mut schema, "/properties/solutions/items/properties/statements/items", "enum", json!(ids));
    let example = ids.first().cloned();
    let values = context! { experts, example, missing, most => MAX_SOLUTIONS, ..common(brief, notes) };
    let files = [RULES, MATERIAL, "roundtable/notary.md"];
    prompts.request(
        &files,
        (&material(brief, Some(proposal)), &values),
        schema,
        Length::growing(brief.effort, MAX_MINUTES_TOKENS),
    )
}

/// What was said, for those who score: every expert's last word, unsigned, and the notary's record; the order by `seed`.
#[must_use]
pub fn deliberation(
    prompts: &Prompts,
    (last_words, minutes): (&[&Statement], &Minutes),
    notes: &[ContextNote],
    seed: u64,
) -> Deliberation {
    let said: Vec<String> = last_words.iter().map(|last| fence("statement", &statement_text(last))).collect();
    let record = ("The notary's record", Some(fence("record", &minutes.synthesis)));
    Deliberation::of(prompts, &said, seed, record, notes)
}

/// Scoring: an expert that has read what was said, and is reminded of what it said `last`, spreads ten points over the
/// solutions, shown as A, B, C … in `order`: the k-th label is `solutions[order[k]]`. Without `told` it is for a model that
/// cannot take in all of it. The reply is a [`PointsReply`](super::reply::PointsReply).
#[must_use]
pub fn scoring(
    prompts: &Prompts,
    (brief, proposal): (&RoundtableBrief, &Proposal),
    (role, last): (&Role, &Statement),
    told: Option<&Deliberation>,
    solutions: &[Solution],
    order: &[usize],
) -> Prompt {
    let Options { text, labels, schema } = scoring::options(solutions, order);
    let values = context! {
        options => text,
        labels,
        stance => fence("own", &statement_text(last)),
        role => role_text(role),
        ..common(brief, &[])
    };
    let files = [RULES, MATERIAL, "roundtable/scoring.md", DELIBERATION];
    let undocumented = RoundtableBrief { document: None, ..brief.clone() };
    let shared = material(&undocumented, Some(proposal));
    let prompt =
        prompts.request(&files, (&shared, &values), schema, Length::fixed(brief.effort, MAX_SCORING_TOKENS));
    Deliberation::before(told, prompt)
}

/// What every call of a session shares, to the byte, once the proposal is confirmed.
fn material(brief: &RoundtableBrief, proposal: Option<&Proposal>) -> Value {
    let dimensions = proposal.filter(|proposal| !proposal.dimensions.is_empty());
    let dimensions = dimensions.map(|proposal| {
        let lines: Vec<String> = proposal.dimensions.iter().map(|line| format!("- {line}")).collect();
        fence("dimensions", &lines.join("\n"))
    });
    // Stock roles come with the problem as it is; twice would be once too often.
    let restated = proposal.filter(|proposal| proposal.restated.trim() != brief.problem.as_str());
    context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        restated => restated.map(|proposal| fence("restated", &proposal.restated)),
        dimensions,
    }
}

/// What every task can use.
fn common(brief: &RoundtableBrief, notes: &[ContextNote]) -> Value {
    context! {
        notes => notes_text(notes),
        language => brief.language,
        question => fence("problem-in-short", &brief.problem.title(200)),
    }
}

/// A role as whoever plays it reads it. People may have written it, so it is quoted.
fn role_text(role: &Role) -> String {
    fence("role", &format!("{}\n{}", role.name, role.mission))
}

/// A statement without its author.
pub(super) fn statement_text(statement: &Statement) -> String {
    let reasons: Vec<String> = statement.reasons.iter().map(|reason| format!("- {reason}")).collect();
    format!("In short: {}\n\n{}\n\n{}", statement.summary, statement.stance, reasons.join("\n"))
}

/// A statement under its id and the name of its turn.
fn numbered_text(statement: &Statement) -> String {
    format!("Statement {}. {}", statement.id(), turn_text(statement))
}

/// A statement under the name of its turn.
fn turn_text(statement: &Statement) -> String {
    let turn = match statement.stage {
        Stage::Analysis => "First turn, alone:",
        Stage::Rebuttal => "Second turn, after reading the others:",
    };
    format!("{turn}\n{}", statement_text(statement))
}

#[cfg(test)]
mod tests;
