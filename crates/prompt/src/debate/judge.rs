//! What a cheap model is asked of others' texts: what a turn does, and whether the moderator takes a side. Neither is
//! given the document: what the words mean stands in them.

use minijinja::{Value, context};

use super::{CHECK, bounds_text, question_text, transcript, warm};
use crate::{
    ParseError, Prompts, RULES, fence,
    length::Length,
    parse,
    reply::debate::{NeutralityReply, TurnCheckReply},
    schema,
};
use domain::{
    Body, DebateBrief, DebateTurn, Mark, Prompt, Proposition, Reply, Section, neutrality::SideTaken,
};

/// Most tokens of the check of a turn: a few words and some yes or no.
const MAX_TURN_CHECK_TOKENS: u32 = 200;

/// Most tokens of the check: at most eight passages with fifteen words each.
const MAX_NEUTRALITY_TOKENS: u32 = 900;

/// What a turn does. The reply is a [`TurnCheckReply`].
#[must_use]
pub fn turn_check(
    prompts: &Prompts,
    brief: &DebateBrief,
    proposition: &Proposition,
    turn: &DebateTurn,
) -> Prompt {
    let (early, asks) = (turn.slot.act.is_early(), matches!(turn.body, Body::Questions { .. }));
    let mut schema = schema::strict::<TurnCheckReply>("conduct_check");
    for (field, asked) in [("answers_other_side", early), ("arguing_questions", asks)] {
        if !asked {
            schema::remove(&mut schema, field);
        }
    }
    let values = context! {
        question => question_text(proposition),
        place => turn.slot.to_string(),
        side => turn.slot.side.name(),
        turn => transcript::whole(turn),
        early,
        asks,
    };
    let files = [RULES, super::MATERIAL, "debate/turn_check.md"];
    let shared = without_document(brief, proposition);
    warm(
        prompts.request(
            &files,
            (&shared, &values),
            schema,
            Length::fixed(brief.effort, MAX_TURN_CHECK_TOKENS),
        ),
        CHECK,
    )
}

/// Reads it: what the turn breaks.
pub fn read_turn_check(reply: &Reply, turn: &DebateTurn) -> Result<Vec<Mark>, ParseError> {
    Ok(parse::<TurnCheckReply>(&reply.text)?.into_marks(turn))
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
