//! Where the system does not shut in the process that reads anybody's bytes, it reads none, unless whoever runs the bot
//! allows it. A library of three lines refuses what shuts it in, as an old kernel or a container does.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::support::{has, has_not};

const REFUSES: &str = "#include <errno.h>\nint prctl(int option, ...) { errno = ENOSYS; return -1; }\n";

fn library(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("refuses.c"), folder.join("refuses.so"));
    fs::write(&source, REFUSES).unwrap();
    let mut compiler = Command::new("cc");
    let built = compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status().unwrap();
    assert!(built.success());
    library
}

/// What a child of the program makes of these bytes.
fn child(library: Option<&Path>, arguments: &[&str], bytes: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
    command.args(arguments).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    if let Some(library) = library {
        command.env("LD_PRELOAD", library);
    }
    let mut child = command.spawn().unwrap();
    // One that reads nothing may have ended already.
    let _ = child.stdin.take().unwrap().write_all(bytes.as_bytes());
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}

#[test]
fn what_is_not_shut_in_reads_nothing_and_runs_nothing_unless_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let (shut_in, open) = (None, Some(library.as_path()));
    let (text, code) = ("The ferry pays.", "console.log(6 * 7)");

    has(&child(shut_in, &["read-document"], text), &[text]);
    has(&child(shut_in, &["run-code"], code), &["42"]);
    let refused = child(open, &["read-document"], text);
    has(&refused, &[r#"{"Err":"unconfined"}"#]);
    has_not(&refused, &[text]);
    let refused = child(open, &["run-code"], code);
    has(&refused, &["Code is not run on this machine"]);
    has_not(&refused, &["42"]);
    has(&child(open, &["read-document", "--weak"], text), &[text]);
    has(&child(open, &["run-code", "--weak"], code), &["42"]);
}

#[test]
fn a_child_is_told_that_it_may_be_weak_only_where_that_is_allowed() {
    use documents::{Confine, confine::child};
    let told = |how| {
        let command = child(Path::new("quorum"), "read-document", how);
        let arguments = command.as_std().get_args();
        arguments.map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(told(Confine::Strictly), ["read-document"]);
    assert_eq!(told(Confine::Weakly), ["read-document", "--weak"]);
}
