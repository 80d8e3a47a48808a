//! What an engine found. Both list their results alike: title, address and some of the text.

use serde_json::Value;

use super::MOST_FOUND;
use domain::Source;

/// The first results that a reader can open; `None` where there is no list of results. What is missing or of another
/// kind in a result counts as empty.
pub(super) fn sources(reply: &Value) -> Option<Vec<Source>> {
    let results = reply.get("results")?.as_array()?;
    let usable = results.iter().filter_map(|result| {
        Source::new(text(result, "title"), text(result, "url"), text(result, "content"))
    });
    Some(usable.take(MOST_FOUND).collect())
}

fn text<'a>(result: &'a Value, name: &str) -> &'a str {
    result.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_or_of_another_kind_does_no_harm() {
        let reply = json!({"results": [
            7, null, "text", [], {}, {"url": 7}, {"url": null, "title": "a"},
            {"url": "https://a.example/x", "title": 7, "content": null, "score": "high"},
            {"url": "https://b.example/y", "title": "B", "content": "text"},
        ]});
        let found = sources(&reply).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].title.as_str(), found[0].excerpt.as_str()), ("a.example", ""));
        assert_eq!((found[1].title.as_str(), found[1].excerpt.as_str()), ("B", "text"));
    }

    #[test]
    fn without_a_list_there_is_no_reply() {
        for reply in [json!({}), json!([]), json!(null), json!({"results": {}}), json!({"results": "none"})] {
            assert!(sources(&reply).is_none(), "{reply}");
        }
        assert_eq!(sources(&json!({"results": []})).map(|found| found.len()), Some(0));
    }
}
