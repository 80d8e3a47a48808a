//! Finding the JSON in a reply: what stands around it is let be, and slips of form that models make now and then are mended.
//! What is wrong beyond that is told to the model, which has one more turn.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::ParseError;

/// Most bytes of a reply that are looked at; the longest honest one, a deep memo, has some 30,000.
pub const MAX_REPLY_BYTES: usize = 262_144;

/// Deepest nesting. The deepest shape asked for has 4 levels.
const MAX_DEPTH: usize = 32;

/// Reads a reply: the text as it is, or else its last whole object, with thoughts and fences taken off, without commas that
/// nothing follows, and with its last brace if that alone is missing. Never guesses the rest of a reply that breaks off.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ParseError> {
    if text.len() > MAX_REPLY_BYTES {
        return Err(ParseError::TooLong(text.len()));
    }
    let text = text.trim().trim_start_matches('\u{feff}');
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    // Brackets in texts count too, for of what is no JSON nobody knows which stand in one.
    if depth(text) > MAX_DEPTH {
        return Err(ParseError::TooDeep);
    }
    let object = match last_object(after_thoughts(text)) {
        Found::Whole(object) => without_last_commas(object),
        Found::Open(object) => {
            closed(&without_last_commas(object.trim_end().trim_end_matches('`').trim_end()))
        }
        Found::Nothing => return Err(ParseError::NoObject),
    };
    if serde_json::from_str::<IgnoredAny>(&object).is_err_and(|error| error.is_eof()) {
        return Err(ParseError::Truncated);
    }
    let shape = |error: serde_json::Error| ParseError::Shape(error.to_string().chars().take(300).collect());
    serde_json::from_str(&object).map_err(shape)
}

/// What follows the model's thoughts (`<think>…</think>`, as reasoning models served locally write them).
fn after_thoughts(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let after = |tag: &str| lower.rfind(tag).map(|at| at + tag.len());
    let end = after("</think>").or_else(|| after("</thinking>")).unwrap_or_default();
    text.get(end..).unwrap_or(text)
}

enum Found<'a> {
    /// The last object that is closed.
    Whole(&'a str),
    /// None is closed; from the first opening brace on.
    Open(&'a str),
    Nothing,
}

/// The last outermost object whose braces close. An opening brace that never closes is taken for prose and
/// the search goes on behind it, a few times.
fn last_object(text: &str) -> Found<'_> {
    let mut found: Option<&str> = None;
    let mut open = None;
    let mut from = 0;
    for _ in 0..64 {
        let Some(start) = text[from..].find('{').map(|at| from + at) else { break };
        if let Some(end) = closes(&text[start..]) {
            let object = &text[start..start + end];
            // `{smile}` behind the reply is not the reply.
            if looks_like_json(object) || !found.is_some_and(looks_like_json) {
                found = Some(object);
            }
            from = start + end;
        } else {
            open.get_or_insert(&text[start..]);
            from = start + 1;
        }
    }
    match (found, open) {
        // An object that closes inside one that does not is a part of it, not the reply.
        (Some(inner), Some(outer)) if is_inside(inner, outer) && looks_like_json(outer) => Found::Open(outer),
        (Some(object), _) => Found::Whole(object),
        (None, Some(object)) => Found::Open(object),
        (None, None) => Found::Nothing,
    }
}

fn is_inside(inner: &str, outer: &str) -> bool {
    inner.as_ptr() as usize > outer.as_ptr() as usize
}

/// After its brace, an object has a key.
fn looks_like_json(object: &str) -> bool {
    object[1..].trim_start().starts_with('"')
}

