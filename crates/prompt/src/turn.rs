//! The one further turn in which a model mends its own reply.

use minijinja::context;

use super::{ParseError, Prompts};
use domain::{Prompt, Turn};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, table};
    use domain::Offered;

    #[test]
    fn the_turn_quotes_the_reply_and_names_the_error() {
        let (prompts, brief) = (Prompts::embedded(), sample::mediate::brief(""));
        let at = table::Table { prompts: &prompts, brief: &brief, question: None, notes: &[] };
        let prompt = at.independent(&sample::mediate::name("market"), &Offered::default());
        let error = ParseError::Shape("missing field `summary`".into());
        let turn = |reply: &str, error| repair(&prompts, &prompt, reply, error).turns.remove(0);
        let broken = turn("{\"a\u{0}\"", &error);
        assert_eq!(broken.reply, "{\"a\"");
        let told = "Your reply could not be used: the JSON does not have the shape that was asked for: missing field `summary`.";
        assert!(broken.correction.starts_with(told), "{}", broken.correction);
        assert!(turn("x", &ParseError::Truncated).correction.contains("half the length"));
        assert_eq!(turn("  ", &error).reply, "(nothing)");
        assert_eq!(turn(&"é".repeat(100_000), &error).reply.chars().count(), MAX_QUOTED_CHARS);
        let repaired = repair(&prompts, &prompt, "x", &error);
        assert_eq!(
            (repaired.shared, repaired.task, repaired.schema),
            (prompt.shared, prompt.task, prompt.schema)
        );
    }
}
