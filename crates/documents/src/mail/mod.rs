//! Mails, and pages that Word and browsers save as one file (MHTML): the text as it was written, with who wrote it to whom and
//! when. Both are parts of one form (MIME, RFC 2045 to 2047), in letters of which most have a disguise.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::{
    Fault, MAX_TEXT, encoding,
    extract::{Extract, Places},
    html, text,
};
use domain::Omitted;

/// How deep parts and mails may lie in one another.
const DEEPEST: usize = 8;
/// Most parts that are looked at.
const MOST: usize = 500;
/// Longest head of a mail or a part, in bytes.
const HEAD: usize = 64 << 10;
/// What a mail is told by, of which two are there at least.
const SIGNS: [&str; 9] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "mime-version",
    "received",
    "return-path",
    "content-type",
];
/// What of a mail's head is read.
const SHOWN: [&str; 5] = ["From", "To", "Cc", "Date", "Subject"];

/// The lines of a head, by their names in small letters.
type Head = Vec<(String, String)>;

/// Reads bytes as a mail or a page saved as one file; nothing where they are another text.
pub(super) fn read(bytes: &[u8]) -> Option<Result<Extract, Fault>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (head, body) = parted(bytes)?;
    let is_one = head.iter().filter(|(name, _)| SIGNS.contains(&name.as_str())).count() >= 2
        && head.iter().any(|(name, _)| {
            matches!(name.as_str(), "message-id" | "mime-version" | "received" | "return-path")
        });
    is_one.then(|| {
        let mut mail = Mail::default();
        mail.add(&head, body, 0)?;
        Ok(Extract { omitted: mail.omitted(), ..Extract::whole(mail.text, Places::Lines) })
    })
}

/// What was read of a mail.
#[derive(Default)]
struct Mail {
    text: String,
    parts: usize,
    files: Vec<String>,
    unread: bool,
}

impl Mail {
    fn omitted(&self) -> Vec<Omitted> {
        let files = (!self.files.is_empty()).then(|| Omitted::Attachments(self.files.clone()));
        files.into_iter().chain(self.unread.then_some(Omitted::Parts)).collect()
    }

    /// Adds a mail: its head, and what it says.
    fn add(&mut self, head: &Head, body: &[u8], depth: usize) -> Result<(), Fault> {
        for name in SHOWN {
            if let Some(value) = of(head, &name.to_ascii_lowercase()) {
                let value = decoded_words(value);
                self.push(
                    &format!("{name}: {}", value.split_whitespace().collect::<Vec<_>>().join(" ")),
                    "\n",
                )?;
            }
        }
        self.part(head, body, depth)
    }

    /// Adds a part.
    fn part(&mut self, head: &Head, body: &[u8], depth: usize) -> Result<(), Fault> {
        self.parts += 1;
        if self.parts > MOST || depth > DEEPEST {
            self.unread = true;
            return Ok(());
        }
        let kind = of(head, "content-type").unwrap_or("text/plain");
        let name = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let file = parameter(of(head, "content-disposition").unwrap_or_default(), "filename")
            .or_else(|| parameter(kind, "name"));
        let attached = of(head, "content-disposition")
            .is_some_and(|how| how.trim_start().to_ascii_lowercase().starts_with("attachment"));
        match name.as_str() {
            kind_of if kind_of.starts_with("multipart/") => {
                let Some(mark) = parameter(kind, "boundary").filter(|mark| !mark.is_empty()) else {
                    return Err(Fault::Broken);
                };
                self.parts_of(kind_of, &parts(body, &mark), depth)
            }
            "message/rfc822" => {
                let body = undisguised(head, body);
                let Some((head, body)) = parted(&body) else {
                    self.unread = true;
                    return Ok(());
                };
                self.push("Forwarded message:", "\n\n")?;
                self.text.push('\n');
                self.add(&head, body, depth + 1)
            }
            "text/plain" | "text/html" if !attached => {
                let text = letters(&undisguised(head, body), parameter(kind, "charset").as_deref());
                let text = if name == "text/html" { html::read(&text)?.text } else { text::clean(&text) };
                self.push(text.trim(), "\n\n")
            }
            _ => {
                let unnamed = || name.split('/').next().unwrap_or_default().to_owned();
                let file = file.map_or_else(unnamed, |file| decoded_words(&file));
                self.files.push(super::extract::name_of(&file));
                Ok(())
            }
        }
    }

    fn parts_of(&mut self, kind: &str, parts: &[&[u8]], depth: usize) -> Result<(), Fault> {
        let parts: Vec<_> = parts.iter().take(MOST + 1).filter_map(|part| parted(part)).collect();
        let is = |(head, _): &&(Head, &[u8]), kind: &str| {
            of(head, "content-type")
                .unwrap_or("text/plain")
                .trim_start()
                .to_ascii_lowercase()
                .starts_with(kind)
        };
        if kind == "multipart/alternative" {
            // The same in several forms: the plain one is what every reader shows alike.
            let best = ["text/plain", "multipart/", "text/html"]
                .iter()
                .find_map(|kind| parts.iter().find(|part| is(part, kind)));
            return best.or(parts.last()).map_or(Ok(()), |(head, body)| self.part(head, body, depth + 1));
        }
        if kind == "multipart/related" {
            // A page, and what it shows: pictures, and how its letters look.
            let page = parts.iter().find(|part| is(part, "text/html")).or(parts.first());
            return page.map_or(Ok(()), |(head, body)| self.part(head, body, depth + 1));
        }
        parts.iter().try_for_each(|(head, body)| self.part(head, body, depth + 1))
    }

