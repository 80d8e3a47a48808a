//! What comes from Discord's gateway, in the words that serenity knows. Its components end at the eighth kind (in 0.12),
//! and an event that holds a later one in the wrong place it does not read at all: the press or the message is lost, and
//! whoever pressed waits in vain.
//!
//! So a sent form becomes rows of text boxes whatever it was made of, each with what was written or chosen there, and
//! from messages that come with an event what serenity does not know is left out: nothing here reads it. The open threads
//! of a server are left out too, of which serenity would keep all there is to know of each; which message is the last of
//! each is told to whoever looks for what was missed. All else passes as it came. Called by `gateway`, for each message of
//! Discord's.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use websocket::tungstenite::Message;

use super::missed::Heard;
use domain::{ChannelId, MessageId};

/// Kinds of components (Discord's documentation, "Component Reference").
const ROW: u64 = 1;
const TEXT_INPUT: u64 = 4;
const LABEL: u64 = 18;

/// The kind of an interaction that a sent form is.
const MODAL_SUBMIT: u64 = 5;

/// Separates what was chosen, where it is more than one. Neither numbers nor values of our own lists hold it.
pub(super) const BETWEEN: &str = "\n";

/// What a message says.
pub(super) struct Understood {
    /// As serenity reads it.
    pub(super) message: Message,
    /// What it says of messages that may have been missed.
    pub(super) heard: Option<Heard>,
}

/// The message as serenity reads it.
pub(super) fn understood(message: Message) -> Understood {
    let mut heard = None;
    let mut change = |text: &str| {
        if let Some((changed, threads)) = without_threads(text) {
            heard = Some(Heard::Threads(threads));
            return Some(in_known_words(&changed).unwrap_or(changed));
        }
        heard = begins(text).then_some(Heard::Connected);
        in_known_words(text)
    };
    let changed = match &message {
        Message::Text(text) => change(text),
        Message::Binary(bytes) => {
            let mut text = String::new();
            ZlibDecoder::new(&bytes[..]).read_to_string(&mut text).ok().and_then(|_| change(&text))
        }
        _ => None,
    };
    Understood { message: changed.map_or(message, Message::text), heard }
}

/// Whether a new session begins with this event. What was said before, Discord does not tell in it.
fn begins(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Event {
        t: Option<String>,
    }
    text.contains("\"READY\"")
        && serde_json::from_str::<Event>(text).is_ok_and(|event| event.t.as_deref() == Some("READY"))
}

