//! The model's server: a process that ends with this one.

use std::{fs, path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Child,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use super::{LocalModelError, Weights, error::last_line, python::Python, setup::Ready, speed::Speed};

/// Loading and a look at how fast it is take a few seconds on an idle machine; a slow disk and gigabytes of weights may
/// take much longer.
const START: Duration = Duration::from_mins(5);

/// Starts the server and waits until it answers: its base, ending in `/v1`, how fast it is, and the task that holds it.
pub(super) async fn start(
    python: &Python,
    folder: &Path,
    ready: &Ready,
    weights: &Weights,
) -> Result<(Url, Option<Speed>, AbortOnDropHandle<()>), LocalModelError> {
    let log = folder.join("server.log");
    let file = fs::File::create(&log).map_err(LocalModelError::file(&log))?;
    let mut command = python.command(["-I", "-u", "-c", include_str!("serve_model.py")]);
    let serving = weights.serving();
    command.arg(&ready.packages).arg(&ready.weights).arg(weights.name());
    command.args([serving.parallel, serving.context, serving.threads].map(|number| number.to_string()));
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
    let address = address.unwrap_or_default();
    let mut words = address.split_whitespace();
    let base = words.next().and_then(|address| Url::parse(&format!("{address}/v1")).ok());
    let speed = words.next().zip(words.next()).and_then(|(reads, writes)| Speed::parse(reads, writes));
    let Some(base) = base else {
        let said = fs::read(&log).map(|bytes| last_line(&String::from_utf8_lossy(&bytes)));
        let said = said.unwrap_or_else(|error| error.to_string());
        return Err(LocalModelError::Server { log, said, folder: folder.to_owned() });
    };
    let task = tokio::spawn(watch(child, log.display().to_string()));
    Ok((base, speed, AbortOnDropHandle::new(task)))
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
    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// As much of the package `xllamacpp` as the script uses, with a real server of a real health check.
    const STAND_IN: &str = r#"
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    def __init__(self):
        part = SimpleNamespace
        super().__init__(model=part(), cpuparams=part(), cpuparams_batch=part())


class Health(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()

    def do_POST(self):
        self.send_response(200 if self.path == "/v1/chat/completions" else 404)
        self.end_headers()
        self.wfile.write(b'{"timings": {"prompt_per_second": 100.0, "predicted_per_second": 12.5}}')


class Server:
    def __init__(self, params):
        print("a log line on standard output")
        server = ThreadingHTTPServer((params.hostnames[0], params.port), Health)
        self.listening_address = "http://127.0.0.1:%d" % server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
"#;

    /// A folder with the stand-in; `None` without Python, which is not demanded of who builds this.
    async fn stand_in() -> Option<(tempfile::TempDir, Python, Ready)> {
        let python = Python::find(&["python3"]).await.ok()?;
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("xllamacpp.py"), STAND_IN).unwrap();
        let ready = Ready { weights: folder.path().join("weights"), packages: folder.path().to_owned() };
        Some((folder, python, ready))
    }

    async fn answers(base: &Url) -> bool {
        tokio::net::TcpStream::connect(("127.0.0.1", base.port().unwrap())).await.is_ok()
    }

    async fn gone(base: &Url) -> bool {
        for _ in 0..100 {
            if !answers(base).await {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        false
    }

    #[tokio::test]
    async fn the_server_answers_until_it_is_dropped() {
        let Some((folder, python, ready)) = stand_in().await else { return };
        let (base, speed, server) = start(&python, folder.path(), &ready, &Weights::Small).await.unwrap();
        assert_eq!(speed, Speed::parse("100", "12.5"));
        assert_eq!((base.host_str(), base.path()), (Some("127.0.0.1"), "/v1"));
        assert!(answers(&base).await);
        drop(server);
        assert!(gone(&base).await, "it outlived what held it");
    }

    #[tokio::test]
    async fn the_server_ends_when_its_parents_end_of_the_pipe_closes() {
        let Some((_folder, python, ready)) = stand_in().await else { return };
        let mut command = python.command(["-I", "-u", "-c", include_str!("serve_model.py")]);
        command.arg(&ready.packages).arg(&ready.weights).args(["tiny", "1", "512", "1"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        output.read_line(&mut address).await.unwrap();
        let base = Url::parse(address.split_whitespace().next().unwrap()).unwrap();
        assert!(answers(&base).await);
        drop(child.stdin.take());
        let status = timeout(Duration::from_secs(5), child.wait()).await.expect("it went on").unwrap();
        assert!(status.success(), "{status}");
        let mut rest = String::new();
        output.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "", "only the address is printed");
    }

    #[tokio::test]
    async fn a_server_that_does_not_start_is_said_with_its_last_words() {
        let Some((folder, python, ready)) = stand_in().await else { return };
        // Broken rather than gone: the machine may have one of its own.
        fs::write(folder.path().join("xllamacpp.py"), "raise ImportError('no such processor')").unwrap();
        let error = start(&python, folder.path(), &ready, &Weights::Small).await.unwrap_err().to_string();
        assert!(error.contains("ImportError: no such processor"), "{error}");
        assert!(error.contains("server.log") && error.contains("start again"), "{error}");
    }
}
