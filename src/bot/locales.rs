//! What Discord shows of the commands in a member's own language: descriptions, choices and the entries of menus, from one
//! file a language in `locales`. It is laid over the commands where they are registered. Discord then chooses by the
//! language that each member has set, so nothing in the bot reads an interaction's `locale`, and no locale that Discord
//! may invent can break anything.
//!
//! English is the text in the code and the key of each entry. What is said in several places is translated once, and
//! where the English changes, its translation is missing until somebody has looked at it: the tests name it.
//!
//! Names of slash commands and of options are English in every language, because cards and sentences name them (`/ask`,
//! `effort`), and so is the word with which a choice begins. When cards are translated too, a file's `names` can take
//! them: they are laid over as the names of menu entries are.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

/// English text to what is said instead.
type Words = BTreeMap<String, String>;

/// A language's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    names: Words,
    descriptions: Words,
    choices: Words,
}

/// The languages: how Discord calls each (documentation, "Reference", Locales), and its file. Discord has no Portuguese but
/// Brazil's.
const LANGUAGES: [(&[&str], &str); 4] = [
    (&["de"], include_str!("../../locales/de.json")),
    (&["fr"], include_str!("../../locales/fr.json")),
    (&["es-ES", "es-419"], include_str!("../../locales/es.json")),
    (&["pt-BR"], include_str!("../../locales/pt.json")),
];

/// Adds every language to commands as they are sent.
pub(super) fn lay_over(commands: &mut [Value]) -> anyhow::Result<()> {
    for (codes, file) in LANGUAGES {
        let catalogue =
            Catalogue::read(file).with_context(|| format!("the texts in {}", codes.join(", ")))?;
        for command in commands.iter_mut() {
            catalogue.translate(command, codes);
        }
    }
    Ok(())
}

impl Catalogue {
    fn read(file: &str) -> serde_json::Result<Self> {
        serde_json::from_str(file)
    }

    /// A command or an option, with all that is in it.
    fn translate(&self, named: &mut Value, codes: &[&str]) {
        say(named, "name", &self.names, codes);
        say(named, "description", &self.descriptions, codes);
        for choice in items(named, "choices") {
            say(choice, "name", &self.choices, codes);
        }
        for option in items(named, "options") {
            self.translate(option, codes);
        }
    }
}

/// Puts beside a field what it says in a language.
fn say(of: &mut Value, field: &str, words: &Words, codes: &[&str]) {
    let Some(said) = of[field].as_str().and_then(|english| words.get(english)) else { return };
    let localizations = &mut of[format!("{field}_localizations")];
    for &code in codes {
        localizations[code] = said.as_str().into();
    }
}

fn items<'a>(of: &'a mut Value, list: &str) -> impl Iterator<Item = &'a mut Value> {
    of.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten()
}

#[cfg(test)]
mod tests;
