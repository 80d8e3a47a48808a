//! The parent's side of the child process in which a document is read.

use std::{
    io,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStdin, ChildStdout},
    time::timeout,
};

use super::{Documents, Fault, MAX_PICTURES, MAX_TEXT, PICTURES, SUBCOMMAND, extract::Extract};
use crate::confine::{self, Confine, Confinement};

/// Most time that the child gets once it has the whole file. Its time on the processor is limited much closer; this
/// is for one that only waits, and long enough for a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(1);

/// Longest answer, in bytes: the text, of which every character may be escaped, and where its pages begin.
const MAX_ANSWER: usize = 4 * MAX_TEXT;

/// The same of one that was asked for pictures too.
const MAX_SEEN: usize = MAX_ANSWER + MAX_PICTURES;

/// A child that reads one document. Dropped, it is killed.
pub(super) struct ReaderChild {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    most: usize,
}

impl ReaderChild {
    /// Starts the child; `pictures`: it hands over what has no text as pictures.
    pub(super) fn start(program: &Path, how: Confine, pictures: bool) -> io::Result<Self> {
        let mut command = confine::child(program, SUBCOMMAND, how);
        command.args(pictures.then(|| format!("--{PICTURES}")));
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let most = if pictures { MAX_SEEN } else { MAX_ANSWER };
        Ok(Self { child, stdin, stdout, most })
    }

    /// Hands some of the file on. False: the child takes no more, and why is in what it answers.
    pub(super) async fn feed(&mut self, bytes: &[u8]) -> bool {
        let Some(stdin) = &mut self.stdin else { return false };
        let taken = stdin.write_all(bytes).await.is_ok();
        if !taken {
            self.stdin = None;
        }
        taken
    }

    /// Ends the child, and waits until it is no more.
    pub(super) async fn stop(mut self) {
        // One that cannot be killed has ended by itself.
        let _ = self.child.kill().await;
    }

    /// What the child makes of the file, of which it has all now. It is no more after that, or close to it.
    pub(super) async fn finish(&mut self) -> Result<Extract, Fault> {
        let whole = self.stdin.take().is_some();
        let Ok(ended) = timeout(PATIENCE, self.end()).await else { return Err(Fault::BeyondLimits) };
        let (status, answer) = ended.unwrap_or_else(|error| {
            tracing::warn!(%error, "the answer of a process that read a document was lost");
            (None, Vec::new())
        });
        let judged = judge(status, &answer);
        // Whoever has not read all of a file cannot say what is in it.
        if whole { judged } else { judged.and(Err(Fault::Broken)) }
    }

    /// Its answer, and how it ended; nothing of that where it answers without end.
    async fn end(&mut self) -> io::Result<(Option<ExitStatus>, Vec<u8>)> {
        let mut answer = Vec::new();
        (&mut self.stdout).take(self.most as u64 + 1).read_to_end(&mut answer).await?;
        if answer.len() > self.most {
            return Ok((None, Vec::new()));
        }
        Ok((Some(self.child.wait().await?), answer))
    }
}

impl Documents {
    /// What a process that reads a document could do besides on this machine.
    pub async fn confinement(&self) -> anyhow::Result<Confinement> {
        let probe = confine::child(self.program(), SUBCOMMAND, Confine::Strictly)
            .arg("--probe")
            .stdin(Stdio::null())
            .output();
        Ok(serde_json::from_slice(&probe.await?.stdout)?)
    }
}

/// What an ended child has said, or what its end says.
fn judge(status: Option<ExitStatus>, answer: &[u8]) -> Result<Extract, Fault> {
    let Some(status) = status else { return Err(Fault::Broken) };
    if status.success() {
        let line = answer.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        return match serde_json::from_slice::<Result<Extract, Fault>>(line) {
            Ok(Ok(extract)) if extract.is_sound() => Ok(extract),
            Ok(Err(fault)) => Err(fault),
            _ => {
                tracing::warn!("a process that read a document gave an answer that cannot be");
                Err(Fault::Broken)
            }
        };
    }
    // Out of memory, over its stack or over its time, it dies of a signal; a parser that gives up does not.
    if status.code().is_none() { Err(Fault::BeyondLimits) } else { Err(Fault::Broken) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn whatever_a_child_answers_is_a_document_or_a_sentence() {
        let judge = |raw: i32, answer: &str| judge(Some(ExitStatus::from_raw(raw)), answer.as_bytes());
        let good = r#"{"Ok":{"text":"a","places":"lines"}}"#;
        assert_eq!(judge(0, good).unwrap().text, "a");
        assert_eq!(judge(0, &format!("chatter\n{good}")).unwrap().text, "a");
        assert_eq!(judge(0, r#"{"Err":"scanned"}"#), Err(Fault::Scanned));
        for garbage in ["", "{", "null", good.trim_end_matches('}'), r#"{"Ok":{"text":"","places":"lines"}}"#]
        {
            assert_eq!(judge(0, garbage), Err(Fault::Broken), "{garbage}");
        }
        // A panic is exit code 101; the others are signals.
        assert_eq!(judge(101 << 8, good), Err(Fault::Broken));
        for signal in [6, 9, 11, 24] {
            assert_eq!(judge(signal, good), Err(Fault::BeyondLimits), "{signal}");
        }
    }
}
