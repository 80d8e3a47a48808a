//! Discord's documented limits on what the bot sends, and the "Invalid Form Body" answer for breaking them.
//!
//! Lengths are counted in Unicode code points; Discord's unit is not documented.

mod commands;
mod components;
mod embeds;
mod message;
mod modal;

use serde_json::{Map, Value, json};

pub(super) use commands::commands;
pub(super) use components::{components, find_component};
pub(super) use message::{Body, body};
pub(super) use modal::modal;

/// What was found wrong in a request's body.
#[derive(Default)]
pub(super) struct Check {
    errors: Vec<(String, &'static str, String)>,
    /// Properties that Discord would silently ignore: most often misspelt.
    pub(super) unknown: Vec<String>,
}

impl Check {
    pub(super) fn error(&mut self, path: impl Into<String>, code: &'static str, message: impl Into<String>) {
        self.errors.push((path.into(), code, message.into()));
    }

    pub(super) fn ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// The nested `errors` object of Discord's answer.
    pub(super) fn json(&self) -> Value {
        let mut root = Map::new();
        for (path, code, message) in &self.errors {
            let parts: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
            insert(&mut root, &parts, json!({"code": code, "message": message}));
        }
        root.into()
    }

    /// The errors as one line, for the list of violations.
    pub(super) fn line(&self) -> String {
        let parts: Vec<String> =
            self.errors.iter().map(|(path, _, message)| format!("{path}: {message}")).collect();
        parts.join("; ")
    }

    /// Notes properties that are not in the documented list.
    pub(super) fn known(&mut self, path: &str, value: &Value, names: &[&str]) {
        for name in value.as_object().into_iter().flat_map(Map::keys) {
            if !names.contains(&name.as_str()) {
                self.unknown.push(join(path, name));
            }
        }
    }

    /// An optional text of `min..=max` characters, surrounding white space not counted.
    pub(super) fn text(&mut self, path: &str, value: &Value, name: &str, min: usize, max: usize) -> usize {
        let path = join(path, name);
        match &value[name] {
            Value::Null => 0,
            Value::String(text) => {
                let length = text.trim().chars().count();
                if length > max && min == 0 {
                    self.error(path, "BASE_TYPE_MAX_LENGTH", format!("Must be {max} or fewer in length."));
                } else if length > max || length < min {
                    let message = format!("Must be between {min} and {max} in length.");
                    self.error(path, "BASE_TYPE_BAD_LENGTH", message);
                }
                length
            }
            _ => {
                self.error(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.");
                0
            }
        }
    }

    /// A text that must be there.
    pub(super) fn required_text(&mut self, path: &str, value: &Value, name: &str, max: usize) -> usize {
        if value[name].is_null() {
            self.error(join(path, name), "BASE_TYPE_REQUIRED", "This field is required");
            return 0;
        }
        self.text(path, value, name, 1, max)
    }

    /// An optional whole number within `min..=max`.
    pub(super) fn number(&mut self, path: &str, value: &Value, name: &str, min: u64, max: u64) {
        match &value[name] {
            Value::Null => {}
            number if number.as_u64().is_some_and(|n| (min..=max).contains(&n)) => {}
            _ => self.error(
                join(path, name),
                "NUMBER_TYPE_RANGE",
                format!("int value should be between {min} and {max}."),
            ),
        }
    }

    /// An optional list, empty when absent.
    pub(super) fn list<'a>(&mut self, path: &str, value: &'a Value, name: &str, max: usize) -> &'a [Value] {
        match &value[name] {
            Value::Null => &[],
            Value::Array(list) => {
                if list.len() > max {
                    let message = format!("Must be {max} or fewer in length.");
                    self.error(join(path, name), "BASE_TYPE_MAX_LENGTH", message);
                }
                list
            }
            _ => {
                self.error(join(path, name), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
                &[]
            }
        }
    }

    /// An address with one of these schemes.
    pub(super) fn url(&mut self, path: &str, value: &Value, name: &str, schemes: &[&str]) {
        let Some(url) = value[name].as_str() else { return };
        let fits = schemes.iter().any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()));
        if !fits || url.chars().any(char::is_whitespace) {
            self.error(join(path, name), "URL_TYPE_INVALID_URL", "Not a well formed URL.");
        }
    }
}

pub(super) fn join(path: &str, name: impl std::fmt::Display) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

fn insert(at: &mut Map<String, Value>, path: &[&str], error: Value) {
    if let [first, rest @ ..] = path {
        if let Value::Object(inner) = at.entry(*first).or_insert_with(|| json!({})) {
            insert(inner, rest, error);
        }
    } else if let Value::Array(list) = at.entry("_errors").or_insert_with(|| json!([])) {
        list.push(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_nest_by_path() {
        let mut check = Check::default();
        check.error("embeds.0.title", "X", "long");
        check.error("content", "Y", "short");
        let json = check.json();
        assert_eq!(json["embeds"]["0"]["title"]["_errors"][0]["code"], "X");
        assert_eq!(json["content"]["_errors"][0]["message"], "short");
    }
}
