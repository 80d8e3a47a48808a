//! What a cheap model is asked of solutions that somebody wrote down who sums up what others said: whether two are the
//! same. It is given nothing but them.

use minijinja::{Value, context};

use super::{
    Prompts, RULES, fence,
    length::Length,
    parse,
    reply::{DuplicatesReply, ParseError},
    schema,
};
use domain::{Effort, Problem, Prompt, Reply, Solution};

/// Most tokens of the look for duplicates: a few pairs with a sentence each.
const MAX_DUPLICATES_TOKENS: u32 = 500;

/// Which of the solutions are one option twice. The reply is a [`DuplicatesReply`].
#[must_use]
pub fn duplicates(prompts: &Prompts, problem: &Problem, solutions: &[Solution]) -> Prompt {
    let options: Vec<Value> =
        (1..).zip(solutions).map(|(number, solution)| option(number, solution)).collect();
    let values = context! { options, question => fence("problem-in-short", &problem.title(200)) };
    let schema = schema::strict::<DuplicatesReply>("duplicates_check");
    let files = [RULES, "", "duplicates.md"];
    prompts.request(
        &files,
        (&context! {}, &values),
        schema,
        Length::fixed(Effort::Brief, MAX_DUPLICATES_TOKENS),
    )
}

/// Reads it: the places, from 0, of two that are the same.
pub fn read_duplicates(reply: &Reply, solutions: usize) -> Result<Vec<(usize, usize)>, ParseError> {
    Ok(parse::<DuplicatesReply>(&reply.text)?.into_pairs(solutions))
}

fn option(number: usize, solution: &Solution) -> Value {
    context! { number, text => fence("option", &format!("{}\n{}", solution.title, solution.description)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, schema::violations};

    #[test]
    fn the_request_holds_the_solutions() {
        let (prompts, solutions) = (Prompts::embedded(), sample::mediate::solutions());
        let pairs = duplicates(&prompts, &sample::mediate::brief("").problem, &solutions);
        insta::assert_snapshot!("duplicates", pairs.task);
        let schema = pairs.schema.unwrap();
        assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
    }
}
