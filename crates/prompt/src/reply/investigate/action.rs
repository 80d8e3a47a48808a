//! What the investigator wants to do next, with all arguments of all tools side by side: a provider with tool calls gives
//! those of one tool, any other fills the whole object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    ParseError,
    words::{Cleaner, is_said},
};
use domain::{InvestigatorTool, ToolAction};

/// A call of a tool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionReply {
    /// Why, in one sentence.
    #[serde(default)]
    #[schemars(length(max = 160))]
    pub purpose: String,
    /// The line of enquiry in two or three words.
    #[serde(default)]
    #[schemars(length(max = 60))]
    pub path: String,
    /// Whether the call before told something new.
    #[serde(default = "yes")]
    pub last_was_new: bool,
    /// Which tool.
    pub tool: String,
    /// What it says, asks, looks up or runs.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub text: String,
    /// The model that is asked, by its number; 0 for any.
    #[serde(default)]
    #[schemars(range(min = 0, max = 9))]
    pub model: usize,
    /// In which role.
    #[serde(default)]
    #[schemars(length(max = 120))]
    pub role: String,
    /// Whether it looks for what would show the hypothesis wrong.
    #[serde(default)]
    pub disproves: bool,
    /// The disagreement or the claim that a calculation or a search settles, word for word.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub settles: String,
    /// Why a path is followed further.
    #[serde(default)]
    #[schemars(length(max = 240))]
    pub why_go_on: String,
    /// What is held to be so.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub hypothesis: String,
    /// Whether that is firm.
    #[serde(default)]
    pub firm: bool,
    /// What would change it.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub would_change: String,
    /// The strongest other answer, and why this one beats it.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub alternative: String,
    /// How sure it is of the hypothesis, of 100; 0 where it does not say.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    pub confidence: u8,
    /// By which rule it ends; empty elsewhere.
    #[serde(default)]
    pub stop: String,
    /// What shows that this rule holds.
    #[serde(default)]
    #[schemars(length(max = 240))]
    pub why_stop: String,
}

fn yes() -> bool {
    true
}

impl ActionReply {
    /// The action; a tool that is not known, or one without what it works on, is an error.
    pub fn into_action(self) -> Result<ToolAction, ParseError> {
        let tool: InvestigatorTool = self.tool.trim().parse().map_err(|_| {
            let known = InvestigatorTool::ALL.map(InvestigatorTool::as_str).join(", ");
            ParseError::Shape(format!("`tool` is {:?} and not one of {known}", self.tool))
        })?;
        let mut clean = Cleaner::default();
        // A program stays as it is.
        let text = if tool == InvestigatorTool::RunCode {
            super::program(&self.text)
        } else {
            clean.text(&self.text)
        };
        if tool.explores() && !is_said(&[&text]) {
            return Err(ParseError::Empty("text"));
        }
        let hypothesis = clean.text(&self.hypothesis);
        if tool == InvestigatorTool::Done && !is_said(&[&hypothesis]) {
            return Err(ParseError::Empty("hypothesis"));
        }
        Ok(ToolAction {
            tool,
            purpose: clean.line(&self.purpose),
            path: clean.line(&self.path),
            why_go_on: clean.line(&self.why_go_on),
            text,
            model: self.model,
            role: clean.line(&self.role),
            disproves: self.disproves,
            settles: clean.line(&self.settles),
            last_was_new: self.last_was_new,
            hypothesis,
            firm: self.firm,
            would_change: clean.line(&self.would_change),
            alternative: clean.line(&self.alternative),
            confidence: (tool == InvestigatorTool::Done && self.confidence > 0)
                .then_some(self.confidence.min(100)),
            // A word that is no rule is none: the guard says what they are.
            stop: self.stop.trim().parse().ok(),
            why_stop: clean.line(&self.why_stop),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn read(reply: &str) -> Result<ToolAction, ParseError> {
        parse::<ActionReply>(reply)?.into_action()
    }

    #[test]
    fn an_action_is_read_from_one_tools_arguments_or_from_all() {
        let action =
            read(r#"{"tool":"run_code","purpose":"See","text":"```js\nconsole.log(6*7)\n```"}"#).unwrap();
        assert_eq!((action.tool, action.text.as_str()), (InvestigatorTool::RunCode, "console.log(6*7)"));
        assert!(action.last_was_new && !action.disproves);
        assert_eq!(read(r#"{"tool":"run_code","text":" "}"#), Err(ParseError::Empty("text")));
        assert_eq!(read(r#"{"tool":"done","text":"x"}"#), Err(ParseError::Empty("hypothesis")));
        assert!(
            matches!(read(r#"{"tool":"format_disk"}"#), Err(ParseError::Shape(why)) if why.contains("run_code"))
        );
        assert_eq!(read(r#"{"tool":"checkpoint"}"#).unwrap().tool, InvestigatorTool::Checkpoint);
    }
}
