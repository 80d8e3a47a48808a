//! What models cost, how much they take in and whether they think: a table in the format that the field shares, that of
//! `LiteLLM`'s `model_prices_and_context_window.json`
//! (<https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json>). A small one is built in, with
//! the vendors' list prices of November 2026 (standard tier, short context); an operator's own can take its place.
//! Of Google's, Gemini 4 Argon costs half until 30 November 2026 and Gemini 3.6 to 3.8 Flash until 31 December: the table has
//! what they cost afterwards, so that no budget is flattered (<https://ai.google.dev/gemini-api/docs/pricing>).
//! A model that is not in the table has no price, which is not the same as being free.

use std::{collections::HashMap, fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, Visitor},
};
use thiserror::Error;

use domain::{ModelName, Money, Price, Provider};

/// Entries of the shared table that are no models.
const NO_MODELS: [&str; 2] = ["sample_spec", "fallback_generalizations"];

/// A table that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PricesError {
    /// Not JSON, or a value that is none of its kind.
    #[error("line {line}: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong there.
        why: String,
    },
    /// No model in it.
    #[error("there is no model with a price in it")]
    Empty,
}

/// What is known of models; cheap to clone.
#[derive(Clone, Debug)]
pub struct Prices(Arc<HashMap<String, Known>>);

/// What is known of a model.
#[derive(Clone, PartialEq, Debug)]
struct Known {
    /// Who serves it, in the table's word.
    provider: Option<String>,
    price: Option<Price>,
    /// Most tokens of a request.
    context: Option<u32>,
    reasons: bool,
}

impl Prices {
    /// The table that this program was built with.
    #[must_use]
    pub fn embedded() -> Self {
        // A test rules out that it is broken.
        Self::read(include_str!("prices.json")).unwrap_or_else(|_| Self(Arc::default()))
    }

    /// Reads a table. Fields that are not known here are passed over, for the format grows.
    pub fn read(text: &str) -> Result<Self, PricesError> {
        let table: Table = serde_json::from_str(text).map_err(|error| {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default().to_owned();
            PricesError::Line { line: error.line(), why }
        })?;
        if !table.0.values().any(|known| known.price.is_some()) {
            return Err(PricesError::Empty);
        }
        Ok(Self(Arc::new(table.0)))
    }

    /// What a model costs; `None` if nobody says.
    pub(super) fn price(&self, model: &ModelName) -> Option<Price> {
        self.known(model)?.price
    }

    /// Most tokens of a request to a model; `None` if nobody says.
    pub(super) fn context(&self, model: &ModelName) -> Option<u32> {
        self.known(model)?.context
    }

    /// Whether a model thinks before it answers, in tokens that count as output.
    pub(super) fn reasons(&self, model: &ModelName) -> bool {
        self.known(model).is_some_and(|known| known.reasons)
    }

    /// What the table says of a model, by its whole name or by that name without the date at its end. (`gpt-5-pro` costs
    /// twelve times what `gpt-5` does, so a mere prefix would be a false price.)
    fn known(&self, model: &ModelName) -> Option<&Known> {
        let name = model.model.as_str();
        let bare = |provider: Provider, name: &str| {
            let word = provider.as_str();
            let of_it = |known: &&Known| known.provider.as_deref().is_none_or(|named| named == word);
            self.find(&format!("{word}/{name}")).or_else(|| self.find(name).filter(of_it))
        };
        match model.provider {
            Provider::Anthropic | Provider::Openai | Provider::Gemini => bare(model.provider, name),
            // A deployment has whatever name it was given, which is the model's more often than not. The price is that of
            // a global deployment: one that stays in a region costs a tenth or a fifth more.
            Provider::Azure => self.find(&format!("azure/{name}")).or_else(|| bare(Provider::Openai, name)),
            Provider::Openrouter => self.find(&format!("openrouter/{name}")).or_else(|| {
                // OpenRouter passes the vendors' prices on, and writes Anthropic's versions with dots.
                let (vendor, name) = name.split_once('/')?;
                match vendor {
                    "anthropic" => bare(Provider::Anthropic, &name.replace('.', "-")),
                    "openai" => bare(Provider::Openai, name),
                    "google" => bare(Provider::Gemini, name),
                    _ => None,
                }
            }),
            Provider::Local => {
                ["ollama", "local"].iter().find_map(|word| self.find(&format!("{word}/{name}")))
            }
        }
    }

