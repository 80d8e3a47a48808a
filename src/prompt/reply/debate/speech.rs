//! The turns in which a side speaks: opening, constructive rounds, rebuttal, closing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AcknowledgementReply, is_said, turn::turn};
use crate::{
    domain::{Argument, Body, DebateTurn, EvidenceKind, Level, RebuttalPoint, Slot},
    prompt::reply::{
        ParseError,
        module::{first_sentence, is_a_change},
        words::{Cleaner, word},
    },
};

/// Most arguments or points kept of a turn; two or three are asked for.
const MAX_POINTS: usize = 6;

/// The opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningReply {
    /// What the side holds and why, in Markdown.
    #[schemars(length(max = 1600))]
    pub position: String,
    /// Its two or three strongest arguments, a sentence or two each.
    #[schemars(length(min = 2, max = 3), inner(length(max = 420)))]
    pub preview: Vec<String>,
    /// What it takes for granted, a sentence each.
    #[schemars(length(min = 1, max = 4), inner(length(max = 220)))]
    pub assumptions: Vec<String>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<AcknowledgementReply>,
    /// The turn in a sentence.
    #[schemars(length(max = 240))]
    pub in_short: String,
}

/// An argument: reasons and their limits before the words for how far they carry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArgumentReply {
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
    #[serde(deserialize_with = "word")]
    #[schemars(with = "EvidenceKind")]
    pub evidence_type: EvidenceKind,
    /// How sure one can be of it.
    #[serde(deserialize_with = "word")]
    #[schemars(with = "Level")]
    pub confidence: Level,
}

/// A constructive round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArgumentsReply {
    /// The ethical framework that the side argues from, and what it asks for.
    #[serde(default)]
    #[schemars(length(max = 220))]
    pub framework: Option<String>,
    /// Full arguments of the round's theme.
    #[schemars(length(min = 1, max = 3))]
    pub arguments: Vec<ArgumentReply>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<AcknowledgementReply>,
    /// The turn in a sentence.
    #[schemars(length(max = 240))]
    pub in_short: String,
}

/// An answer to one argument of the other side: what it says at its best before what is held against it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointReply {
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

/// The rebuttal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RebuttalReply {
    /// Argument by argument, the strongest first.
    #[schemars(length(min = 2, max = 3))]
    pub points: Vec<PointReply>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<AcknowledgementReply>,
    /// The turn in a sentence.
    #[schemars(length(max = 240))]
    pub in_short: String,
}

/// The closing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClosingReply {
    /// Why the sides disagree, in Markdown.
    #[schemars(length(max = 1100))]
    pub why_we_disagree: String,
    /// The other side's best point, and what it is worth.
    #[schemars(length(max = 800))]
    pub opponents_best_point: String,
    /// What would change this side's mind.
    #[schemars(length(max = 700))]
    pub what_would_change_my_mind: String,
    /// What stays uncertain.
    #[schemars(length(max = 700))]
    pub uncertainty: String,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<AcknowledgementReply>,
    /// The turn in a sentence.
    #[schemars(length(max = 240))]
    pub in_short: String,
}

impl OpeningReply {
    /// The turn; one without position, arguments and assumptions is an error.
    pub fn into_turn(self, by: (Slot, &str)) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::default();
        let position = clean.text(&self.position);
        let (preview, assumptions) = (clean.lines(&self.preview), clean.lines(&self.assumptions));
        if !is_said(&[&position]) && preview.is_empty() && assumptions.is_empty() {
            return Err(ParseError::Empty("position"));
        }
        let body = Body::Opening { position, preview, assumptions };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl ArgumentReply {
    fn into_argument(self, clean: &mut Cleaner) -> Argument {
        let reasoning = clean.text(&self.reasoning);
        let mut claim = clean.line(&self.claim);
        if claim.is_empty() {
            claim = first_sentence(&reasoning);
        }
        Argument {
            claim,
            reasoning,
            evidence: self.evidence_type,
            confidence: self.confidence,
            assumptions: clean.lines(&self.assumptions),
            uncertainties: clean.lines(&self.uncertainties),
        }
    }
}

impl ArgumentsReply {
    /// The turn; one without an argument is an error.
    pub fn into_turn(self, by: (Slot, &str)) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::default();
        let framework = self.framework.map(|text| clean.line(&text)).filter(|text| is_a_change(text));
        let arguments: Vec<Argument> = (self.arguments.into_iter())
            .map(|argument| argument.into_argument(&mut clean))
            .filter(|argument| is_said(&[&argument.claim, &argument.reasoning]))
            .take(MAX_POINTS)
            .collect();
        if arguments.is_empty() {
            return Err(ParseError::Empty("arguments"));
        }
        let body = Body::Arguments { framework, arguments };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl RebuttalReply {
    /// The turn; one that answers nothing is an error.
    pub fn into_turn(self, by: (Slot, &str)) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::default();
        let points: Vec<RebuttalPoint> = (self.points.into_iter())
            .map(|point| RebuttalPoint {
                quotation: unquoted(&clean.line(&point.quotation)).to_owned(),
                steel_man: clean.text(&point.steel_man),
                answer: clean.text(&point.answer),
                even_if: clean.text(&point.even_if),
            })
            .filter(|point| is_said(&[&point.steel_man, &point.answer, &point.even_if]))
            .take(MAX_POINTS)
            .collect();
        if points.is_empty() {
            return Err(ParseError::Empty("points"));
        }
        Ok(turn(clean, by, Body::Rebuttal { points }, &self.in_short, self.acknowledged))
    }
}

impl ClosingReply {
    /// The turn; one in which all four parts are empty is an error.
    pub fn into_turn(self, by: (Slot, &str)) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::default();
        let [why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty] = [
            &self.why_we_disagree,
            &self.opponents_best_point,
            &self.what_would_change_my_mind,
            &self.uncertainty,
        ]
        .map(|text| clean.text(text));
        if !is_said(&[&why_we_disagree, &opponents_best_point, &what_would_change_my_mind, &uncertainty]) {
            return Err(ParseError::Empty("why_we_disagree"));
        }
        let body =
            Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

/// A quotation without the quotation marks around it, which whoever shows it adds.
fn unquoted(text: &str) -> &str {
    const MARKS: [char; 9] = ['"', '“', '”', '„', '«', '»', '‘', '’', '\''];
    let inner = text.strip_prefix(MARKS).and_then(|rest| rest.strip_suffix(MARKS));
    inner.map_or(text, str::trim)
}
