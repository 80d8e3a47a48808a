//! What has to be decided, in a sentence, where the problem is longer than a line.

use minijinja::{Value, context};
use serde_json::json;

use super::{Prompts, RULES, fence, length::Length, reply::QuestionReply, schema};
use domain::{Effort, Module, ModuleName, Problem, Prompt};

/// Most tokens of the reply: a sentence of 25 words in any language, and the JSON around it.
const MAX_TOKENS: u32 = 200;

/// The request. The problem is all it needs: no document, no panel. Where the `usual` modules sit and others might, it is
/// asked too whether those fit. The reply is a [`QuestionReply`].
#[must_use]
pub fn question(
    prompts: &Prompts,
    problem: &Problem,
    language: Option<&str>,
    usual: &[ModuleName],
) -> Prompt {
    let side =
        |name: &ModuleName| Some(context! { name => name.0, looks_at => Module::find(&name.0)?.looks_at });
    let usual: Vec<Value> = usual.iter().filter_map(side).collect();
    let mut schema = schema::strict::<QuestionReply>("question");
    if usual.is_empty() {
        schema::remove(&mut schema, "usual_fit");
    } else {
        schema::set(&mut schema, "/properties/usual_fit", "type", json!("boolean"));
    }
    let values = context! { problem => fence("problem", problem.as_str()), language, usual };
    prompts.request(
        &[RULES, "", "question.md"],
        (&context! {}, &values),
        schema,
        Length::fixed(Effort::Brief, MAX_TOKENS),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_holds_the_problem_and_the_language() {
        let problem = Problem::new("We bake bread.\nShould we open on Sundays?").unwrap();
        let prompt = question(&Prompts::embedded(), &problem, Some("German"), &[]);
        assert_eq!(prompt.shared, "");
        insta::assert_snapshot!("question", prompt.task);
        assert!(prompt.schema.unwrap().json["properties"]["usual_fit"].is_null());
        let usual = ["market", "cost"].map(|name| ModuleName(name.to_owned()));
        let judged = question(&Prompts::embedded(), &problem, None, &usual);
        insta::assert_snapshot!("question_judged", judged.task);
        assert_eq!(judged.schema.unwrap().json["properties"]["usual_fit"]["type"], "boolean");
    }
}
