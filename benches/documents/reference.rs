//! The readers of the field that Quorum is compared with.

use std::{path::Path, process::Command};

/// What the reader for a format finds in a file; nothing where there is none, or it cannot read it.
pub fn text(format: &str, file: &Path) -> Option<String> {
    let mut command = match format {
        "pdf" => {
            let mut command = Command::new("timeout");
            command.args(["60", "pdftotext", "-q", "-enc", "UTF-8"]).arg(file).arg("-");
            command
        }
        "docx" | "odt" | "epub" | "rtf" | "html" | "htm" | "pptx" => {
            let mut command = Command::new("timeout");
            command.args(["60", "pandoc", "--to=plain", "--wrap=none"]).arg(file);
            command
        }
        _ => return None,
    };
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
