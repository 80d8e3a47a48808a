//! Limits of application commands (Discord, "Application Commands").

use std::collections::HashSet;

use serde_json::Value;

use super::{Check, join};

/// The languages that Discord has (Discord, "Reference", Locales).
const LOCALES: [&str; 32] = [
    "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN",
    "zh-TW",
];

const SUBCOMMAND: u64 = 1;
const GROUP: u64 = 2;

/// Checks a whole set of commands, as a bulk overwrite sends it.
pub(crate) fn commands(check: &mut Check, list: &[Value]) {
    let mut names = HashSet::new();
    let mut counts = [0; 4];
    for (n, command) in list.iter().enumerate() {
        let path = n.to_string();
        let kind = command["type"].as_u64().unwrap_or(1);
        if let Some(count) = usize::try_from(kind).ok().and_then(|kind| counts.get_mut(kind)) {
            *count += 1;
        }
        one(check, &path, command, kind);
        if !names.insert((kind, command["name"].as_str().unwrap_or_default())) {
            let message = "Application command names must be unique";
            check.error(join(&path, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message);
        }
    }
    if counts[1] > 100 || counts[2] > 15 || counts[3] > 15 {
        check.error("", "APPLICATION_COMMAND_TOO_MANY", "Maximum number of application commands reached");
    }
}

fn one(check: &mut Check, path: &str, command: &Value, kind: u64) {
    check.known(
        path,
        command,
        &[
            "id",
            "name",
            "name_localizations",
            "description",
            "description_localizations",
            "options",
            "default_member_permissions",
            "dm_permission",
            "default_permission",
            "integration_types",
            "contexts",
            "type",
            "nsfw",
            "handler",
        ],
    );
    if kind != 1 {
        check.required_text(path, command, "name", 32);
        localized(check, path, command, "name", 32);
        if command["description"].as_str().is_some_and(|text| !text.is_empty()) {
            let message = "Context menu commands cannot have description";
            check.error(join(path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message);
        }
        if command["options"].as_array().is_some_and(|list| !list.is_empty()) {
            let message = "Context menu commands cannot have options";
            check.error(join(path, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", message);
        }
        return;
    }
    name(check, path, command);
    check.required_text(path, command, "description", 100);
    localized(check, path, command, "description", 100);
    options(check, path, command, 0);
    if size(command) > 8000 {
        let message = "Command exceeds maximum size (8000)";
        check.error(path, "APPLICATION_COMMAND_TOO_LARGE", message);
    }
}

fn name(check: &mut Check, path: &str, value: &Value) {
    check.required_text(path, value, "name", 32);
    plain_name(check, &join(path, "name"), &value["name"]);
    localized(check, path, value, "name", 32);
    let path = join(path, "name_localizations");
    for (locale, text) in value["name_localizations"].as_object().into_iter().flatten() {
        plain_name(check, &join(&path, locale), text);
    }
}

/// A name that people type.
fn plain_name(check: &mut Check, path: &str, text: &Value) {
    let text = text.as_str().unwrap_or_default();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'');
    if !text.chars().all(fits) || text != text.to_lowercase() {
        check.error(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    }
}

/// What a field says in other languages: those that Discord has, within the field's own bounds. `null` is none.
fn localized(check: &mut Check, path: &str, value: &Value, field: &str, max: usize) {
    let list = &value[format!("{field}_localizations")];
    let path = join(path, format!("{field}_localizations"));
    if !list.is_null() && !list.is_object() {
        check.error(path.as_str(), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    }
    for locale in list.as_object().into_iter().flat_map(serde_json::Map::keys) {
        if !LOCALES.contains(&locale.as_str()) {
            let message = format!("Value must be one of {{{}}}.", LOCALES.join(", "));
            check.error(join(&path, locale), "BASE_TYPE_CHOICES", message);
        }
        check.text(&path, list, locale, 1, max);
    }
}

fn options(check: &mut Check, path: &str, parent: &Value, depth: usize) {
    let list = check.list(path, parent, "options", 25);
    let (mut optional_seen, mut names) = (false, HashSet::new());
    for (n, option) in list.iter().enumerate() {
        let path = join(&join(path, "options"), n);
        check.known(
            &path,
            option,
            &[
                "type",
                "name",
                "name_localizations",
                "description",
                "description_localizations",
                "required",
                "choices",
                "options",
                "channel_types",
                "min_value",
                "max_value",
                "min_length",
                "max_length",
                "autocomplete",
            ],
        );
        name(check, &path, option);
        check.required_text(&path, option, "description", 100);
        localized(check, &path, option, "description", 100);
        if !names.insert(option["name"].as_str().unwrap_or_default()) {
            let message = "Option names must be unique";
            check.error(join(&path, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", message);
        }
        match option["type"].as_u64() {
            Some(SUBCOMMAND | GROUP) if depth == 2 => {
                check.error(join(&path, "type"), "APPLICATION_COMMAND_INVALID_NESTING", "Nested too deep");
            }
            Some(SUBCOMMAND | GROUP) => options(check, &path, option, depth + 1),
            Some(3..=11) => {}
            _ => check.error(join(&path, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, …, 11}."),
        }
        if option["required"].as_bool() == Some(true) {
            if optional_seen {
                let message = "Required options must be placed before non-required options";
                check.error(path.as_str(), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
            }
        } else {
            optional_seen = true;
        }
        choices(check, &path, option);
        check.number(&path, option, "min_length", 0, 6000);
        check.number(&path, option, "max_length", 1, 6000);
    }
}

fn choices(check: &mut Check, path: &str, option: &Value) {
    let list = check.list(path, option, "choices", 25);
    if !list.is_empty() && option["autocomplete"].as_bool() == Some(true) {
        let message = "Autocomplete cannot be used together with choices";
        check.error(join(path, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message);
    }
    for (n, choice) in list.iter().enumerate() {
        let path = join(&join(path, "choices"), n);
        check.known(&path, choice, &["name", "name_localizations", "value"]);
        check.required_text(&path, choice, "name", 100);
        localized(check, &path, choice, "name", 100);
        if choice["value"].is_string() {
            check.required_text(&path, choice, "value", 100);
        }
    }
}

/// Characters of names, descriptions and values of a command and all it contains, the largest localization
/// counted, as the 8000 are.
fn size(value: &Value) -> usize {
    let length = |text: &Value| text.as_str().map_or(0, |text| text.chars().count());
    let largest = |name: &str| {
        let localized = value[format!("{name}_localizations")].as_object();
        localized.into_iter().flat_map(|map| map.values()).map(length).chain([length(&value[name])]).max()
    };
    let own = largest("name").unwrap_or(0) + largest("description").unwrap_or(0) + length(&value["value"]);
    let inner = |name: &str| value[name].as_array().into_iter().flatten().map(size).sum::<usize>();
    own + inner("options") + inner("choices")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fails(list: Value) -> bool {
        let mut check = Check::default();
        commands(&mut check, list.as_array().unwrap());
        !check.ok()
    }
    fn with(options: Value) -> Value {
        json!([{"name": "mediate", "description": "d", "options": options}])
    }

    #[test]
    fn other_languages_are_those_discord_has_and_keep_its_bounds() {
        /// A text of a command, in one language, at a place that has languages.
        type Put = fn(Value) -> Value;
        let long = |many: usize| "é".repeat(many);
        let rows: [(Put, usize); 5] = [
            (|said| json!([{"name": "x", "description": "d", "name_localizations": said}]), 32),
            (|said| json!([{"name": "x", "description": "d", "description_localizations": said}]), 100),
            (|said| json!([{"name": "Ask", "type": 3, "name_localizations": said}]), 32),
            (
                |said| {
                    with(
                        json!([{"type": 3, "name": "a", "description": "d", "description_localizations": said}]),
                    )
                },
                100,
            ),
            (
                |said| {
                    let choices = json!([{"name": "n", "value": "v", "name_localizations": said}]);
                    with(json!([{"type": 3, "name": "a", "description": "d", "choices": choices}]))
                },
                100,
            ),
        ];
        for (of, most) in rows {
            for fits in
                [json!({"de": long(most), "es-419": "d"}), json!({}), json!({"de": null}), Value::Null]
            {
                assert!(!fails(of(fits.clone())), "{}", of(fits));
            }
            for wrong in [
                json!({"de": long(most + 1)}),
                json!({"de": ""}),
                json!({"de": 1}),
                json!({"es": "d"}),
                json!({"pt": "d"}),
                json!({"de-DE": "d"}),
                json!(["d"]),
            ] {
                assert!(fails(of(wrong.clone())), "{}", of(wrong));
            }
        }
        let named =
            |said: &str| json!([{"name": "x", "description": "d", "name_localizations": {"de": said}}]);
        assert!(fails(named("Groß")) && fails(named("zwei worte")) && !fails(named("groß")));
    }

    #[test]
    fn limits() {
        let option = |name: &str, required: bool| json!({"type": 3, "name": name, "description": "d", "required": required});
        assert!(!fails(with(json!([option("a", true), option("b", false)]))));
        assert!(fails(with(json!([option("a", false), option("b", true)]))), "required after optional");
        assert!(fails(with((0..26).map(|n| option(&format!("o{n}"), false)).collect())));
        assert!(fails(with(json!([option("a", true), option("a", true)]))));
        assert!(fails(json!([{"name": "Mediate", "description": "d"}])), "capitals");
        assert!(fails(json!([{"name": "two words", "description": "d"}])));
        assert!(fails(json!([{"name": "x", "description": ""}])));
        assert!(fails(json!([{"name": "x", "description": "x".repeat(101)}])));
        assert!(fails(json!([{"name": "x", "description": "d"}, {"name": "x", "description": "d"}])));
        assert!(!fails(json!([{"name": "Ask About This", "type": 3}])), "a message command");
        assert!(fails(json!([{"name": "Ask", "type": 3, "description": "d"}])));
        assert!(!fails(json!([{"name": "Ask", "type": 3, "description": "", "options": []}])));
        let text = option("a", false);
        assert!(fails(json!([{"name": "Ask", "type": 3, "options": [text]}])), "nothing to fill in");
        assert!(!fails(json!([{"name": "x".repeat(32), "type": 3}])));
        assert!(fails(json!([{"name": "x".repeat(33), "type": 3}])));
        let menu = |many: usize| (0..many).map(|n| json!({"name": format!("Ask {n}"), "type": 3})).collect();
        assert!(!fails(menu(15)));
        assert!(fails(menu(16)), "at most 15 for messages");
        assert!(
            !fails(json!([{"name": "ask", "type": 3}, {"name": "ask", "description": "d"}])),
            "two types"
        );
        let choice = json!({"name": "x".repeat(100), "value": "y".repeat(100)});
        let mut many = option("a", false);
        many["choices"] = vec![choice.clone(); 25].into();
        assert!(!fails(with(json!([many]))));
        let four = (0..4).map(|n| {
            let mut o = many.clone();
            o["name"] = format!("o{n}").into();
            o
        });
        assert!(fails(with(four.collect())), "8000 characters in all");
    }
}
