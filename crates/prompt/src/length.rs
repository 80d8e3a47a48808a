//! How long an answer may be.

use serde_json::{Value, json};

use domain::{Effort, Schema};

/// Room above what is asked for, in percent: a schema that ends where the request does would cut sentences in half.
const MARGIN: u32 = 125;

/// The bounds of an answer, and how hard it is thought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Length {
    /// Most tokens of what is asked for at [`Effort::Brief`], before the margin.
    tokens: u32,
    pub(super) effort: Effort,
    /// Whether more is asked for with more effort.
    grows: bool,
}

impl Length {
    /// Of an answer that is as long whatever the effort: a check, points, a restatement.
    pub(super) fn fixed(effort: Effort, tokens: u32) -> Self {
        Self { tokens, effort, grows: false }
    }

    /// Of an answer that is longer the more effort is asked for.
    pub(super) fn growing(effort: Effort, tokens: u32) -> Self {
        Self { tokens, effort, grows: true }
    }

    fn of(self, brief: u32) -> u32 {
        let asked = if self.grows { self.effort.grown(brief) } else { brief };
        asked.saturating_mul(MARGIN) / 100
    }

    /// Most tokens of the answer.
    pub(super) fn tokens(self) -> u32 {
        self.of(self.tokens)
    }

    /// Lets every text of a schema be as long as this allows.
    pub(super) fn fit(self, schema: &mut Schema) {
        self.widen(&mut schema.json);
    }

    fn widen(self, schema: &mut Value) {
        let Some(map) = schema.as_object_mut() else { return };
        if let Some(most) = map.get("maxLength").and_then(Value::as_u64) {
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            map.insert("maxLength".to_owned(), json!(self.of(most)));
        }
        if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
            properties.values_mut().for_each(|property| self.widen(property));
        }
        if let Some(items) = map.get_mut("items") {
            self.widen(items);
        }
    }
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
            (Length::growing(Effort::Brief, 1_000), 1_250, 125, 50),
            (Length::growing(Effort::Standard, 1_000), 3_125, 312, 125),
            (Length::growing(Effort::Deep, 1_000), 8_750, 875, 350),
        ] {
            let mut fitted = schema();
            length.fit(&mut fitted);
            assert_eq!(length.tokens(), tokens);
            assert_eq!(fitted.json.pointer("/properties/a/maxLength"), Some(&json!(a)));
            assert_eq!(fitted.json.pointer("/properties/a/minLength"), Some(&json!(20)));
            assert_eq!(fitted.json.pointer("/properties/b/maxItems"), Some(&json!(4)));
            assert_eq!(fitted.json.pointer("/properties/b/items/properties/c/maxLength"), Some(&json!(c)));
        }
    }
}
