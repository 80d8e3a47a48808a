//! The proposition: from what somebody typed to a neutral question.

use minijinja::context;

use super::{GATEKEEPER, MATERIAL, MAX_PROPOSITION_TOKENS, material, warm};
use crate::{
    ParseError, Prompts, RULES, fence, length::Length, parse, quote::notes_text,
    reply::debate::checked_proposition, schema,
};
use domain::{ContextNote, DebateBrief, Prompt, Proposition, Reply};

/// Makes a neutral question of what was typed. The reply is a [`Proposition`].
#[must_use]
pub fn normalise(prompts: &Prompts, brief: &DebateBrief, notes: &[ContextNote]) -> Prompt {
    let schema = schema::strict::<Proposition>("proposition");
    let values = context! { typed => fence("typed", brief.problem.as_str()), notes => notes_text(notes) };
    let files = [RULES, MATERIAL, "debate/normalise.md"];
    let prompt = prompts.request(
        &files,
        (&material(brief, None), &values),
        schema,
        Length::fixed(brief.effort, MAX_PROPOSITION_TOKENS),
    );
    warm(prompt, GATEKEEPER)
}

/// Reads it.
pub fn read_proposition(brief: &DebateBrief, reply: &Reply) -> Result<Proposition, ParseError> {
    checked_proposition(parse::<Proposition>(&reply.text)?, brief.problem.as_str(), &reply.answered)
}
