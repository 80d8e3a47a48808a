//! Pure: the JSON Discord wants for what the domain says (documentation, resources/message and
//! components/reference).

use serde_json::{Value, json};

use super::{Nonce, Upload};
use domain::{
    Button, ButtonStyle, ChoiceInput, Embed, Input, MemberInput, MessageId, Modal, Post, Row, Select,
    SelectOption, TextInput, UserId,
};

/// Flag of a message that only the person who used the interaction sees.
pub const EPHEMERAL: u64 = 1 << 6;

/// A post as it is written anew or instead of another: everything of it is stated, also what is empty, so that
/// an edit leaves nothing of the old. Files are the uploads and no others; earlier ones go away.
///
/// Nobody can be mentioned: without `allowed_mentions` an edit would be read with the default allowances.
#[must_use]
pub fn message(post: &Post, uploads: &[Upload]) -> Value {
    let attachments: Vec<Value> = uploads.iter().enumerate().map(|(at, file)| attachment(at, file)).collect();
    json!({
        "content": post.content,
        "embeds": post.embeds.iter().map(embed).collect::<Vec<_>>(),
        "components": post.rows.iter().map(row).collect::<Vec<_>>(),
        "attachments": attachments,
        "allowed_mentions": {"parse": [], "replied_user": false},
    })
}

/// A new message: a post with its nonce, perhaps in reply to another message. It notifies those the post names,
/// each by number, and nobody else.
#[must_use]
pub fn new_message(post: &Post, uploads: &[Upload], nonce: &Nonce, reply_to: Option<MessageId>) -> Value {
    let mut body = message(post, uploads);
    if !post.pings.is_empty() {
        body["allowed_mentions"]["users"] = json!(post.pings.users);
        body["allowed_mentions"]["roles"] = json!(post.pings.roles);
    }
    body["nonce"] = nonce.as_str().into();
    body["enforce_nonce"] = true.into();
    if let Some(message) = reply_to {
        // The message replied to may be gone by now; then this is an ordinary message.
        body["message_reference"] = json!({"message_id": message, "fail_if_not_exists": false});
    }
    body
}

/// A text in place of a message's own, whatever else is in it, that mentions these members and nobody else.
#[must_use]
pub fn text_alone(text: &str, mentions: &[UserId]) -> Value {
    json!({
        "content": text,
        "allowed_mentions": {"parse": [], "users": mentions, "replied_user": false},
    })
}

/// A message only the person who used the interaction sees.
#[must_use]
pub fn private_message(post: &Post, uploads: &[Upload]) -> Value {
    let mut body = message(post, uploads);
    body["flags"] = EPHEMERAL.into();
    body
}

fn attachment(at: usize, upload: &Upload) -> Value {
    stated(json!({"id": at, "filename": upload.name, "description": filled(&upload.alt)}))
}

fn embed(embed: &Embed) -> Value {
    let field =
        |field: &domain::Field| json!({"name": field.name, "value": field.value, "inline": field.inline});
    let fields: Vec<Value> = embed.fields.iter().map(field).collect();
    stated(json!({
        "title": filled(&embed.title),
        "description": filled(&embed.description),
        "color": embed.color.rgb(),
        "fields": (!fields.is_empty()).then_some(fields),
        "footer": filled(&embed.footer).map(|text| json!({"text": text})),
        "author": filled(&embed.author).map(|name| json!({"name": name})),
        "image": embed.image.as_ref().map(|name| json!({"url": format!("attachment://{name}")})),
    }))
}

fn row(row: &Row) -> Value {
    let inside = match row {
        Row::Buttons(buttons) => buttons.iter().map(button).collect(),
        Row::Select(menu) => vec![select(menu)],
    };
    json!({"type": 1, "components": inside})
}

fn button(button: &Button) -> Value {
    let style = match button.style {
        ButtonStyle::Primary => 1,
        ButtonStyle::Secondary => 2,
        ButtonStyle::Success => 3,
        ButtonStyle::Danger => 4,
    };
    stated(json!({
        "type": 2,
        "style": style,
        "custom_id": button.id.to_string(),
        "label": filled(&button.label),
        "emoji": button.emoji.as_ref().map(|emoji| json!({"name": emoji})),
        "disabled": button.disabled,
    }))
}

fn select(menu: &Select) -> Value {
    stated(json!({
        "type": 3,
        "custom_id": menu.id.to_string(),
        "placeholder": filled(&menu.placeholder),
        "options": menu.options.iter().map(select_option).collect::<Vec<_>>(),
        "min_values": menu.range.0,
        "max_values": menu.range.1,
    }))
}

fn select_option(option: &SelectOption) -> Value {
    stated(json!({
        "label": option.label, "value": option.value, "description": filled(&option.description),
    }))
}

/// A form: each input below its label (documentation, components/reference, "Label").
#[must_use]
pub fn modal(modal: &Modal) -> Value {
    json!({
        "custom_id": modal.id.to_string(),
        "title": modal.title,
        "components": modal.inputs.iter().map(labelled).collect::<Vec<_>>(),
    })
}

fn labelled(input: &Input) -> Value {
    let (description, component) = match input {
        Input::Text(input) => (None, text_input(input)),
        Input::Choice(input) => (filled(&input.description), choice_input(input)),
        Input::Member(input) => (None, member_input(input)),
    };
    stated(json!({"type": 18, "label": input.label(), "description": description, "component": component}))
}

fn text_input(input: &TextInput) -> Value {
    stated(json!({
        "type": 4,
        "custom_id": input.id,
        "style": if input.paragraph { 2 } else { 1 },
        "placeholder": filled(&input.placeholder),
        "value": filled(&input.value),
        "required": input.required,
        "max_length": input.max,
    }))
}

fn choice_input(input: &ChoiceInput) -> Value {
    let with_default = |option: &SelectOption| {
        let mut body = select_option(option);
        if input.chosen.contains(&option.value) {
            body["default"] = true.into();
        }
        body
    };
    // One of them is what Discord takes where nothing is said.
    let range = (input.range != (1, 1)).then_some(input.range);
    stated(json!({
        "type": 3,
        "custom_id": input.id,
        "placeholder": filled(&input.placeholder),
        "options": input.options.iter().map(with_default).collect::<Vec<_>>(),
        "min_values": range.map(|(least, _)| least),
        "max_values": range.map(|(_, most)| most),
        "required": input.range.0 > 0,
    }))
}

fn member_input(input: &MemberInput) -> Value {
    stated(json!({
        "type": 5,
        "custom_id": input.id,
        "placeholder": filled(&input.placeholder),
        "default_values": input.chosen.map(|user| json!([{"type": "user", "id": user}])),
        "required": false,
        "min_values": 0,
        "max_values": 1,
    }))
}

/// A text for a field that Discord wants absent rather than empty.
fn filled(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// An object without the fields that say nothing.
fn stated(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