    fn push(&mut self, more: &str, gap: &str) -> Result<(), Fault> {
        if !more.is_empty() {
            let gap = if self.text.is_empty() || self.text.ends_with(":\n") { "" } else { gap };
            self.text.push_str(gap);
            self.text.push_str(&text::clean(more));
        }
        if self.text.len() > MAX_TEXT { Err(Fault::TooMuchText) } else { Ok(()) }
    }
}

/// A head and what stands below it; nothing where it is no head.
fn parted(bytes: &[u8]) -> Option<(Head, &[u8])> {
    let mut head = Head::new();
    let mut at = 0;
    while at < bytes.len() {
        if at > HEAD {
            return None;
        }
        let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
        let line = &bytes[at..end];
        at = end;
        let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        if line.is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            let (_, value) = head.last_mut()?;
            value.push(' ');
            value.push_str(line.trim());
            continue;
        }
        // The line of a mailbox stands before some.
        if head.is_empty() && line.starts_with("From ") {
            continue;
        }
        let (name, value) = line.split_once(':')?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        head.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Some((head, &bytes[at..]))
}

fn of<'a>(head: &'a Head, name: &str) -> Option<&'a str> {
    head.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

/// What a line of a head says besides, such as `charset="utf-8"`.
fn parameter(line: &str, name: &str) -> Option<String> {
    let mut rest = line.split_once(';')?.1;
    loop {
        let (key, value) = rest.split_once('=')?;
        let key = key.trim_matches([' ', '\t', ';']).to_ascii_lowercase();
        let value = value.trim_start();
        let (value, behind) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find([';', ' ']).unwrap_or(value.len())),
        };
        if key == name {
            return Some(value.to_owned());
        }
        // A name with letters beyond ASCII (RFC 2231).
        if key.strip_suffix('*') == Some(name) {
            let value = value.rsplit('\'').next().unwrap_or(value);
            return Some(percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned());
        }
        rest = behind;
    }
}

/// The parts between marks.
fn parts<'a>(body: &'a [u8], mark: &str) -> Vec<&'a [u8]> {
    let (mut parts, mut begun, mut at) = (Vec::new(), None, 0);
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let bare = line.trim_ascii_end();
        let rest = bare.strip_prefix(b"--").and_then(|rest| rest.strip_prefix(mark.as_bytes()));
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || *rest == b"--") {
            parts.extend(begun.map(|begun| &body[begun..at]));
            begun = rest.is_empty().then_some(at + line.len());
            if begun.is_none() || parts.len() > MOST {
                return parts;
            }
        }
        at += line.len();
    }
    // It was cut off before its end.
    parts.extend(begun.map(|begun| &body[begun..]));
    parts
}

/// The bytes of a part without their disguise.
fn undisguised(head: &Head, body: &[u8]) -> Vec<u8> {
    match of(head, "content-transfer-encoding").unwrap_or_default().to_ascii_lowercase().trim() {
        "base64" => from_base64(body),
        "quoted-printable" => from_quoted(body, false),
        _ => body.to_vec(),
    }
}

fn from_base64(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in body {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).unwrap_or_default());
        }
    }
    bytes
}

/// `=C3=BC`, and in heads `_` for a space.
fn from_quoted(body: &[u8], in_head: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        at += 1;
        match byte {
            b'_' if in_head => bytes.push(b' '),
            b'=' => {
                let pair = body.get(at..at + 2).and_then(|pair| std::str::from_utf8(pair).ok());
                if let Some(code) = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
                    bytes.push(code);
                    at += 2;
                } else if let Some(end) = line_end(&body[at..]) {
                    at += end;
                } else {
                    bytes.push(b'=');
                }
            }
            byte => bytes.push(byte),
        }
    }
    bytes
}

/// How long the end of a line is that stands here.
fn line_end(rest: &[u8]) -> Option<usize> {
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    match rest.get(spaces) {
        Some(b'\n') => Some(spaces + 1),
        None => Some(spaces),
        _ => None,
    }
}

/// Bytes in the encoding that they say they are in, or else in the most likely one.
fn letters(bytes: &[u8], label: Option<&str>) -> String {
    if let Ok(decoded) = text::decode(bytes) {
        let ascii = label.and_then(|label| Encoding::for_label(label.as_bytes()));
        if ascii.is_none_or(|encoding| encoding != encoding_rs::ISO_2022_JP) {
            return decoded;
        }
    }
    let said = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    match said.filter(|encoding| *encoding != UTF_8) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        None => encoding::decode(bytes).map_or_else(
            |_| WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
            |decoded| decoded.text,
        ),
    }
}

/// A line of a head: `=?utf-8?B?VW16dWc=?=`.
fn decoded_words(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    let mut after_word = false;
    while let Some(at) = rest.find("=?") {
        let before = &rest[..at];
        let word = rest[at + 2..].split_once("?=").and_then(|_| {
            let mut parts = rest[at + 2..].splitn(3, '?');
            let (charset, how, inside) = (parts.next()?, parts.next()?, parts.next()?);
            let (inside, _) = inside.split_once("?=")?;
            let bytes = match how {
                "B" | "b" => from_base64(inside.as_bytes()),
                "Q" | "q" => from_quoted(inside.as_bytes(), true),
                _ => return None,
            };
            let length = 2 + charset.len() + 1 + how.len() + 1 + inside.len() + 2;
            Some((letters(&bytes, charset.split('*').next()), length))
        });
        // The space between two of them is none.
        if !(after_word && word.is_some() && before.trim().is_empty()) {
            out.push_str(before);
        }
        after_word = word.is_some();
        let length = match word {
            Some((word, length)) => {
                out.push_str(&word);
                length
            }
            None => {
                out.push_str("=?");
                2
            }
        };
        rest = &rest[at + length..];
    }
    out + rest
}

#[cfg(test)]
mod tests;
