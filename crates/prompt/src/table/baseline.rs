//! The baseline's requests: the problem plainly, and what became of that answer in the deliberation.

use minijinja::{Value, context};

use crate::{Prompts, RULES, fence, length::Length, parse, quote::plain_name, reply::ParseError, schema};
use domain::{Comparison, Effort, PlainAnswer, Prompt, Reply, Solution, TableBrief};

/// Most tokens of the plain answer: some 900 words are asked for, in any language.
const MAX_PLAIN_TOKENS: u32 = 1_800;

/// Most tokens of the comparison: six recommendations with a sentence each.
const MAX_WORTH_TOKENS: u32 = 600;

/// The problem to one model that knows of no panel. The reply is a [`PlainAnswer`].
#[must_use]
pub fn plain(prompts: &Prompts, brief: &TableBrief) -> Prompt {
    let values = context! {
        problem => fence("problem", brief.problem.as_str()),
        document => brief.document.as_ref().map(|document| fence("document", &document.text)),
        document_name => brief.document.as_ref().map(|document| plain_name(&document.name)),
        language => brief.language,
    };
    let schema = schema::strict::<PlainAnswer>("plain_answer");
    let files = [RULES, "", "table/plain.md"];
    prompts.request(&files, (&context! {}, &values), schema, Length::growing(brief.effort, MAX_PLAIN_TOKENS))
}

/// Both side by side, under the question in a sentence. The reply is a [`Comparison`].
#[must_use]
pub fn worth(
    prompts: &Prompts,
    (brief, question): (&TableBrief, &str),
    plain: &PlainAnswer,
    solutions: &[Solution],
) -> Prompt {
    let text = |(number, title, why): (usize, &String, &String)| {
        context! { number, text => fence("option", &format!("{title}\n{why}")) }
    };
    let recommended = (1..).zip(&plain.recommendations).map(|(n, one)| text((n, &one.title, &one.why)));
    let options = (1..).zip(solutions).map(|(n, one)| text((n, &one.title, &one.description)));
    let values = context! {
        plain => recommended.collect::<Vec<Value>>(),
        options => options.collect::<Vec<Value>>(),
        language => brief.language,
        question => fence("question", question),
    };
    let schema = schema::strict::<Comparison>("worth");
    let files = [RULES, "", "table/worth.md"];
    prompts.request(&files, (&context! {}, &values), schema, Length::fixed(Effort::Brief, MAX_WORTH_TOKENS))
}

/// Reads the comparison, held to what there is to compare.
pub fn read_worth(reply: &Reply, recommendations: usize, options: usize) -> Result<Comparison, ParseError> {
    Ok(parse::<Comparison>(&reply.text)?.held_to(recommendations, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample::mediate as sample, schema::violations};

    #[test]
    fn the_plain_call_knows_of_no_panel_and_the_comparison_of_both() {
        let (prompts, brief) = (Prompts::embedded(), sample::with_document(sample::brief("")));
        let alone = plain(&prompts, &brief);
        let beside = worth(&prompts, (&brief, "Do we deliver?"), &sample::plain(), &sample::solutions());
        for panel in ["mediat", "module", "At the table"] {
            assert!(!format!("{}{}{}", alone.rules, alone.shared, alone.task).contains(panel), "{panel}");
        }
        insta::assert_snapshot!("plain", alone.task);
        insta::assert_snapshot!("worth", beside.task);
        for prompt in [alone, beside] {
            let schema = prompt.schema.unwrap();
            assert_eq!(violations(&schema.json, &schema.name), Vec::<String>::new());
        }
    }
}
