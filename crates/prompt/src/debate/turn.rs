//! A turn of an advocate.

use minijinja::{Value, context};
use serde_json::json;

use super::{
    ADVOCATE, CROSS, MATERIAL, MAX_TURN_TOKENS, Transcript, broken_text, material, question_text, reading,
    stance, transcript, warm,
};
use crate::{
    ParseError, Prompts, RULES,
    length::Length,
    looked_up::MAX_QUERIES_TOKENS,
    parse,
    quote::{found_text, known_text},
    reply::{
        QueriesReply,
        debate::{
            AnswersReply, ArgumentsReply, ClosingReply, OpeningReply, QuestionsReply, RebuttalReply, Speaker,
        },
    },
    schema,
};
use domain::{
    Act, Body, Debate, DebateBrief, DebatePhase, DebateTurn, Evidence, Mark, Offered, Prompt, Reply, Schema,
    Side, Slot, Theme, bounds,
};

/// A turn, with what it answers to as a whole or in short. `pending`: evidence its side has to acknowledge; `offered`: the
/// pages it may cite; `mend`: its first try, and what that broke.
#[must_use]
pub fn turn(
    prompts: &Prompts,
    brief: &DebateBrief,
    (debate, transcript): (&Debate, Transcript),
    slot: Slot,
    (pending, offered): (&[Evidence], &Offered),
    mend: Option<(&DebateTurn, &[Mark])>,
) -> Prompt {
    let (least, most) = bounds(slot.act, debate.preset, brief.effort).into_inner();
    let numbers: Vec<String> = pending.iter().map(|evidence| format!("E{}", evidence.number)).collect();
    let theme = match slot.act {
        Act::Constructive(theme) => Some(theme),
        _ => None,
    };
    let asked = questions(debate, slot);
    let values = context! {
        side => slot.side.name(),
        other => slot.side.other().name(),
        stance => stance(slot.side),
        theme => theme.map(theme_text),
        framework => theme == Some(Theme::Ethical),
        asked,
        follow_up => matches!(slot.act, Act::FollowUp | Act::FollowUpAnswer),
        effort => brief.effort.as_str(),
        answered => slot.side == Side::Pro && !debate.preset.answers_at_once(),
        least,
        most,
        wrap => (most * 4 / 5).max(least),
        cites => !offered.is_empty(),
    };
    let own_task = prompts.render(file(slot.act), &values);
    let groups: Vec<Value> =
        reading::of((debate, transcript), slot).into_iter().filter_map(reading::Group::value).collect();
    let clarifications: Vec<String> =
        debate.clarifications.iter().filter_map(transcript::clarification).collect();
    let values = context! {
        groups,
        clarifications,
        pending => pending.iter().map(transcript::evidence).collect::<Vec<_>>(),
        numbers,
        acknowledged => transcript::acknowledged_before(debate, slot.side, pending),
        first_try => mend.map(|(first, _)| transcript::with_evidence(first)),
        broken => mend.and_then(|(_, marks)| broken_text(&marks.iter().map(Mark::told).collect::<Vec<_>>())),
        question => question_text(&debate.proposition),
        own_task,
        known => known_text(offered),
        found => found_text(offered),
        ..values
    };
    let schema = schema_of(slot.act, asked, &numbers);
    let files = [RULES, MATERIAL, "debate/turn.md", file(slot.act)];
    let shared = material(brief, Some(&debate.proposition));
    let prompt =
        prompts.request(&files, (&shared, &values), schema, Length::fixed(brief.effort, MAX_TURN_TOKENS));
    warm(prompt, if slot.act.phase() == DebatePhase::CrossExamination { CROSS } else { ADVOCATE })
}

/// What the web is searched for before a side makes its case or answers the other's. The reply is a [`QueriesReply`].
#[must_use]
pub fn queries(prompts: &Prompts, brief: &DebateBrief, debate: &Debate, slot: Slot) -> Prompt {
    let theme = match slot.act {
        Act::Case => Some("all that bears on the proposition"),
        Act::Constructive(theme) => Some(theme_text(theme)),
        _ => None,
    };
    let said = if slot.act.is_early() { Vec::new() } else { reading::claims(debate, slot.side.other()) };
    let values = context! {
        side => slot.side.name(),
        other => slot.side.other().name(),
        stance => stance(slot.side),
        theme,
        said,
        question => question_text(&debate.proposition),
    };
    let schema = schema::strict::<QueriesReply>("search_queries");
    let shared = material(brief, Some(&debate.proposition));
    let files = [RULES, MATERIAL, "debate/queries.md"];
    let length = Length::fixed(brief.effort, MAX_QUERIES_TOKENS);
    warm(prompts.request(&files, (&shared, &values), schema, length), ADVOCATE)
}

