//! Finding the JSON in a reply.

use serde::de::DeserializeOwned;

use super::{ParseError, mend::mend};

/// Most bytes of a reply that are looked at; the longest honest one has about 8,000.
pub const MAX_REPLY_BYTES: usize = 262_144;

/// Deepest nesting. The deepest shape asked for has 4 levels.
const MAX_DEPTH: usize = 32;

/// How the value was got out of the reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// The reply was the JSON asked for and nothing else.
    Exact,
    /// It stood between other text: a fence, thoughts, a greeting.
    Extracted,
    /// Its JSON had to be mended: a trailing comma, a quote.
    Repaired,
}

/// A value and how it was got.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed<T> {
    /// What the model said.
    pub value: T,
    /// How well it kept to the form.
    pub how: How,
}

/// Reads a reply. The strictest reading that fits wins: the text as it is; its last whole object, with
/// thoughts and fences taken off; that object mended. Never guesses the rest of a reply that breaks off.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Parsed<T>, ParseError> {
    if text.len() > MAX_REPLY_BYTES {
        return Err(ParseError::TooLong(text.len()));
    }
    let text = text.trim().trim_start_matches('\u{feff}');
    let exact = match serde_json::from_str(text) {
        Ok(value) => return Ok(Parsed { value, how: How::Exact }),
        Err(error) => error,
    };
    // Brackets in texts count too, for of what is no JSON nobody knows which stand in one.
    if depth(text) > MAX_DEPTH {
        return Err(ParseError::TooDeep);
    }
    let spoken = after_thoughts(text);
    let (object, mut shape, whole) = match last_object(spoken) {
        Found::Whole(object) => match serde_json::from_str(object) {
            Ok(value) => return Ok(Parsed { value, how: How::Extracted }),
            Err(error) => (object, error, true),
        },
        Found::Open(object) if ends_like_an_object(object) => (object, exact, false),
        Found::Open(_) => return Err(ParseError::Truncated),
        Found::Nothing => return Err(ParseError::NoObject),
    };
    let object = object.trim_end().trim_end_matches('`');
    if let Some(mended) = mend(object) {
        match serde_json::from_str(&mended) {
            Ok(value) => return Ok(Parsed { value, how: How::Repaired }),
            // What is wrong with the mended text says more than where the broken one stops being JSON.
            Err(error) if shape.is_syntax() || shape.is_eof() => shape = error,
            Err(_) => {}
        }
    } else if !whole {
        return Err(ParseError::Truncated);
    }
    Err(ParseError::Shape(shape.to_string().chars().take(300).collect()))
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
    object[1..].trim_start().starts_with(['"', '\''])
}

