//! A reply's schema as each provider takes it. A keyword that a provider refuses becomes a sentence in the
//! description, so that the model still knows of it; the caller checks replies against its own type anyway.

use serde_json::{Map, Value};

/// Which keywords are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Names, kinds and what is required: for servers that make a grammar of no more than that.
    Bare,
    /// Anthropic refuses lengths, ranges and counts.
    Shape,
    /// `OpenAI`'s strict mode refuses lengths of strings.
    ShapeAndRanges,
    /// llama.cpp makes a grammar of all of them.
    All,
}

/// Never sent: they say nothing about the shape, and strict modes refuse some.
const ALWAYS_DROPPED: [&str; 3] = ["$schema", "default", "examples"];
const LENGTHS: [&str; 2] = ["minLength", "maxLength"];
const RANGES: [&str; 9] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "pattern",
];
/// The values of `format` that providers know; schemars also writes Rust's number types there.
const FORMATS: [&str; 5] = ["date-time", "date", "time", "uuid", "uri"];

/// The schema with what the provider takes.
pub(super) fn fitted(schema: &Value, keep: Keep) -> Value {
    let Value::Object(object) = schema else {
        return match schema {
            Value::Array(parts) => Value::Array(parts.iter().map(|part| fitted(part, keep)).collect()),
            other => other.clone(),
        };
    };
    let mut fit = Map::new();
    let mut said = Vec::new();
    for (key, value) in object {
        match key.as_str() {
            // Here the keys are names and not keywords.
            "properties" | "$defs" | "definitions" => {
                let inner = value.as_object().into_iter().flatten();
                fit.insert(
                    key.clone(),
                    inner.map(|(name, schema)| (name.clone(), fitted(schema, keep))).collect(),
                );
            }
            // And here values.
            "enum" | "const" | "required" => drop(fit.insert(key.clone(), value.clone())),
            name if ALWAYS_DROPPED.contains(&name) => {}
            "additionalProperties" | "format" if keep == Keep::Bare => {}
            "format" if !value.as_str().is_some_and(|format| FORMATS.contains(&format)) => {}
            name if drops(name, value, keep) => said.push(format!("{name}={value}")),
            _ => drop(fit.insert(key.clone(), fitted(value, keep))),
        }
    }
    if !said.is_empty() {
        let known = fit.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = format!("{known} ({})", said.join(", "));
        fit.insert("description".to_owned(), Value::from(text.trim_start()));
    }
    Value::Object(fit)
}

fn drops(keyword: &str, value: &Value, keep: Keep) -> bool {
    match keep {
        Keep::All => false,
        Keep::ShapeAndRanges => LENGTHS.contains(&keyword) || keyword == "uniqueItems",
        // Anthropic takes a `minItems` of 0 or 1.
        Keep::Shape if keyword == "minItems" => value.as_u64().is_none_or(|least| least > 1),
        Keep::Shape | Keep::Bare => LENGTHS.contains(&keyword) || RANGES.contains(&keyword),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn refused_keywords_become_words_and_names_stay() {
        let schema = json!({
            "$schema": "x", "type": "object", "required": ["pattern", "points"], "additionalProperties": false,
            "properties": {
                "pattern": {"type": "string", "maxLength": 80, "description": "A rule"},
                "points": {"type": "array", "minItems": 3, "maxItems": 3,
                           "items": {"type": "integer", "format": "uint32", "minimum": 0, "maximum": 10}},
                "mood": {"enum": ["minimum", "maximum"], "default": "minimum"},
            },
        });
        assert_eq!(
            fitted(&schema, Keep::Shape),
            json!({
                "type": "object", "required": ["pattern", "points"], "additionalProperties": false,
                "properties": {
                    "pattern": {"type": "string", "description": "A rule (maxLength=80)"},
                    "points": {"type": "array", "items": {"type": "integer", "description": "(minimum=0, maximum=10)"},
                               "description": "(minItems=3, maxItems=3)"},
                    "mood": {"enum": ["minimum", "maximum"]},
                },
            })
        );
        let ranges = fitted(&schema, Keep::ShapeAndRanges);
        assert_eq!(ranges["properties"]["points"]["minItems"], 3);
        assert_eq!(ranges["properties"]["pattern"]["description"], "A rule (maxLength=80)");
        assert_eq!(fitted(&schema, Keep::All)["properties"]["pattern"]["maxLength"], 80);
        let bare = fitted(&schema, Keep::Bare);
        assert!(
            bare.get("additionalProperties").is_none() && bare["required"] == schema["required"],
            "{bare}"
        );
    }
}