/// Where the object that starts a text ends, brackets in strings left aside.
fn closes(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in outside_strings(text) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// An object without the commas that a closing bracket follows.
fn without_last_commas(object: &str) -> String {
    let (mut kept, mut from, mut comma) = (String::with_capacity(object.len()), 0, None);
    for (at, byte) in outside_strings(object) {
        match (byte, comma) {
            (b',', _) => comma = Some(at),
            (b'}' | b']', Some(comma)) if object[comma + 1..at].trim().is_empty() => {
                kept.push_str(&object[from..comma]);
                from = comma + 1;
            }
            _ => {}
        }
    }
    kept + &object[from..]
}

/// An object with the one brace that it lacks at its end. Where more than that is missing, it stays as it is.
fn closed(object: &str) -> String {
    let (mut open, mut last) = (0_usize, None);
    for (at, byte) in outside_strings(object) {
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        last = Some(at + 1);
    }
    // After a number or a word more could follow, and within a text it does.
    let is_whole = last == Some(object.len()) && object.ends_with(['"', '}', ']']);
    if open == 1 && is_whole { format!("{object}}}") } else { object.to_owned() }
}

/// The bytes of a text that stand in no string, with their places, and the quotes that end strings.
fn outside_strings(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut quoted, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
        !quoted
    })
}