/// Reads a turn; unmarked, citing by the numbers of what was offered.
pub fn read_turn(slot: Slot, reply: &Reply, offered: &Offered) -> Result<DebateTurn, ParseError> {
    let text = reply.text.as_str();
    let by = Speaker { slot, model: &reply.answered, pages: offered.len() };
    match slot.act {
        Act::Opening => parse::<OpeningReply>(text)?.into_turn(by),
        Act::Case | Act::Constructive(_) => parse::<ArgumentsReply>(text)?.into_turn(by),
        Act::Questions | Act::FollowUp => parse::<QuestionsReply>(text)?.into_turn(by),
        Act::Answers | Act::FollowUpAnswer => parse::<AnswersReply>(text)?.into_turn(by),
        Act::Rebuttal => parse::<RebuttalReply>(text)?.into_turn(by),
        Act::Closing => parse::<ClosingReply>(text)?.into_turn(by),
    }
}

/// The file with an act's own rules.
fn file(act: Act) -> &'static str {
    match act {
        Act::Case => "debate/case.md",
        Act::Opening => "debate/opening.md",
        Act::Constructive(_) => "debate/constructive.md",
        Act::Questions | Act::FollowUp => "debate/questions.md",
        Act::Answers | Act::FollowUpAnswer => "debate/answers.md",
        Act::Rebuttal => "debate/rebuttal.md",
        Act::Closing => "debate/closing.md",
    }
}

/// How many questions a turn has to answer.
fn questions(debate: &Debate, slot: Slot) -> usize {
    let asking = match slot.act {
        Act::Answers => Act::Questions,
        Act::FollowUpAnswer => Act::FollowUp,
        _ => return 0,
    };
    match debate.turn(Slot::new(asking, slot.side.other())).map(|turn| &turn.body) {
        Some(Body::Questions { questions }) => questions.len(),
        _ => 0,
    }
}

/// What a round is about, and what it leaves to others.
fn theme_text(theme: Theme) -> &'static str {
    match theme {
        Theme::Economic => {
            "economic and technical: costs, gains, who bears them, what works and what can be built. Ethics and practice have rounds of their own"
        }
        Theme::Ethical => {
            "ethical and social: rights, duties, fairness, who is helped and who is harmed. Economics and practice have rounds of their own"
        }
        Theme::Practical => {
            "practical implications: how it would be done, by whom, how soon, what it brings in its train. Economics and ethics have rounds of their own"
        }
    }
}

/// The shape of an act's reply: as many answers as there are questions, and a word on each piece of pending evidence.
fn schema_of(act: Act, asked: usize, pending: &[String]) -> Schema {
    let mut schema = match act {
        Act::Opening => schema::strict::<OpeningReply>("turn_opening"),
        Act::Case => schema::strict::<ArgumentsReply>("turn_case"),
        Act::Constructive(_) => schema::strict::<ArgumentsReply>("turn_arguments"),
        Act::Questions | Act::FollowUp => schema::strict::<QuestionsReply>("turn_questions"),
        Act::Answers | Act::FollowUpAnswer => schema::strict::<AnswersReply>("turn_answers"),
        Act::Rebuttal => schema::strict::<RebuttalReply>("turn_rebuttal"),
        Act::Closing => schema::strict::<ClosingReply>("turn_closing"),
    };
    let mut count = |list: &str, least: usize, most: usize| {
        schema::set(&mut schema, list, "minItems", json!(least));
        schema::set(&mut schema, list, "maxItems", json!(most));
    };
    match act {
        Act::Questions => count("/properties/questions", 1, 3),
        Act::FollowUp => count("/properties/questions", 0, 1),
        Act::Answers | Act::FollowUpAnswer => count("/properties/answers", asked, asked),
        _ => {}
    }
    count("/properties/acknowledged", pending.len(), pending.len());
    if asked > 0 {
        let numbers: Vec<usize> = (1..=asked).collect();
        let question = "/properties/answers/items/properties/question";
        schema::set(&mut schema, question, "enum", json!(numbers));
    }
    if let Act::Constructive(theme) = act {
        schema::remove(&mut schema, "position");
        if theme == Theme::Ethical {
            schema::set(&mut schema, "/properties/framework", "type", json!("string"));
        } else {
            schema::remove(&mut schema, "framework");
        }
    }
    if act == Act::Case {
        schema::set(&mut schema, "/properties/position", "type", json!("string"));
    }
    if pending.is_empty() {
        schema::remove(&mut schema, "acknowledged");
    } else {
        let evidence = "/properties/acknowledged/items/properties/evidence";
        schema::set(&mut schema, evidence, "enum", json!(pending));
    }
    schema
}
