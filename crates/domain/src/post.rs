//! Posts: what is said on Discord, before it has Discord's wire form. The room `render` makes them within
//! Discord's limits, the room `discord` sends them.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::{Action, CustomId, RoleId, UserId};

/// A message: text, embeds, rows of buttons or selects, files.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Post {
    /// Plain text, at most 2,000 characters.
    pub content: String,
    /// At most 10, together at most 6,000 characters.
    pub embeds: Vec<Embed>,
    /// At most 5.
    pub rows: Vec<Row>,
    /// At most 10.
    pub files: Vec<File>,
    /// Whom this post may notify, and nobody else whatever its text says. Only a vote's reminder has any, and only
    /// where the server's settings allow it.
    #[serde(default, skip_serializing_if = "Pings::is_empty")]
    pub pings: Pings,
}

impl Post {
    /// What its buttons, selects and their like do; nothing of those of another version of the bot.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        let ids = self.rows.iter().flat_map(|row| match row {
            Row::Buttons(buttons) => buttons.iter().map(|button| &button.id).collect(),
            Row::Select(select) => vec![&select.id],
        });
        ids.filter_map(CustomId::action).collect()
    }
}

/// Members and roles that a post may notify.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pings {
    /// Members who are pinged.
    pub users: Vec<UserId>,
    /// Roles that are pinged.
    pub roles: Vec<RoleId>,
}

impl Pings {
    /// Pings nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.users.is_empty() && self.roles.is_empty()
    }
}

/// A card's body.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Embed {
    /// At most 256 characters.
    pub title: String,
    /// At most 4,096 characters of Markdown.
    pub description: String,
    /// The bar at its side.
    pub color: Color,
    /// At most 25.
    pub fields: Vec<Field>,
    /// At most 2,048 characters.
    pub footer: String,
    /// Above the title, at most 256 characters.
    pub author: String,
    /// Name of one of the post's files (jpg, png, webp or gif) to show inside.
    pub image: Option<String>,
}

/// The bar's colour. Meaning is never carried by it alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Nothing in particular.
    #[default]
    Neutral,
    /// Going on.
    Active,
    /// A strength, or done well.
    Good,
    /// A doubt, or degraded.
    Caution,
    /// A danger, or failed.
    Danger,
    /// The mediator's.
    Synthesis,
    /// Pro's; blue, which everybody tells from Con's.
    Pro,
    /// Con's; orange.
    Con,
}

impl Color {
    /// As Discord wants it, `0xRRGGBB`.
    #[must_use]
    pub fn rgb(self) -> u32 {
        match self {
            Self::Neutral => 0x0080_848e,
            Self::Active => 0x0058_65f2,
            Self::Good => 0x0023_a55a,
            Self::Caution => 0x00f0_b232,
            Self::Danger => 0x00da_373c,
            Self::Synthesis => 0x009b_59b6,
            Self::Pro => 0x002f_80c2,
            Self::Con => 0x00d9_822b,
        }
    }
}

/// A field of an embed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// 1 to 256 characters.
    pub name: String,
    /// 1 to 1,024 characters of Markdown.
    pub value: String,
    /// Beside others rather than below.
    pub inline: bool,
    /// Says how the card came about, such as who stood in for whom, rather than what came out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
}

impl Field {
    /// The same, as one that says how the card came about.
    #[must_use]
    pub fn inside(self) -> Self {
        Self { inside: true, ..self }
    }
}

/// A row below a post.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Row {
    /// At most 5 buttons.
    Buttons(Vec<Button>),
    /// One select menu.
    Select(Select),
}

/// What a button looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonStyle {
    /// The one thing to do.
    Primary,
    /// For everything else.
    Secondary,
    /// For what sets something going.
    Success,
    /// Cannot be undone.
    Danger,
}

/// A button.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Button {
    /// What it does.
    pub id: CustomId,
    /// At most 80 characters, of which a phone shows 34.
    pub label: String,
    /// Its look.
    pub style: ButtonStyle,
    /// Before the label: one Unicode emoji.
    pub emoji: Option<String>,
    /// Shown but not to be pressed.
    pub disabled: bool,
}

/// A select menu.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Select {
    /// What it does.
    pub id: CustomId,
    /// At most 150 characters.
    pub placeholder: String,
    /// 1 to 25.
    pub options: Vec<SelectOption>,
    /// Fewest and most that may be chosen.
    pub range: (u8, u8),
}

/// An option of a select menu.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelectOption {
    /// At most 100 characters.
    pub label: String,
    /// At most 100 characters, unique in the menu.
    pub value: String,
    /// At most 100 characters.
    pub description: String,
}

/// A file of a post.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Name with its ending; letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Said by screen readers instead of the picture; at most 1,024 characters.
    pub alt: String,
    /// What is in it.
    pub body: FileBody,
}

/// What is in a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileBody {
    /// Text as it is.
    Text(String),
    /// A drawing, sent as a PNG; it is turned into pixels only when it is sent.
    Svg(String),
    /// Bytes as they are (base64 in the journal).
    Bytes(#[serde(with = "as_base64")] Vec<u8>),
}

impl FileBody {
    /// Its size in bytes; of a drawing, as it is before it is turned into pixels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Svg(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

mod as_base64 {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::{Engine, STANDARD};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