/// Deepest nesting, brackets in strings counted too: only an upper bound is needed.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Small {
        text: String,
        list: Vec<u32>,
    }

    fn read(text: &str) -> Result<Small, ParseError> {
        parse(text)
    }

    #[test]
    fn replies_that_can_be_read() {
        for reply in [
            r#"{"text":"a","list":[1]}"#,
            "\u{feff}  {\"text\":\"a\",\"list\":[1]}\n",
            "```json\n{\"text\":\"a\",\"list\":[1]}\n```",
            "Sure! Here it is:\n{\"text\":\"a\",\"list\":[1]}\nHope it helps {smile}",
            "<think>maybe {\"text\":\"b\",\"list\":[]}</think>{\"text\":\"a\",\"list\":[1]}",
            "<think>{ {{ </think>\n```\n{\"text\":\"a\",\"list\":[1]}```",
            "First {\"text\":\"b\",\"list\":[]}, no: {\"text\":\"a\",\"list\":[1]}",
            "Think { of it: {\"text\":\"a\",\"list\":[1]}",
            r#"{"text":"a","list":[1,],}"#,
            "```json\n{\"text\":\"a\",\"list\":[\n1,\n],\n}\n```",
            r#"{"text":"a","list":[1]"#,
            r#"{"list":[1],"text":"a""#,
            "```json\n{\"text\":\"a\",\n\"list\":[1,]\n```",
            r#"{"text":"a","list":[1]}}"#,
        ] {
            let want = Small { text: "a".into(), list: vec![1] };
            assert_eq!(read(reply), Ok(want), "{reply}");
        }
    }

    #[test]
    fn commas_and_brackets_in_texts_stay() {
        for (reply, text) in [
            (r#"{"text":"a,] {b,}","list":[1,]}"#, "a,] {b,}"),
            (r#"Here: {"text":"say \"[x,]\"}","list":[]"#, r#"say "[x,]"}"#),
        ] {
            assert_eq!(read(reply).unwrap().text, text, "{reply}");
        }
    }

    #[test]
    fn replies_that_cannot_be_read_say_why() {
        let shape = |reply: &str| match read(reply) {
            Err(ParseError::Shape(why)) => why,
            other => panic!("{reply}: {other:?}"),
        };
        for nothing in ["", "   ", "I cannot help with that.", "[1, 2]", "null", "\u{0}", "<think>hm"] {
            assert_eq!(read(nothing), Err(ParseError::NoObject), "{nothing}");
        }
        for cut in [
            r#"{"text":"a","list":[1"#,
            r#"{"text":"a"#,
            "{",
            "```json\n{\"text\":\"a\",\"list\":[1,",
            r#"{"text":"a","list":[1],"more":{"x":1},"#,
            r#"{"text":"a","list":[{"x":1}"#,
            r#"{"list":[1],"text":"he said \""#,
            r#"{"list":[1],"text":""#,
            r#"{"text":"a","list":1"#,
        ] {
            assert_eq!(read(cut), Err(ParseError::Truncated), "{cut}");
        }
        assert!(shape(r#"{"text":"a"}"#).contains("missing field `list`"));
        assert!(shape(r#"{"text":"a","list":[1],"evil":1}"#).contains("unknown field `evil`"));
        assert!(shape(r#"{"text":"a","text":"b","list":[1]}"#).contains("duplicate field"));
        assert!(shape(r#"{"text":"a","list":["x"]}"#).contains("invalid type"));
        assert!(shape(r#"{"text":"a","list":[-1]}"#).contains("invalid value"));
        assert!(shape(r#"{"text":"a","list":[99999999999999999999]}"#).len() <= 300);
        for broken in [
            r"{'text': 'a', 'list': [1]}",
            r#"{text: "a", list: [1]}"#,
            r#"{"text":"a" "list":[1]}"#,
            "{\"text\":\"a\nb\",\"list\":[1]}",
            r#"{"text":"a","list":[1}"#,
            r#"{"text":"he said "no"","list":[1]}"#,
            r#"{"text":"a",,"list":[1]}"#,
        ] {
            assert!(shape(broken).contains("at line"), "{broken}");
        }
    }

    #[test]
    fn huge_and_deep_replies_are_refused_at_once() {
        let megabyte = format!(r#"{{"text":"{}","list":[]}}"#, "x".repeat(1_000_000));
        assert!(matches!(read(&megabyte), Err(ParseError::TooLong(_))));
        for open in ["[", "{\"a\":", "{\"text\":["] {
            assert_eq!(read(&open.repeat(50_000 / open.len())), Err(ParseError::TooDeep));
        }
        let broad = format!(r#"{{"text":"a","list":[{}"#, "{},".repeat(20_000));
        assert!(read(&broad).is_err());
        // What is read again from each brace must not take the square of the time.
        for hostile in ["{a(", "{\"a\" ", "{'", "{a:b ", "{\"a\":\"\" + ", "{/*", "{`", "{a:/", "{\"a\":1 1 "]
        {
            let text = format!("{}}}", hostile.replacen('{', "", 1).repeat(12_000 / hostile.len()));
            assert!(read(&format!("{{{text}")).is_err(), "{hostile}");
        }
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn it_never_panics(text in any::<String>()) {
            let _ = parse::<Small>(&text);
            let _ = parse::<Small>(&format!("{{{text}}}"));
        }

        #[test]
        fn it_never_panics_on_nearly_json(
            text in "(\\{|\\}|\\[|\\]|\"|'|:|,|/|\\*|\\\\|#|`|\\(|\\)|a|é|1|-|\\.|e|\\\\u|true|null|text|\n| |😀|<think>|</think>|```|\\.\\.\\.|undefined|NaN|\u{0}){0,60}"
        ) {
            let _ = parse::<Small>(&text);
            let _ = parse::<Small>(&format!("{{\"text\":{text}}}"));
            let _ = parse::<Small>(&format!("{{{text}}}"));
        }

        #[test]
        fn any_text_survives_the_way_there_and_back(text in any::<String>(), list in prop::collection::vec(any::<u32>(), 0..5)) {
            prop_assume!(depth(&text) < MAX_DEPTH - 2);
            let reply = serde_json::json!({ "text": text, "list": list }).to_string();
            let small = Ok(Small { text, list });
            prop_assert_eq!(&read(&reply), &small);
            prop_assert_eq!(&read(&format!("Here: ```json\n{reply}\n```")), &small);
            prop_assert_eq!(&read(reply.trim_end_matches('}')), &small);
        }

        #[test]
        fn a_reply_cut_anywhere_is_never_taken_for_whole(at in 1usize..200) {
            let reply = serde_json::json!({
                "text": "It {grows} [a lot] \"so\" they say", "list": [1, 22, 333],
            }).to_string();
            prop_assume!(at < reply.len());
            // The last brace says nothing.
            prop_assert_eq!(parse::<Small>(&reply[..at]).is_ok(), at == reply.len() - 1);
        }
    }
}
