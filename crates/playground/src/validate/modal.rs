//! Limits of modals.

use std::collections::HashSet;

use serde_json::Value;

use super::components::{custom_id, select};
use super::{Check, join};

/// Checks a modal's `data`.
pub(crate) fn modal(check: &mut Check, data: &Value) {
    check.known("data", data, &["custom_id", "title", "components"]);
    check.required_text("data", data, "custom_id", 100);
    check.required_text("data", data, "title", 45);
    let parts = check.list("data", data, "components", 5);
    if parts.is_empty() {
        check.error("data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
    }
    let mut ids = HashSet::new();
    for (n, part) in parts.iter().enumerate() {
        let path = join("data.components", n);
        match part["type"].as_u64() {
            Some(1) => {
                check.known(&path, part, &["type", "id", "components"]);
                let inputs = check.list(&path, part, "components", 1);
                let at = join(&join(&path, "components"), 0);
                match inputs.first() {
                    Some(input) if input["type"].as_u64() == Some(4) => {
                        check.required_text(&at, input, "label", 45);
                        text_input(check, &at, input, &mut ids);
                    }
                    _ => check.error(join(&at, "type"), "BASE_TYPE_CHOICES", "Value must be one of {4}."),
                }
            }
            Some(10) => {
                check.required_text(&path, part, "content", 4000);
            }
            Some(18) => {
                check.known(&path, part, &["type", "id", "label", "description", "component"]);
                check.required_text(&path, part, "label", 45);
                check.text(&path, part, "description", 0, 100);
                let (at, inner) = (join(&path, "component"), &part["component"]);
                match inner["type"].as_u64() {
                    Some(4) => text_input(check, &at, inner, &mut ids),
                    Some(3 | 5..=8) => {
                        select(check, &at, inner, &mut ids);
                        in_a_form(check, &at, inner);
                    }
                    Some(19..=23) => custom_id(check, &at, inner, &mut ids),
                    _ => check.error(join(&at, "type"), "BASE_TYPE_CHOICES", "Not allowed in a label."),
                }
            }
            _ => check.error(join(&path, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 10, 18}."),
        }
    }
}

/// What holds of a list in a form and not of one in a message.
fn in_a_form(check: &mut Check, path: &str, select: &Value) {
    if select["disabled"].as_bool() == Some(true) {
        let message = "A select in a modal cannot be disabled";
        check.error(join(path, "disabled"), "COMPONENT_DISABLED_IN_MODAL", message);
    }
    if select["required"].as_bool() != Some(false) && select["min_values"].as_u64() == Some(0) {
        let message = "min_values cannot be 0 where the select is required";
        check.error(join(path, "min_values"), "SELECT_RANGE", message);
    }
}

fn text_input(check: &mut Check, path: &str, input: &Value, ids: &mut HashSet<String>) {
    check.known(
        path,
        input,
        &[
            "type",
            "id",
            "custom_id",
            "style",
            "label",
            "min_length",
            "max_length",
            "required",
            "value",
            "placeholder",
        ],
    );
    custom_id(check, path, input, ids);
    if !matches!(input["style"].as_u64(), Some(1 | 2)) {
        check.error(join(path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.");
    }
    check.number(path, input, "min_length", 0, 4000);
    check.number(path, input, "max_length", 1, 4000);
    let most = input["max_length"].as_u64().unwrap_or(4000);
    if input["min_length"].as_u64().unwrap_or(0) > most {
        check.error(join(path, "min_length"), "TEXT_INPUT_RANGE", "min_length is greater than max_length");
    }
    check.text(path, input, "value", 0, usize::try_from(most).unwrap_or(4000).min(4000));
    check.text(path, input, "placeholder", 0, 100);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fails(change: impl Fn(&mut Value)) -> bool {
        let input = json!({"type": 4, "custom_id": "a", "style": 1, "label": "Why", "max_length": 200});
        let mut modal =
            json!({"custom_id": "m", "title": "Ask", "components": [{"type": 1, "components": [input]}]});
        change(&mut modal);
        let mut check = Check::default();
        super::modal(&mut check, &modal);
        !check.ok()
    }

    #[test]
    fn limits() {
        assert!(!fails(|_| ()));
        assert!(fails(|m| m["title"] = "x".repeat(46).into()));
        assert!(fails(|m| m["components"] = json!([])));
        assert!(fails(|m| {
            let row = m["components"][0].clone();
            m["components"] = (0..2).map(|_| row.clone()).collect();
        }));
        assert!(fails(|m| m["components"][0]["components"][0]["label"] = "x".repeat(46).into()));
        assert!(fails(|m| m["components"][0]["components"][0]["value"] = "x".repeat(201).into()));
        assert!(fails(|m| m["components"][0]["components"][0]["max_length"] = 4001.into()));
        assert!(fails(|m| m["components"][0]["components"][0]["style"] = 3.into()));
        assert!(fails(|m| m["components"][0]["components"][0]["placeholder"] = "x".repeat(101).into()));
    }

    fn select_fails(change: impl Fn(&mut Value)) -> bool {
        let options =
            json!([{"label": "One", "value": "1"}, {"label": "Two", "value": "2", "default": true}]);
        let listed = json!({"type": 3, "custom_id": "a", "options": options, "required": true});
        let member = json!({"type": 5, "custom_id": "b", "required": false, "min_values": 0,
            "default_values": [{"type": "user", "id": "7"}]});
        let mut modal = json!({"custom_id": "m", "title": "Ask", "components": [
            {"type": 18, "label": "Which", "description": "One of two", "component": listed},
            {"type": 18, "label": "Who", "component": member},
        ]});
        change(&mut modal);
        let mut check = Check::default();
        super::modal(&mut check, &modal);
        !check.ok() || !check.unknown.is_empty()
    }

    #[test]
    fn limits_of_lists() {
        assert!(!select_fails(|_| ()));
        assert!(select_fails(|m| m["components"][0]["label"] = "x".repeat(46).into()));
        assert!(select_fails(|m| m["components"][0]["description"] = "x".repeat(101).into()));
        let changes: [(usize, &str, Value); 12] = [
            (0, "options", json!([])),
            (0, "options", (0..26).map(|n| json!({"label": "l", "value": n.to_string()})).collect()),
            (0, "placeholder", "x".repeat(151).into()),
            (0, "disabled", true.into()),
            (0, "min_values", 0.into()),
            (0, "default_values", json!([{"type": "user", "id": "7"}])),
            (0, "type", 2.into()),
            (0, "chosen", "1".into()),
            (1, "default_values", json!([{"type": "role", "id": "7"}])),
            (1, "default_values", json!([{"type": "user", "id": "7"}, {"type": "user", "id": "8"}])),
            (1, "default_values", json!([{"type": "user", "id": "Ada"}])),
            (1, "options", json!([{"label": "One", "value": "1"}])),
        ];
        for (at, name, value) in changes {
            let broken = select_fails(|m| m["components"][at]["component"][name] = value.clone());
            assert!(broken, "{name} {value}");
        }
        for (name, value) in
            [("label", "x".repeat(101)), ("description", "x".repeat(101)), ("value", String::new())]
        {
            let broken = select_fails(|m| {
                m["components"][0]["component"]["options"][0][name] = value.clone().into();
            });
            assert!(broken, "an option's {name}");
        }
    }
}
