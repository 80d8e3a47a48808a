//! Layer 1: whether what models were asked with says what it must, and whether what others wrote stands between tags.

use std::{collections::BTreeSet, fmt::Write as _, sync::LazyLock};

use regex::Regex;
use serde_json::Value;

use super::{Looked, examined, sentences::sentences};
use domain::{AuditFault, AuditFinding, AuditLayer, Dossier, Origin, PromptText, shortened};

/// Fewest characters of somebody's text that are looked for outside of tags: fewer stand everywhere.
const TELLING: usize = 40;
/// Most characters of a quotation.
const QUOTED: usize = 160;

/// A tag around text of others, as `prompt` writes it.
static TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("<(/?)([a-z][a-z0-9-]*-[0-9a-f]{8})>").ok());

/// What each prompt has to say: each group is one thing, and one word of each part of it has to be there.
const MUST: [(AuditFault, &[&[&str]]); 3] = [
    (
        AuditFault::PromptObeys,
        &[
            &["data", "material"],
            &["never obey", "not obey", "no orders", "not follow", "no instruction", "not an instruction"],
        ],
    ),
    (AuditFault::PromptSources, &[&["source", "citation"], &["invent", "cite", "made-up", "make up"]]),
    (AuditFault::PromptShape, &[&["json"], &["nothing else", "only", "no other"]]),
];

/// The texts of prompts, each once with the steps that it was part of, from the requests as they were sent. What others
/// wrote is left out of them.
#[must_use]
pub fn asked_with<'a>(requests: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<PromptText> {
    let mut prompts: Vec<PromptText> = Vec::new();
    for (step, request) in requests {
        for text in texts(request) {
            let text = without_material(&text);
            match prompts.iter_mut().find(|known| known.text == text) {
                Some(known) if known.steps.iter().any(|one| one == step) => {}
                Some(known) => known.steps.push(step.to_owned()),
                None => prompts.push(PromptText { steps: vec![step.to_owned()], text }),
            }
        }
    }
    prompts
}

/// What a request says that is not a model's own: both wordings put it below `system` or into messages of roles.
fn texts(request: &str) -> Vec<String> {
    let request: Value = serde_json::from_str(request).unwrap_or_default();
    let Some(messages) = request.get("messages").and_then(Value::as_array) else { return Vec::new() };
    let own = |message: &&Value| message.get("role").and_then(Value::as_str) != Some("assistant");
    let parts = request
        .get("system")
        .into_iter()
        .chain(messages.iter().filter(own).filter_map(|one| one.get("content")));
    let mut texts = Vec::new();
    for part in parts {
        match part {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(blocks) => {
                texts.extend(blocks.iter().filter_map(|block| Some(block.get("text")?.as_str()?.to_owned())));
            }
            _ => {}
        }
    }
    texts
}

/// A prompt's text without what stands between its tags, which is what others wrote.
fn without_material(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, open, after)) = next_tag(rest) {
        out.push_str(before);
        let _ = write!(out, "<{}{}>", open.0, open.1);
        rest = after;
        let close = format!("</{}>", open.1);
        if let (true, Some(end)) = (open.0.is_empty(), after.find(&close)) {
            out.push('…');
            out.push_str(&close);
            rest = &after[end + close.len()..];
        }
    }
    out + rest
}

/// What stands before the next tag, that tag (its slash and its name), and what follows.
fn next_tag(text: &str) -> Option<(&str, (&str, &str), &str)> {
    let found = TAG.as_ref()?.captures(text)?;
    let (whole, slash, name) = (found.get(0)?, found.get(1)?, found.get(2)?);
    Some((&text[..whole.start()], (slash.as_str(), name.as_str()), &text[whole.end()..]))
}

pub(super) fn look(dossier: &Dossier) -> Looked {
    let layer = AuditLayer::Prompts;
    let steps: BTreeSet<&str> =
        dossier.prompts.iter().flat_map(|prompt| prompt.steps.iter().map(String::as_str)).collect();
    if steps.is_empty() {
        let why = "The prompts are kept no longer, or the report was written without them.".to_owned();
        return (examined(layer, 0, vec![why]), Vec::new());
    }
    let mut findings = Vec::new();
    for step in &steps {
        let texts: Vec<String> =
            (dossier.prompts.iter().filter(|prompt| prompt.steps.iter().any(|one| one == step)))
                .map(|prompt| prompt.text.to_lowercase())
                .collect();
        let says = |word: &&str| texts.iter().any(|text| text.contains(word));
        let missing = MUST.iter().filter(|(_, parts)| !parts.iter().all(|part| part.iter().any(says)));
        findings.extend(missing.map(|(fault, _)| finding(*fault, step, "", String::new())));
    }
    let material = material(dossier);
    findings.extend(dossier.prompts.iter().filter_map(|prompt| unfenced(prompt, &material)));
    (examined(layer, steps.len(), Vec::new()), findings)
}

/// What people and models wrote, as it would stand in a prompt.
fn material(dossier: &Dossier) -> Vec<String> {
    let said = dossier.said.iter().flat_map(|speech| &speech.texts);
    let sentences = dossier.given.iter().chain(said).flat_map(|text| sentences(text));
    sentences.filter(|sentence| sentence.chars().count() >= TELLING).collect()
}

fn unfenced(prompt: &PromptText, material: &[String]) -> Option<AuditFinding> {
    let step = prompt.steps.first().map(String::as_str).unwrap_or_default();
    let bare = without_material(&prompt.text);
    let (mut open, mut rest) = (Vec::new(), bare.as_str());
    while let Some((_, (slash, name), after)) = next_tag(rest) {
        if slash.is_empty() {
            open.push(name);
        } else if open.pop() != Some(name) {
            return Some(finding(
                AuditFault::PromptUnfenced,
                step,
                &format!("</{name}>"),
                "closes nothing".to_owned(),
            ));
        }
        rest = after;
    }
    // The rules name a pair of tags as an example, apart from one another.
    if let Some(name) = open.first() {
        return Some(finding(
            AuditFault::PromptUnfenced,
            step,
            &format!("<{name}>"),
            "is not closed".to_owned(),
        ));
    }
    let outside = material.iter().find(|sentence| bare.contains(sentence.as_str()))?;
    Some(finding(AuditFault::PromptUnfenced, step, outside, String::new()))
}

fn finding(fault: AuditFault, step: &str, quote: &str, detail: String) -> AuditFinding {
    let at = Origin { step: step.to_owned(), ..Origin::default() };
    AuditFinding { fault, at, quote: shortened(quote, QUOTED), detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_others_wrote_is_left_out() {
        let text = "Read it.\n<problem-0123abcd>\nShould we?\n<x> </problem>\n</problem-0123abcd>\nGo on with <own-1> and <note-0123abce>\nno end";
        assert_eq!(
            without_material(text),
            "Read it.\n<problem-0123abcd>…</problem-0123abcd>\nGo on with <own-1> and <note-0123abce>\nno end"
        );
        assert_eq!(without_material(&without_material(text)), without_material(text));
        assert_eq!(without_material("ä </a-0123abcd> b"), "ä </a-0123abcd> b");
    }
}
