//! From a Rust type to a schema that strict modes accept.
//!
//! Strict modes (`OpenAI` `strict: true`, Anthropic `output_config.format`) want every object closed, every
//! property required (an optional one is nullable) and no composition. Bounds (`maxLength`, `maxItems`,
//! `minimum`) stay here, because llama.cpp keeps small models short with them; `models` strips what
//! a provider refuses.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use domain::Schema;

/// Schemas that were made: each is asked for by every call of its kind.
static MADE: LazyLock<Mutex<HashMap<TypeId, Value>>> = LazyLock::new(Mutex::default);

/// The strict schema of a type, with its properties in the order of its fields: models write in that order,
/// so fields for reasoning stand before those for verdicts.
pub fn strict<T: JsonSchema + 'static>(name: &str) -> Schema {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let json = made.entry(TypeId::of::<T>()).or_insert_with(made_strict::<T>).clone();
    Schema { name: name.to_owned(), json }
}

/// The schema of a type as it is declared, with everything below it in its place.
pub(super) fn declared<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut json = generator.into_generator().into_root_schema_for::<T>().to_value();
    close(&mut json);
    json
}

fn made_strict<T: JsonSchema>() -> Value {
    let mut json = declared::<T>();
    undeclared(&mut json);
    if let Some(root) = json.as_object_mut() {
        for key in ["$schema", "title", "description"] {
            root.remove(key);
        }
    }
    json
}

/// Sets a keyword deep inside, such as the names an array's items may have. A path that is not there is
/// left alone; tests look at the result.
pub fn set(schema: &mut Schema, path: &str, keyword: &str, value: Value) {
    if let Some(part) = schema.json.pointer_mut(path).and_then(Value::as_object_mut) {
        part.insert(keyword.to_owned(), value);
    }
}

/// Takes a property of the root away.
pub fn remove(schema: &mut Schema, property: &str) {
    remove_in(schema, "", property);
}

/// Takes a property of an object deep inside away, such as of an array's items.
pub fn remove_in(schema: &mut Schema, path: &str, property: &str) {
    let path = format!("{path}/properties");
    if let Some(properties) = schema.json.pointer_mut(&path).and_then(Value::as_object_mut) {
        properties.shift_remove(property);
    }
    close(&mut schema.json);
}

/// Takes away what a form declares beside the schema (see the crate's walk).
fn undeclared(schema: &mut Value) {
    const DECLARED: [&str; 9] =
        ["words", "items_asked", "line", "verbatim", "label", "names", "each", "when", "needed"];
    let Some(map) = schema.as_object_mut() else { return };
    map.retain(|key, value| !DECLARED.contains(&key.as_str()) || value.is_object());
    for below in ["properties", "items"] {
        match (below, map.get_mut(below)) {
            ("properties", Some(Value::Object(properties))) => properties.values_mut().for_each(undeclared),
            (_, Some(items)) => undeclared(items),
            _ => {}
        }
    }
}

/// Closes a schema and all below it.
fn close(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    for key in ["format", "default", "$schema", "uniqueItems"] {
        map.remove(key);
    }
    flatten_words(map);
    if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
        for property in properties.values_mut() {
            close(property);
        }
        let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        map.insert("required".to_owned(), Value::Array(names));
        map.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(items) = map.get_mut("items") {
        close(items);
    }
}

/// An enum whose variants have descriptions comes as `oneOf` of constants; strict modes want `enum`.
fn flatten_words(map: &mut Map<String, Value>) {
    let Some(variants) = map.get("oneOf").and_then(Value::as_array) else { return };
    let words: Option<Vec<Value>> = variants
        .iter()
        .map(|variant| match (variant.get("const"), variant.get("enum")) {
            (Some(word), _) => Some(vec![word.clone()]),
            (None, Some(Value::Array(words))) => Some(words.clone()),
            _ => None,
        })
        .collect::<Option<Vec<_>>>()
        .map(|words| words.concat());
    if let Some(words) = words {
        map.shift_remove("oneOf");
        map.insert("type".to_owned(), json!("string"));
        map.insert("enum".to_owned(), Value::Array(words));
    }
}

/// Checks the rules of strict modes; for tests of every schema.
#[doc(hidden)]
#[must_use]
pub fn violations(schema: &Value, at: &str) -> Vec<String> {
    const ALLOWED: [&str; 14] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "description",
        "maxLength",
        "minLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "const",
    ];
    let mut found = Vec::new();
    let Some(map) = schema.as_object() else { return vec![format!("{at}: not an object")] };
    found.extend(map.keys().filter(|key| !ALLOWED.contains(&key.as_str())).map(|key| format!("{at}: {key}")));
    let is_object = map.get("type") == Some(&json!("object"));
    if let Some(properties) = map.get("properties").and_then(Value::as_object) {
        let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        if map.get("required") != Some(&Value::Array(names)) {
            found.push(format!("{at}: not every property is required, in order"));
        }
        if map.get("additionalProperties") != Some(&json!(false)) {
            found.push(format!("{at}: open"));
        }
        for (name, property) in properties {
            found.extend(violations(property, &format!("{at}/{name}")));
        }
    } else if is_object {
        found.push(format!("{at}: an object without properties"));
    }
    match (map.get("items"), map.get("type")) {
        (Some(items), _) => found.extend(violations(items, &format!("{at}[]"))),
        (None, Some(kind)) if kind == "array" => found.push(format!("{at}: an array of anything")),
        (None, None) => found.push(format!("{at}: no type")),
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use domain::Severity;

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        how: Severity,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Outer {
        why: Option<String>,
        #[serde(default)]
        inner: Vec<Inner>,
        count: u32,
    }

    #[test]
    fn a_type_becomes_a_strict_schema() {
        let schema = strict::<Outer>("outer").json;
        assert_eq!(violations(&schema, "outer"), Vec::<String>::new());
        assert_eq!(schema["required"], json!(["why", "inner", "count"]));
        assert_eq!(schema["properties"]["why"]["type"], json!(["string", "null"]));
        let how = &schema["properties"]["inner"]["items"]["properties"]["how"];
        assert_eq!(how["enum"], json!(["critical", "high", "medium", "low"]));
        let mut without = strict::<Outer>("outer");
        remove(&mut without, "inner");
        assert_eq!(without.json["required"], json!(["why", "count"]));
    }

    #[test]
    fn the_check_finds_what_strict_modes_refuse() {
        for wrong in [
            json!({ "type": "object", "properties": {}, "required": [] }),
            json!({ "type": "object", "additionalProperties": false }),
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": [], "additionalProperties": false }),
            json!({ "type": "array" }),
            json!({ "anyOf": [] }),
            json!({ "type": "string", "format": "date" }),
            json!({ "type": "array", "items": { "$ref": "#/x" } }),
            json!(true),
        ] {
            assert!(!violations(&wrong, "").is_empty(), "{wrong}");
        }
    }
}
