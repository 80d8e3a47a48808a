//! The model's server: a process that ends with this one.

use std::{fs, path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Child,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use super::{LocalModelError, error::last_line, python::Python, setup::Ready};

/// Loading takes two seconds on an idle machine; a slow disk may take much longer.
const START: Duration = Duration::from_mins(2);

/// Starts the server and waits until it answers: its base, ending in `/v1`, and the task that holds it.
pub(super) async fn start(
    python: &Python,
    folder: &Path,
    ready: &Ready,
    name: &str,
) -> Result<(Url, AbortOnDropHandle<()>), LocalModelError> {
    let log = folder.join("server.log");
    let file = fs::File::create(&log).map_err(LocalModelError::file(&log))?;
    let mut command = python.command(["-I", "-u", "-c", include_str!("serve_model.py")]);
    command.arg(&ready.packages).arg(&ready.weights).arg(name);
    // The pipe to its standard input closes when this process ends, even by `kill -9`; it ends then too.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
    let mut child = command.spawn().map_err(LocalModelError::file(folder))?;
    let address = match child.stdout.take() {
        Some(output) => {
            let mut lines = BufReader::new(output).lines();
            timeout(START, lines.next_line()).await.ok().and_then(Result::ok).flatten()
        }
        None => None,
    };
    let base = address.and_then(|address| Url::parse(&format!("{}/v1", address.trim())).ok());
    let Some(base) = base else {
        let said = fs::read(&log).map(|bytes| last_line(&String::from_utf8_lossy(&bytes)));
        let said = said.unwrap_or_else(|error| error.to_string());
        return Err(LocalModelError::Server { log, said, folder: folder.to_owned() });
    };
    let task = tokio::spawn(watch(child, log.display().to_string()));
    Ok((base, AbortOnDropHandle::new(task)))
}

/// Holds the process (and its standard input) and says so if it ends by itself.
async fn watch(mut child: Child, log: String) {
    let _stdin = child.stdin.take();
    let end = child.wait().await;
    let status = end.map_or_else(|error| error.to_string(), |status| status.to_string());
    tracing::error!(
        %status,
        "the small model's server ended; its log is {log}. Start `quorum playground --local-model` again"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_does_not_start_is_said_with_its_last_words() {
        let folder = tempfile::tempdir().unwrap();
        let Ok(python) = Python::find(&["python3"]).await else { return };
        let ready = Ready { weights: folder.path().join("none"), packages: folder.path().join("none") };
        let error = start(&python, folder.path(), &ready, "none").await.unwrap_err().to_string();
        assert!(error.contains("No module named 'xllamacpp'"), "{error}");
    }
}
