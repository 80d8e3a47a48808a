//! Small readings of what models write: words in any case, whole numbers, texts made fit to keep.

use serde::{
    Deserialize, Deserializer,
    de::{Error, IntoDeserializer},
};

use crate::{
    domain::{FlagColor, ModuleName, Severity, is_blank},
    prompt::{citations, repetition},
};

/// Most items kept of any list a model writes; the schema asks for fewer, but not every provider holds a
/// model to it.
pub(super) const MAX_ITEMS: usize = 12;

/// A severity in any case: Anthropic does not promise an enum's case.
pub(super) fn severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    const WORDS: [&str; 4] = ["critical", "high", "medium", "low"];
    let text = String::deserialize(deserializer)?;
    match text.to_ascii_lowercase().as_str() {
        "critical" => Ok(Severity::Critical),
        "high" => Ok(Severity::High),
        "medium" => Ok(Severity::Medium),
        "low" => Ok(Severity::Low),
        _ => Err(D::Error::unknown_variant(&text, &WORDS)),
    }
}

/// A colour in any case.
pub(super) fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FlagColor, D::Error> {
    const WORDS: [&str; 3] = ["red", "yellow", "green"];
    let text = String::deserialize(deserializer)?;
    match text.to_ascii_lowercase().as_str() {
        "red" => Ok(FlagColor::Red),
        "yellow" => Ok(FlagColor::Yellow),
        "green" => Ok(FlagColor::Green),
        _ => Err(D::Error::unknown_variant(&text, &WORDS)),
    }
}

/// A word of an enum in any case, with a space or a `-` in place of its `_`.
pub(super) fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let text = String::deserialize(deserializer)?;
    let plain = text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    T::deserialize(plain.as_str().into_deserializer())
}

/// The number of a thing, however it is written: `2`, `"2"`, `"Q2"`, `"E2"`.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u32),
        Text(String),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(number) => Ok(number),
        Written::Text(text) => {
            let digits = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim();
            digits.parse().map_err(|_| D::Error::custom(format!("{text:?} is no number")))
        }
    }
}

/// A text made fit to keep, and how many citations went.
#[derive(Default)]
pub(super) struct Cleaner {
    pub(super) dropped: u32,
}

impl Cleaner {
    /// A text of any length, its Markdown kept. One that nobody could read is empty.
    pub(super) fn text(&mut self, text: &str) -> String {
        if is_blank(text) {
            return String::new();
        }
        let (text, dropped) = citations::remove(&repetition::tidy(text));
        self.dropped += dropped;
        text
    }

    /// A text on one line.
    pub(super) fn line(&mut self, text: &str) -> String {
        self.text(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Lines, the empty and the repeated left out.
    pub(super) fn lines(&mut self, texts: &[String]) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for text in texts {
            let line = self.line(text);
            if !line.is_empty() && !kept.iter().any(|earlier| earlier.eq_ignore_ascii_case(&line)) {
                kept.push(line);
            }
        }
        kept.truncate(MAX_ITEMS);
        kept
    }

    /// Takes sources away: nothing was searched, so none can be known.
    pub(super) fn sources(&mut self, sources: &[String]) {
        let named = sources.iter().filter(|source| !source.trim().is_empty()).count();
        self.dropped += u32::try_from(named).unwrap_or(u32::MAX);
    }
}

/// The modules of a list that are active, each once, by name or title in any case.
pub(super) fn active(names: &[String], active: &[ModuleName]) -> Vec<ModuleName> {
    let mut found: Vec<ModuleName> = Vec::new();
    for name in names {
        let name = name.trim();
        let known = active
            .iter()
            .find(|module| module.0.eq_ignore_ascii_case(name) || module.title().eq_ignore_ascii_case(name));
        if let Some(module) = known.filter(|module| !found.contains(module)) {
            found.push(module.clone());
        }
    }
    found
}

/// At most so many characters, `…` for what is cut.
pub(in crate::prompt) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}
