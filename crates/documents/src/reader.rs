//! The child process in which documents are read: it limits itself first, reads bytes, writes text.

use std::{
    io::{BufWriter, Read as _, Write as _, stdin, stdout},
    time::Duration,
};

use super::{
    Fault, MAX_BYTES, MAX_TEXT, MEMORY, PROCESSOR_SECONDS, archive, encoding,
    extract::{Extract, Places},
    html, mail, pdf, picture, rtf, sheet,
    sniff::{Foreign, Kind, sniff},
    text,
};
use crate::confine::{self, Bounds, Confine};

/// How much of its time a document is read for, before what was read of it is handed over.
const USED: f64 = 0.85;

/// What the hidden subcommand does: limits its own memory, time and files, reads a document from standard input and
/// writes what it found to standard output. `seconds` is its time on the processor, `how` it has to be shut in; with `pictures` what
/// has no text is handed over as pictures. Never returns to the bot's own code.
pub fn read_in_child(seconds: u64, how: Confine, pictures: bool) -> anyhow::Result<()> {
    let shut_in = confine::shut_in(Bounds { memory: MEMORY, seconds }, how)?;
    let mut bytes = Vec::new();
    stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    let answer = if shut_in {
        read(&bytes, Duration::from_secs(seconds).mul_f64(USED), pictures)
    } else {
        Err(Fault::Unconfined)
    };
    let mut out = BufWriter::new(stdout().lock());
    // On the last line: whatever a parser should have printed stands before it.
    out.write_all(b"\n")?;
    serde_json::to_writer(&mut out, &answer)?;
    out.flush()?;
    Ok(())
}

/// What the hidden subcommand does with `--probe`: says what a process that reads a document could do besides.
pub fn probe_in_child() -> anyhow::Result<()> {
    confine::probe_this_process(Bounds { memory: MEMORY, seconds: PROCESSOR_SECONDS })
}

/// Reads a document, whatever its kind is. One of many pages is read until so much of the
/// processor's time is used, and what it has behind them is named. With `pictures`, pages without text and files that are
/// pictures come as such.
pub(super) fn read(bytes: &[u8], until: Duration, pictures: bool) -> Result<Extract, Fault> {
    if bytes.is_empty() {
        return Err(Fault::Empty);
    }
    if bytes.len() > MAX_BYTES {
        return Err(Fault::TooLarge(None));
    }
    let extract = match sniff(bytes) {
        Kind::Pdf => pdf::read(bytes, until, pictures)?,
        Kind::Zip => archive::read(bytes)?,
        Kind::Rtf => rtf::read(bytes)?,
        Kind::Foreign(Foreign::OldOffice) if archive::is_sealed(bytes) => return Err(Fault::Encrypted),
        Kind::Foreign(Foreign::Picture) if pictures => picture::read(bytes)?,
        Kind::Foreign(Foreign::OldOffice) => match sheet::xls::read(bytes) {
            Some(book) => book?,
            None => return Err(Fault::Foreign(Foreign::OldOffice)),
        },
        Kind::Foreign(foreign) => return Err(Fault::Foreign(foreign)),
        Kind::Text => {
            if let Some(mail) = mail::read(bytes) {
                mail?
            } else if let Some(page) = html::decode(bytes)? {
                let mut extract = html::read(&page.text)?;
                extract.omitted.extend(page.told());
                extract
            } else {
                let decoded = encoding::decode(bytes)?;
                Extract {
                    omitted: decoded.told(),
                    ..Extract::whole(text::clean(&decoded.text), Places::Lines)
                }
            }
        }
    };
    if text::is_blank(&extract.text) && extract.pictures.is_empty() {
        return Err(Fault::Empty);
    }
    if extract.text.len() > MAX_TEXT {
        return Err(Fault::TooMuchText);
    }
    Ok(extract)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Extract, Fault> {
        super::read(bytes, Duration::MAX, false)
    }

    #[test]
    fn text_has_its_own_limit() {
        assert!(read(&vec![b'a'; MAX_TEXT]).is_ok());
        assert_eq!(read(&vec![b'a'; MAX_TEXT + 1]), Err(Fault::TooMuchText));
        assert_eq!(read(b""), Err(Fault::Empty));
        assert_eq!(read(b" \n\xef\xbb\xbf"), Err(Fault::Empty));
    }
}
