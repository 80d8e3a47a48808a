//! What is asked of a model and what it replied, free of any provider's wire format.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Effort, ModelName, Money, Usage};

/// Content hash (sha-256, first 12 hex digits) of the prompt file a request was made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PromptVersion(pub String);

/// The shape a structured reply must have.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Schema {
    /// A short name (`a-z_`), as providers want one.
    pub name: String,
    /// A strict JSON schema: every object closed, every property required, optional ones nullable.
    pub json: Value,
}

/// Something a model may ask to have done, as it is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// A short name (`a-z_`), as providers want one.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// A strict JSON schema of its arguments, as [`Schema::json`] is: one closed object.
    pub parameters: Value,
}

/// One exchange after the first: what the model said and what it is told about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The model's reply, as it was.
    pub reply: String,
    /// The correction asked for.
    pub correction: String,
}

/// A picture that goes with a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// What it is, such as `image/png`.
    pub media: String,
    /// Its bytes in base64.
    pub base64: String,
}

impl Picture {
    /// Most tokens that a picture counts as with most models.
    pub const TOKENS: u64 = 5_000;
}

/// A request to a model. Its parts stand in the order in which they are sent, which is the order that lets a
/// provider's cache serve all seats of a round: the same rules and material first, the persona and task last.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prompt {
    /// Rules that never change (system).
    pub rules: String,
    /// Material shared by all seats of the round: the problem, documents, others' outputs (system, cached).
    pub shared: String,
    /// Persona and task of this seat (user).
    pub task: String,
    /// Pictures that the task is about, behind its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// Repair turns so far; at most one.
    pub turns: Vec<Turn>,
    /// The shape of the reply; `None` for plain text.
    pub schema: Option<Schema>,
    /// What the model may ask to have done; it must ask for exactly one. A prompt with tools has a schema too: one
    /// flat object of `tool` (one of their names) and the arguments of all of them. A provider with tool calls of its
    /// own is sent the tools, any other the schema; the reply is the flat object either way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// Most tokens of the answer that is seen.
    pub max_tokens: u32,
    /// Tokens above that for what the model thinks before it answers; 0 for a model that does not.
    pub room: u32,
    /// How hard it is asked to think, where it does.
    pub effort: Effort,
    /// 0 to 2; `None` leaves it to the model.
    pub temperature: Option<f32>,
    /// Which prompt files this was made from.
    pub version: PromptVersion,
}

impl Prompt {
    /// Most output tokens in all, seen and unseen.
    #[must_use]
    pub fn bound(&self) -> u32 {
        self.max_tokens.saturating_add(self.room)
    }

    /// Most tokens of its pictures.
    #[must_use]
    pub fn picture_tokens(&self) -> u64 {
        Picture::TOKENS.saturating_mul(self.pictures.len() as u64)
    }

    /// Bytes of the tools as JSON.
    #[must_use]
    pub fn tool_bytes(&self) -> usize {
        let bytes =
            |tool: &Tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len();
        self.tools.iter().map(bytes).sum()
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    Stop,
    /// It stopped by itself, and all that it said stands among its thoughts, where some servers put the answer, too.
    InThoughts,
    /// It reached its bound or its context's end; the text is cut.
    Length,
    /// It, or its provider's filter, declined.
    Refused,
}

/// A whole reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// What it said.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens as the provider counted them; `None` where it did not say.
    pub usage: Option<Usage>,
    /// What it cost by the provider's own account; `None` where it did not say.
    pub cost: Option<Money>,
    /// Who was asked.
    pub asked: ModelName,
    /// The model the provider says answered.
    pub answered: String,
    /// The provider's id for this request, for support.
    pub request_id: Option<String>,
}

impl Reply {
    /// Whether the model came to its bound before it said a word: all of it went into thinking.
    #[must_use]
    pub fn is_only_thought(&self) -> bool {
        let text = self.text.trim();
        // Servers that do not keep thoughts apart send them in tags.
        let thinks = text.starts_with("<think") && !text.contains("</think");
        self.finish == Finish::Length && (text.is_empty() || thinks)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_prompt_without_tools_is_written_without_them() {
        let written = json!({
            "rules": "r", "shared": "s", "task": "t", "turns": [], "schema": null, "max_tokens": 9, "room": 0,
            "effort": "standard", "temperature": null, "version": "v",
        });
        let mut prompt: Prompt = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_string(&prompt).unwrap(), written.to_string());
        assert_eq!(prompt.tool_bytes(), 0);
        let tool = Tool {
            name: "search".to_owned(),
            description: "Looks.".to_owned(),
            parameters: json!({"type": "object"}),
        };
        prompt.tools.push(tool);
        let read: Prompt = serde_json::from_str(&serde_json::to_string(&prompt).unwrap()).unwrap();
        assert_eq!((read.tool_bytes(), &read), (29, &prompt));
    }
}
