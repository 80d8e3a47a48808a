//! Why a document cannot be read.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{MAX_BYTES, MAX_TEXT, MAX_UNPACKED, picture, sniff::Foreign};

/// What is wrong with a document, as a sentence for whoever attached it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .fault.sentence(.name))]
pub struct DocumentError {
    /// The file, as it can stand in a message.
    pub name: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What can be wrong with a document. The reading child says it in this form, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Not from Discord's attachment hosts.
    Elsewhere,
    /// Over [`MAX_BYTES`]; with its size in bytes, if it was stated.
    TooLarge(Option<u64>),
    /// More than [`MAX_TEXT`] of text.
    TooMuchText,
    /// More than [`MAX_TEXT`] in several files together.
    TooMuchTogether,
    /// Nothing to read in it.
    Empty,
    /// A kind of file that is not read.
    Foreign(Foreign),
    /// Text in an encoding that cannot be told, or in another one than it says.
    Encoding,
    /// It opens with a password only.
    Encrypted,
    /// A PDF whose pages have no text.
    Scanned,
    /// A picture of more points a side, or more bytes, than models take; with its points, if that is it.
    LargePicture(Option<(u64, u64)>),
    /// A picture whose header is damaged.
    BrokenPicture,
    /// A PDF whose pages have lines and areas only.
    Drawn,
    /// A PDF whose fonts do not say which letters they draw.
    Unlettered,
    /// A PDF form (XFA) that its program draws anew each time it opens.
    LiveForm,
    /// A PDF that holds other files, and has a cover for them.
    Portfolio,
    /// A part of it unpacks to more than [`MAX_UNPACKED`].
    Unpacks,
    /// XML that declares entities, as no office program writes it.
    Entities,
    /// HTML whose elements lie inside one another deeper than any page needs.
    TooDeep,
    /// Damaged, or built as it should not be.
    Broken,
    /// Reading it took more memory or time than there is for one document.
    BeyondLimits,
    /// Too many others were being read.
    Busy,
    /// The system does not shut in the process that reads, and nobody allowed it to read all the same.
    Unconfined,
    /// The reading process could not be started.
    NoReader,
    /// Discord did not hand it out.
    Unavailable(Missing),
}

/// Why Discord did not hand a file out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Status 404, 403 or 410.
    Gone,
    /// Another place was named, and links are not followed.
    Redirected,
    /// Nothing more came for a while.
    Slow,
    /// The connection broke.
    Broke,
    /// Another status than success.
    Status(u16),
}

impl Fault {
    /// With the file that has it.
    pub(super) fn of(self, name: &str) -> DocumentError {
        DocumentError { name: name.to_owned(), fault: self }
    }

