//! Models, what they are called, what they cost and what a call used.

use std::{fmt, ops::AddAssign, str::FromStr};

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use thiserror::Error;

/// Who serves a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Provider {
    /// Anthropic Messages.
    Anthropic,
    /// `OpenAI` chat completions, or any server at `OPENAI_BASE_URL` that speaks it.
    Openai,
    /// `OpenRouter`.
    Openrouter,
    /// Azure `OpenAI`: a deployment of somebody's own.
    Azure,
    /// Google's Gemini, by its endpoint that speaks chat completions.
    Gemini,
    /// A server on the operator's own machine that speaks chat completions: Ollama, llama.cpp, LM Studio.
    Local,
}

impl Provider {
    /// All that there are, in the order in which they are declared.
    pub const ALL: [Self; 6] =
        [Self::Anthropic, Self::Openai, Self::Openrouter, Self::Azure, Self::Gemini, Self::Local];

    /// The word before the slash in a model's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A model as settings name it: `anthropic/claude-sonnet-4-5`, `openrouter/meta-llama/llama-3.3-70b`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ModelName {
    /// Who serves it.
    pub provider: Provider,
    /// The provider's own name for it; may hold further slashes.
    pub model: String,
}

/// A model's name that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "\"{0}\" is not a model: write provider/model, the provider one of anthropic, openai, openrouter, azure, gemini, \
     ollama, local"
)]
pub struct ModelNameError(pub String);

/// What people read of a model's name: a server of one's own may call it by the path of its file, of which that is the last
/// part without its ending.
#[must_use]
pub fn short_model(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().and_then(|file| file.strip_suffix(".gguf"));
    file.filter(|file| !file.is_empty()).unwrap_or(name)
}

impl ModelName {
    /// As cards show it: `local/qwen2.5-7b` for a file of that name. It cannot be read back.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}/{}", self.provider.as_str(), short_model(&self.model))
    }
}

impl FromStr for ModelName {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ModelNameError(text.to_owned());
        let (provider, model) = text.trim().split_once('/').ok_or_else(wrong)?;
        let provider = match provider {
            "anthropic" => Provider::Anthropic,
            "openai" => Provider::Openai,
            "openrouter" => Provider::Openrouter,
            "azure" => Provider::Azure,
            "gemini" => Provider::Gemini,
            "ollama" | "local" => Provider::Local,
            _ => return Err(wrong()),
        };
        if model.is_empty() || model.chars().any(char::is_whitespace) {
            return Err(wrong());
        }
        Ok(Self { provider, model: model.to_owned() })
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider.as_str(), self.model)
    }
}

impl Serialize for ModelName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ModelName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A place at the table: the model that fills it and those that may stand in, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// Asked first.
    pub model: ModelName,
    /// Asked when the first cannot answer; who really answered is always shown.
    pub fallbacks: Vec<ModelName>,
}

/// Tokens a call used, as the provider counted them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens that were neither read from nor written to a cache.
    pub input: u64,
    /// Input tokens read from the provider's cache.
    pub cached: u64,
    /// Input tokens written to the provider's cache.
    pub cache_write: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
}

impl Usage {
    /// All tokens, in and out.
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.cached).saturating_add(self.cache_write).saturating_add(self.output)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.cached = self.cached.saturating_add(other.cached);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.output = self.output.saturating_add(other.output);
    }
}

/// An amount of money in millionths of a US dollar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(pub i64);

impl Money {
    /// From dollars as a setting gives them, rounded to the millionth.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // `as` saturates, and no budget is 9 trillion dollars
    pub fn from_dollars(dollars: f64) -> Self {
        Self((dollars * 1e6).round() as i64)
    }

    /// `$0.08`; with four places only below a cent, where two would say nothing.
    #[must_use]
    pub fn short(self) -> String {
        let cents = self.0.saturating_add(5_000) / 10_000;
        if self.0 < 10_000 { self.to_string() } else { format!("${}.{:02}", cents / 100, cents % 100) }
    }
}

impl fmt::Display for Money {
    /// `$1.24`, or with four places below ten cents: `$0.0031`.
    #[allow(clippy::cast_precision_loss)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.0 as f64 / 1e6;
        if self.0 != 0 && dollars.abs() < 0.1 {
            write!(f, "${dollars:.4}")
        } else {
            write!(f, "${dollars:.2}")
        }
    }
}

/// What a model costs, in millionths of a dollar for a million tokens (so 3 dollars are 3,000,000).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Price {
    /// Fresh input.
    pub input: i64,
    /// Input read from the cache.
    pub cached: i64,
    /// Input written to the cache.
    pub cache_write: i64,
    /// Output, reasoning included.
    pub output: i64,
}

impl Price {
    /// What the given usage costs, rounded up to the millionth so that a budget is never flattered.
    #[must_use]
    pub fn of(&self, usage: Usage) -> Money {
        let part = |tokens: u64, price: i64| i128::from(tokens) * i128::from(price);
        let sum = part(usage.input, self.input)
            + part(usage.cached, self.cached)
            + part(usage.cache_write, self.cache_write)
            + part(usage.output, self.output);
        Money(i64::try_from((sum + 999_999) / 1_000_000).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_file_is_called_by_its_name() {
        let shown = |name: &str| name.parse::<super::ModelName>().unwrap().shown();
        assert_eq!(shown("local//srv/models/qwen2.5-7b.gguf"), "local/qwen2.5-7b");
        assert_eq!(shown("openrouter/meta-llama/llama-3.3-70b"), "openrouter/meta-llama/llama-3.3-70b");
    }

    use super::*;

    #[test]
    fn model_names_read_and_refuse() {
        let name: ModelName = "openrouter/meta-llama/llama-3.3".parse().unwrap();
        assert_eq!((name.provider, name.model.as_str()), (Provider::Openrouter, "meta-llama/llama-3.3"));
        assert_eq!("ollama/qwen3".parse::<ModelName>().unwrap().provider, Provider::Local);
        let name: ModelName = "azure/team-gpt".parse().unwrap();
        assert_eq!((name.provider, name.model.as_str()), (Provider::Azure, "team-gpt"));
        let name: ModelName = "gemini/gemini-4-hydrogen".parse().unwrap();
        assert_eq!((name.provider, name.model.as_str()), (Provider::Gemini, "gemini-4-hydrogen"));
        for wrong in ["", "gpt-5", "openai/", "mystery/x", "openai/a b", "azure/", "google/gemini-4"] {
            assert!(wrong.parse::<ModelName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_provider_is_read_by_its_own_word() {
        assert!(Provider::ALL.is_sorted(), "in the order in which they are declared");
        for provider in Provider::ALL {
            let name = format!("{}/m", provider.as_str());
            assert_eq!(name.parse::<ModelName>().unwrap().provider, provider);
        }
    }

    #[test]
    fn prices_round_up_and_read_well() {
        let price = Price { input: 3_000_000, cached: 300_000, cache_write: 3_750_000, output: 15_000_000 };
        assert_eq!(price.of(Usage { input: 1, ..Usage::default() }), Money(3));
        assert_eq!(price.of(Usage { cached: 1, ..Usage::default() }), Money(1));
        assert_eq!(price.of(Usage { input: 1000, output: 1000, ..Usage::default() }).to_string(), "$0.0180");
        assert_eq!(Money(1_240_000).to_string(), "$1.24");
        assert_eq!(Money(0).to_string(), "$0.00");
    }
}