/// The event of a server that can be reached, with all that is said of it.
#[derive(Deserialize)]
struct Created {
    t: String,
    d: Server,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Server {
    threads: Vec<Thread>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// An open thread, of which there may be a thousand: no more of it is read.
#[derive(Deserialize)]
struct Thread {
    id: ChannelId,
    #[serde(default)]
    last_message_id: Option<MessageId>,
}

/// A server's event without its open threads, and the last message of each; `None` where it is none.
fn without_threads(text: &str) -> Option<(String, Vec<(ChannelId, MessageId)>)> {
    if !text.contains("\"GUILD_CREATE\"") {
        return None;
    }
    let Created { t, d: Server { threads, rest: mut server }, rest: mut event } =
        serde_json::from_str(text).ok()?;
    if t != "GUILD_CREATE" {
        return None;
    }
    server.insert("threads".to_owned(), json!([]));
    event.extend([("t".to_owned(), t.into()), ("d".to_owned(), server.into())]);
    let last = |thread: Thread| Some((thread.id, thread.last_message_id?));
    Some((Value::from(event).to_string(), threads.into_iter().filter_map(last).collect()))
}

/// An event in other words; `None` where it needs none.
fn in_known_words(text: &str) -> Option<String> {
    if !text.contains("\"components\"") {
        return None;
    }
    let mut payload: Value = serde_json::from_str(text).ok()?;
    let is_interaction = payload["t"] == "INTERACTION_CREATE";
    let event = payload.get_mut("d")?;
    let is_form = is_interaction && event["type"] == MODAL_SUBMIT;
    if let Some(data) = event.get_mut("data").and_then(Value::as_object_mut).filter(|_| is_form) {
        let boxes = text_boxes(data.get("components").unwrap_or(&Value::Null));
        data.insert("components".to_owned(), boxes.into());
    }
    let without = leave_out_unknown(event);
    (is_form || without).then(|| payload.to_string())
}

/// What was given in a form, a row of one text box for each part that has a name and a value.
fn text_boxes(sent: &Value) -> Vec<Value> {
    let parts = sent.as_array().into_iter().flatten().flat_map(|part| match kind(part) {
        Some(LABEL) => std::slice::from_ref(&part["component"]),
        _ => part["components"].as_array().map_or(&[][..], Vec::as_slice),
    });
    let boxed = |part: &Value| {
        let name = part["custom_id"].as_str()?;
        let value = given(part)?;
        Some(json!({"type": ROW, "components": [{"type": TEXT_INPUT, "custom_id": name, "value": value}]}))
    };
    parts.filter_map(boxed).collect()
}

/// What was written (a box), or chosen (a list).
fn given(part: &Value) -> Option<String> {
    if let Some(text) = part["value"].as_str() {
        return Some(text.to_owned());
    }
    let chosen = part["values"].as_array()?.iter().filter_map(Value::as_str);
    Some(chosen.collect::<Vec<_>>().join(BETWEEN))
}

/// Leaves out of every message in a value the components that serenity does not know; whether there were any.
fn leave_out_unknown(value: &mut Value) -> bool {
    match value {
        Value::Object(map) => map.iter_mut().fold(false, |left_out, (name, inner)| {
            let here = match inner {
                Value::Array(rows) if name == "components" => only_known(rows),
                inner => leave_out_unknown(inner),
            };
            left_out | here
        }),
        Value::Array(items) => {
            items.iter_mut().fold(false, |left_out, item| left_out | leave_out_unknown(item))
        }
        _ => false,
    }
}

/// Keeps rows, and in them buttons, text boxes and lists; whether anything else was there.
fn only_known(rows: &mut Vec<Value>) -> bool {
    let before = rows.len();
    rows.retain(|row| kind(row) == Some(ROW));
    let fewer = rows.len() < before;
    rows.iter_mut().fold(fewer, |left_out, row| {
        let Some(parts) = row.get_mut("components").and_then(Value::as_array_mut) else { return left_out };
        let before = parts.len();
        parts.retain(|part| matches!(kind(part), Some(2..=8)));
        left_out | (parts.len() < before)
    })
}

fn kind(part: &Value) -> Option<u64> {
    part["type"].as_u64()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::ZlibEncoder};
    use poise::serenity_prelude as serenity;
    use proptest::prelude::*;

    use super::*;

    fn heard(message: Message) -> Message {
        understood(message).message
    }

    #[test]
    fn of_a_server_s_open_threads_only_the_last_messages_are_kept() {
        let thread = |id: &str, last: Option<&str>| json!({"id": id, "name": "x", "last_message_id": last});
        let all = [thread("5", Some("70")), thread("6", None), thread("7", Some("9"))];
        let event =
            json!({"op": 0, "s": 3, "t": "GUILD_CREATE", "d": {"id": "1", "name": "A", "threads": all}});
        let Understood { message, heard } = understood(Message::text(event.to_string()));
        let named = vec![(ChannelId(5), MessageId(70)), (ChannelId(7), MessageId(9))];
        assert_eq!(heard, Some(Heard::Threads(named)));
        let Message::Text(text) = message else { panic!() };
        let left =
            json!({"op": 0, "s": 3, "t": "GUILD_CREATE", "d": {"id": "1", "name": "A", "threads": []}});
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), left);
        let ready = Message::text(json!({"op": 0, "t": "READY", "d": {}}).to_string());
        assert_eq!(understood(ready).heard, Some(Heard::Connected));
        // Somebody may write the word, and a server that is away has no threads.
        for other in [
            json!({"t": "MESSAGE_CREATE", "d": {"content": "\"GUILD_CREATE\" \"READY\""}}),
            json!({"t": "GUILD_CREATE", "d": {}}),
        ] {
            let same = Message::text(other.to_string());
            let Understood { message, heard } = understood(same.clone());
            assert_eq!((message, heard), (same, None));
        }
    }

    /// A form as Discord sends it.
    fn sent(components: &Value) -> Value {
        json!({"op": 0, "s": 7, "t": "INTERACTION_CREATE", "d": {
            "id": "1", "application_id": "2", "type": 5, "token": "t", "version": 1, "guild_id": "3",
            "channel_id": "4", "locale": "de", "entitlements": [], "attachment_size_limit": 1,
            "authorizing_integration_owners": {},
            "user": {"id": "5", "username": "ada", "discriminator": "0", "avatar": null},
            "data": {"custom_id": "v1:x", "components": components},
        }})
    }

    /// What serenity reads in it, by name.
    fn read(components: &Value) -> Vec<(String, String)> {
        let Message::Text(text) = heard(Message::text(sent(components).to_string())) else { panic!() };
        let event: serenity::GatewayEvent = serde_json::from_str(&text).unwrap();
        let serenity::GatewayEvent::Dispatch(7, serenity::Event::InteractionCreate(event)) = event else {
            panic!("{event:?}")
        };
        let form = event.interaction.modal_submit().unwrap();
        let parts = form.data.components.into_iter().flat_map(|row| row.components);
        let text = |part| match part {
            serenity::ActionRowComponent::InputText(text) => (text.custom_id, text.value.unwrap()),
            other => panic!("{other:?}"),
        };
        parts.map(text).collect()
    }

    #[test]
    fn a_form_is_read_whatever_it_was_made_of() {
        let of = |kind: u64, name: &str, key: &str, value: Value| json!({"type": kind, "id": 1, "custom_id": name, key: value});
        let labelled = |part: Value| json!({"type": 18, "id": 2, "component": part});
        let all = json!([
            {"type": 1, "components": [of(4, "old", "value", json!("typed"))]},
            labelled(of(4, "box", "value", json!("a\nb"))),
            labelled(of(3, "list", "values", json!(["S2"]))),
            labelled(of(5, "member", "values", json!(["6", "7"]))),
            labelled(of(5, "nobody", "values", json!([]))),
            labelled(of(21, "radio", "value", json!("x"))),
            labelled(of(23, "checkbox", "value", json!(true))),
            {"type": 10, "content": "only to be read"},
            {"type": 99, "whatever": [1]},
            labelled(json!({"type": 99})),
            {"type": 1, "components": [{"type": 99, "custom_id": "invented", "values": ["y"]}, 5]},
            {"type": 18}, null, "x",
        ]);
        let expected = [
            ("old", "typed"),
            ("box", "a\nb"),
            ("list", "S2"),
            ("member", "6\n7"),
            ("nobody", ""),
            ("radio", "x"),
            ("invented", "y"),
        ];
        assert_eq!(read(&all), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(read(&json!(null)).is_empty() && read(&json!({"a": 1})).is_empty());
        let mut senseless = sent(&json!([]));
        senseless["d"]["data"] = json!(["components"]);
        assert_eq!(heard(Message::text(senseless.to_string())), Message::text(senseless.to_string()));
    }

    #[test]
    fn what_is_compressed_is_read_too_and_what_is_known_passes_as_it_came() {
        let form = sent(&json!([{"type": 99}])).to_string();
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(form.as_bytes()).unwrap();
        let packed = Message::binary(packed.finish().unwrap());
        assert_eq!(heard(packed), heard(Message::text(form)));
        let known = json!({"op": 0, "t": "MESSAGE_CREATE", "d": {"components": [
            {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a", "label": "Go"}]}]}});
        for passes in [
            Message::text(known.to_string()),
            Message::text("{\"op\": 11, \"components\""),
            Message::text("[\"components\"]"),
            Message::text(json!({"d": "components", "t": "INTERACTION_CREATE"}).to_string()),
            Message::text(json!({"d": {"message": {"components": [{"type": 1}]}}}).to_string()),
            Message::binary(vec![1, 2, 3]),
            Message::Ping(vec![4].into()),
        ] {
            assert_eq!(heard(passes.clone()), passes);
        }
    }

    #[test]
    fn from_messages_that_come_with_an_event_the_unknown_is_left_out() {
        let newer = json!([
            {"type": 17, "components": [{"type": 10, "content": "x"}]},
            {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a"}, {"type": 40}]},
        ]);
        let event = json!({"op": 0, "t": "MESSAGE_CREATE", "d": {
            "content": "asked", "components": newer, "referenced_message": {"components": newer},
            "message_snapshots": [{"message": {"components": newer}}],
        }});
        let Message::Text(text) = heard(Message::text(event.to_string())) else { panic!() };
        let read: Value = serde_json::from_str(&text).unwrap();
        let known = json!([{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a"}]}]);
        for at in ["/d", "/d/referenced_message", "/d/message_snapshots/0/message"] {
            assert_eq!(read.pointer(at).unwrap()["components"], known, "{at}");
        }
        assert_eq!(read["d"]["content"], "asked");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn no_invention_breaks_a_form(kind in 0_u64..40, inner in 0_u64..40, value in ".{0,20}") {
            let part = json!({"type": inner, "custom_id": "a", "value": value, "values": [1, null], "components": [{}]});
            let boxes = read(&json!([
                {"type": kind, "component": part.clone(), "components": [part]},
                {"type": 4, "custom_id": "top", "value": "x"},
            ]));
            prop_assert_eq!(boxes, vec![("a".to_owned(), value)]);
        }
    }
}
