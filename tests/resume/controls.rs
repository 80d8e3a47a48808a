//! Buttons, selects and forms as people find them on messages.

use domain::Draft;
use playground::{Client, Id, Seen};
use serde_json::Value;

/// Discord's flag of a message that still says "thinking…".
const LOADING: u64 = 1 << 7;

/// A button or select, and where it is.
#[derive(Clone)]
pub struct Control {
    pub channel: Id,
    pub message: Id,
    pub custom_id: String,
}

/// The draft that the `custom_id` of a private panel's control leads to.
pub fn draft(custom_id: &str) -> Option<Draft> {
    Draft::parse(custom_id.rsplit(':').next()?)
}

/// What a member is told who is to do it again: who pressed a button of the first card while the last of them were still
/// being written, who did something that the process died over before it was done, and who did it while the disk took
/// nothing.
const TOO_EARLY: [&str; 3] =
    ["Press again in a moment", "nothing was done. Please do it again", "nothing was changed. Try again"];

/// What a member was told, if it was answered for good.
pub fn answer(client: &Client, interaction: Id) -> Option<String> {
    told(client, interaction).filter(|told| !TOO_EARLY.iter().any(|again| told.contains(again)))
}

/// Whether a member was told to press again.
pub fn too_early(client: &Client, interaction: Id) -> bool {
    told(client, interaction).is_some_and(|told| TOO_EARLY.iter().any(|again| told.contains(again)))
}

fn told(client: &Client, interaction: Id) -> Option<String> {
    let seen = client.look(interaction);
    let thinks = |message: &Value| message["flags"].as_u64().unwrap_or(0) & LOADING != 0;
    let told = seen.failed.is_none() && !seen.messages.is_empty() && !seen.messages.iter().any(thinks);
    told.then(|| seen.text())
}

/// The control that means `verb` of a private message that was shown.
pub fn private(seen: &Seen, verb: &str) -> Option<(Id, String)> {
    seen.messages.iter().find_map(|message| Some((id(&message["id"]), control(message, verb)?)))
}

/// The `custom_id` of a message's control that means `verb` and can be used. Behind a colon stands what it is about,
/// or how that begins.
pub fn control(message: &Value, verb: &str) -> Option<String> {
    controls(message, verb).into_iter().next()
}

/// All of them.
pub fn controls(message: &Value, verb: &str) -> Vec<String> {
    let rows = message["components"].as_array().into_iter().flatten();
    let controls = rows.filter_map(|row| row["components"].as_array()).flatten();
    let usable = controls.filter(|control| control["disabled"] != true);
    let ids = usable.filter_map(|control| control["custom_id"].as_str());
    let (verb, about) = verb.split_once(':').unwrap_or((verb, ""));
    let means = |id: &&str| {
        let mut parts = id.splitn(4, ':').skip(2);
        parts.next() == Some(verb) && parts.next().is_some_and(|argument| argument.starts_with(about))
    };
    ids.filter(means).map(str::to_owned).collect()
}

/// The names of a form's boxes, from the top.
pub fn inputs(modal: &Value) -> Vec<String> {
    let rows = modal["components"].as_array().into_iter().flatten();
    let input = |row: &Value| row["component"]["custom_id"].as_str().map(str::to_owned);
    rows.filter_map(input).collect()
}

pub fn id(value: &Value) -> Id {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is no id"))
}
