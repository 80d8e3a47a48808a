//! Limits of messages, and a request's body taken apart.

use std::collections::HashSet;

use serde_json::Value;

use super::super::files::{LARGEST, Upload};
use super::super::mentions::as_id;
use super::super::snowflake::Id;
use super::{Check, components, embeds::embeds, join};

/// Where a body was sent; each place documents its own properties.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    Create,
    /// The first message of a forum's post, which has no nonce.
    Post,
    Edit,
    /// The `data` of an interaction's callback.
    Callback,
    /// A follow-up or an edit through the interaction's webhook.
    Webhook,
}

/// Checks a message's body. `kept` are attachments that the message has already, by id and name.
pub(crate) fn body(
    check: &mut Check,
    place: Body,
    body: &Value,
    uploads: &[(u64, Upload)],
    kept: &[(Id, String)],
) {
    let names: &[&str] = match place {
        Body::Create => &[
            "content",
            "nonce",
            "tts",
            "embeds",
            "allowed_mentions",
            "message_reference",
            "components",
            "sticker_ids",
            "attachments",
            "flags",
            "enforce_nonce",
            "poll",
            "shared_client_theme",
        ],
        Body::Post => &[
            "content",
            "embeds",
            "allowed_mentions",
            "components",
            "sticker_ids",
            "attachments",
            "flags",
            "poll",
            "shared_client_theme",
        ],
        Body::Edit => &["content", "embeds", "flags", "allowed_mentions", "components", "attachments"],
        Body::Callback => {
            &["tts", "content", "embeds", "allowed_mentions", "flags", "components", "attachments", "poll"]
        }
        Body::Webhook => &[
            "content",
            "tts",
            "embeds",
            "allowed_mentions",
            "components",
            "attachments",
            "flags",
            "poll",
            "username",
            "avatar_url",
            "thread_name",
            "applied_tags",
        ],
    };
    check.known("", body, names);
    check.text("", body, "content", 0, 2000);
    nonce(check, body);
    check.number("", body, "flags", 0, u64::from(u32::MAX));
    allowed_mentions(check, &body["allowed_mentions"]);
    let mut names: Vec<String> = attachments(check, body, uploads, kept);
    names.extend(uploads.iter().map(|(_, file)| file.filename.clone()));
    embeds(check, body, &names);
    components(check, body);
}

fn nonce(check: &mut Check, body: &Value) {
    match &body["nonce"] {
        Value::String(text) if text.chars().count() > 25 => {
            check.error("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
        }
        Value::String(_) | Value::Number(_) | Value::Null => {}
        _ => check.error("nonce", "NONCE_TYPE_CONVERT", "Could not interpret value as a nonce."),
    }
}

fn allowed_mentions(check: &mut Check, allowed: &Value) {
    check.known("allowed_mentions", allowed, &["parse", "roles", "users", "replied_user"]);
    let parse: Vec<&str> =
        allowed["parse"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for kind in ["users", "roles"] {
        let ids = check.list("allowed_mentions", allowed, kind, 100);
        if !ids.is_empty() && parse.contains(&kind) {
            let message = format!("parse:[\"{kind}\"] and {kind}: [ids...] are mutually exclusive.");
            check.error("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message);
        }
    }
    if parse.iter().any(|kind| !["users", "roles", "everyone"].contains(kind)) {
        let message = "Value must be one of ('users', 'everyone', 'roles').";
        check.error("allowed_mentions.parse", "BASE_TYPE_CHOICES", message);
    }
}

/// Checks files and the `attachments` list; gives the names of attachments that stay.
fn attachments(
    check: &mut Check,
    body: &Value,
    uploads: &[(u64, Upload)],
    kept: &[(Id, String)],
) -> Vec<String> {
    let mut seen = HashSet::new();
    for (n, file) in uploads {
        if file.bytes.len() > LARGEST {
            let message = "File size exceeds the maximum of 10485760 bytes.";
            check.error(join("attachments", n), "FILE_TOO_LARGE", message);
        }
        if !seen.insert(n) {
            check.error(join("files", n), "FILE_DUPLICATED", "Two files have the same number.");
        }
    }
    if body["attachments"].is_null() {
        let names: Vec<String> = kept.iter().map(|(_, name)| name.clone()).collect();
        too_many(check, names.len() + uploads.len());
        return names;
    }
    let listed = check.list("", body, "attachments", 10);
    let mut names = Vec::new();
    let mut described = HashSet::new();
    for (n, part) in listed.iter().enumerate() {
        let path = join("attachments", n);
        let id = as_id(&part["id"]);
        check.text(&path, part, "description", 0, 1024);
        if let Some((_, name)) = kept.iter().find(|(kept, _)| Some(*kept) == id) {
            names.push(name.clone());
        } else if uploads.iter().any(|(number, _)| Some(*number) == id) {
            described.extend(id);
        } else {
            let message = "Uploaded attachment not found.";
            check.error(path, "ATTACHMENT_NOT_FOUND", message);
        }
    }
    too_many(check, names.len() + uploads.len());
    names
}

fn too_many(check: &mut Check, count: usize) {
    if count > 10 {
        check.error("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
    }
}
