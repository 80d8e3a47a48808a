//! What models cost. The numbers are data (`prices.json`, dollars for a million tokens); a model that is not in
//! the list has no price, which is not the same as being free.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use crate::domain::{ModelName, Money, Price, Provider};

#[derive(Deserialize)]
struct Row {
    input: f64,
    cached: f64,
    cache_write: f64,
    output: f64,
    /// Whether it thinks before it answers, in tokens that count as output.
    #[serde(default)]
    reasons: bool,
}

/// What is known of a model.
#[derive(Clone, Copy)]
struct Known {
    price: Price,
    reasons: bool,
}

#[derive(Deserialize)]
struct List {
    models: HashMap<String, Row>,
}

/// Empty if the file is broken, which a test rules out.
static LIST: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let list: List =
        serde_json::from_str(include_str!("prices.json")).unwrap_or(List { models: HashMap::new() });
    let known = |row: Row| Known {
        price: Price {
            input: Money::from_dollars(row.input).0,
            cached: Money::from_dollars(row.cached).0,
            cache_write: Money::from_dollars(row.cache_write).0,
            output: Money::from_dollars(row.output).0,
        },
        reasons: row.reasons,
    };
    list.models.into_iter().map(|(name, row)| (name, known(row))).collect()
});

/// The price of a model.
pub(super) fn price(model: &ModelName) -> Option<Price> {
    known(model).map(|known| known.price)
}

/// Whether the list says that a model thinks before it answers.
pub(super) fn reasons(model: &ModelName) -> bool {
    known(model).is_some_and(|known| known.reasons)
}

/// What the list says of a model: of the longest name in it that the model's begins with, where only a date or `latest`
/// may follow. (`gpt-5-pro` costs twelve times what `gpt-5` does, so a mere prefix would be a false price.)
fn known(model: &ModelName) -> Option<Known> {
    let name = match model.provider {
        Provider::Local => return None,
        // OpenRouter passes the vendors' prices on, and writes their versions with dots.
        Provider::Openrouter if model.model.starts_with("anthropic/") => model.model.replace('.', "-"),
        Provider::Openrouter => model.model.clone(),
        Provider::Anthropic | Provider::Openai => model.to_string(),
    };
    LIST.iter()
        .filter(|(known, _)| name.strip_prefix(known.as_str()).is_some_and(is_version))
        .max_by_key(|(known, _)| known.len())
        .map(|(_, known)| *known)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Price> {
        price(&name.parse().unwrap())
    }

    #[test]
    fn the_list_is_sound() {
        assert!(LIST.len() > 20);
        for (name, Known { price, .. }) in LIST.iter() {
            assert!(name.starts_with("anthropic/") || name.starts_with("openai/"), "{name}");
            assert!(0 < price.cached && price.cached <= price.input && price.input < price.output, "{name}");
            assert!(price.cache_write >= price.input, "{name}");
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
        for unknown in
            ["openai/gpt-5-pro-max", "openai/gpt-5.9", "anthropic/claude", "local/gpt-5", "openrouter/x/y"]
        {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
