//! Finding the JSON in a reply.

use serde::de::DeserializeOwned;

use super::ParseError;

/// Most bytes of a reply that are looked at; the longest honest one has about 8,000.
pub const MAX_REPLY_BYTES: usize = 262_144;

/// Most bytes that are repaired: the repairer's time grows with the square of the length.
const MAX_REPAIR_BYTES: usize = 65_536;

/// Most opening brackets in a reply that is repaired. The repairer recurses without a bound of its own;
/// honest replies have below 100.
const MAX_BRACKETS: usize = 512;

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
    if depth(text) > MAX_DEPTH {
        return Err(ParseError::TooDeep);
    }
    let exact = match serde_json::from_str(text) {
        Ok(value) => return Ok(Parsed { value, how: How::Exact }),
        Err(error) => error,
    };
    let spoken = after_thoughts(text);
    let (object, mut shape) = match last_object(spoken) {
        Found::Whole(object) => match serde_json::from_str(object) {
            Ok(value) => return Ok(Parsed { value, how: How::Extracted }),
            Err(error) => (object, error),
        },
        Found::Open(object) if ends_like_an_object(object) => (object, exact),
        Found::Open(_) => return Err(ParseError::Truncated),
        Found::Nothing => return Err(ParseError::NoObject),
    };
    if let Some(mended) = mend(object) {
        match serde_json::from_str(&mended) {
            Ok(value) => return Ok(Parsed { value, how: How::Repaired }),
            // What is wrong with the mended text says more than where the broken one stops being JSON.
            Err(error) if shape.is_syntax() || shape.is_eof() => shape = error,
            Err(_) => {}
        }
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
    let mut found = None;
    let mut open = None;
    let mut from = 0;
    for _ in 0..64 {
        let Some(start) = text[from..].find('{').map(|at| from + at) else { break };
        if let Some(end) = closes(&text[start..]) {
            found = Some(&text[start..start + end]);
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

/// After its brace, an object has a key or ends.
fn looks_like_json(object: &str) -> bool {
    object[1..].trim_start().starts_with(['"', '\'', '}'])
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

/// The object mended, where that is safe to try.
fn mend(object: &str) -> Option<String> {
    let brackets = object.bytes().filter(|byte| matches!(byte, b'{' | b'[' | b'(')).count();
    if object.len() > MAX_REPAIR_BYTES || brackets > MAX_BRACKETS {
        return None;
    }
    let options = jsonrepair::Options { tolerate_hash_comments: false, ..jsonrepair::Options::default() };
    jsonrepair::repair_to_string(object, &options).ok()
}