    fn find(&self, name: &str) -> Option<&Known> {
        let cuts = name.rmatch_indices(['-', '@']).map(|(at, _)| at);
        std::iter::once(name.len())
            .chain(cuts)
            .filter(|at| is_version(&name[*at..]))
            .find_map(|at| self.0.get(&name[..at]))
    }
}

/// What may follow a name without making it another model: nothing, `-20250929`, `-2025-08-07`, `-latest`.
fn is_version(rest: &str) -> bool {
    match rest.strip_prefix(['-', '@']) {
        None => rest.is_empty(),
        Some("latest") => true,
        Some(date) => {
            date.len() >= 8 && date.starts_with("20") && date.chars().all(|c| c.is_ascii_digit() || c == '-')
        }
    }
}

struct Table(HashMap<String, Known>);

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows;
        impl<'de> Visitor<'de> for Rows {
            type Value = Table;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of models by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Table, A::Error> {
                let mut table = HashMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if NO_MODELS.contains(&name.as_str()) {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        table.insert(name, map.next_value::<Row>()?.into());
                    }
                }
                Ok(Table(table))
            }
        }
        deserializer.deserialize_map(Rows)
    }
}

/// A model as the table has it. Costs are dollars for a token.
#[derive(Deserialize)]
struct Row {
    litellm_provider: Option<String>,
    #[serde(default, deserialize_with = "cost")]
    input_cost_per_token: Option<i64>,
    #[serde(default, deserialize_with = "cost")]
    output_cost_per_token: Option<i64>,
    #[serde(default, deserialize_with = "cost")]
    cache_read_input_token_cost: Option<i64>,
    #[serde(default, deserialize_with = "cost")]
    cache_creation_input_token_cost: Option<i64>,
    max_input_tokens: Option<f64>,
    supports_reasoning: Option<bool>,
    supports_adaptive_thinking: Option<bool>,
}

/// Dearest price that is believed, in dollars for a token; the dearest models cost a thousandth of it.
const DEAREST: f64 = 1.0;

/// Dollars for a token as millionths of a dollar for a million tokens.
fn cost<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match Option::<f64>::deserialize(deserializer)? {
        None => Ok(None),
        Some(dollars) if (0.0..=DEAREST).contains(&dollars) => Ok(Some(Money::from_dollars(dollars * 1e6).0)),
        Some(other) => Err(D::Error::custom(format!("{other} is no price of a token in dollars, 0 to 1"))),
    }
}

