//! Fields of a reply that repeat the instructions word for word instead of answering them, as small models do: a flag
//! that reads "stops or sinks the plan unless settled". What people or other models wrote is no instruction.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::{ParseError, Prompts, parse};
use crate::domain::Prompt;

/// Fewest words that no honest field has in common with an instruction by chance.
const FEWEST: usize = 5;

/// Fewest words in a row that count as an instruction's where the text is made of several such runs.
const RUN: usize = 4;

/// One word in so many may be a value that was filled in.
const FILLED_IN: usize = 8;

/// Stands where a template holds a value, and between one instruction and the next: nothing is repeated across it.
const BREAK: &str = " \u{1} ";

/// The words of all templates. Each text of each reply is looked for in them, so what cannot be there is told without reading
/// them all: most texts begin with a run of words that no template has.
#[derive(Debug)]
pub(super) struct Instructions {
    text: String,
    /// Each [`RUN`] of words that there is: its hash, and where in `text` it begins, by the space before it.
    runs: Vec<(u64, usize)>,
}

/// What of a reply is copied, and the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// The fields that hold a copied text, by their names.
    pub fields: Vec<String>,
    /// How many texts.
    pub number: u32,
    /// The reply with nothing in their places.
    pub rest: String,
}

impl Copied {
    /// What the model is told.
    #[must_use]
    pub fn error(&self) -> ParseError {
        ParseError::Copied(self.fields.join("`, `"))
    }
}

/// What of a reply repeats the templates it was asked by, or the words of its schema; `None` where nothing does.
#[must_use]
pub fn copied(prompts: &Prompts, prompt: &Prompt, reply: &str) -> Option<Copied> {
    let mut value: Value = parse(reply).ok()?.value;
    let mut told = Vec::new();
    if let Some(schema) = &prompt.schema {
        descriptions(&schema.json, &mut told);
    }
    let told = normalised(&told.join(BREAK));
    let (mut fields, mut number) = (Vec::new(), 0);
    for (name, field) in value.as_object_mut()? {
        let before = number;
        blank(field, &mut number, &|text| {
            let text = normalised(text);
            repeats(&text, prompts.instructions()) || told.contains(&text) && long_enough(&text)
        });
        if number > before {
            fields.push(name.clone());
        }
    }
    (number > 0).then(|| Copied { fields, number, rest: value.to_string() })
}

fn long_enough(text: &str) -> bool {
    text.split_whitespace().count() >= FEWEST
}

/// Whether a text is made of runs of an instruction's words, but for what stands where the template has a value: "Pro makes
/// the other case" of "{{ other }} makes the other case".
fn repeats(text: &str, instructions: &Instructions) -> bool {
    if !long_enough(text) {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_told = |run: &[&str]| instructions.have(run);
    if is_told(&words) {
        return true;
    }
    let (mut spare, mut longest, mut at) = (words.len() / FILLED_IN, 0, 0);
    while at < words.len() {
        let least = at + RUN;
        if least <= words.len() && is_told(&words[at..least]) {
            let end = (least + 1..=words.len()).take_while(|end| is_told(&words[at..*end])).last();
            let end = end.unwrap_or(least);
            longest = longest.max(end - at);
            at = end;
        } else if spare > 0 {
            (spare, at) = (spare - 1, at + 1);
        } else {
            return false;
        }
    }
    longest >= 2 * FEWEST
}

/// Empties each text that `is_copied`.
fn blank(value: &mut Value, number: &mut u32, is_copied: &impl Fn(&str) -> bool) {
    match value {
        Value::String(text) if is_copied(text) => {
            text.clear();
            *number += 1;
        }
        Value::Array(items) => items.iter_mut().for_each(|item| blank(item, number, is_copied)),
        Value::Object(fields) => fields.values_mut().for_each(|item| blank(item, number, is_copied)),
        _ => {}
    }
}

/// What a schema says of its fields.
fn descriptions(schema: &Value, told: &mut Vec<String>) {
    match schema {
        Value::Object(parts) => {
            told.extend(parts.get("description").and_then(Value::as_str).map(str::to_owned));
            parts.values().for_each(|part| descriptions(part, told));
        }
        Value::Array(parts) => parts.iter().for_each(|part| descriptions(part, told)),
        _ => {}
    }
}

impl Instructions {
    /// Those of all templates.
    pub(super) fn of<'a>(templates: impl Iterator<Item = &'a String>) -> Self {
        let words: Vec<String> = templates.map(|template| normalised(&without_values(template))).collect();
        let text = words.join(BREAK);
        let words: Vec<&str> = text.split_whitespace().collect();
        let starts = text.match_indices(' ').map(|(at, _)| at).filter(|at| !text[at + 1..].starts_with(' '));
        let mut runs: Vec<(u64, usize)> = words.windows(RUN).map(hash).zip(starts).collect();
        runs.sort_unstable();
        Self { text, runs }
    }

    /// Whether they have these words in a row, which are [`RUN`] at least.
    fn have(&self, words: &[&str]) -> bool {
        let run = hash(&words[..RUN]);
        let first = self.runs.partition_point(|(known, _)| *known < run);
        let mut places = self.runs[first..].iter().take_while(|(known, _)| *known == run).peekable();
        if places.peek().is_none() {
            return false;
        }
        let sought = format!(" {} ", words.join(" "));
        places.any(|(_, at)| self.text[*at..].starts_with(&sought))
    }
}