    /// What happened to the file of this name, and what to do.
    fn sentence(self, name: &str) -> String {
        match self {
            Self::Elsewhere => format!(
                "`{name}` is not an attachment of Discord's, and links to other places are not followed. Attach the file itself."
            ),
            Self::TooLarge(size) => {
                let size = size.map(|size| format!(" ({})", readable(size))).unwrap_or_default();
                format!(
                    "`{name}` is too large{size}: at most {} fits. Shorten it, or attach the part that matters.",
                    readable(MAX_BYTES as u64)
                )
            }
            Self::TooMuchText => format!(
                "`{name}` has too much text: at most {} of it is read. Shorten it, or attach the part that matters.",
                readable(MAX_TEXT as u64)
            ),
            Self::TooMuchTogether => format!(
                "`{name}` have too much text together: at most {} of all of it is read. Leave one of them out, or attach the parts that matter.",
                readable(MAX_TEXT as u64)
            ),
            Self::Empty => {
                format!("`{name}` is empty: there is nothing to read in it. Attach a file with text.")
            }
            Self::Foreign(foreign) => {
                format!("`{name}` is {}, which is not read. {}", foreign.what(), foreign.todo())
            }
            Self::Encoding => format!(
                "`{name}` is not text in UTF-8, nor in an encoding that can be told from its letters, so it cannot be read reliably. Save it again as UTF-8 and attach that."
            ),
            Self::Encrypted => format!(
                "`{name}` is encrypted: it opens with a password only. Save it without one and attach that."
            ),
            Self::Scanned => format!(
                "`{name}` has no text on its pages, only pictures of it, as a scan has. Let a program recognise the text (OCR), or attach the text itself."
            ),
            Self::LargePicture(Some((wide, high))) => format!(
                "`{name}` is a picture of {wide} × {high} points, and none of more than {} a side is read. Save it smaller, or attach the part that matters.",
                picture::SIDE
            ),
            Self::BrokenPicture => format!(
                "`{name}` is a picture that is damaged, so it is not read. Save it again as PNG or JPEG and attach that."
            ),
            Self::LargePicture(None) => format!(
                "`{name}` is a picture of more than {}, which models do not take. Save it smaller, or attach the part that matters.",
                readable(picture::BYTES as u64)
            ),
            Self::Drawn => format!(
                "`{name}` has no text on its pages, only drawings; what looks like letters there is drawn as shapes. Let a program recognise the text (OCR), or attach the text itself."
            ),
            Self::Unlettered => format!(
                "`{name}` is drawn in fonts that do not say which letters they are, so there is no text to read. Print it to PDF again, let a program recognise it (OCR), or attach the text itself."
            ),
            Self::LiveForm => format!(
                "`{name}` is a form that only Adobe's programs draw (XFA): its pages hold no more than a line that asks to wait. Open it there, print it to PDF and attach that."
            ),
            Self::Portfolio => format!(
                "`{name}` is a portfolio: a PDF that holds other files behind a cover. Open it, save what is in it, and attach the documents themselves."
            ),
            Self::Unpacks => format!(
                "`{name}` unpacks to more than {}, which is more than can be read. Save it as plain text or print it to PDF and attach that.",
                readable(MAX_UNPACKED)
            ),
            Self::Entities => format!(
                "`{name}` declares XML entities, with which a document can reach for other files, so it is not read. Save it again with an office program, or as plain text, and attach that."
            ),
            Self::TooDeep => format!(
                "`{name}` has elements inside one another thousands deep, as no page needs them, so it is not read. Save it as plain text or print it to PDF and attach that."
            ),
            Self::Broken => format!(
                "`{name}` could not be read: it is damaged, or built in a way that is not understood. Save it as plain text or print it to PDF and attach that."
            ),
            Self::BeyondLimits => format!(
                "`{name}` could not be read within its limits of memory and time. Save it as plain text or print it to PDF and attach that."
            ),
            Self::Busy => format!(
                "`{name}` was not read, because too many documents are being read at this moment. Try again in a minute."
            ),
            Self::Unconfined => format!(
                "`{name}` is not read: the system of the machine I run on cannot shut in the process that would read it. Paste its text instead of attaching it, and tell whoever runs this bot; `quorum doctor` says what to do."
            ),
            Self::NoReader => format!(
                "`{name}` was not read, because of a fault here and not in the file. Try again in a minute; if it stays so, tell whoever runs this bot."
            ),
            Self::Unavailable(why) => {
                format!("`{name}` could not be fetched from Discord ({why}). Attach it again.")
            }
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("its link has expired or it was deleted"),
            Self::Redirected => f.write_str("it was redirected"),
            Self::Slow => f.write_str("it took too long"),
            Self::Broke => f.write_str("the connection broke"),
            Self::Status(status) => write!(f, "status {status}"),
        }
    }
}

/// A size as people write it.
fn readable(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KiB", bytes.div_ceil(1_024)),
        _ => {
            // In tenths, rounded up: a file over the limit never reads as being at it.
            let tenths = bytes.saturating_mul(10).div_ceil(1 << 20);
            if tenths.is_multiple_of(10) {
                format!("{} MiB", tenths / 10)
            } else {
                format!("{}.{} MiB", tenths / 10, tenths % 10)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file_the_size_and_the_limit() {
        let large = |size| Fault::TooLarge(size).of("plan.md").to_string();
        assert_eq!(
            large(Some(MAX_BYTES as u64 + 1)),
            "`plan.md` is too large (25.1 MiB): at most 25 MiB fits. Shorten it, or attach the part that matters."
        );
        assert!(large(None).starts_with("`plan.md` is too large: at most 25 MiB"));
        assert!(Fault::TooMuchText.of("plan.md").to_string().contains("at most 1 MiB of it"));
    }
}
