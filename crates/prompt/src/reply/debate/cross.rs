//! The cross-examination: questions and answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::turn::{Speaker, turn};
use crate::reply::{
    ParseError,
    words::{Cleaner, is_said},
};
use domain::{
    Acknowledgement, Act, AnswerKind, Body, CrossAnswer, CrossQuestion, DebateTurn,
    written::{number, word},
};

/// Most questions kept: three may be asked.
const MAX_QUESTIONS: usize = 3;

/// The questions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionsReply {
    /// To the other side.
    pub questions: Vec<CrossQuestion>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
    pub in_short: String,
}

/// An answer, before the word for what kind it is. Apart from [`CrossAnswer`] because the number of a question may be
/// any here, and what answers none there is, is left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrossAnswerReply {
    /// The number of the question.
    #[serde(deserialize_with = "number")]
    pub question: u32,
    /// The answer.
    #[schemars(length(max = 1100))]
    pub answer: String,
    /// direct: it is answered; `does_not_know`: this is not known; `challenges_premise`: the question takes something
    /// for granted that is not so.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "AnswerKind")]
    pub kind: AnswerKind,
}

/// The answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswersReply {
    /// One to each question.
    pub answers: Vec<CrossAnswerReply>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
    pub in_short: String,
}

impl QuestionsReply {
    /// The turn. A follow-up may have no question; the first questions may not be none at all.
    pub fn into_turn(mut self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
        let follow_up = by.slot.act == Act::FollowUp;
        let most = if follow_up { 1 } else { MAX_QUESTIONS };
        clean.items(&mut self.questions, most, |clean, question| {
            clean.one_line([&mut question.question]);
            is_said(&[&question.question])
        });
        if self.questions.is_empty() && !follow_up {
            return Err(ParseError::Empty("questions"));
        }
        let body = Body::Questions { questions: self.questions };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl AnswersReply {
    /// The turn, its answers in the order of the questions, one to each; one without an answer is an error.
    pub fn into_turn(self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
        let mut answers: Vec<CrossAnswer> = Vec::new();
        for reply in self.answers {
            let Ok(question) = u8::try_from(reply.question) else { continue };
            let answer = clean.text(&reply.answer);
            let again = answers.iter().any(|earlier| earlier.question == question);
            if is_said(&[&answer]) && !again {
                answers.push(CrossAnswer { question, kind: reply.kind, answer });
            }
        }
        answers.sort_by_key(|answer| answer.question);
        answers.truncate(MAX_QUESTIONS);
        if answers.is_empty() {
            return Err(ParseError::Empty("answers"));
        }
        Ok(turn(clean, by, Body::Answers { answers }, &self.in_short, self.acknowledged))
    }
}
