//! What one side said at one place, in the parts that its place asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Acknowledgement, Level, Mark, Slot};
use crate::{Searched, Source, written::word};

/// On what an argument rests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Something that is so.
    Fact,
    /// Something expected.
    Projection,
    /// Something alike elsewhere.
    Analogy,
    /// Something held to be good or bad.
    Value,
}

/// An argument: reasons and their limits before the words for how far they carry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// The argument in a sentence.
    #[schemars(length(max = 240))]
    pub claim: String,
    /// Why it holds and what it means for the proposition, in Markdown.
    #[schemars(length(max = 1100))]
    pub reasoning: String,
    /// What it takes for granted.
    #[schemars(length(min = 1, max = 3), inner(length(max = 200)))]
    pub assumptions: Vec<String>,
    /// What is not known.
    #[schemars(length(min = 1, max = 3), inner(length(max = 200)))]
    pub uncertainties: Vec<String>,
    /// On what it rests. fact: something that is so; projection: something expected; analogy: something alike
    /// elsewhere; value: something held to be good or bad.
    #[serde(rename(deserialize = "evidence_type"), alias = "evidence", deserialize_with = "word")]
    #[schemars(with = "EvidenceKind")]
    pub evidence: EvidenceKind,
    /// How sure one can be of it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub confidence: Level,
}

/// At what a question aims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// What the other side takes for granted.
    Assumptions,
    /// On what it rests.
    Evidence,
    /// How it follows.
    Logic,
}

/// A question of the cross-examination, whose number is its place, from 1: at what it aims before how it is put.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrossQuestion {
    /// At what it aims: what the other side takes for granted, on what it rests, or how it follows.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Aim")]
    pub aims_at: Aim,
    /// The question.
    #[schemars(length(max = 500))]
    pub question: String,
}

/// How a question was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// The question was answered.
    Direct,
    /// Admits not to know.
    DoesNotKnow,
    /// Denies what the question takes for granted.
    ChallengesPremise,
}

/// An answer of the cross-examination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CrossAnswer {
    /// Which question, from 1.
    pub question: u8,
    /// How it was taken.
    pub kind: AnswerKind,
    /// What was answered.
    pub answer: String,
}

/// An answer to one argument of the other side: what it says at its best before what is held against it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RebuttalPoint {
    /// What the other side said, word for word.
    #[schemars(length(max = 300))]
    pub quotation: String,
    /// The strongest form of it.
    #[schemars(length(max = 500))]
    pub steel_man: String,
    /// Why it fails all the same, or is outweighed.
    #[schemars(length(max = 700))]
    pub answer: String,
    /// What follows even if it holds.
    #[schemars(length(max = 400))]
    pub even_if: String,
}

/// The parts of a turn, by its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Body {
    /// Of the opening.
    Opening {
        /// What the side holds. Markdown.
        position: String,
        /// Its two or three strongest arguments, a sentence or two each.
        preview: Vec<String>,
        /// What it takes for granted.
        assumptions: Vec<String>,
    },
    /// Of a constructive round, or of a case.
    Arguments {
        /// What the side holds, in a case. Markdown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// The ethical framework, where the round is about ethics.
        framework: Option<String>,
        /// The arguments.
        arguments: Vec<Argument>,
    },
    /// Of the cross-examination; a follow-up may have none.
    Questions {
        /// The questions.
        questions: Vec<CrossQuestion>,
    },
    /// Of the cross-examination.
    Answers {
        /// The answers.
        answers: Vec<CrossAnswer>,
    },
    /// Of the rebuttal.
    Rebuttal {
        /// Argument by argument.
        points: Vec<RebuttalPoint>,
    },
    /// Of the closing.
    Closing {
        /// Why the sides disagree.
        why_we_disagree: String,
        /// The other side's best point.
        opponents_best_point: String,
        /// What would change this side's mind.
        what_would_change_my_mind: String,
        /// What stays uncertain.
        uncertainty: String,
    },
}

/// What one side said at one place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DebateTurn {
    /// Where, and who.
    pub slot: Slot,
    /// All of it in a sentence; not counted among its words.
    pub in_short: String,
    /// What was said.
    pub body: Body,
    /// What it says of the team's evidence; not counted among its words.
    pub acknowledged: Vec<Acknowledgement>,
    /// The model the provider says answered.
    pub answered_by: String,
    /// Citations the code took out because nothing was searched.
    pub dropped_citations: u32,
    /// What it breaks in spite of a second try.
    pub marks: Vec<Mark>,
    /// The pages that it cites, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// What became of searching for it; `None` where nothing is looked up for such a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
}