fn hash(words: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

/// A template without its comments, and with breaks for its values and conditions.
fn without_values(template: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).chain(rest.find("{#")).min() {
        out.push_str(&rest[..at]);
        out.push_str(BREAK);
        let close = match rest.as_bytes().get(at + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => "#}",
        };
        rest = rest[at..].split_once(close).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// The words in lower case, each between two spaces; breaks stay.
fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() || c == '\u{1}' {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{domain::Offered, prompt::mediate, sample};

    fn look(reply: &Value) -> Option<Copied> {
        let prompts = Prompts::embedded();
        let prompt = mediate::independent(
            &prompts,
            &sample::mediate::brief(""),
            &sample::mediate::name("market"),
            &Offered::default(),
            &[],
        );
        copied(&prompts, &prompt, &reply.to_string())
    }

    #[test]
    fn a_field_that_repeats_the_instructions_is_found_and_nothing_else() {
        let found = look(&json!({
            "analysis": "The town is small. Stops or sinks the plan unless settled is what I was told.",
            "key_points": ["Rent rises.", "What would change your mind."],
            "flags": [
                {"color": "red", "text": "Red: stops or sinks the plan unless settled."},
                {"color": "green", "text": "A strength to build on"},
                {"color": "yellow", "text": "Two tenants may leave."},
            ],
            "summary": "Your finding in one or two sentences; what you would tell someone who reads nothing else.",
        }))
        .unwrap();
        assert_eq!(found.fields, ["key_points", "flags", "summary"]);
        assert_eq!(found.number, 4);
        let rest: Value = serde_json::from_str(&found.rest).unwrap();
        assert_eq!(rest["flags"][2]["text"], "Two tenants may leave.");
        assert_eq!((&rest["flags"][0]["text"], &rest["summary"]), (&json!(""), &json!("")));
        assert!(rest["analysis"].as_str().unwrap().starts_with("The town"));
    }

    #[test]
    fn what_a_schema_says_of_a_field_is_an_instruction_too() {
        let found = look(&json!({ "summary": "The finding in one or two sentences." })).unwrap();
        assert_eq!(found.fields, ["summary"]);
    }

    #[test]
    fn an_instruction_with_its_values_filled_in_is_copied_too() {
        let copied_out =
            "Pro makes the other case. Limits and doubts are stated as such, beside the position.";
        assert_eq!(look(&json!({ "summary": copied_out })).unwrap().fields, ["summary"]);
        let own = "Pro makes the other case better than we do, and limits and doubts are stated as such by nobody here.";
        assert_eq!(look(&json!({ "summary": own })), None);
    }

    #[test]
    fn honest_words_stay() {
        for honest in [
            json!({ "summary": "Start small.", "key_points": ["A danger.", "a doubt"], "sources": [] }),
            json!({ "summary": "The plan stops unless rent is settled by June." }),
            json!(["no object"]),
        ] {
            assert_eq!(look(&honest), None, "{honest}");
        }
    }
}
