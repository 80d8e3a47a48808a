//! The notary's reply: what was said, held to what was said.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    module::begins,
    words::{Cleaner, is_said, needed},
};
use crate::domain::{ExpertId, MAX_SOLUTIONS, Minutes, Proposal, Raised, Solution, Statement};

/// A solution must share at least this part of its words with what one expert said.
const SPOKEN: f64 = 0.5;

/// Words are compared by so many of their first letters, so that endings do not matter.
const STEM: usize = 5;

/// A solution as the notary writes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolutionReply {
    /// What to do, in at most ten words, starting with a verb.
    #[schemars(length(max = 100))]
    pub title: String,
    /// What is done, why, what it costs or gives up.
    #[schemars(length(max = 320))]
    pub description: String,
    /// The experts who proposed it.
    #[schemars(length(min = 1, max = 5))]
    pub raised_by: Vec<String>,
}

/// What the notary writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotaryReply {
    /// Where the experts agree, differ and why, in Markdown.
    #[schemars(length(max = 1700))]
    pub synthesis: String,
    /// The different things that the experts really proposed.
    #[schemars(length(min = 1, max = 10))]
    pub solutions: Vec<SolutionReply>,
}

impl NotaryReply {
    /// The minutes, held to the table: a solution that is in nobody's words is left out and counted, experts that
    /// are not at the table raise nothing, and what says the same is one. None left is an error.
    pub fn into_minutes(
        self,
        proposal: &Proposal,
        statements: &[Statement],
        answered_by: &str,
    ) -> Result<Minutes, ParseError> {
        let mut clean = Cleaner::default();
        let synthesis = clean.text(&self.synthesis);
        needed("synthesis", &synthesis)?;
        let said = said(statements);
        let (mut raised, mut dropped) = (Vec::new(), 0);
        for reply in self.solutions {
            let description = clean.text(&reply.description);
            let mut title = clean.line(&reply.title);
            if title.is_empty() {
                title = begins(&description);
            }
            if !is_said(&[&title]) {
                continue;
            }
            let speakers = speakers(&title, &description, &said);
            if speakers.is_empty() {
                dropped += 1;
                continue;
            }
            let named = named(&reply.raised_by, proposal, &said);
            let by = if named.is_empty() { speakers } else { named };
            let by = by.into_iter().map(|expert| proposal.name_of(expert)).collect();
            raised.push(Raised { title, description, by });
        }
        let mut solutions = Solution::merged(raised);
        solutions.truncate(MAX_SOLUTIONS);
        if solutions.is_empty() && dropped > 0 {
            return Err(ParseError::Shape(
                "none of the `solutions` is in the experts' words; write down what they proposed, as they worded it"
                    .to_owned(),
            ));
        }
        if solutions.is_empty() {
            return Err(ParseError::Empty("solutions"));
        }
        Ok(Minutes {
            synthesis,
            solutions,
            answered_by: Some(answered_by.to_owned()),
            dropped_solutions: dropped,
            dropped_citations: clean.dropped,
        })
    }
}

/// What each expert said in all, as stems.
fn said(statements: &[Statement]) -> Vec<(ExpertId, BTreeSet<String>)> {
    let mut said: Vec<(ExpertId, BTreeSet<String>)> = Vec::new();
    for statement in statements {
        let text = format!("{} {} {}", statement.stance, statement.summary, statement.reasons.join(" "));
        match said.iter_mut().find(|(expert, _)| *expert == statement.expert) {
            Some((_, words)) => words.extend(stems(&text)),
            None => said.push((statement.expert, stems(&text))),
        }
    }
    said
}

/// Those in whose words a solution is: by its title, or by the whole of it.
fn speakers(title: &str, description: &str, said: &[(ExpertId, BTreeSet<String>)]) -> Vec<ExpertId> {
    let (title, whole) = (stems(title), stems(&format!("{title} {description}")));
    let spoken = |words: &BTreeSet<String>| share(&title, words) >= SPOKEN || share(&whole, words) >= SPOKEN;
    said.iter().filter(|(_, words)| spoken(words)).map(|(expert, _)| *expert).collect()
}

#[allow(clippy::cast_precision_loss)] // counts of words are small
pub(super) fn share(of: &BTreeSet<String>, in_: &BTreeSet<String>) -> f64 {
    if of.is_empty() { 0.0 } else { of.intersection(in_).count() as f64 / of.len() as f64 }
}

