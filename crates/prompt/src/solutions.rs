//! What a cheap model is asked of solutions that somebody wrote down who sums up what others said: whether two are the
//! same, and whether they were said at all. It is given nothing but them and what they come from.

use minijinja::{Value, context};

use super::{
    Prompts, RULES, fence,
    length::Length,
    parse,
    reply::{DuplicatesReply, ParseError, SaidReply},
    roundtable::statement_text,
    schema,
};
use domain::{Effort, Problem, Prompt, Reply, Solution, Statement};

/// Most tokens of the look for duplicates: a few pairs with a sentence each.
const MAX_DUPLICATES_TOKENS: u32 = 500;

/// Most tokens of the check of a record: ten solutions with some words each.
const MAX_SAID_TOKENS: u32 = 700;

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

/// Whether the statements from which a notary says that its solutions come say them. Each statement that is named stands
/// there once. The reply is a [`SaidReply`].
#[must_use]
pub fn said(
    prompts: &Prompts,
    problem: &Problem,
    solutions: &[Solution],
    statements: &[Statement],
) -> Prompt {
    let named = |statement: &&Statement| {
        solutions.iter().any(|solution| solution.provenance.statements.contains(&statement.id()))
    };
    let statements: Vec<Value> = (statements.iter().filter(named))
        .map(|said| context! { id => said.id().to_string(), text => fence("statement", &statement_text(said)) })
        .collect();
    let options: Vec<Value> = (1..)
        .zip(solutions)
        .map(|(number, solution)| {
            let from: Vec<String> = solution.provenance.statements.iter().map(ToString::to_string).collect();
            context! { from, ..option(number, solution) }
        })
        .collect();
    let question = fence("problem-in-short", &problem.title(200));
    let values = context! { statements, options, question };
    let schema = schema::strict::<SaidReply>("said_check");
    let files = [RULES, "", "roundtable/said.md"];
    prompts.request(&files, (&context! {}, &values), schema, Length::fixed(Effort::Brief, MAX_SAID_TOKENS))
}

/// Reads it: for each solution the words that nobody said, as far as they really stand in it.
pub fn read_said(reply: &Reply, solutions: &[Solution]) -> Result<Vec<Option<String>>, ParseError> {
    Ok(parse::<SaidReply>(&reply.text)?.into_unsaid(solutions))
}

fn option(number: usize, solution: &Solution) -> Value {
    context! { number, text => fence("option", &format!("{}\n{}", solution.title, solution.description)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, schema::violations};

    #[test]
    fn the_requests_hold_the_solutions_and_what_they_come_from() {
        let (prompts, solutions) = (Prompts::embedded(), sample::mediate::solutions());
        let pairs = duplicates(&prompts, &sample::mediate::brief("").problem, &solutions);
        insta::assert_snapshot!("duplicates", pairs.task);
        let statements = sample::roundtable::statements(3);
        let from = |mut solution: Solution, places: &[usize]| {
            solution.provenance.statements = places.iter().map(|&place| statements[place].id()).collect();
            solution
        };
        let named = [from(solutions[0].clone(), &[0]), from(solutions[1].clone(), &[0, 1])];
        let check = said(&prompts, &sample::mediate::brief("").problem, &named, &statements);
        insta::assert_snapshot!("said", check.task);
        for prompt in [pairs, check] {
            let schema = prompt.schema.unwrap();
            assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
        }
    }
}
