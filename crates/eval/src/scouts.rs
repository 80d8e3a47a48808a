//! Answers without a session: of a single model, and of several who do not see one another.

use std::collections::BTreeMap;

use domain::{ModelName, Prompt};
use futures::future::join_all;
use quorum::prompt::{self, eval::MAX_EVAL_TOKENS};

use super::{
    answer,
    ask::{Asker, Took},
    question::EvalQuestion,
};

/// How many answer at most; an odd number, so that two sides are never even.
const SCOUTS: usize = 5;

/// How a scout at a place is asked where the one before it is the same model: otherwise they say the same.
const TEMPERATURES: [f32; SCOUTS] = [0.2, 0.6, 1.0, 0.8, 0.4];

/// An answer, and what is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    /// The answer; nothing where none came.
    pub answer: Option<String>,
    /// Why there is none, or what was left out.
    pub note: Option<String>,
    /// What it took.
    pub took: Took,
}

/// One model, told everything.
pub(super) async fn single(asker: &Asker, model: &ModelName, question: &EvalQuestion) -> Found {
    let prompt = prompt::eval::answer(&asker.prompts, &question.question, &question.options, &question.facts);
    let (said, took) = asker.ask(model, prompt, prompt::eval::read_answer).await;
    match said {
        Ok(answer) => Found { answer: Some(answer), note: None, took },
        Err(why) => Found { answer: None, note: Some(why), took },
    }
}

/// The answer that most of several give who do not see one another; the earlier one among equals. As many are asked as are
/// sure to fit in the budget of tokens.
pub(super) async fn majority(
    asker: &Asker,
    panel: &[ModelName],
    question: &EvalQuestion,
    budget: u64,
) -> Found {
    let calls: Vec<(&ModelName, Prompt)> = panel
        .iter()
        .cycle()
        .take(SCOUTS)
        .enumerate()
        .map(|(place, model)| {
            let prompt = prompt::eval::answer(
                &asker.prompts,
                &question.question,
                &question.options,
                question.known_to(place),
            );
            let again = place >= panel.len();
            let temperature = TEMPERATURES.get(place).copied().filter(|_| panel.len() == 1 || again);
            (model, Prompt { temperature, ..prompt })
        })
        .collect();
    let worst = calls.iter().map(|(model, prompt)| most(asker, model, prompt)).max().unwrap_or(1);
    let fit = usize::try_from(budget / worst.max(1)).unwrap_or(SCOUTS).min(SCOUTS);
    let fit = if fit.is_multiple_of(2) { fit.saturating_sub(1) } else { fit };
    if fit == 0 {
        let note = Some(format!("one answer may take {worst} tokens, which the budget does not hold"));
        return Found { answer: None, note, took: Took::default() };
    }
    let calls = calls
        .into_iter()
        .take(fit)
        .map(|(model, prompt)| asker.ask(model, prompt, prompt::eval::read_answer));
    let (answers, took): (Vec<_>, Vec<_>) = join_all(calls).await.into_iter().unzip();
    let took = took.into_iter().fold(Took::default(), Took::and);
    let failed = answers.iter().filter(|answer| answer.is_err()).count();
    let mut notes = Vec::new();
    if fit < SCOUTS {
        notes.push(format!("{fit} of {SCOUTS} scouts fit in the budget"));
    }
    if failed > 0 {
        notes.push(format!("{failed} of {fit} scouts gave no answer"));
    }
    let said: Vec<String> = answers.into_iter().filter_map(Result::ok).collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Found { answer: most_frequent(&said, question), note, took }
}

/// Tokens that a call may take: a token for every two characters of the request, and the bound of the answer.
fn most(asker: &Asker, model: &ModelName, prompt: &Prompt) -> u64 {
    let characters =
        [&prompt.rules, &prompt.shared, &prompt.task].iter().map(|text| text.chars().count()).sum::<usize>();
    let room = asker.llm.room(model, prompt);
    (characters / 2) as u64 + u64::from(room) + u64::from(prompt.max_tokens.max(MAX_EVAL_TOKENS))
}

/// The answer that most give, as the first of them gives it.
fn most_frequent(said: &[String], question: &EvalQuestion) -> Option<String> {
    let mut votes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (place, answer) in said.iter().enumerate() {
        votes.entry(answer::key(answer, question)).or_insert((0, place)).0 += 1;
    }
    let best = votes.into_values().max_by_key(|(votes, place)| (*votes, std::cmp::Reverse(*place)));
    best.and_then(|(_, place)| said.get(place).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_answer_counts_and_the_earlier_among_equals() {
        let question =
            super::super::question::questions(r#"{"id":"a","question":"Q","answer":"5"}"#).unwrap().remove(0);
        for (said, wanted) in [
            (&["10", "5", "5 cents"][..], Some("5")),
            (&["10", "5"], Some("10")),
            (&["5", "10", "10.0", "5.00"], Some("5")),
            (&[], None),
        ] {
            let said: Vec<String> = said.iter().map(ToString::to_string).collect();
            assert_eq!(most_frequent(&said, &question).as_deref(), wanted, "{said:?}");
        }
    }
}