/// Where the object that starts a text ends, brackets in strings left aside.
fn closes(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
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

fn ends_like_an_object(text: &str) -> bool {
    text.trim_end().trim_end_matches('`').trim_end().ends_with('}')
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
    use crate::{domain::Synthesis, prompt::reply::ModuleReply};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Small {
        text: String,
        list: Vec<u32>,
    }

    fn read(text: &str) -> Result<(Small, How), ParseError> {
        parse::<Small>(text).map(|parsed| (parsed.value, parsed.how))
    }

    #[test]
    fn replies_that_can_be_read() {
        for (reply, how) in [
            (r#"{"text":"a","list":[1]}"#, How::Exact),
            ("\u{feff}  {\"text\":\"a\",\"list\":[1]}\n", How::Exact),
            ("```json\n{\"text\":\"a\",\"list\":[1]}\n```", How::Extracted),
            ("Sure! Here it is:\n{\"text\":\"a\",\"list\":[1]}\nHope it helps {smile}", How::Extracted),
            (
                "<think>maybe {\"text\":\"b\",\"list\":[]}</think>{\"text\":\"a\",\"list\":[1]}",
                How::Extracted,
            ),
            ("<think>{ {{ </think>\n```\n{\"text\":\"a\",\"list\":[1]}```", How::Extracted),
            ("First {\"text\":\"b\",\"list\":[]}, no: {\"text\":\"a\",\"list\":[1]}", How::Extracted),
            ("Think { of it: {\"text\":\"a\",\"list\":[1]}", How::Extracted),
            (r#"{"text":"a","list":[1,],}"#, How::Repaired),
            (r"{'text': 'a', 'list': [1]}", How::Repaired),
            (r#"{text: "a", list: [1]}"#, How::Repaired),
            ("```json\n{\"text\":\"a\" \"list\":[1]}\n```", How::Repaired),
            ("{\"text\":\"a\", // short\n\"list\":[1]}", How::Repaired),
        ] {
            let want = Small { text: "a".into(), list: vec![1] };
            assert_eq!(
                read(reply).unwrap_or_else(|error| panic!("{reply}: {error}")),
                (want, how),
                "{reply}"
            );
        }
    }

    #[test]
    fn a_raw_line_feed_in_a_text_is_mended() {
        let (small, how) = read("{\"text\":\"a\nb\",\"list\":[]}").unwrap();
        assert_eq!((small.text.as_str(), how), ("a\nb", How::Repaired));
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
        ] {
            assert_eq!(read(cut), Err(ParseError::Truncated), "{cut}");
        }
        assert!(shape(r#"{"text":"a"}"#).contains("missing field `list`"));
        assert!(shape(r#"{"text":"a","list":[1],"evil":1}"#).contains("unknown field `evil`"));
        assert!(shape(r#"{"text":"a","text":"b","list":[1]}"#).contains("duplicate field"));
        assert!(shape(r#"{"text":"a","list":["x"]}"#).contains("invalid type"));
        assert!(shape(r#"{"text":"a","list":[-1]}"#).contains("invalid value"));
        assert!(shape(r#"{"text":"a","list":[99999999999999999999]}"#).len() <= 300);
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
        // Round brackets and quotes are where a repairer might recurse or take the square of the time.
        for hostile in ["{a(", "{\"a\" ", "{'", "{a:b ", "{\"a\":\"\" + ", "{/*", "{`", "{a:/", "{\"a\":1 1 "]
        {
            let text = format!("{}}}", hostile.replacen('{', "", 1).repeat(12_000 / hostile.len()));
            assert!(read(&format!("{{{text}")).is_err(), "{hostile}");
        }
    }

    #[test]
    fn words_of_an_enum_are_read_in_any_case_and_nothing_else() {
        let flag = |color: &str| {
            let reply = format!(
                r#"{{"analysis":"x","key_points":[],"flags":[{{"color":"{color}","text":"t"}}],"summary":"s","sources":[]}}"#
            );
            parse::<ModuleReply>(&reply)
        };
        assert!(flag("red").is_ok() && flag("RED").is_ok() && flag("Yellow").is_ok());
        for wrong in ["orange", "", "red ", "🔴", "red, I think"] {
            assert!(matches!(flag(wrong), Err(ParseError::Shape(_))), "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(crate::cases(64))]

        #[test]
        fn it_never_panics(text in any::<String>()) {
            let _ = parse::<ModuleReply>(&text);
            let _ = parse::<Synthesis>(&format!("{{{text}}}"));
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
            let (small, how) = read(&reply).unwrap();
            prop_assert_eq!(how, How::Exact);
            prop_assert_eq!(small, Small { text: text.clone(), list: list.clone() });
            let (small, how) = read(&format!("Here: ```json\n{reply}\n```")).unwrap();
            prop_assert_eq!(how, How::Extracted);
            prop_assert_eq!(small, Small { text, list });
        }

        #[test]
        fn a_reply_cut_anywhere_is_never_taken_for_whole(at in 1usize..200) {
            let reply = serde_json::json!({
                "analysis": "It {grows} [a lot] \"so\" they say", "key_points": ["One.", "Two."],
                "flags": [{ "color": "red", "text": "Stop." }, { "color": "green", "text": "Go." }], "summary": "Yes.", "sources": []
            }).to_string();
            prop_assume!(at < reply.len());
            prop_assert!(parse::<ModuleReply>(&reply[..at]).is_err());
        }
    }
}