impl From<Row> for Known {
    fn from(row: Row) -> Self {
        let price = |(input, output)| Price {
            input,
            cached: row.cache_read_input_token_cost.unwrap_or(input),
            cache_write: row.cache_creation_input_token_cost.unwrap_or(input),
            output,
        };
        // Anthropic's older models think only with a budget of their own, which is not asked for here.
        let older = row.litellm_provider.as_deref() == Some("anthropic")
            && row.supports_adaptive_thinking != Some(true);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates
        Self {
            price: row.input_cost_per_token.zip(row.output_cost_per_token).map(price),
            context: row.max_input_tokens.filter(|most| *most >= 1.0).map(|most| most as u32),
            reasons: row.supports_reasoning == Some(true) && !older,
            provider: row.litellm_provider,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Price> {
        Prices::embedded().price(&name.parse().unwrap())
    }

    #[test]
    fn the_embedded_table_is_sound() {
        let prices = Prices::read(include_str!("prices.json")).unwrap();
        assert!(prices.0.len() > 20);
        for (name, known) in prices.0.iter() {
            let price = known.price.unwrap();
            assert!(matches!(known.provider.as_deref(), Some("anthropic" | "openai" | "gemini")), "{name}");
            assert!(0 < price.cached && price.cached <= price.input && price.input < price.output, "{name}");
            assert!(price.cache_write >= price.input, "{name}");
            assert!(known.context.is_none_or(|most| most >= 100_000), "{name}");
        }
    }

    #[test]
    fn versions_match_and_siblings_do_not() {
        let opus = Price { input: 4_000_000, cached: 200_000, cache_write: 5_000_000, output: 20_000_000 };
        assert_eq!(of("anthropic/claude-opus-5-5"), Some(opus));
        assert_eq!(of("anthropic/claude-opus-5-5-20260922"), Some(opus));
        assert_eq!(of("openrouter/anthropic/claude-opus-5.5"), Some(opus));
        assert_eq!(of("openai/gpt-5-2025-08-07"), of("openai/gpt-5"));
        assert_eq!(of("anthropic/claude-sonnet-4-5-latest"), of("anthropic/claude-sonnet-4-5"));
        assert_ne!(of("openai/gpt-5-mini"), of("openai/gpt-5"));
        assert_ne!(of("anthropic/claude-opus-5"), Some(opus));
        let hydrogen = Price { input: 1_500_000, cached: 75_000, cache_write: 1_500_000, output: 7_500_000 };
        assert_eq!(of("gemini/gemini-4-hydrogen"), Some(hydrogen));
        assert_eq!(of("openrouter/google/gemini-4-hydrogen"), Some(hydrogen));
        assert_ne!(of("gemini/gemini-3.5-flash-lite"), of("gemini/gemini-3.5-flash"));
        assert!(of("azure/gpt-6.1-sol").is_some() && of("azure/gpt-6.1-sol") == of("openai/gpt-6.1-sol"));
        for unknown in [
            "openai/gpt-5-pro-max",
            "openai/gpt-5.9",
            "anthropic/claude",
            "local/gpt-5",
            "openrouter/x/y",
            "openai/claude-opus-5-5",
            "azure/our-deployment",
            "azure/gemini-4-hydrogen",
            "openai/gemini-4-hydrogen",
            "gemini/gpt-5",
        ] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn an_operators_table_is_read_as_the_field_writes_it() {
        let prices = Prices::read(
            r#"{
              "sample_spec": {"input_cost_per_token": "a word", "max_input_tokens": "most tokens"},
              "fallback_generalizations": {"rules": []},
              "gpt-9": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06,
                        "max_input_tokens": 400000, "supports_reasoning": true, "supports_vision": true, "new_field": [1]},
              "claude-9": {"litellm_provider": "anthropic", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06, "supports_reasoning": true},
              "azure/gpt-9": {"litellm_provider": "azure", "input_cost_per_token": 3e-06, "output_cost_per_token": 9e-06},
              "gemini-9": {"litellm_provider": "vertex_ai-language-models", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06},
              "openrouter/x/y": {"litellm_provider": "openrouter", "input_cost_per_token": 0, "output_cost_per_token": 0},
              "ollama/llama3": {"litellm_provider": "ollama", "max_input_tokens": 8192},
              "dall-e": {"litellm_provider": "openai", "mode": "image_generation"}
            }"#,
        )
        .unwrap();
        let model = |name: &str| name.parse::<ModelName>().unwrap();
        let gpt = Price { input: 2_000_000, cached: 2_000_000, cache_write: 2_000_000, output: 8_000_000 };
        assert_eq!(prices.price(&model("openai/gpt-9")), Some(gpt));
        assert_eq!(prices.context(&model("openrouter/openai/gpt-9")), Some(400_000));
        assert!(prices.reasons(&model("openai/gpt-9")) && !prices.reasons(&model("anthropic/claude-9")));
        let azure = Price { input: 3_000_000, cached: 3_000_000, cache_write: 3_000_000, output: 9_000_000 };
        assert_eq!(prices.price(&model("azure/gpt-9")), Some(azure));
        assert_eq!(prices.price(&model("gemini/gemini-9")), None, "another service of Google's");
        let free = Price { input: 0, cached: 0, cache_write: 0, output: 0 };
        assert_eq!(prices.price(&model("openrouter/x/y")), Some(free));
        assert_eq!(
            (prices.price(&model("ollama/llama3")), prices.context(&model("ollama/llama3"))),
            (None, Some(8_192))
        );
        assert_eq!(prices.price(&model("openai/dall-e")), None);
    }

    #[test]
    fn a_broken_table_names_its_line() {
        let line = |text: &str| match Prices::read(text) {
            Err(PricesError::Line { line, why }) => (line, why),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(line("{\n  \"a\": {\n    oops\n").0, 3);
        let (at, why) =
            line("{\n\"a\": {\"input_cost_per_token\": 1e-6},\n\"b\": {\"input_cost_per_token\": -1}\n}");
        assert_eq!((at, why.contains("-1 is no price")), (3, true), "{why}");
        assert_eq!(line("{\n\"a\": {\"output_cost_per_token\": \"cheap\"}}").0, 2);
        assert_eq!(line("[]").0, 1);
        assert_eq!(line("").0, 1);
        for empty in ["{}", r#"{"sample_spec": {}}"#, r#"{"a": {"mode": "chat"}}"#] {
            assert_eq!(Prices::read(empty).unwrap_err(), PricesError::Empty, "{empty}");
        }
    }
}
