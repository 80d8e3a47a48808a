use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn read(pieces: &[&str]) -> PartialReply {
    let mut reply = PartialReply::default();
    for piece in pieces {
        reply.push(piece);
    }
    reply
}

fn words(text: &str) -> String {
    read(&[text]).last_words(1_000)
}

#[test]
fn what_a_person_would_read_of_a_reply_that_is_still_coming() {
    let rows = [
        ("", ""),
        ("{", ""),
        (r#"{"anal"#, ""),
        (r#"{"analysis": "The tow"#, "The tow"),
        (r#"{"analysis": "The"#, ""),
        (r#"{"severity": "high", "flags": ["One side", "Red"], "text": "Two sid"#, "One side · Two sid"),
        (r#"{"a": "one\ntwo \"three\" \u00e9\ud83d\ude00 \\ \/"#, "one two \"three\" é😀 \\ /"),
        (r#"{"a": "half \ud83d and \u12 no"#, "half and no"),
        (r#"{"a": "half \ude00 and \uzz no"#, "half and zz no"),
        (r#"{"a": "ends in \"#, "ends in"),
        (r#"{"a": "ends in \ud83d"#, "ends in"),
        (r#"{"a b": 1, "c d": {"e f": [1, true, "g h"], "i j": null}, "k l": "m n"}"#, "g h · m n"),
        (r#"{"a": "市場は小さい"#, "市場は小さい"),
        ("```json\n{\"a\": \"one two\"}\n```\nThat is all.", "one two"),
        ("Here is what I think:\n\n  {\"a\": \"one two", "one two"),
        ("Plain words,\nas they {are} [here]: \"yes\"", "Plain words, as they {are} [here]: \"yes\""),
        ("<think>{\"a\": \"no no</thin</think>\n{\"a\": \"yes it is", "yes it is"),
        ("<think>no word of", ""),
        ("<Thinking>no word</Thinking> of it", "of it"),
        ("<thing> said", "<thing> said"),
        ("<t", ""),
    ];
    for (reply, wanted) in rows {
        assert_eq!(words(reply), wanted, "{reply}");
    }
}

#[test]
fn of_thoughts_only_how_many_there_were_is_told_and_an_answer_goes_before_them() {
    let mut reply = PartialReply::default();
    assert_eq!((reply.said(9), reply.unchecked()), (None, None));
    reply.think("");
    assert_eq!(reply.said(9), Some(Said::Thought(0)), "a provider that does not show them");
    reply.think("what would they");
    assert_eq!(reply.said(9), Some(Said::Thought(3)));
    assert_eq!(reply.unchecked(), Some(Said::Thought(3)));
    reply.push("{\"a\": \"They would");
    assert_eq!(reply.said(99), Some(Said::Words("They would".to_owned())));
    assert_eq!(reply.unchecked(), Some(Said::Unchecked(4)));
    let tagged = read(&["<thi", "nk>eight letters", "</think>"]);
    assert_eq!(tagged.said(9), tagged.unchecked(), "an answer has not begun");
    assert!(matches!(tagged.said(9), Some(Said::Thought(1..))), "{tagged:?}");
}

#[test]
fn the_last_words_are_whole_ones_and_few() {
    let reply = read(&["{\"a\": \"The town is small and its people know one another"]);
    assert_eq!(reply.last_words(20), "…know one another");
    assert_eq!(read(&["x".repeat(50).as_str()]).last_words(10), format!("…{}", "x".repeat(10)));
}

#[test]
fn what_is_kept_of_a_long_reply_is_bounded_and_its_end() {
    let mut reply = read(&["{\"a\": \""]);
    for number in 0..100_000 {
        reply.push(&format!("word{number} é "));
        assert!(reply.words.len() <= 2 * KEPT + 4);
    }
    reply.push("\", \"b\": \"");
    assert!(reply.last_words(40).ends_with("word99999 é"), "{}", reply.last_words(40));
    reply.push(&"x".repeat(3 * KEPT));
    assert!(reply.words.len() <= 2 * KEPT && reply.last_words(40).is_empty());
    reply.push("\", \"c\": \"And more");
    assert_eq!(reply.last_words(40), "And more");
    assert!(reply.words.capacity() <= 8 * KEPT);
}

/// As they are shown: on one line.
fn line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn values(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(line(text)),
        Value::Array(items) => items.iter().for_each(|item| values(item, into)),
        Value::Object(map) => map.values().for_each(|item| values(item, into)),
        _ => {}
    }
}

fn json() -> impl Strategy<Value = Value> {
    let text = "[a-c é😀\\\\\"/{}\\[\\]:,\u{1}\n\t]{0,24}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let deeper = move |inner: BoxedStrategy<Value>| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text, inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    };
    let tree = leaf.prop_recursive(4, 12, 4, move |inner| deeper(inner.boxed()));
    prop::collection::vec((text, tree), 0..4).prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// As some servers write it: everything that is not ASCII escaped.
fn escaped(json: &str) -> String {
    let mut out = String::new();
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(properties::cases(64))]

    /// Whatever has come of whatever JSON, each text that is shown is a part of a value, and no key or mark is.
    #[test]
    fn any_beginning_of_any_json_gives_parts_of_its_texts(value in json(), pretty: bool, ascii: bool) {
        let whole = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let whole = if ascii { escaped(&whole) } else { whole };
        let mut known = Vec::new();
        values(&value, &mut known);
        let mut reply = PartialReply::default();
        for c in whole.chars() {
            reply.push(c.encode_utf8(&mut [0; 4]));
            let shown = reply.last_words(usize::MAX);
            for text in shown.split(BETWEEN).filter(|text| !text.is_empty()) {
                prop_assert!(known.iter().any(|known| known.contains(text)), "{text:?} of {shown:?} in {whole}");
            }
        }
        prop_assume!(known.iter().map(String::len).sum::<usize>() < KEPT);
        let read: Vec<&String> = known.iter().filter(|text| text.contains(' ') || !text.is_ascii()).collect();
        let shown = reply.last_words(usize::MAX);
        for text in read {
            prop_assert!(shown.contains(text.as_str()), "{text:?} is missing of {shown:?}");
        }
    }

    /// Whatever comes, in whatever pieces: no panic, few words, the same as all at once.
    #[test]
    fn anything_in_any_pieces_is_read_alike(
        text in "(\\{|\\}|\\[|\\]|\"|'|:|,|\\\\|\\\\u|d83d|de00|a b|é|😀|<think>|</think>|```|\n| |\u{0}|\u{202e}|.){0,80}",
        cuts in prop::collection::vec(0usize..200, 0..6),
        most in 0usize..60,
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut.min(text.len()))).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&str> = cuts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
        let (reply, whole) = (read(&pieces), read(&[&text]));
        prop_assert_eq!(reply.said(most), whole.said(most));
        prop_assert_eq!(reply.unchecked(), whole.unchecked());
        prop_assert!(reply.last_words(most).chars().count() <= most + 1);
    }
}
