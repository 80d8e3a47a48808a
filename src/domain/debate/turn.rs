//! What one side said at one place, in the parts that its place asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Acknowledgement, Level, Mark, Slot};

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

/// A full argument.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// In a sentence.
    pub claim: String,
    /// Why. Markdown.
    pub reasoning: String,
    /// On what it rests.
    pub evidence: EvidenceKind,
    /// How sure its side is.
    pub confidence: Level,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// What is not known.
    pub uncertainties: Vec<String>,
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

/// A question of the cross-examination. Its number is its place, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CrossQuestion {
    /// At what it aims.
    pub aims_at: Aim,
    /// What is asked.
    pub question: String,
}

/// How a question was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// Answered.
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

/// One answer to one argument of the other side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RebuttalPoint {
    /// What the other side said, word for word.
    pub quotation: String,
    /// Its strongest form.
    pub steel_man: String,
    /// Why it fails all the same, or is outweighed.
    pub answer: String,
    /// What follows even if it holds.
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
    /// Of a constructive round.
    Arguments {
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
    #[serde(default)]
    pub dropped_citations: u32,
    /// What it breaks in spite of a second try.
    #[serde(default)]
    pub marks: Vec<Mark>,
}
