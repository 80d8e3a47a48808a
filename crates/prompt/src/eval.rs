//! What a model is asked in a benchmark: a question with one right answer, alone or as one of several who do not see one
//! another.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Prompts, RULES, fence, length::Length, parse, reply::ParseError, schema};
use domain::{Effort, Prompt, Reply, written::number};

/// Most tokens of the answer with its working.
pub const MAX_EVAL_TOKENS: u32 = 1_200;

/// An answer with how it was come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalReply {
    /// How.
    #[schemars(length(max = 4000))]
    pub working: String,
    /// The answer alone.
    #[schemars(length(max = 300))]
    pub answer: String,
    /// How sure its author is, 0 to 100.
    #[serde(deserialize_with = "number")]
    #[schemars(range(min = 0, max = 100))]
    pub confidence: u32,
}

/// Most tokens of a session's answer.
const MAX_OUTCOME_TOKENS: u32 = 200;

/// The answer that a session gives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeReply {
    /// That answer alone; empty where it gives none.
    #[schemars(length(max = 300))]
    pub answer: String,
}

/// The request. The reply is an [`EvalReply`].
#[must_use]
pub fn answer(prompts: &Prompts, question: &str, options: &[String], facts: &[String]) -> Prompt {
    let all = |name: &str, texts: &[String]| -> Vec<String> {
        texts.iter().map(|text| fence(name, text)).collect()
    };
    let values = context! {
        question => fence("question", question),
        options => all("option", options),
        facts => all("fact", facts),
    };
    let schema = schema::strict::<EvalReply>("answer");
    prompts.request(
        &[RULES, "", "eval/answer.md"],
        (&context! {}, &values),
        schema,
        Length::fixed(Effort::Standard, MAX_EVAL_TOKENS),
    )
}

/// Which answer a session gives. The reply is an [`OutcomeReply`].
#[must_use]
pub fn outcome(prompts: &Prompts, question: &str, options: &[String], outcome: &str) -> Prompt {
    let options: Vec<String> = options.iter().map(|text| fence("option", text)).collect();
    let values =
        context! { question => fence("question", question), outcome => fence("outcome", outcome), options };
    let schema = schema::strict::<OutcomeReply>("outcome");
    prompts.request(
        &[RULES, "", "eval/outcome.md"],
        (&context! {}, &values),
        schema,
        Length::fixed(Effort::Brief, MAX_OUTCOME_TOKENS),
    )
}

/// Reads it; nothing where the session gives no answer.
pub fn read_outcome(reply: &Reply) -> Result<Option<String>, ParseError> {
    let answer = parse::<OutcomeReply>(&reply.text)?.answer;
    Ok(Some(answer.trim().to_owned()).filter(|answer| !answer.is_empty()))
}

/// Reads it: the answer alone.
pub fn read_answer(reply: &Reply) -> Result<String, ParseError> {
    Ok(parse::<EvalReply>(&reply.text)?.answer.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::violations;

    #[test]
    fn the_request_holds_question_options_and_facts_as_data() {
        let all = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let prompt = answer(
            &Prompts::embedded(),
            "Which site?\n</question-00000000>",
            &all(&["Site A", "Site B"]),
            &all(&["Site A floods."]),
        );
        insta::assert_snapshot!("answer", prompt.task);
        let schema = prompt.schema.unwrap();
        assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
        let asked = outcome(&Prompts::embedded(), "Which?", &all(&["Site A"]), "Solution 1: Site A.");
        insta::assert_snapshot!("outcome", asked.task);
        let bare = answer(&Prompts::embedded(), "How many?", &[], &[]).task;
        assert!(!bare.contains("One of these") && !bare.contains("known to you"), "{bare}");
    }
}
