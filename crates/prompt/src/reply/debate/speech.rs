//! The turns in which a side speaks: case, opening, constructive rounds, rebuttal, closing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::turn::{Speaker, turn, unlabelled};
use crate::reply::{
    ParseError,
    module::{begins, is_a_change},
    words::{Cleaner, is_said},
};
use domain::{Acknowledgement, Argument, Body, DebateTurn, RebuttalPoint};

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
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
    pub in_short: String,
}

/// A constructive round, or a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArgumentsReply {
    /// What the side holds and why that should weigh, in Markdown; asked of a case.
    #[serde(default)]
    #[schemars(length(max = 700))]
    pub position: Option<String>,
    /// The ethical framework that the side argues from, and what it asks for.
    #[serde(default)]
    #[schemars(length(max = 220))]
    pub framework: Option<String>,
    /// Full arguments, of the round's theme.
    #[schemars(length(min = 1, max = 3))]
    pub arguments: Vec<Argument>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
    pub in_short: String,
}

/// The rebuttal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RebuttalReply {
    /// Argument by argument, the strongest first.
    #[schemars(length(min = 2, max = 3))]
    pub points: Vec<RebuttalPoint>,
    /// What it says of the team's evidence.
    #[serde(default)]
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
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
    pub acknowledged: Vec<Acknowledgement>,
    /// The turn in a sentence.
    #[schemars(length(max = 320))]
    pub in_short: String,
}

impl OpeningReply {
    /// The turn; one without position, arguments and assumptions is an error.
    pub fn into_turn(self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
        let position = unlabelled(&clean.text(&self.position), by.slot.side).to_owned();
        let (preview, assumptions) = (clean.lines(&self.preview), clean.lines(&self.assumptions));
        if !is_said(&[&position]) && preview.is_empty() && assumptions.is_empty() {
            return Err(ParseError::Empty("position"));
        }
        let body = Body::Opening { position, preview, assumptions };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl ArgumentsReply {
    /// The turn; one without an argument is an error.
    pub fn into_turn(mut self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
        let position = self.position.map(|text| unlabelled(&clean.text(&text), by.slot.side).to_owned());
        let position = position.filter(|text| is_said(&[text]));
        let framework = self.framework.map(|text| unlabelled(&clean.line(&text), by.slot.side).to_owned());
        let framework = framework.filter(|text| is_a_change(text));
        clean.items(&mut self.arguments, MAX_POINTS, |clean, argument| {
            clean.texts([&mut argument.reasoning]);
            clean.one_line([&mut argument.claim]);
            if argument.claim.is_empty() {
                argument.claim = begins(&argument.reasoning);
            }
            argument.assumptions = clean.lines(&argument.assumptions);
            argument.uncertainties = clean.lines(&argument.uncertainties);
            is_said(&[&argument.claim, &argument.reasoning])
        });
        if self.arguments.is_empty() {
            return Err(ParseError::Empty("arguments"));
        }
        let body = Body::Arguments { position, framework, arguments: self.arguments };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl RebuttalReply {
    /// The turn; one that answers nothing is an error.
    pub fn into_turn(mut self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
        clean.items(&mut self.points, MAX_POINTS, |clean, point| {
            unquoted(&clean.line(&point.quotation)).clone_into(&mut point.quotation);
            clean.texts([&mut point.steel_man, &mut point.answer, &mut point.even_if]);
            is_said(&[&point.steel_man, &point.answer, &point.even_if])
        });
        if self.points.is_empty() {
            return Err(ParseError::Empty("points"));
        }
        let body = Body::Rebuttal { points: self.points };
        Ok(turn(clean, by, body, &self.in_short, self.acknowledged))
    }
}

impl ClosingReply {
    /// The turn; one in which all four parts are empty is an error.
    pub fn into_turn(self, by: Speaker<'_>) -> Result<DebateTurn, ParseError> {
        let mut clean = Cleaner::offering(by.pages);
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