/// The words of a text that carry meaning, by their first letters. Scripts that put no spaces between words are
/// taken two characters at a time.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let mut stems = BTreeSet::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|&c| is_unspaced(c)) {
            stems.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() > 3 || letters.iter().any(char::is_ascii_digit) {
            stems.insert(letters.into_iter().take(STEM).collect());
        }
    }
    stems
}

/// Chinese, Japanese and Thai characters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The experts of a list that have spoken, each once, by id or by role in any case.
fn named(names: &[String], proposal: &Proposal, said: &[(ExpertId, BTreeSet<String>)]) -> Vec<ExpertId> {
    let mut found = Vec::new();
    for name in names.iter().map(|name| name.trim().to_lowercase()) {
        let known = said
            .iter()
            .map(|(expert, _)| *expert)
            .find(|expert| expert.to_string() == name || proposal.name_of(*expert).to_lowercase() == name);
        if let Some(expert) = known.filter(|expert| !found.contains(expert)) {
            found.push(expert);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::prompt::{parse, sample};

    fn read(solutions: &Value) -> Result<Minutes, ParseError> {
        let reply = json!({ "synthesis": "They differ on the fee [1].", "solutions": solutions });
        parse::<NotaryReply>(&reply.to_string())?.value.into_minutes(
            &sample::proposal(2),
            &sample::statements(2),
            "m",
        )
    }

    fn solution(title: &str, description: &str, by: &[&str]) -> Value {
        json!({ "title": title, "description": description, "raised_by": by })
    }

    #[test]
    fn solutions_are_what_was_said_by_those_who_said_it() {
        let minutes = read(&json!([
            solution("Pilot with ten restaurants", "In one district.", &["Expert-1", "expert-9", "expert-1"]),
            solution("Joining the national platform", "No couriers.", &["critical sceptic"]),
            solution("Pilot with TEN restaurants!", "In one district.", &["expert-2"]),
            solution("Buy a helicopter", "It flies above every traffic jam.", &["expert-1"]),
            solution(" ", " ", &[]),
        ]))
        .unwrap();
        let kept: Vec<_> =
            minutes.solutions.iter().map(|s| (s.title.as_str(), s.raised_by.join("+"))).collect();
        assert_eq!(
            kept,
            [
                ("Pilot with ten restaurants", "Pragmatic operator+Critical sceptic".to_owned()),
                ("Joining the national platform", "Critical sceptic".to_owned()),
            ]
        );
        assert_eq!((minutes.dropped_solutions, minutes.dropped_citations), (1, 1));
        assert_eq!(minutes.synthesis, "They differ on the fee.");
    }

    #[test]
    fn a_solution_raised_by_nobody_at_the_table_is_given_to_those_in_whose_words_it_is() {
        let minutes = read(&json!([solution("Join the national platform", "", &["the moon"])])).unwrap();
        assert_eq!(minutes.solutions[0].raised_by, ["Critical sceptic"]);
    }

    #[test]
    fn minutes_without_text_or_solutions_are_none() {
        assert_eq!(read(&json!([])), Err(ParseError::Empty("solutions")));
        let made_up = read(&json!([solution("Buy a helicopter", "It flies.", &["expert-1"])]));
        assert!(matches!(made_up, Err(ParseError::Shape(why)) if why.contains("experts' words")));
        let silent = NotaryReply { synthesis: " ".into(), solutions: vec![] };
        let error = silent.into_minutes(&sample::proposal(2), &sample::statements(2), "m").unwrap_err();
        assert_eq!(error, ParseError::Empty("synthesis"));
    }

    #[test]
    fn words_are_compared_without_endings_and_in_scripts_without_spaces() {
        let german = stems("Zwanzig Restaurants beteiligen sich an der Pilotphase");
        assert!(share(&stems("Pilotprojekt mit zwanzig beteiligten Restaurants"), &german) >= SPOKEN);
        assert!(share(&stems("先在一个城区试点"), &stems("我们建议先在一个城区试点，再扩大")) > 0.9);
        assert!(share(&stems("买一架直升机"), &stems("我们建议先在一个城区试点，再扩大")) < SPOKEN);
        assert!(
            (share(&stems("a b c"), &german) - 0.0).abs() < 1e-9,
            "a title without a word proves nothing"
        );
    }
}
