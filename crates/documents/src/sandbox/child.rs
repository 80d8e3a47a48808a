//! The parent's side of the child process in which code runs.

use std::{
    io,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};

use super::{BOUNDS, MAX_KEPT, SUBCOMMAND, interpreter::Outcome, too_much_memory};
use crate::confine::{self, Confine};
use domain::Ran;

/// Most time that the child gets, on a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(1);

/// Longest answer, in bytes: what was printed, and the outcome, of which every character may be escaped.
const MAX_ANSWER: u64 = 10 * MAX_KEPT as u64;

/// Most that is read of what the child says to standard error before it dies.
const MAX_LAST_WORDS: u64 = 4 << 10;

/// Runs code in a child of its own, which is no more after that.
pub(super) async fn run(program: &Path, how: Confine, code: &str) -> io::Result<Ran> {
    let mut child = confine::child(program, SUBCOMMAND, how).stderr(Stdio::piped()).spawn()?;
    let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let talk = async {
        if let Some(mut stdin) = stdin.take() {
            // One that takes no more has ended, and how is seen below.
            let _ = stdin.write_all(code.as_bytes()).await;
        }
        let (answer, last_words) = tokio::join!(some(stdout, MAX_ANSWER), some(stderr, MAX_LAST_WORDS));
        Ok::<_, io::Error>((answer, last_words, child.wait().await?))
    };
    let talked = timeout(PATIENCE, talk).await;
    let Ok(ended) = talked else {
        let _ = child.kill().await;
        return Ok(Ran::failed(format!(
            "It was ended after {} seconds without a result.",
            PATIENCE.as_secs()
        )));
    };
    let (answer, last_words, status) = ended?;
    Ok(judge(status, &answer, &String::from_utf8_lossy(&last_words)))
}

/// What somebody says, at most so much; a pipe that breaks has ended.
async fn some(pipe: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut said = Vec::new();
    if let Some(pipe) = pipe {
        let _ = pipe.take(most).read_to_end(&mut said).await;
    }
    said
}

/// What an ended child has said, and what its end says.
fn judge(status: ExitStatus, answer: &[u8], last_words: &str) -> Ran {
    // What was printed, a sign where the rest was left out, and at the end what came of it.
    let mut parts = answer.split(|&byte| byte == 0);
    let printed = clean(&String::from_utf8_lossy(parts.next().unwrap_or_default()));
    let rest: Vec<&[u8]> = parts.collect();
    let outcome = rest.last().and_then(|last| serde_json::from_slice::<Outcome>(last).ok());
    match outcome {
        Some(outcome) if status.success() => Ran {
            printed,
            value: outcome.value.map(|value| clean(&value)),
            error: outcome.error.map(|error| clean(&error)),
            cut: outcome.left_out > 0,
            left_out: outcome.left_out,
        },
        _ => Ran { printed, cut: !rest.is_empty(), ..Ran::failed(death(status, last_words)) },
    }
}

/// Why the child died, as a sentence.
fn death(status: ExitStatus, last_words: &str) -> String {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let says = |words: &[&str]| words.iter().any(|word| last_words.contains(word));
    match signal {
        // SIGKILL and SIGXCPU: the system's limit of time on the processor.
        Some(9 | 24) => format!("It was ended because it computed for more than {} seconds.", BOUNDS.seconds),
        _ if says(&["memory allocation", "capacity overflow"]) => too_much_memory(),
        _ if says(&["overflowed its stack"]) => {
            "It was ended because it nests or recurses too deep.".to_owned()
        }
        _ => {
            tracing::warn!(%status, last_words, "a process that ran code ended for no reason that is known");
            "The interpreter gave up on this code.".to_owned()
        }
    }
}

/// Text without what is only there to be invisible.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn whatever_a_child_answers_is_a_result_with_a_sentence() {
        let judge =
            |raw: i32, answer: &str, words: &str| judge(ExitStatus::from_raw(raw), answer.as_bytes(), words);
        let whole = judge(0, "a\n\0{\"value\":\"1\",\"error\":null,\"left_out\":0}", "");
        assert_eq!(whole, Ran { printed: "a\n".into(), value: Some("1".into()), ..Ran::default() });
        let cut = judge(0, "a\0\0{\"value\":null,\"error\":null,\"left_out\":9}", "");
        assert_eq!((cut.printed.as_str(), cut.cut, cut.left_out, cut.error), ("a", true, 9, None));
        let error = |raw, answer: &str, words: &str| judge(raw, answer, words).error.unwrap();
        for garbage in ["", "\0", "a\0{", "{\"value\":null,\"error\":null,\"left_out\":0}"] {
            assert_eq!(error(0, garbage, ""), "The interpreter gave up on this code.", "{garbage}");
        }
        for (raw, words, told) in [
            (9, "", "computed for more than 5 seconds"),
            (24, "", "computed for more than 5 seconds"),
            (6, "memory allocation of 9 bytes failed", "more than 256 MB of memory"),
            (101 << 8, "panicked: capacity overflow", "more than 256 MB of memory"),
            (6, "thread 'main' has overflowed its stack", "recurses too deep"),
            (101 << 8, "index out of bounds", "gave up"),
        ] {
            assert!(error(raw, "", words).contains(told), "{words}");
        }
        let killed = judge(9, "a\u{1b}[31m\0", "");
        assert_eq!((killed.printed.as_str(), killed.cut), ("a[31m", true));
    }
}
