//! What has to be decided, in a sentence, where the problem is longer than a line.

use minijinja::context;

use super::{Prompts, RULES, fence, length::Length, reply::QuestionReply, schema};
use crate::domain::{Effort, Problem, Prompt};

/// Most tokens of the reply: a sentence of 25 words in any language, and the JSON around it.
const MAX_TOKENS: u32 = 200;

/// The request. The problem is all it needs: no document, no panel. The reply is a [`QuestionReply`].
#[must_use]
pub fn question(prompts: &Prompts, problem: &Problem, language: Option<&str>) -> Prompt {
    let values = context! { problem => fence("problem", problem.as_str()), language };
    let schema = schema::strict::<QuestionReply>("question");
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
        let prompt = question(&Prompts::embedded(), &problem, Some("German"));
        assert_eq!(prompt.shared, "");
        insta::assert_snapshot!("question", prompt.task);
    }
}
