//! How long an answer may be.

use serde_json::{Value, json};

use domain::{Effort, Schema};

/// Room above what is asked for, in percent: a schema that ends where the request does would cut sentences in half.
const MARGIN: u32 = 125;

/// The bounds of an answer, and how hard it is thought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Length {
    /// Most tokens of what is asked for, before the margin.
    tokens: u32,
    pub(super) effort: Effort,
}

impl Length {
    /// Of an answer for which so many tokens are asked for at this effort.
    pub(super) fn fixed(effort: Effort, tokens: u32) -> Self {
        Self { tokens, effort }
    }

    /// Most tokens of the answer.
    pub(super) fn tokens(self) -> u32 {
        with_margin(self.tokens)
    }
}

/// Gives every text of a schema the room above what is asked for.
pub(super) fn fit(schema: &mut Schema) {
    widen(&mut schema.json);
}

fn widen(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    if let Some(most) = map.get("maxLength").and_then(Value::as_u64) {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        map.insert("maxLength".to_owned(), json!(with_margin(most)));
    }
    if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(widen);
    }
    if let Some(items) = map.get_mut("items") {
        widen(items);
    }
}

fn with_margin(asked: u32) -> u32 {
    asked.saturating_mul(MARGIN) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_get_more_room_and_numbers_do_not() {
        let schema = || Schema {
            name: "x".to_owned(),
            json: json!({"properties": {
                "a": {"type": "string", "maxLength": 100, "minLength": 20},
                "b": {"type": "array", "maxItems": 4, "items": {"type": "object", "properties": {"c": {"maxLength": 40}}}},
            }}),
        };
        for (length, tokens, a, c) in [
            (Length::fixed(Effort::Deep, 300), 375, 125, 50),
            (Length::fixed(Effort::Standard, 1_000), 1_250, 125, 50),
        ] {
            let mut fitted = schema();
            fit(&mut fitted);
            assert_eq!(length.tokens(), tokens);
            assert_eq!(fitted.json.pointer("/properties/a/maxLength"), Some(&json!(a)));
            assert_eq!(fitted.json.pointer("/properties/a/minLength"), Some(&json!(20)));
            assert_eq!(fitted.json.pointer("/properties/b/maxItems"), Some(&json!(4)));
            assert_eq!(fitted.json.pointer("/properties/b/items/properties/c/maxLength"), Some(&json!(c)));
        }
    }
}
