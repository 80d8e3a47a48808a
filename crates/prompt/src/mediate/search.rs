//! What a module looks up, and how what was found stands in its request.

use minijinja::{Value, context};

use super::{MATERIAL, common, persona::persona, request};
use crate::{
    Prompts, RULES,
    length::Length,
    looked_up::MAX_QUERIES_TOKENS,
    quote::{output_text, sources_text},
    reply::QueriesReply,
    schema,
};
use domain::{ContextNote, MediateBrief, ModuleName, ModuleOutput, Offered, Prompt, Round};

/// What the web is searched for before a module writes in a round; `own`: what it said before. The reply is a
/// [`QueriesReply`].
#[must_use]
pub fn queries(
    prompts: &Prompts,
    brief: &MediateBrief,
    (module, round): (&ModuleName, Round),
    own: Option<&ModuleOutput>,
    notes: &[ContextNote],
) -> Prompt {
    let (persona, file) = persona(prompts, &brief.panel, module);
    let values = context! {
        round => round.number(),
        own => own.map(|own| output_text("own", own, false)),
        persona,
        ..common(brief, module, notes)
    };
    let files = [RULES, MATERIAL, "mediate/queries.md", &file];
    let schema = schema::strict::<QueriesReply>("search_queries");
    request(prompts, brief, &files, &values, schema, Length::fixed(brief.effort, MAX_QUERIES_TOKENS))
}

/// What there is to cite: of what was found just now all that the search showed, of the rest only what it is.
pub(super) fn shown(offered: &Offered) -> Value {
    let known = sources_text("sources", &offered.known, 1, false);
    let found = sources_text("search-results", &offered.found, offered.known.len() + 1, true);
    context! { known, found }
}
