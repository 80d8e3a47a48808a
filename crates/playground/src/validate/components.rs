//! Limits of buttons and selects (Discord, "Component Reference").

use std::collections::HashSet;

use serde_json::Value;

use super::{Check, join};

/// Checks a message's components.
pub(crate) fn components(check: &mut Check, body: &Value) {
    let mut ids = HashSet::new();
    for (n, row) in check.list("", body, "components", 5).iter().enumerate() {
        row_of(check, &join("components", n), row, &mut ids);
    }
}

fn row_of(check: &mut Check, path: &str, row: &Value, ids: &mut HashSet<String>) {
    check.known(path, row, &["type", "id", "components"]);
    if row["type"].as_u64() != Some(1) {
        return wrong_type(check, path, "{1}");
    }
    let children = check.list(path, row, "components", 5);
    let path = join(path, "components");
    if children.is_empty() {
        check.error(path.as_str(), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
    }
    for (n, child) in children.iter().enumerate() {
        let at = join(&path, n);
        match child["type"].as_u64() {
            Some(2) => button(check, &at, child, ids),
            Some(3 | 5..=8) => {
                if children.len() > 1 {
                    let message = "The specified component exceeds the maximum width";
                    check.error(at.as_str(), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
                }
                select(check, &at, child, ids);
            }
            _ => wrong_type(check, &at, "{2, 3, 5, 6, 7, 8}"),
        }
    }
}

fn wrong_type(check: &mut Check, path: &str, allowed: &str) {
    check.error(join(path, "type"), "BASE_TYPE_CHOICES", format!("Value must be one of {allowed}."));
}

/// A `custom_id` of 1 to 100 characters that no other component of the message has.
pub(super) fn custom_id(check: &mut Check, path: &str, part: &Value, ids: &mut HashSet<String>) {
    check.required_text(path, part, "custom_id", 100);
    if let Some(id) = part["custom_id"].as_str()
        && !ids.insert(id.to_owned())
    {
        let message = "Component custom id cannot be duplicated";
        check.error(join(path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message);
    }
}

fn button(check: &mut Check, path: &str, button: &Value, ids: &mut HashSet<String>) {
    check.known(
        path,
        button,
        &["type", "id", "style", "label", "emoji", "custom_id", "sku_id", "url", "disabled"],
    );
    check.text(path, button, "label", 0, 80);
    emoji(check, path, button);
    match button["style"].as_u64() {
        Some(1..=4) => {
            custom_id(check, path, button, ids);
            if !button["url"].is_null() {
                check.error(join(path, "url"), "BUTTON_URL", "A URL is only for link buttons");
            }
        }
        Some(5) => {
            check.required_text(path, button, "url", 512);
            check.url(path, button, "url", &["http://", "https://", "discord://"]);
            if !button["custom_id"].is_null() {
                let message = "A custom id and url cannot both be specified";
                check.error(
                    join(path, "custom_id"),
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    message,
                );
            }
        }
        Some(6) => {}
        _ => {
            check.error(join(path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.");
        }
    }
    let blank = button["label"].as_str().is_none_or(|label| label.trim().is_empty());
    if blank && button["emoji"].is_null() && button["style"].as_u64() != Some(6) {
        check.error(join(path, "label"), "BASE_TYPE_REQUIRED", "A button needs a label or an emoji");
    }
}

/// The emoji on a button or an option: one of a server by its id, or a character. A word or a letter is none.
fn emoji(check: &mut Check, path: &str, part: &Value) {
    let emoji = &part["emoji"];
    if emoji.is_null() {
        return;
    }
    let path = join(path, "emoji");
    check.known(&path, emoji, &["id", "name", "animated"]);
    let name = emoji["name"].as_str().unwrap_or_default();
    let drawn = !name.is_empty() && !name.chars().any(char::is_alphabetic) && !name.contains(' ');
    if emoji["id"].is_null() && !drawn {
        check.error(join(&path, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji");
    }
}

/// Checks a select, of a message or of a modal.
pub(super) fn select(check: &mut Check, path: &str, select: &Value, ids: &mut HashSet<String>) {
    check.known(
        path,
        select,
        &[
            "type",
            "id",
            "custom_id",
            "options",
            "channel_types",
            "placeholder",
            "default_values",
            "min_values",
            "max_values",
            "required",
            "disabled",
        ],
    );
    custom_id(check, path, select, ids);
    check.text(path, select, "placeholder", 0, 150);
    check.number(path, select, "min_values", 0, 25);
    check.number(path, select, "max_values", 1, 25);
    let most = select["max_values"].as_u64().unwrap_or(1);
    if select["min_values"].as_u64().unwrap_or(1) > most {
        check.error(join(path, "min_values"), "SELECT_RANGE", "min_values is greater than max_values");
    }
    if select["type"].as_u64() != Some(3) {
        return default_values(check, path, select, most);
    }
    if !select["default_values"].is_null() {
        check.error(join(path, "default_values"), "SELECT_DEFAULTS", "Only for lists that Discord fills");
    }
    let options = check.list(path, select, "options", 25);
    let at = join(path, "options");
    if options.is_empty() {
        check.error(at.as_str(), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.");
    }
    if usize::try_from(most).is_ok_and(|most| most > options.len()) {
        check.error(
            join(path, "max_values"),
            "SELECT_RANGE",
            "max_values is greater than the number of options",
        );
    }
    let mut values = HashSet::new();
    for (n, option) in options.iter().enumerate() {
        let path = join(&at, n);
        check.known(&path, option, &["label", "value", "description", "emoji", "default"]);
        check.required_text(&path, option, "label", 100);
        check.required_text(&path, option, "value", 100);
        check.text(&path, option, "description", 0, 100);
        emoji(check, &path, option);
        if let Some(value) = option["value"].as_str()
            && !values.insert(value)
        {
            let message = "The specified option value is already used";
            check.error(join(&path, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message);
        }
    }
    let defaults = options.iter().filter(|option| option["default"].as_bool() == Some(true)).count();
    if usize::try_from(most).is_ok_and(|most| defaults > most) {
        check.error(at, "SELECT_RANGE", "More defaults than max_values");
    }
}

/// What is chosen at first in a list of members, roles or channels.
fn default_values(check: &mut Check, path: &str, select: &Value, most: u64) {
    if !select["options"].is_null() {
        check.error(join(path, "options"), "SELECT_OPTIONS", "Only a string select has options");
    }
    let kinds: &[&str] = match select["type"].as_u64() {
        Some(5) => &["user"],
        Some(6) => &["role"],
        Some(7) => &["user", "role"],
        _ => &["channel"],
    };
    let defaults = check.list(path, select, "default_values", 25);
    let at = join(path, "default_values");
    let given = u64::try_from(defaults.len()).unwrap_or(u64::MAX);
    if given > most || (given > 0 && given < select["min_values"].as_u64().unwrap_or(1)) {
        check.error(at.as_str(), "SELECT_RANGE", "default_values must be within min_values and max_values");
    }
    for (n, value) in defaults.iter().enumerate() {
        let path = join(&at, n);
        check.known(&path, value, &["id", "type"]);
        if !value["type"].as_str().is_some_and(|kind| kinds.contains(&kind)) {
            check.error(join(&path, "type"), "BASE_TYPE_CHOICES", format!("Value must be one of {kinds:?}."));
        }
        if value["id"].as_str().and_then(|id| id.parse::<u64>().ok()).is_none() {
            check.error(join(&path, "id"), "NUMBER_TYPE_COERCE", "Value is not snowflake.");
        }
    }
}

/// The component with this `custom_id`, wherever it is nested.
pub(crate) fn find_component<'a>(parts: &'a [Value], custom_id: &str) -> Option<&'a Value> {
    parts.iter().find_map(|part| {
        if part["custom_id"].as_str() == Some(custom_id) {
            return Some(part);
        }
        let inner = part["components"].as_array().and_then(|inner| find_component(inner, custom_id));
        let labelled = || find_component(std::slice::from_ref(part.get("component")?), custom_id);
        inner.or_else(labelled)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fails(rows: Value) -> bool {
        let mut check = Check::default();
        components(&mut check, &json!({ "components": rows }));
        !check.ok()
    }
    fn press(id: &str) -> Value {
        json!({"type": 2, "style": 1, "label": "Go", "custom_id": id})
    }
    fn row(parts: Vec<Value>) -> Value {
        json!({"type": 1, "components": parts})
    }

    #[test]
    fn buttons() {
        let five = |row_no: usize| row((0..5).map(|n| press(&format!("{row_no}-{n}"))).collect());
        assert!(!fails((0..5).map(five).collect()));
        assert!(fails((0..6).map(five).collect()), "six rows");
        assert!(fails(json!([row((0..6).map(|n| press(&n.to_string())).collect())])), "six in a row");
        assert!(fails(json!([row(vec![press("a"), press("a")])])), "the same custom_id");
        assert!(fails(json!([row(vec![press(&"x".repeat(101))])])));
        assert!(fails(json!([row(vec![press("")])])));
        assert!(fails(json!([row(vec![])])), "an empty row");
        assert!(fails(json!([press("a")])), "a button outside a row");
        assert!(fails(json!([row(vec![json!({"type": 2, "style": 1, "custom_id": "a"})])])), "nothing on it");
        let label = json!({"type": 2, "style": 1, "custom_id": "a", "label": "x".repeat(81)});
        assert!(fails(json!([row(vec![label])])));
        assert!(!fails(json!([row(vec![
            json!({"type": 2, "style": 5, "label": "x", "url": "https://e.org"})
        ])])));
        assert!(fails(json!([row(vec![json!({"type": 2, "style": 5, "label": "x"})])])));
        let with = |name: &str| json!({"type": 2, "style": 1, "custom_id": "a", "emoji": {"name": name}});
        assert!(!fails(json!([row(vec![with("🗳️")])])));
        assert!(fails(json!([row(vec![with("ballot_box")])])), "a name is no emoji");
    }

    #[test]
    fn selects() {
        let with = |count: usize| {
            let options: Vec<Value> =
                (0..count).map(|n| json!({"label": "l", "value": n.to_string()})).collect();
            json!({"type": 3, "custom_id": "s", "options": options})
        };
        assert!(!fails(json!([row(vec![with(25)])])));
        assert!(fails(json!([row(vec![with(26)])])));
        assert!(fails(json!([row(vec![with(0)])])));
        assert!(fails(json!([row(vec![with(2), press("b")])])), "a select stands alone");
        let mut double = with(2);
        double["options"][1]["value"] = "0".into();
        assert!(fails(json!([row(vec![double])])));
        let mut same = with(2);
        same["custom_id"] = "b".into();
        assert!(fails(json!([row(vec![press("b")]), row(vec![same])])), "a button's custom_id once more");
        let mut greedy = with(2);
        greedy["max_values"] = 3.into();
        assert!(fails(json!([row(vec![greedy])])));
    }
}
