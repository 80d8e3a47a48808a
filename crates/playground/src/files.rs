//! Attachments: their bytes, their addresses, and the signature without which they are not handed out.

use bytes::Bytes;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::message::Attachment;
use super::snowflake::{Id, now_ms};
use super::world::World;

/// A file as it came in, before it has an id.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Its name, with ending.
    pub filename: String,
    /// Its declared type; guessed from the ending when absent.
    pub content_type: Option<String>,
    /// Its bytes.
    pub bytes: Bytes,
}

/// Largest file that Discord takes without boosts, in bytes. The bot's own files are held to it everywhere.
pub(super) const LARGEST: usize = 10 * 1024 * 1024;
/// Largest file of a member in a server whose boosts have reached level 2, in bytes.
const LARGEST_BOOSTED: usize = 50 * 1024 * 1024;
/// How long an address works, in seconds. Discord documents that they expire, and about a day is what they last.
const LIFE_S: u64 = 24 * 3600;

impl Upload {
    /// A file of this name and content, its type guessed from the ending.
    #[must_use]
    pub fn new(filename: &str, bytes: impl Into<Bytes>) -> Self {
        Self { filename: filename.to_owned(), content_type: None, bytes: bytes.into() }
    }
}

impl World {
    /// Largest file that a member may attach in the server of this channel, in bytes.
    pub(super) fn largest_file(&self, channel: Id) -> usize {
        let guild = self.channels.get(&channel).and_then(|c| self.guilds.get(&c.guild));
        if guild.is_some_and(|guild| guild.boosts >= 2) { LARGEST_BOOSTED } else { LARGEST }
    }

    /// Keeps a file and gives it an id.
    pub(super) fn keep_file(&mut self, file: Upload, description: Option<String>) -> Attachment {
        let id = self.new_id();
        let attachment = Attachment {
            id,
            content_type: type_of(&file.filename)
                .or(file.content_type.as_deref())
                .unwrap_or("application/octet-stream")
                .to_owned(),
            filename: safe_name(&file.filename),
            description,
            size: file.bytes.len(),
            dimensions: png_size(&file.bytes),
        };
        self.files.insert(id, file.bytes);
        attachment
    }

    pub(super) fn attachment_json(&self, channel: Id, file: &Attachment) -> Value {
        let url = self.attachment_url(channel, file);
        let mut out = json!({
            "id": file.id.to_string(), "filename": file.filename, "size": file.size, "url": url,
            "proxy_url": url, "content_type": file.content_type,
        });
        if let Some(description) = &file.description {
            out["description"] = description.clone().into();
        }
        if let Some((width, height)) = file.dimensions {
            out["width"] = width.into();
            out["height"] = height.into();
        }
        out
    }

    /// A signed address; the same one for an hour, so that a page need not load an image again.
    pub(super) fn attachment_url(&self, channel: Id, file: &Attachment) -> String {
        let issued = now_ms() / 1000 / 3600 * 3600;
        let expires = issued + LIFE_S;
        let path = format!("/attachments/{channel}/{}/{}", file.id, file.filename);
        let signature = signature(&path, expires);
        format!("{}{path}?ex={expires:x}&is={issued:x}&hm={signature}", self.origin)
    }
}

/// Whether the query of an attachment's address is genuine and not expired.
pub(super) fn address_valid(path: &str, ex: &str, hm: &str) -> bool {
    u64::from_str_radix(ex, 16)
        .is_ok_and(|expires| expires > now_ms() / 1000 && signature(path, expires) == hm)
}

fn signature(path: &str, expires: u64) -> String {
    format!("{:x}", Sha256::digest(format!("playground:{path}:{expires}")))
}

/// A filename as Discord rewrites it: letters, digits, `.`, `-` and `_` stay.
fn safe_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' })
        .collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The type of a file by its ending.
pub(super) fn type_of(name: &str) -> Option<&'static str> {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    Some(match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "txt" | "log" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "json" => "application/json; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "pdf" => "application/pdf",
        "html" => "text/html; charset=utf-8",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "odt" => "application/vnd.oasis.opendocument.text",
        "zip" => "application/zip",
        _ => return None,
    })
}

/// Width and height from a PNG's header.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.get(..24).filter(|h| h.starts_with(b"\x89PNG\r\n\x1a\n"))?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_signed() {
        let path = "/attachments/1/2/a.png";
        let expires = now_ms() / 1000 + 10;
        let good = signature(path, expires);
        assert!(address_valid(path, &format!("{expires:x}"), &good));
        assert!(!address_valid("/attachments/1/2/b.png", &format!("{expires:x}"), &good));
        let past = now_ms() / 1000 - 1;
        assert!(!address_valid(path, &format!("{past:x}"), &signature(path, past)));
    }

    #[test]
    fn reads_a_pngs_size() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        png.extend([0, 0, 1, 0, 0, 0, 0, 7]);
        assert_eq!(png_size(&png), Some((256, 7)));
        assert_eq!(png_size(b"\x89PNG"), None);
    }
}
