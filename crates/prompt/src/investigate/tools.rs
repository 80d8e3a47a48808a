//! A turn of the investigator, and the tools it is told of. A provider with tool calls is given each tool with its own
//! arguments; any other fills one object with all of them.

use minijinja::{Value, context};
use serde_json::{Map, json};

use super::{common, compared_text, record::Record, request, whole_answers};
use crate::{Prompts, fence, length::Length, reply::investigate::ActionReply, schema};
use domain::{
    Compared, ContextNote, InvestigateBrief, InvestigatorTool, LoopLimits, ModelName, Prompt, ScoutAnswer,
    StopRule, Tool,
};

/// Most tokens of a turn: a short program, or a question with its reasons.
const MAX_TURN_TOKENS: u32 = 1_000;

/// What the investigator has before it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// What the scouts agree and differ on.
    pub compared: &'a Compared,
    /// What they answered, whole.
    pub answers: &'a [ScoutAnswer],
    /// How it began; nothing where nothing is prescribed.
    pub opening: Option<&'a str>,
    /// Whom it can ask.
    pub models: &'a [ModelName],
    /// What was called so far.
    pub records: &'a [Record],
    /// What is left.
    pub left: LoopLimits,
    /// Whether there is a search.
    pub searching: bool,
    /// Whether the team was asked before.
    pub asked: bool,
    /// Whether steps on the way are prescribed.
    pub strict: bool,
    /// What the team added.
    pub notes: &'a [ContextNote],
}

/// The next turn. The reply is an [`ActionReply`].
#[must_use]
pub fn turn(prompts: &Prompts, brief: &InvestigateBrief, turn: &Turn<'_>) -> Prompt {
    let models: Vec<Value> = (1..)
        .zip(turn.models)
        .map(|(number, model)| context! { number => number, name => fence("model", &model.to_string()) })
        .collect();
    let left = turn.left;
    let values = context! {
        compared => compared_text(turn.compared),
        scouts => whole_answers(turn.answers),
        opening => turn.opening.map(|opening| fence("opening", opening)),
        models,
        calls => turn.records.iter().map(|record| fence("call", &record.text)).collect::<Vec<_>>(),
        left => context! { calls => left.calls, tokens => left.tokens, seconds => left.seconds },
        searching => turn.searching,
        asked => turn.asked,
        strict => turn.strict,
        ..common(brief, turn.notes)
    };
    let mut schema = schema::strict::<ActionReply>("action");
    let offered = |tool: &InvestigatorTool| turn.searching || *tool != InvestigatorTool::WebSearch;
    let offered: Vec<InvestigatorTool> = InvestigatorTool::ALL.into_iter().filter(offered).collect();
    let names: Vec<&str> = offered.iter().map(|tool| tool.as_str()).collect();
    schema::set(&mut schema, "/properties/tool", "enum", json!(names));
    let rules: Vec<&str> = StopRule::ALL.into_iter().map(StopRule::as_str).chain([""]).collect();
    schema::set(&mut schema, "/properties/stop", "enum", json!(rules));
    let length = Length::fixed(brief.effort, MAX_TURN_TOKENS);
    let prompt = request(prompts, brief, &["investigate/turn.md"], &values, schema, length);
    let tools = prompt.schema.as_ref().map(|all| tools(&offered, &all.json)).unwrap_or_default();
    Prompt { tools, ..prompt }
}

/// The tools with their own arguments, as the flat object has them.
fn tools(offered: &[InvestigatorTool], all: &serde_json::Value) -> Vec<Tool> {
    offered
        .iter()
        .map(|&tool| {
            let (description, own) = told(tool);
            let shared = ["purpose", "path", "last_was_new"];
            let names: Vec<&str> = shared.into_iter().chain(own.iter().copied()).collect();
            let properties: Map<String, serde_json::Value> = names
                .iter()
                .filter_map(|name| {
                    Some(((*name).to_owned(), all.pointer(&format!("/properties/{name}"))?.clone()))
                })
                .collect();
            Tool {
                name: tool.as_str().to_owned(),
                description: description.to_owned(),
                parameters: json!({
                    "type": "object",
                    "properties": properties,
                    "required": names,
                    "additionalProperties": false,
                }),
            }
        })
        .collect()
}

/// What a tool does, and its own arguments.
fn told(tool: InvestigatorTool) -> (&'static str, &'static [&'static str]) {
    use InvestigatorTool as T;
    match tool {
        T::QueryModel => (
            "Asks one of the models (model) what stands in text.",
            &["model", "text", "disproves", "why_go_on"],
        ),
        T::QueryModelAsRole => (
            "Asks one of the models (model) what stands in text, as somebody (role).",
            &["model", "role", "text", "disproves", "why_go_on"],
        ),
        T::VerifyClaim => (
            "Has the claim in text, or the disagreement of that topic, looked at by a model that did not make it.",
            &["text", "disproves", "why_go_on"],
        ),
        T::RunCode => (
            "Runs the program in text: plain JavaScript without modules, files, network or clock.",
            &["text", "settles", "disproves", "why_go_on"],
        ),
        T::WebSearch => ("Searches the web for text.", &["text", "settles", "disproves", "why_go_on"]),
        T::Argue => ("Has two models argue text, once each.", &["model", "text", "disproves", "why_go_on"]),
        T::AskTeam => ("Asks the team text; once in a session.", &["text"]),
        T::Checkpoint => (
            "Says what was learnt (text), what is held to be so, and whether that is firm.",
            &["text", "hypothesis", "firm", "would_change"],
        ),
        T::Done => (
            "Ends with the answer (hypothesis) and why (text).",
            &["text", "hypothesis", "alternative", "would_change", "confidence", "stop", "why_stop"],
        ),
    }
}
