//! Why an attachment cannot be read.

use thiserror::Error;

use super::MAX_BYTES;

/// What is wrong with an attachment, as a sentence for whoever attached it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DocumentError {
    /// Not from Discord's attachment hosts.
    #[error(
        "`{name}` is not an attachment of Discord's, and links to other places are not followed. Attach the file itself."
    )]
    Elsewhere {
        /// The file.
        name: String,
    },
    /// Over [`MAX_BYTES`].
    #[error("`{name}` is too large{}: at most {} fits. Shorten it, or attach the part that matters.", .size.map(|size| format!(" ({})", readable(size))).unwrap_or_default(), readable(MAX_BYTES as u64))]
    TooLarge {
        /// The file.
        name: String,
        /// Its size in bytes, if it was stated.
        size: Option<u64>,
    },
    /// Nothing to read in it.
    #[error(
        "`{name}` is empty: there is nothing to read in it. Attach a text or Markdown file with content."
    )]
    Empty {
        /// The file.
        name: String,
    },
    /// A kind of file that is not text.
    #[error("`{name}` is {what}; only plain text and Markdown are read for now. Attach it as .txt or .md.")]
    NotText {
        /// The file.
        name: String,
        /// Such as `a PDF document`.
        what: &'static str,
    },
    /// Text in an encoding other than UTF-8 (or UTF-16 that says so).
    #[error(
        "`{name}` is not text in UTF-8, so it cannot be read reliably. Save it again as UTF-8 and attach that."
    )]
    Encoding {
        /// The file.
        name: String,
    },
    /// Discord did not hand it out.
    #[error("`{name}` could not be fetched from Discord ({why}). Attach it again.")]
    Unavailable {
        /// The file.
        name: String,
        /// What happened, in a few words.
        why: String,
    },
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
        let large = |size| DocumentError::TooLarge { name: "plan.md".into(), size }.to_string();
        assert_eq!(
            large(Some(1_048_577)),
            "`plan.md` is too large (1.1 MiB): at most 1 MiB fits. Shorten it, or attach the part that matters."
        );
        assert!(large(None).starts_with("`plan.md` is too large: at most 1 MiB"));
    }
}
