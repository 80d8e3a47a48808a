//! Texts that fill what the schema allows to the brim: a server that holds a model to its schema's lengths breaks them off
//! there, in the middle of a word.

use std::borrow::Cow;

use serde_json::Value;

use crate::domain::{Schema, to_last_sentence};

/// Fields whose words are somebody else's, and are looked up letter by letter.
const VERBATIM: [&str; 5] = ["quote", "quotation", "beside", "deeper_passage", "words"];

/// One in so many characters may be missing to the brim: a server stops where the next token would pass it, and a token is
/// some letters. Texts of few words are held to the letter.
const PER_TOKEN: usize = 40;

/// A reply in which every text that was broken off ends at a sentence and says "…".
#[must_use]
pub fn unbroken<'a>(reply: &'a str, schema: Option<&Schema>) -> Cow<'a, str> {
    // A server that breaks texts off writes nothing beside the object.
    let Some((schema, mut value)) = schema.zip(serde_json::from_str::<Value>(reply.trim()).ok()) else {
        return Cow::Borrowed(reply);
    };
    if mend(&mut value, &schema.json) { Cow::Owned(value.to_string()) } else { Cow::Borrowed(reply) }
}

/// Whether anything was mended.
fn mend(value: &mut Value, schema: &Value) -> bool {
    match value {
        Value::String(text) => {
            let most = schema["maxLength"].as_u64().and_then(|most| usize::try_from(most).ok());
            // Three dots at the brim are how a model leaves off when it may only end.
            let whole = to_last_sentence(text.trim_end().trim_end_matches("..."));
            // Longer than that, nobody held the model to it.
            let long = text.chars().count();
            let full = most.is_some_and(|most| long <= most && long + most / PER_TOKEN >= most);
            let broken = full && whole != text.trim_end();
            if broken {
                *text = whole;
            }
            broken
        }
        // Not `any`, which would leave out what comes after the first.
        Value::Array(items) => {
            items.iter_mut().fold(false, |mended, item| mend(item, &schema["items"]) | mended)
        }
        Value::Object(fields) => {
            let own = fields.iter_mut().filter(|(name, _)| !VERBATIM.contains(&name.as_str()));
            own.fold(false, |mended, (name, field)| {
                mend(field, &schema["properties"][name.as_str()]) | mended
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_broken_off_ends_at_a_sentence() {
        let text = |most: u64| json!({"type": "string", "maxLength": most});
        let schema = Schema {
            name: "x".to_owned(),
            json: json!({"properties": {
                "a": text(36), "quote": text(10), "list": {"items": {"properties": {"b": text(12)}}}, "title": text(20),
            }}),
        };
        let reply = json!({
            "a": "Sales grow by half. Costs fall. If th",
            "quote": "word for wo",
            "list": [{"b": "It is well."}, {"b": "It is well a"}],
            "title": "Open the shop on Sun",
        });
        let exact = |text: &str| unbroken(text, Some(&schema)).into_owned();
        let mut left_off = reply.clone();
        left_off["a"] = json!("Sales grow by half. Costs fall as...");
        let mended: Value = serde_json::from_str(&exact(&left_off.to_string())).unwrap();
        assert_eq!(mended["a"], "Sales grow by half. …");
        let mut cut = reply.clone();
        cut["a"] = json!("Sales grow by half. Costs fall. If t");
        let mended: Value = serde_json::from_str(&exact(&cut.to_string())).unwrap();
        assert_eq!(mended["a"], "Sales grow by half. Costs fall. …");
        assert_eq!(mended["quote"], "word for wo");
        assert_eq!(mended["list"][1]["b"], "It is well…");
        assert_eq!(mended["list"][0]["b"], "It is well.");
        assert_eq!(mended["title"], "Open the shop on…");
        // The next token had no room.
        let schema = Schema { name: "x".to_owned(), json: json!({"properties": {"a": text(120)}}) };
        let near = |chars: usize| "Sales grow. ".to_owned() + &"word ".repeat(30)[..chars - 12];
        for (chars, ends) in [(120, true), (117, true), (116, false), (121, false)] {
            let reply = json!({"a": near(chars)}).to_string();
            let mended = unbroken(&reply, Some(&schema));
            assert_eq!(mended.contains('…'), ends, "{chars}: {mended}");
        }
        let schema = Schema { name: "x".to_owned(), json: json!({"properties": {"a": text(36)}}) };
        let exact = |text: &str| unbroken(text, Some(&schema)).into_owned();
        // Nobody held this one to its length; it is as the model wrote it.
        let mended: Value = serde_json::from_str(&exact(&reply.to_string())).unwrap();
        assert_eq!(mended["a"], reply["a"]);
        for other in ["", "no JSON", "{\"a\": 1}", "[1, 2]", "{\"a\": \"short\"}"] {
            assert_eq!(exact(other), other);
            assert_eq!(unbroken(other, None), other);
        }
    }

    #[test]
    fn sentences_end_where_they_end() {
        for (broken, whole) in [
            ("It holds. So", "It holds. …"),
            ("It holds.", "It holds."),
            ("He said “yes.”", "He said “yes.”"),
            ("A the", "A the…"),
            ("", ""),
            ("売上は伸びる。費用", "売上は伸びる。 …"),
            (
                "One long run of words without an end to be cut somewhe",
                "One long run of words without an end to be cut…",
            ),
            ("Incomprehensibili", "Incomprehensibili…"),
        ] {
            assert_eq!(to_last_sentence(broken), whole, "{broken}");
        }
    }
}
