//! Pure: the JSON Discord wants for what the domain says (documentation, resources/message and
//! components/reference).

use serde_json::{Map, Value, json};

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
    let mut body = Object::new();
    body.put("id", at);
    body.put("filename", &*upload.name);
    body.put_text("description", &upload.alt);
    body.into()
}

fn embed(embed: &Embed) -> Value {
    let mut body = Object::new();
    body.put_text("title", &embed.title);
    body.put_text("description", &embed.description);
    body.put("color", embed.color.rgb());
    if !embed.fields.is_empty() {
        let field =
            |field: &domain::Field| json!({"name": field.name, "value": field.value, "inline": field.inline});
        body.put("fields", embed.fields.iter().map(field).collect::<Vec<_>>());
    }
    if !embed.footer.is_empty() {
        body.put("footer", json!({"text": embed.footer}));
    }
    if !embed.author.is_empty() {
        body.put("author", json!({"name": embed.author}));
    }
    if let Some(name) = &embed.image {
        body.put("image", json!({"url": format!("attachment://{name}")}));
    }
    body.into()
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
    let mut body = Object::new();
    body.put("type", 2);
    body.put("style", style);
    body.put("custom_id", button.id.to_string());
    body.put_text("label", &button.label);
    if let Some(emoji) = &button.emoji {
        body.put("emoji", json!({"name": emoji}));
    }
    body.put("disabled", button.disabled);
    body.into()
}

fn select(menu: &Select) -> Value {
    let mut body = Object::new();
    body.put("type", 3);
    body.put("custom_id", menu.id.to_string());
    body.put_text("placeholder", &menu.placeholder);
    body.put("options", menu.options.iter().map(select_option).collect::<Vec<_>>());
    body.put("min_values", menu.range.0);
    body.put("max_values", menu.range.1);
    body.into()
}

fn select_option(option: &SelectOption) -> Value {
    let mut body = Object::new();
    body.put("label", &*option.label);
    body.put("value", &*option.value);
    body.put_text("description", &option.description);
    body.into()
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
    let mut body = Object::new();
    body.put("type", 18);
    body.put("label", input.label());
    match input {
        Input::Text(input) => body.put("component", text_input(input)),
        Input::Choice(input) => {
            body.put_text("description", &input.description);
            body.put("component", choice_input(input));
        }
        Input::Member(input) => body.put("component", member_input(input)),
    }
    body.into()
}

fn text_input(input: &TextInput) -> Value {
    let mut body = Object::new();
    body.put("type", 4);
    body.put("custom_id", &*input.id);
    body.put("style", if input.paragraph { 2 } else { 1 });
    body.put_text("placeholder", &input.placeholder);
    body.put_text("value", &input.value);
    body.put("required", input.required);
    body.put("max_length", input.max);
    body.into()
}

fn choice_input(input: &ChoiceInput) -> Value {
    let with_default = |option: &SelectOption| {
        let mut body = select_option(option);
        if input.chosen.contains(&option.value) {
            body["default"] = true.into();
        }
        body
    };
    let mut body = Object::new();
    body.put("type", 3);
    body.put("custom_id", &*input.id);
    body.put_text("placeholder", &input.placeholder);
    body.put("options", input.options.iter().map(with_default).collect::<Vec<_>>());
    if input.range != (1, 1) {
        body.put("min_values", input.range.0);
        body.put("max_values", input.range.1);
    }
    body.put("required", input.range.0 > 0);
    body.into()
}

fn member_input(input: &MemberInput) -> Value {
    let mut body = Object::new();
    body.put("type", 5);
    body.put("custom_id", &*input.id);
    body.put_text("placeholder", &input.placeholder);
    if let Some(user) = input.chosen {
        body.put("default_values", json!([{"type": "user", "id": user}]));
    }
    body.put("required", false);
    body.put("min_values", 0);
    body.put("max_values", 1);
    body.into()
}

/// A JSON object that is filled field by field.
struct Object(Map<String, Value>);

impl Object {
    fn new() -> Self {
        Self(Map::new())
    }

    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Leaves the field out if the text is empty, for fields that Discord wants absent rather than empty.
    fn put_text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.put(name, text);
        }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object.0)
    }
}
