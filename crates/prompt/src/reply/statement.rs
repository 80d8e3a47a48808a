//! What an expert of a roundtable writes in its two turns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    module::begins,
    words::{Cleaner, needed},
};
use domain::{ExpertId, Stage, Statement};

/// The first turn: reasons before what follows from them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisReply {
    /// Two to five reasons, a sentence each.
    #[schemars(length(min = 2, max = 5), inner(length(max = 220)))]
    pub key_reasoning_points: Vec<String>,
    /// What the team should do, in Markdown.
    #[schemars(length(max = 1300))]
    pub initial_recommendation: String,
    /// The same in a sentence.
    #[schemars(length(max = 240))]
    pub one_sentence_summary: String,
}

/// The second turn: what the others are judged on before the stance that follows from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RebuttalReply {
    /// Two to five points about what the others wrote, a sentence each.
    #[schemars(length(min = 2, max = 5), inner(length(max = 220)))]
    pub key_reasoning_points: Vec<String>,
    /// What the expert recommends now, in Markdown.
    #[schemars(length(max = 1200))]
    pub final_stance: String,
    /// The same in a sentence.
    #[schemars(length(max = 240))]
    pub one_sentence_summary: String,
}

impl AnalysisReply {
    /// The statement of the first turn, citations taken out and counted; one that recommends nothing is an error.
    pub fn into_statement(self, expert: ExpertId, answered_by: &str) -> Result<Statement, ParseError> {
        let Self {
            key_reasoning_points: reasons,
            initial_recommendation: stance,
            one_sentence_summary: summary,
        } = self;
        statement(
            (expert, Stage::Analysis, answered_by),
            ("initial_recommendation", &stance),
            &summary,
            &reasons,
        )
    }
}

impl RebuttalReply {
    /// The statement of the second turn, by the same rules.
    pub fn into_statement(self, expert: ExpertId, answered_by: &str) -> Result<Statement, ParseError> {
        let Self { key_reasoning_points: reasons, final_stance: stance, one_sentence_summary: summary } =
            self;
        statement((expert, Stage::Rebuttal, answered_by), ("final_stance", &stance), &summary, &reasons)
    }
}

fn statement(
    (expert, stage, answered_by): (ExpertId, Stage, &str),
    (field, stance): (&'static str, &str),
    summary: &str,
    reasons: &[String],
) -> Result<Statement, ParseError> {
    let mut clean = Cleaner::default();
    let stance = clean.text(stance);
    needed(field, &stance)?;
    let mut summary = clean.line(summary);
    if summary.is_empty() {
        summary = begins(&stance);
    }
    Ok(Statement {
        expert,
        stage,
        summary,
        reasons: clean.lines(reasons),
        stance,
        answered_by: answered_by.to_owned(),
        dropped_citations: clean.dropped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn a_statement_is_clean_and_says_something() {
        let reply = r#"{"key_reasoning_points":["It pays [1]","it pays"," "],"initial_recommendation":"Start **small** [2]. Then grow.","one_sentence_summary":" "}"#;
        let statement = parse::<AnalysisReply>(reply).unwrap().into_statement(ExpertId(2), "m").unwrap();
        assert_eq!(
            (statement.stance.as_str(), statement.summary.as_str()),
            ("Start **small**. Then grow.", "Start **small**.")
        );
        assert_eq!((statement.reasons, statement.dropped_citations), (vec!["It pays".to_owned()], 2));
        assert_eq!((statement.expert, statement.stage), (ExpertId(2), Stage::Analysis));
        for nothing in ["", " ", "…", "[1]"] {
            let reply = RebuttalReply {
                key_reasoning_points: vec!["a".into()],
                final_stance: nothing.into(),
                one_sentence_summary: "s".into(),
            };
            assert_eq!(reply.into_statement(ExpertId(1), "m"), Err(ParseError::Empty("final_stance")));
        }
    }
}
