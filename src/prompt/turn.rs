//! The one further turn in which a model mends its own reply.

use minijinja::context;

use super::{ParseError, Prompts};
use crate::domain::{Prompt, Turn};

/// Most characters of a bad reply that are sent back; what is wrong is named besides.
const MAX_QUOTED_CHARS: usize = 6_000;

/// The same request with one more turn: the reply as it was, and what is wrong with it.
#[must_use]
pub fn repair(prompts: &Prompts, prompt: &Prompt, reply: &str, error: &ParseError) -> Prompt {
    let quoted: String = reply.chars().filter(|&c| c != '\0').take(MAX_QUOTED_CHARS).collect();
    let values = context! { error => error.to_string(), truncated => *error == ParseError::Truncated };
    let correction = prompts.render("repair.md", &values);
    // Providers refuse an empty turn.
    let quoted = if quoted.trim().is_empty() { "(nothing)".to_owned() } else { quoted };
    let mut prompt = prompt.clone();
    prompt.turns.push(Turn { reply: quoted, correction });
    prompt
}
