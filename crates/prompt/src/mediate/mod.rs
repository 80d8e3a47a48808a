//! The requests of a mediation: one function for each place in its protocol at which a model is asked.

mod baseline;
mod parts;
mod persona;
mod research;
mod search;
mod selection;
mod synthesis;

pub use baseline::{plain, read_worth, worth};
pub use parts::parts;
pub use research::{research_queries, resolution};
pub use search::queries;
pub use selection::{gaps, select};
pub use synthesis::{has_gaps, synthesis};

use minijinja::{Value, context};
use persona::{looks_at, persona};
use schemars::JsonSchema;
use serde_json::json;

use super::{
    Prompts, RULES, fence,
    length::Length,
    quote::{notes_text, output_text, plain_name},
    reply::{ModuleReply, RevisionReply},
    schema,
    scoring::{self, DELIBERATION, Deliberation, MAX_SCORING_TOKENS, Options},
    shuffled,
};
use domain::{
    ContextNote, Effort, MediateBrief, ModuleName, ModuleOutput, Offered, Prompt, Research, Round, Schema,
    Solution, Synthesis,
};

/// Most tokens of a module's reply. The 440 words asked for are some 650 tokens of English and up to 1,000
/// of languages that take two tokens a word; the schema's bounds come to about 950 tokens of English, so a
/// small model that never ends is stopped by them and its reply stays whole. Three such replies and the
/// synthesis of them fit a context of 8,192.
pub const MAX_MODULE_TOKENS: u32 = 1_000;

/// Most tokens of a reply to a simpler prompt or an addendum, which asks for half as much.
pub const MAX_SIMPLER_TOKENS: u32 = 700;

/// Most tokens of the synthesis: some 900 words are asked for; the schema's bounds come to 1,700 tokens of
/// English.
pub const MAX_SYNTHESIS_TOKENS: u32 = 1_800;

const MATERIAL: &str = "mediate/material.md";

/// Round 1: a module alone with the problem and what was found for it. The reply is a [`ModuleReply`].
#[must_use]
pub fn independent(
    prompts: &Prompts,
    brief: &MediateBrief,
    module: &ModuleName,
    offered: &Offered,
    notes: &[ContextNote],
) -> Prompt {
    let (persona, file) = persona(prompts, &brief.panel, module);
    let values = context! {
        persona,
        ..context! { ..search::shown(offered), ..common(brief, module, notes) }
    };
    let files = [RULES, MATERIAL, "mediate/independent.md", &file];
    request(
        prompts,
        brief,
        &files,
        &values,
        listing(module_schema::<ModuleReply>("module_analysis"), brief.effort),
        Length::growing(brief.effort, MAX_MODULE_TOKENS),
    )
}

/// Round 2: a module that has its own analysis and the others', anonymous and in an order of its own (made
/// of `seed`; see [`super::seed`]). It stands in the task, not in the shared part: an order that differs by
/// reader could not be cached, and what is shared stays the same as in round 1. The
/// reply is a [`RevisionReply`].
#[must_use]
pub fn revision(
    prompts: &Prompts,
    brief: &MediateBrief,
    module: &ModuleName,
    (first, seed): (&[ModuleOutput], u64),
    offered: &Offered,
    notes: &[ContextNote],
) -> Prompt {
    let read = context! { ..readings(module, first, seed, true), ..search::shown(offered) };
    let (persona, file) = persona(prompts, &brief.panel, module);
    let values = context! {
        persona,
        ..context! { ..read, ..common(brief, module, notes) }
    };
    let files = [RULES, MATERIAL, "mediate/revision.md", &file];
    request(
        prompts,
        brief,
        &files,
        &values,
        listing(module_schema::<RevisionReply>("module_revision"), brief.effort),
        Length::growing(brief.effort, MAX_MODULE_TOKENS),
    )
}

