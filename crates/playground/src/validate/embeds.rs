//! Limits of embeds (Discord, "Embed Limits").

use serde_json::Value;

use super::{Check, join};

/// Most characters over all embeds of a message.
const TOTAL: usize = 6000;
const IMAGE: &[&str] = &["http://", "https://", "attachment://"];
const LINK: &[&str] = &["http://", "https://", "discord://"];

/// Checks a message's embeds. `files` are the names that `attachment://` may refer to.
pub(super) fn embeds(check: &mut Check, body: &Value, files: &[String]) {
    let mut total = 0;
    for (n, embed) in check.list("", body, "embeds", 10).iter().enumerate() {
        total += one(check, &join("embeds", n), embed, files);
    }
    if total > TOTAL {
        let message = format!("Embed size exceeds maximum size of {TOTAL}");
        check.error("embeds", "MAX_EMBED_SIZE_EXCEEDED", message);
    }
}

fn one(check: &mut Check, path: &str, embed: &Value, files: &[String]) -> usize {
    check.known(
        path,
        embed,
        &[
            "title",
            "type",
            "description",
            "url",
            "timestamp",
            "color",
            "footer",
            "image",
            "thumbnail",
            "video",
            "provider",
            "author",
            "fields",
        ],
    );
    let mut total =
        check.text(path, embed, "title", 0, 256) + check.text(path, embed, "description", 0, 4096);
    check.url(path, embed, "url", LINK);
    check.number(path, embed, "color", 0, 0xFF_FFFF);
    if let Some(time) = embed["timestamp"].as_str()
        && chrono::DateTime::parse_from_rfc3339(time).is_err()
    {
        let message = format!("Could not parse {time}. Should be ISO8601.");
        check.error(join(path, "timestamp"), "DATE_TIME_TYPE_PARSE", message);
    }
    if !embed["footer"].is_null() {
        let path = join(path, "footer");
        check.known(&path, &embed["footer"], &["text", "icon_url", "proxy_icon_url"]);
        total += check.required_text(&path, &embed["footer"], "text", 2048);
        picture(check, &path, &embed["footer"], "icon_url", files);
    }
    if !embed["author"].is_null() {
        let path = join(path, "author");
        check.known(&path, &embed["author"], &["name", "url", "icon_url", "proxy_icon_url"]);
        total += check.required_text(&path, &embed["author"], "name", 256);
        check.url(&path, &embed["author"], "url", LINK);
        picture(check, &path, &embed["author"], "icon_url", files);
    }
    for name in ["image", "thumbnail"] {
        if !embed[name].is_null() {
            picture(check, &join(path, name), &embed[name], "url", files);
        }
    }
    for (n, field) in check.list(path, embed, "fields", 25).iter().enumerate() {
        let path = join(&join(path, "fields"), n);
        check.known(&path, field, &["name", "value", "inline"]);
        total += check.required_text(&path, field, "name", 256);
        total += check.required_text(&path, field, "value", 1024);
    }
    let empty = ["title", "description", "footer", "author", "image", "thumbnail", "fields"]
        .iter()
        .all(|name| embed[*name].is_null() || embed[*name].as_array().is_some_and(Vec::is_empty));
    if empty {
        check.error(join(path, "description"), "BASE_TYPE_REQUIRED", "This field is required");
    }
    total
}

fn picture(check: &mut Check, path: &str, value: &Value, name: &str, files: &[String]) {
    check.url(path, value, name, IMAGE);
    let Some(file) = value[name].as_str().and_then(|url| url.strip_prefix("attachment://")) else { return };
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if !files.iter().any(|known| known == file) {
        let message = format!("The attachment {file} is not part of this message.");
        check.error(join(path, name), "ATTACHMENT_NOT_FOUND", message);
    } else if !["jpg", "jpeg", "png", "webp", "gif"].contains(&ending.as_str()) {
        let message = "Only jpg, jpeg, png, webp and gif may be shown in an embed.";
        check.error(join(path, name), "ATTACHMENT_TYPE_INVALID", message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fails(embeds: Value) -> bool {
        let mut check = Check::default();
        super::embeds(&mut check, &json!({ "embeds": embeds }), &["chart.png".into(), "notes.txt".into()]);
        !check.ok()
    }

    #[test]
    fn limits() {
        let text = |n: usize| "x".repeat(n);
        assert!(!fails(json!([{"title": text(256), "description": text(4096)}])));
        assert!(fails(json!([{"title": text(257)}])));
        assert!(fails(json!([{"description": text(4097)}])));
        assert!(!fails(json!([{"description": format!("  {}  ", text(4096))}])), "white space is trimmed");
        assert!(fails(json!([{"description": text(4000)}, {"description": text(2001)}])), "6000 over all");
        assert!(!fails(json!([{"description": text(4000)}, {"description": text(2000)}])));
        let field = json!({"name": "n", "value": "v"});
        assert!(!fails(json!([{"fields": vec![field.clone(); 25]}])));
        assert!(fails(json!([{"fields": vec![field.clone(); 26]}])));
        assert!(fails(json!([{"fields": [{"name": "n", "value": text(1025)}]}])));
        assert!(fails(json!([{"fields": [{"name": " ", "value": "v"}]}])), "blank after trimming");
        assert!(fails(json!([{"footer": {"text": text(2049)}, "title": "t"}])));
        assert!(fails(json!([{"author": {"name": text(257)}}])));
        assert!(fails(json!(vec![json!({"title": "t"}); 11])));
        assert!(fails(json!([{}])), "an empty embed");
        assert!(fails(json!([{"title": "t", "color": 0x100_0000}])));
        assert!(fails(json!([{"title": "t", "timestamp": "yesterday"}])));
    }

    #[test]
    fn attachments_must_exist() {
        assert!(!fails(json!([{"image": {"url": "attachment://chart.png"}}])));
        assert!(fails(json!([{"image": {"url": "attachment://other.png"}}])));
        assert!(fails(json!([{"image": {"url": "attachment://notes.txt"}}])));
        assert!(fails(json!([{"image": {"url": "javascript:x"}}])));
    }
}
