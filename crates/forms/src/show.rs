//! A value shown: the whole text under its labels, and each text in which there may be marks.

use serde_json::Value;

use super::{Form, Kind, Shape, shape::Field};

impl Shape {
    /// The whole of what was said, in Markdown: each field that has a label and says something, under it.
    #[must_use]
    pub fn whole(&self, said: &Value) -> String {
        let parts: Vec<String> =
            self.fields.iter().filter_map(|field| part(field, said.get(&field.key)?)).collect();
        parts.join("\n\n")
    }
}

/// The whole of what was said, in Markdown.
#[must_use]
pub fn whole<T: Form>(said: &T) -> String {
    serde_json::to_value(said).map_or_else(|_| String::new(), |said| Shape::of::<T>().whole(&said))
}

/// Changes each text of what was said.
pub fn each_text<T: Form>(said: &mut T, change: &mut dyn FnMut(&mut String)) {
    let Ok(mut value) = serde_json::to_value(&*said) else { return };
    texts(&Shape::of::<T>().fields, &mut value, change);
    if let Ok(changed) = serde_json::from_value(value) {
        *said = changed;
    }
}

fn part(field: &Field, value: &Value) -> Option<String> {
    let label = field.label.as_ref()?;
    match (&field.kind, value) {
        (Kind::List { each, .. }, Value::Array(items)) => {
            let lines: Vec<String> =
                items.iter().filter_map(|item| Some(format!("- {}", item_text(each, item)?))).collect();
            (!lines.is_empty()).then(|| format!("**{label}**\n{}", lines.join("\n")))
        }
        (Kind::Group(_), value) => item_text(&field.kind, value).map(|text| format!("**{label}**\n- {text}")),
        (kind, value) => item_text(kind, value).map(|text| format!("**{label}**\n{text}")),
    }
}

/// An item on a line, its first field before the others, which stand below it under their labels.
fn item_text(kind: &Kind, value: &Value) -> Option<String> {
    match (kind, value) {
        (Kind::Number(_), Value::Number(number)) => Some(number.to_string()),
        (Kind::Truth, Value::Bool(holds)) => Some(if *holds { "yes" } else { "no" }.to_owned()),
        (Kind::Group(fields), value) => {
            let mut texts = fields.iter().filter_map(|field| {
                let text = match (&field.kind, value.get(&field.key)?) {
                    (Kind::List { each, .. }, Value::Array(items)) => {
                        let items: Vec<String> =
                            items.iter().filter_map(|item| item_text(each, item)).collect();
                        (!items.is_empty()).then(|| items.join("; "))
                    }
                    (kind, value) => item_text(kind, value),
                };
                Some((field.label.as_deref(), text?))
            });
            let (_, first) = texts.next()?;
            let rest = texts.filter_map(|(label, text)| Some(format!("\n  - {}: {text}", label?)));
            Some(format!("{first}{}", rest.collect::<String>()))
        }
        (_, Value::String(text)) => (!text.is_empty()).then(|| text.clone()),
        _ => None,
    }
}

fn texts(fields: &[Field], value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    let Some(object) = value.as_object_mut() else { return };
    for field in fields {
        if let Some(value) = object.get_mut(&field.key) {
            text(&field.kind, value, change);
        }
    }
}

fn text(kind: &Kind, value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match (kind, value) {
        (Kind::Text { verbatim: false, .. }, Value::String(text)) => change(text),
        (Kind::List { each, .. }, Value::Array(items)) => {
            for item in items {
                text(each, item, change);
            }
        }
        (Kind::Group(fields), value) => texts(fields, value, change),
        _ => {}
    }
}