/// The second try after a failure, in either round: a line for a persona, of the others only summaries and
/// key points. The reply has the same type as the first try's: [`ModuleReply`] in round 1, [`RevisionReply`]
/// in round 2. In round 1 `first` is empty.
#[must_use]
pub fn simpler(
    prompts: &Prompts,
    brief: &MediateBrief,
    module: &ModuleName,
    round: Round,
    first: &[ModuleOutput],
    seed: u64,
    notes: &[ContextNote],
) -> Prompt {
    let values = context! {
        round => round.number(),
        ..context! { ..readings(module, first, seed, false), ..common(brief, module, notes) }
    };
    let schema = shorter(match round {
        Round::Independent => module_schema::<ModuleReply>("module_analysis"),
        Round::Revision => module_schema::<RevisionReply>("module_revision"),
    });
    let files = [RULES, MATERIAL, "mediate/simpler.md"];
    request(prompts, brief, &files, &values, schema, Length::fixed(brief.effort, MAX_SIMPLER_TOKENS))
}

/// An heir speaks for a module that could not answer: only of the lost module's concerns, with `own` as what
/// the heir itself said. The reply is a [`ModuleReply`], kept as the lost module's output with
/// `Redelegation::Heir` beside it.
#[must_use]
pub fn addendum(
    prompts: &Prompts,
    brief: &MediateBrief,
    heir: &ModuleName,
    lost: &ModuleName,
    own: Option<&ModuleOutput>,
    notes: &[ContextNote],
) -> Prompt {
    let (persona, file) = persona(prompts, &brief.panel, lost);
    let values = context! {
        lost => looks_at(&brief.panel, lost),
        persona,
        own => own.map(|own| output_text("own", own, false)),
        ..common(brief, heir, notes)
    };
    let files = [RULES, MATERIAL, "mediate/addendum.md", &file];
    request(
        prompts,
        brief,
        &files,
        &values,
        module_schema::<ModuleReply>("module_analysis"),
        Length::fixed(brief.effort, MAX_SIMPLER_TOKENS),
    )
}

/// What was said, for those who score: every module's last word, unsigned, and the synthesis; the order by `seed`.
#[must_use]
pub fn deliberation(
    prompts: &Prompts,
    (outputs, synthesis, research): (&[ModuleOutput], &Synthesis, Option<&Research>),
    notes: &[ContextNote],
    seed: u64,
) -> Deliberation {
    let last = |output: &&ModuleOutput| last_word(outputs, &output.module) == Some(*output);
    let said: Vec<String> =
        outputs.iter().filter(last).map(|output| output_text("analysis", output, true)).collect();
    let looked_into = research.and_then(parts::research_text).map(|text| format!("\n\n{text}"));
    let text = format!("{}{}", parts::synthesis_text(synthesis), looked_into.unwrap_or_default());
    let record = ("The mediator's synthesis", Some(text));
    Deliberation::of(prompts, &said, seed, record, notes)
}

/// Scoring: a module that has read what was said, and is reminded of its own last word, spreads ten points over the
/// solutions, shown as A, B, C … in `order`: the k-th label is `solutions[order[k]]`. Without `told` it is for a model that
/// cannot take in all of it. No document: what counts of it was said. The reply is a
/// [`PointsReply`](super::reply::PointsReply).
#[must_use]
pub fn scoring(
    prompts: &Prompts,
    brief: &MediateBrief,
    (module, own): (&ModuleName, Option<&ModuleOutput>),
    told: Option<&Deliberation>,
    solutions: &[Solution],
    order: &[usize],
) -> Prompt {
    let Options { text, labels, schema } = scoring::options(solutions, order);
    let (persona, file) = persona(prompts, &brief.panel, module);
    let values = context! {
        options => text,
        labels,
        own => own.map(|own| output_text("own", own, false)),
        persona,
        ..common(brief, module, &[])
    };
    let files = [RULES, MATERIAL, "mediate/scoring.md", &file, DELIBERATION];
    let undocumented = MediateBrief { document: None, ..brief.clone() };
    let prompt = request(
        prompts,
        &undocumented,
        &files,
        &values,
        schema,
        Length::fixed(brief.effort, MAX_SCORING_TOKENS),
    );
    Deliberation::before(told, prompt)
}

