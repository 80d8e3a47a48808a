//! Code that models write, run in a real child process: whatever it does is a result that can be read.

use std::process::Command;

use quorum::{
    domain::Ran,
    sandbox::{MAX_CODE, MAX_KEPT, Sandbox},
};

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_quorum").into())
}

async fn run(code: &str) -> Ran {
    sandbox().run(code).await.unwrap()
}

#[tokio::test]
async fn code_computes_and_prints() {
    for (code, printed, value) in [
        ("6 * 7", "", Some("42")),
        ("print('a', 1, sep='-')\nprint('b')", "a-1\nb\n", None),
        ("import math\nmath.comb(52, 5)", "", Some("2598960")),
        ("2 ** 100", "", Some("1267650600228229401496703205376")),
        ("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nf(20)", "", Some("2432902008176640000")),
        ("sum(x for x in range(1000) if x % 3 == 0 or x % 5 == 0)", "", Some("233168")),
        ("from datetime import date\n(date(2024, 3, 1) - date(2024, 2, 1)).days", "", Some("29")),
        ("import json\njson.dumps({'a': [1, 2]})", "", Some("'{\"a\": [1, 2]}'")),
        ("x = 1", "", None),
        ("print('Größe €')", "Größe €\n", None),
        ("print('a\\0b')", "a\u{fffd}b\n", None),
        ("# nothing", "", None),
    ] {
        let ran = run(code).await;
        let wanted = Ran { printed: printed.to_owned(), value: value.map(str::to_owned), ..Ran::default() };
        assert_eq!(ran, wanted, "{code}");
    }
}

#[tokio::test]
async fn code_that_fails_says_why_and_where() {
    for (code, told) in [
        ("", "There was no code to run."),
        ("  \n", "There was no code to run."),
        ("x = (1", "no Python that can be run here in line 1"),
        ("print('a')\nfor", "no Python that can be run here in line 2"),
        ("1 / 0", "The code failed in line 1: ZeroDivisionError: division by zero"),
        ("x = 1\nx.foo()", "in line 2: AttributeError"),
        ("undefined_name + 1", "NameError"),
        ("raise ValueError('no ' + 'way')", "ValueError: no way"),
        ("assert 1 == 2, 'one is not two'", "AssertionError: one is not two"),
        ("import numpy", "asks for a module that is not here"),
        ("import subprocess", "asks for a module that is not here"),
        ("import socket", "asks for a module that is not here"),
        ("import urllib.request", "asks for a module that is not here"),
        ("import ctypes", "asks for a module that is not here"),
        ("import random", "asks for a module that is not here"),
        ("import time", "asks for a module that is not here"),
        ("import os\nos.system('id')", "AttributeError"),
        ("import os\nos.getenv('PATH')", "can reach no files, no network"),
        ("import os\nprint(os.environ)", "can reach no files, no network"),
        ("open('/etc/passwd').read()", "can reach no files, no network"),
        ("open('out.txt', 'w').write('a')", "can reach no files, no network"),
        ("from pathlib import Path\nPath('/').exists()", "can reach no files, no network"),
        ("from datetime import datetime\ndatetime.now()", "no clock of this computer"),
        ("__import__('os')", "NameError"),
        ("eval('1')", "NameError"),
        ("exec('1')", "NameError"),
        ("input()", "NameError"),
        ("def f(n):\n    return f(n + 1)\nf(0)", "calls nest deeper than 500"),
    ] {
        let ran = run(code).await;
        let error = ran.error.clone().unwrap_or_default();
        assert!(error.contains(told), "{code}: {ran:?}");
        assert!(ran.value.is_none(), "{code}: {ran:?}");
    }
    let long = format!("x = '{}'", "a".repeat(MAX_CODE));
    assert_eq!(run(&long).await.error.unwrap(), "The code is longer than 32 kB.");
}

#[tokio::test]
async fn code_without_end_or_bound_is_ended() {
    let time = "It was ended because it computed for more than 5 seconds.";
    let memory = "It was ended because it needed more than 256 MB of memory.";
    for (code, told) in [
        ("print('before')\nwhile True:\n    pass", time),
        ("x = 'before'\nprint(x)\nwhile True:\n    x = x + x", memory),
        ("print('before')\nx = []\nwhile True:\n    x.append([0] * 1000)", memory),
        ("print('before')\nx = [0] * 10 ** 12", memory),
        ("print('before')\nprint('x' * 10 ** 9)", memory),
        ("print('before')\nx = '9' * 10 ** 9", memory),
    ] {
        let ran = run(code).await;
        assert_eq!(ran.error.as_deref(), Some(told), "{code}: {ran:?}");
        assert_eq!(ran.printed, "before\n", "{code}");
    }
    // Which of the bounds these meet, if any, is the interpreter's own business; all come to an end that is understood.
    for code in [
        "x = 7 ** 7 ** 7 ** 7\nprint(x)",
        "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
        &format!("x = {}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        &format!("x = {}1{}", "[".repeat(5_000), "]".repeat(5_000)),
        &format!("x = {}1", "-".repeat(9_000)),
        &format!("x = 1{}", " + 1".repeat(5_000)),
        "x = []\nfor i in range(100000):\n    x = [x]\nprint(x)",
        "class A:\n    def __repr__(self):\n        return repr(self)\nA()",
    ] {
        let ran = run(code).await;
        let understood = ran.error.as_ref().is_none_or(|error| !error.contains("gave up"));
        assert!(understood, "{}: {ran:?}", &code[..code.len().min(80)]);
    }
}

#[tokio::test]
async fn of_what_is_printed_the_beginning_is_kept_and_the_rest_is_counted() {
    let whole = run("print('x' * 16383)").await;
    assert_eq!((whole.printed.len(), whole.cut, whole.left_out), (MAX_KEPT, false, 0));
    let more = run("print('x' * 20000)\nprint('y')\n6 * 7").await;
    assert_eq!((more.printed.len(), more.cut, more.left_out), (MAX_KEPT, true, 20_003 - MAX_KEPT as u64));
    assert_eq!((more.value.as_deref(), more.error.as_deref()), (Some("42"), None));
    let gigabyte = run("for i in range(100000):\n    print('x' * 9999)").await;
    assert_eq!((gigabyte.printed.len(), gigabyte.cut), (MAX_KEPT, true));
    assert_eq!(gigabyte.left_out, 1_000_000_000 - MAX_KEPT as u64);
    let without_end = run("while True:\n    print('ä' * 999)").await;
    assert!(without_end.cut && without_end.printed.len() <= MAX_KEPT);
    assert!(without_end.told().contains("It printed more, which is not kept."), "{}", without_end.told());
    let value = run("'x' * 100000").await.value.unwrap();
    assert!(value.len() <= MAX_KEPT + 3 && value.ends_with('…'));
}

#[tokio::test]
async fn many_at_once_have_their_turns() {
    let sandbox = sandbox();
    let codes: Vec<String> = (0..6).map(|n| format!("{n} * {n}")).collect();
    let ran = futures::future::join_all(codes.iter().map(|code| sandbox.run(code))).await;
    for (n, ran) in ran.into_iter().enumerate() {
        assert_eq!(ran.unwrap().value, Some((n * n).to_string()));
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_is_no_result() {
    let error = Sandbox::new("no-such-program".into()).run("1").await.unwrap_err();
    assert!(error.to_string().contains("could not be started"), "{error}");
}

#[test]
fn nobody_has_to_know_the_word_for_it() {
    let help = Command::new(env!("CARGO_BIN_EXE_quorum")).arg("--help").output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("run-code"));
}
