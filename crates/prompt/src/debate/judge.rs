//! What a cheap model is asked of others' texts: what turns do, and whether the moderator takes a side. Neither is
//! given the document: what the words mean stands in them.

use minijinja::{Value, context};
use serde_json::json;

use super::{CHECK, bounds_text, question_text, transcript, warm};
use crate::{
    ParseError, Prompts, RULES, fence,
    length::Length,
    parse,
    reply::debate::{ConductReply, NeutralityReply},
    schema,
};
use domain::{
    Body, DebateBrief, DebateTurn, Mark, Prompt, Proposition, Reply, Section, neutrality::SideTaken,
};

/// Most tokens of the check of a turn, of each: a few words and some yes or no.
const MAX_TURN_CHECK_TOKENS: u32 = 200;

/// Most tokens of the check: at most eight passages with fifteen words each.
const MAX_NEUTRALITY_TOKENS: u32 = 900;

/// What the turns of a round do, all by one call: they are of one act. The reply is a [`ConductReply`].
#[must_use]
pub fn turn_check(
    prompts: &Prompts,
    brief: &DebateBrief,
    proposition: &Proposition,
    turns: &[&DebateTurn],
) -> Prompt {
    let early = turns.iter().any(|turn| turn.slot.act.is_early());
    let asks = turns.iter().any(|turn| matches!(turn.body, Body::Questions { .. }));
    let mut schema = schema::strict::<ConductReply>("conduct_check");
    for (field, asked) in [("answers_other_side", early), ("arguing_questions", asks)] {
        if !asked {
            schema::remove_in(&mut schema, "/properties/turns/items", field);
        }
    }
    for bound in ["minItems", "maxItems"] {
        schema::set(&mut schema, "/properties/turns", bound, json!(turns.len()));
    }
    let told: Vec<Value> = (1..)
        .zip(turns)
        .map(|(number, turn)| {
            let (place, side) = (turn.slot.to_string(), turn.slot.side.name());
            context! { number, place, side, text => transcript::whole(turn) }
        })
        .collect();
    let values = context! { question => question_text(proposition), turns => told, both => turns.len() > 1, early, asks };
    let files = [RULES, super::MATERIAL, "debate/turn_check.md"];
    let shared = without_document(brief, proposition);
    let each = u32::try_from(turns.len()).unwrap_or(u32::MAX);
    let length = Length::fixed(brief.effort, MAX_TURN_CHECK_TOKENS.saturating_mul(each));
    warm(prompts.request(&files, (&shared, &values), schema, length), CHECK)
}

/// Reads it: what each of the turns breaks.
pub fn read_turn_check(reply: &Reply, turns: &[&DebateTurn]) -> Result<Vec<Vec<Mark>>, ParseError> {
    parse::<ConductReply>(&reply.text)?.into_marks(turns)
}

/// Whether texts of the moderator take a side, passage by passage. The reply is a [`NeutralityReply`].
#[must_use]
pub fn neutrality(
    prompts: &Prompts,
    brief: &DebateBrief,
    proposition: &Proposition,
    passages: &[(Section, String)],
) -> Prompt {
    let passages: Vec<Value> = (1..)
        .zip(passages)
        .map(|(number, (section, text))| context! { number, name => section.name(), text => fence("passage", text) })
        .collect();
    let values = context! { passages, question => question_text(proposition) };
    let shared = without_document(brief, proposition);
    let schema = schema::strict::<NeutralityReply>("neutrality_check");
    let files = [RULES, super::MATERIAL, "debate/neutrality.md"];
    warm(
        prompts.request(
            &files,
            (&shared, &values),
            schema,
            Length::fixed(brief.effort, MAX_NEUTRALITY_TOKENS),
        ),
        CHECK,
    )
}

/// Reads it: the words that take a side, as far as they really stand there.
pub fn read_neutrality(reply: &Reply, passages: &[(Section, String)]) -> Result<Vec<SideTaken>, ParseError> {
    Ok(parse::<NeutralityReply>(&reply.text)?.into_taken(passages))
}

/// What checks are given to go by: the proposition and its bounds.
fn without_document(brief: &DebateBrief, proposition: &Proposition) -> Value {
    context! {
        language => brief.language,
        proposition => question_text(proposition),
        bounds => bounds_text(proposition),
    }
}
