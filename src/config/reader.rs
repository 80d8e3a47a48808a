//! Reads single values, gathering every problem instead of stopping at the first.

use std::{fmt::Display, path::PathBuf, str::FromStr};

use url::Url;

use super::Problem;
use domain::{GuildId, ModelName, Money, Secret};

/// A look-up with the problems found so far.
pub(super) struct Reader<F> {
    pub(super) lookup: F,
    pub(super) problems: Vec<Problem>,
}

impl<F: Fn(&str) -> Option<String>> Reader<F> {
    /// The value, trimmed. One that is empty counts as not set, as `NAME=` in a file means it.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let value = (self.lookup)(name)?.trim().to_owned();
        (!value.is_empty()).then_some(value)
    }

    pub(super) fn problem(&mut self, name: &str, what: impl Into<String>, remedy: impl Into<String>) {
        self.problems.push(Problem { setting: name.to_owned(), what: what.into(), remedy: remedy.into() });
    }

    /// A key or token: it goes into a header, so it is visible ASCII without spaces.
    pub(super) fn secret(&mut self, name: &str) -> Option<Secret> {
        let value = self.text(name)?;
        if value.bytes().all(|b| b.is_ascii_graphic()) {
            return Some(Secret::new(&value));
        }
        self.problem(
            name,
            "has a space, a line break or another character that no key has in it (it is not shown)",
            "Copy it again, the key alone, without quotes or words such as Bot or Bearer before it.",
        );
        None
    }

    /// An address `http(s)://host[:port][/path]`, without the slash at its end.
    pub(super) fn url(&mut self, name: &str, example: &str) -> Option<Url> {
        let value = self.text(name)?;
        match base_url(&value) {
            Ok(url) => Some(url),
            Err(what) => {
                self.problem(name, what, format!("Write for example {name}={example}"));
                None
            }
        }
    }

    pub(super) fn model(&mut self, name: &str) -> Option<ModelName> {
        let value = self.text(name)?;
        self.parse_model(name, &value)
    }

    /// Models separated by commas.
    pub(super) fn models(&mut self, name: &str) -> Vec<ModelName> {
        let Some(value) = self.text(name) else { return Vec::new() };
        let parts: Vec<&str> = value.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            self.problem(name, "names no model", example_models(name));
        }
        parts.into_iter().filter_map(|part| self.parse_model(name, part)).collect()
    }

    fn parse_model(&mut self, name: &str, value: &str) -> Option<ModelName> {
        if let Ok(model) = value.parse() {
            return Some(model);
        }
        let what = format!(
            "names {}, which is not a model: write provider/model, the provider one of anthropic, openai, openrouter, \
             azure, gemini, ollama, local",
            shown(value)
        );
        self.problem(name, what, example_models(name));
        None
    }

    /// Servers by their ids, separated by commas; `None`: not set.
    pub(super) fn servers(&mut self, name: &str) -> Option<Vec<GuildId>> {
        let value = self.text(name)?;
        let ids: Option<Vec<GuildId>> =
            value.split(',').map(|id| id.trim().parse().ok().filter(|id| *id > 0).map(GuildId)).collect();
        if ids.is_none() {
            let what = format!("is {}, not the ids of servers, separated by commas", shown(&value));
            let example = "Copy a server's id in Discord (with Developer Mode on: right-click the server, Copy Server ID)";
            self.problem(name, what, format!("{example} and write for example {name}=81384788765712384"));
        }
        ids
    }

    /// Dollars, from a cent to a million.
    pub(super) fn dollars(&mut self, name: &str, default: Money) -> Money {
        let Some(value) = self.text(name) else { return default };
        match value.strip_prefix('$').unwrap_or(&value).parse::<f64>() {
            Ok(dollars) if (0.01..=1_000_000.0).contains(&dollars) => Money::from_dollars(dollars),
            _ => {
                let what = format!("is {}, not an amount of dollars from 0.01 to 1000000", shown(&value));
                self.problem(name, what, format!("Write for example {name}=2.50"));
                default
            }
        }
    }

    /// A whole number within the bounds.
    pub(super) fn number<T>(&mut self, name: &str, default: T, least: T, most: T) -> T
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let Some(value) = self.text(name) else { return default };
        match value.parse::<T>() {
            Ok(number) if number >= least && number <= most => number,
            _ => {
                let what = format!("is {}, not a whole number from {least} to {most}", shown(&value));
                self.problem(name, what, format!("Write for example {name}={default}"));
                default
            }
        }
    }

    /// What its own type reads, whose errors are the rest of a sentence that begins with the value.
    pub(super) fn parsed<T>(&mut self, name: &str, example: &str) -> Option<T>
    where
        T: FromStr<Err: Display>,
    {
        let value = self.text(name)?;
        match value.parse() {
            Ok(parsed) => Some(parsed),
            Err(error) => {
                let what = format!("is {}, which {error}", shown(&value));
                self.problem(name, what, format!("Write for example {name}={example}"));
                None
            }
        }
    }

    /// A SQLite file: `sqlite://quorum.db`, `sqlite:quorum.db`, `sqlite:///data/quorum.db`.
    pub(super) fn database(&mut self, name: &str) -> PathBuf {
        let default = PathBuf::from("quorum.db");
        let Some(value) = self.text(name) else { return default };
        let path = value.strip_prefix("sqlite://").or_else(|| value.strip_prefix("sqlite:"));
        // `mode=rwc` is what other programs want to hear; it is what happens here anyway.
        let path = path.map(|path| path.strip_suffix("?mode=rwc").unwrap_or(path));
        let what = match path {
            // The value is not shown: the address of another database has a password in it.
            None => "is not a SQLite file, the only database there is",
            Some("" | ":memory:") => "names no file, and what is kept in memory alone would be lost",
            Some(path) if path.ends_with('/') => "names a folder, not a file",
            Some(path) if path.contains('?') => "has options after a question mark, which are not known",
            Some(path) => return PathBuf::from(path),
        };
        self.problem(
            name,
            what,
            "Write for example DATABASE_URL=sqlite://quorum.db (in the working folder) or \
             DATABASE_URL=sqlite:///data/quorum.db",
        );
        default
    }
}

fn example_models(name: &str) -> String {
    match name {
        "QUORUM_MODELS" => {
            "Write for example QUORUM_MODELS=anthropic/claude-sonnet-5-5,openai/gpt-6.1-sol".to_owned()
        }
        _ => format!("Write for example {name}=anthropic/claude-sonnet-5-5"),
    }
}

/// Reads an address; the error says what is wrong with it and never repeats a password in it.
pub(super) fn base_url(value: &str) -> Result<Url, String> {
    let mut url = Url::parse(value).map_err(|error| format!("is not an address ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err("does not begin with http:// or https:// and a host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a user name or password in it (it is not shown)".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("has a ? or # in it, and paths are added at its end".to_owned());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// A value as a message may repeat it: short, and not at all where it looks like a key.
pub(super) fn shown(value: &str) -> String {
    let mut run = 0;
    let long_run = value.chars().any(|c| {
        run = if c.is_ascii_alphanumeric() || c == '_' { run + 1 } else { 0 };
        run >= 24
    });
    if long_run || value.contains("sk-") {
        return "the value (not shown, it looks like a key)".to_owned();
    }
    let short: String = value.chars().take(60).collect();
    let dots = if short.len() < value.len() { "…" } else { "" };
    format!("\"{}{dots}\"", short.escape_debug())
}
