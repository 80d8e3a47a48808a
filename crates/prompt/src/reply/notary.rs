//! The notary's reply: what was said, held to what was said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    module::begins,
    words::{Cleaner, is_said, needed},
};
use domain::{
    ExpertId, MAX_SOLUTIONS, Minutes, Proposal, Provenance, Raised, Solution, Stage, Statement, StatementId,
    without_letters,
};

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
    /// The statements it comes from.
    #[schemars(length(min = 1, max = 10))]
    pub statements: Vec<String>,
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
    /// The minutes, held to the table: a solution that names no statement which was made is left out and counted, and
    /// what has the same title is one. None left is an error.
    pub fn into_minutes(
        self,
        proposal: &Proposal,
        statements: &[Statement],
        answered_by: &str,
    ) -> Result<Minutes, ParseError> {
        let mut clean = Cleaner::default();
        let synthesis = clean.text(&unlettered(&self.synthesis));
        needed("synthesis", &synthesis)?;
        let (mut raised, mut dropped) = (Vec::new(), 0);
        for reply in self.solutions {
            let description = clean.text(&unlettered(&reply.description));
            let mut title = clean.line(&unlettered(&reply.title));
            if title.is_empty() {
                title = begins(&description);
            }
            if !is_said(&[&title]) {
                continue;
            }
            let statements = named(&reply.statements, proposal, statements);
            if statements.is_empty() {
                dropped += 1;
                continue;
            }
            let mut by: Vec<ExpertId> = statements.iter().map(|statement| statement.expert).collect();
            by.dedup();
            let by = by.into_iter().map(|expert| proposal.name_of(expert)).collect();
            let stands_for = statements.iter().map(|statement| whose(*statement, proposal)).collect();
            let provenance = Provenance { stands_for, statements, ..Provenance::default() };
            raised.push(Raised { title, description, by, provenance });
        }
        let mut solutions = Solution::merged(raised);
        solutions.truncate(MAX_SOLUTIONS);
        if solutions.is_empty() && dropped > 0 {
            return Err(unnamed(statements));
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

/// What the notary is told whose solutions name nothing that was said.
#[must_use]
pub fn unnamed(statements: &[Statement]) -> ParseError {
    let known: Vec<String> = statements.iter().map(|statement| statement.id().to_string()).collect();
    ParseError::Shape(format!(
        "a solution names none of the statements it comes from; they are {}. Leave out what nobody proposed",
        known.join(", ")
    ))
}

/// `Beekeeper's rebuttal`.
fn whose(statement: StatementId, proposal: &Proposal) -> String {
    let turn = match statement.stage {
        Stage::Analysis => "analysis",
        Stage::Rebuttal => "rebuttal",
    };
    format!("{}'s {turn}", proposal.name_of(statement.expert))
}

/// A text without the letters under which experts read one another; each reader had its own.
fn unlettered(text: &str) -> String {
    without_letters(text, &["response"], |letter| {
        ('A'..='H').contains(&letter).then(|| "another expert".to_owned())
    })
}

/// The statements of a list that were made, each once and in order. An expert, by id or by role in any case, is all
/// that it said.
fn named(names: &[String], proposal: &Proposal, statements: &[Statement]) -> Vec<StatementId> {
    let names: Vec<String> = names.iter().map(|name| name.trim().to_lowercase()).collect();
    let is_named = |statement: &StatementId| {
        let expert = statement.expert;
        names.contains(&statement.to_string())
            || names.contains(&expert.to_string())
            || names.contains(&proposal.name_of(expert).to_lowercase())
    };
    let mut found: Vec<StatementId> = statements.iter().map(Statement::id).filter(is_named).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{parse, sample};

    fn read(solutions: &Value) -> Result<Minutes, ParseError> {
        let reply =
            json!({ "synthesis": "They differ on the fee [1], as Response A says.", "solutions": solutions });
        parse::<NotaryReply>(&reply.to_string())?.into_minutes(
            &sample::roundtable::proposal(2),
            &sample::roundtable::statements(2),
            "m",
        )
    }

    fn solution(title: &str, description: &str, statements: &[&str]) -> Value {
        json!({ "title": title, "description": description, "statements": statements })
    }

    #[test]
    fn solutions_name_statements_that_were_made() {
        let minutes = read(&json!([
            solution(
                "Pilot with ten restaurants",
                "In one district.",
                &["Expert-1.1", "expert-9.1", "expert-1.1"]
            ),
            solution("Joining the national platform", "No couriers.", &["critical sceptic"]),
            solution("Pilot with TEN restaurants!", "In one district.", &["expert-2.1"]),
            // Nobody answered anybody.
            solution("Buy a helicopter", "It flies above every traffic jam.", &["expert-1.2", "the moon"]),
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
        let from = &minutes.solutions[0].provenance;
        assert_eq!(from.stands_for, ["Pragmatic operator's analysis", "Critical sceptic's analysis"]);
        assert_eq!(
            from.statements.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["expert-1.1", "expert-2.1"]
        );
        assert_eq!((minutes.dropped_solutions, minutes.dropped_citations), (1, 1));
        assert_eq!(minutes.synthesis, "They differ on the fee, as another expert says.");
    }

    #[test]
    fn an_expert_that_is_named_without_a_turn_counts_too() {
        let named = json!([solution("Join the platform", "", &["expert-2"])]);
        assert_eq!(read(&named).unwrap().solutions[0].raised_by, ["Critical sceptic"]);
    }

    #[test]
    fn minutes_without_text_or_solutions_are_none() {
        assert_eq!(read(&json!([])), Err(ParseError::Empty("solutions")));
        let made_up = read(&json!([solution("Buy a helicopter", "It flies.", &["expert-7.1"])]));
        assert!(
            matches!(made_up, Err(ParseError::Shape(why)) if why.contains("they are expert-1.1, expert-2.1"))
        );
        let silent = NotaryReply { synthesis: " ".into(), solutions: vec![] };
        let error = silent
            .into_minutes(&sample::roundtable::proposal(2), &sample::roundtable::statements(2), "m")
            .unwrap_err();
        assert_eq!(error, ParseError::Empty("synthesis"));
    }
}