/// What a module said last.
#[must_use]
pub fn last_word<'a>(outputs: &'a [ModuleOutput], module: &ModuleName) -> Option<&'a ModuleOutput> {
    outputs.iter().filter(|output| output.module == *module).max_by_key(|output| output.round)
}

/// A module's schema: its flags belong to no conflict, for there is none yet.
fn module_schema<T: JsonSchema + 'static>(name: &str) -> Schema {
    let mut schema = schema::strict::<T>(name);
    schema::remove_in(&mut schema, "/properties/flags/items", "conflict");
    schema
}

/// A module's schema with as many points as the effort asks for.
fn listing(mut schema: Schema, effort: Effort) -> Schema {
    let (points, flags) = match effort {
        Effort::Brief => (5, 4),
        Effort::Standard => (6, 5),
        Effort::Deep => (8, 8),
    };
    schema::set(&mut schema, "/properties/key_points", "maxItems", json!(points));
    schema::set(&mut schema, "/properties/flags", "maxItems", json!(flags));
    schema
}

/// A module's schema with half the room.
fn shorter(mut schema: Schema) -> Schema {
    for (path, keyword, most) in
        [("analysis", "maxLength", 800), ("key_points", "maxItems", 3), ("flags", "maxItems", 3)]
    {
        schema::set(&mut schema, &format!("/properties/{path}"), keyword, json!(most));
    }
    schema
}

/// Rules and material first, the task (the third file) last.
fn request(
    prompts: &Prompts,
    brief: &MediateBrief,
    files: &[&str],
    values: &Value,
    schema: Schema,
    length: Length,
) -> Prompt {
    prompts.request(files, (&material(brief), values), schema, length)
}

/// What every call of a session shares, to the byte.
fn material(brief: &MediateBrief) -> Value {
    context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
        panel => brief.panel.seats.iter().map(|seat| looks_at(&brief.panel, &seat.module)).collect::<Vec<_>>(),
    }
}

/// What every task of a module can use.
fn common(brief: &MediateBrief, module: &ModuleName, notes: &[ContextNote]) -> Value {
    context! {
        module => looks_at(&brief.panel, module),
        notes => notes_text(notes),
        language => brief.language,
        question => question(brief),
    }
}

/// The problem's first words again, at the end of long tasks: models drift from a question asked thousands
/// of tokens ago. The whole of it stands in the shared part.
fn question(brief: &MediateBrief) -> String {
    fence("problem-in-short", &brief.problem.title(200))
}

/// The reader's own analysis and the others', anonymous and shuffled.
fn readings(reader: &ModuleName, first: &[ModuleOutput], seed: u64, whole: bool) -> Value {
    let own = first.iter().find(|output| output.module == *reader);
    let peers: Vec<Value> = (others(reader, first, seed).into_iter().enumerate())
        .map(|(place, output)| {
            let label = super::reply::label(place);
            context! { text => output_text("peer", output, whole), label }
        })
        .collect();
    context! { own => own.map(|own| output_text("own", own, whole)), peers }
}

/// The others' outputs in the reader's own order.
fn others<'a>(reader: &ModuleName, first: &'a [ModuleOutput], seed: u64) -> Vec<&'a ModuleOutput> {
    let others: Vec<&ModuleOutput> = first.iter().filter(|output| output.module != *reader).collect();
    shuffled(others.len(), seed).into_iter().filter_map(|at| others.get(at).copied()).collect()
}

/// Who stood under which letter for a reader of round 1: the first was *Analysis A*.
#[must_use]
pub fn lettered(reader: &ModuleName, first: &[ModuleOutput], seed: u64) -> Vec<ModuleName> {
    others(reader, first, seed).into_iter().map(|output| output.module.clone()).collect()
}

#[cfg(test)]
mod tests;
