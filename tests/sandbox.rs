//! Code that models write, run in a real child process: whatever it does is a result that can be read.

use std::process::Command;

use documents::sandbox::{MAX_CODE, MAX_KEPT, Sandbox};
use domain::Ran;

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
        ("console.log('a', 1);\nconsole.log('b');", "a 1\nb\n", None),
        ("2 ** 10 / 3", "", Some("341.3333333333333")),
        ("2n ** 100n", "", Some("1267650600228229401496703205376n")),
        ("const f = (n) => (n < 2 ? 1 : n * f(n - 1));\nf(15)", "", Some("1307674368000")),
        ("const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1));\ndeep(2000)", "", Some("2000")),
        (
            "let sum = 0;\nfor (let n = 0; n < 1000; n++) if (n % 3 === 0 || n % 5 === 0) sum += n;\nsum",
            "",
            Some("233168"),
        ),
        ("(new Date('2024-03-01') - new Date('2024-02-01')) / 86400000", "", Some("29")),
        ("new Date(2024, 1, 29).getDay()", "", Some("4")),
        ("JSON.stringify({ a: [1, 2] })", "", Some("'{\"a\":[1,2]}'")),
        ("'2024-02-29 12'.match(/^(\\d+)-\\d+-\\d+ (\\d+)$/).slice(1).map(Number)", "", Some("[2024, 12]")),
        ("const x = 1", "", None),
        ("undeclared = 1;\nundefined", "", None),
        ("console.log('Größe €')", "Größe €\n", None),
        ("console.log('a\\0b')", "a\u{fffd}b\n", None),
        ("// nothing", "", None),
        (
            "async function main() {\n  await null;\n  console.log('late');\n  return 7;\n}\nmain()",
            "late\n",
            Some("7"),
        ),
        ("Promise.resolve().then(() => console.log('later'));\n1", "later\n", Some("1")),
    ] {
        let ran = run(code).await;
        let wanted = Ran { printed: printed.to_owned(), value: value.map(str::to_owned), ..Ran::default() };
        assert_eq!(ran, wanted, "{code}");
    }
}

#[tokio::test]
async fn values_are_shown_as_a_console_shows_them() {
    for (code, shown) in [
        (
            "[-0, NaN, 5n, null, undefined, true, Symbol('s')]",
            "[-0, NaN, 5n, null, undefined, true, Symbol(s)]",
        ),
        ("({ a: 1, 'b-c': 'it\\'s' })", "{a: 1, 'b-c': 'it\\'s'}"),
        ("new Map([['a', new Set([1])]])", "Map {'a' => Set {1}}"),
        (
            "[new Date(0), /x/g, new Error('no'), Math.max]",
            "[1970-01-01T00:00:00.000Z, /x/g, Error: no, [Function: max]]",
        ),
        ("class Point { x = 1 }\nnew Point()", "Point {x: 1}"),
        ("const a = { b: [] };\na.b.push(a);\na", "{b: [[Circular]]}"),
        ("'a'.repeat(2) + '\\ud800'", r"'aa\ud800'"),
        ("let x = [];\nfor (let i = 0; i < 14; i++) x = [x];\nx", "[[[[[[[[[[[[[…]]]]]]]]]]]]]"),
    ] {
        let ran = run(code).await;
        assert_eq!((ran.value.as_deref(), ran.error.as_deref()), (Some(shown), None), "{code}");
    }
    assert_eq!(run("console.table([{ a: 1 }, { a: 2 }])").await.printed, "0 {a: 1}\n1 {a: 2}\n");
}

#[tokio::test]
async fn what_a_program_finds_is_the_same_in_each_run() {
    let code = "[Math.random(), Math.random()]";
    let (first, second) = (run(code).await, run(code).await);
    assert_eq!(first, second);
    let drawn = "let sum = 0;\nfor (let i = 0; i < 10000; i++) sum += Math.random();\nsum / 10000";
    let mean: f64 = run(drawn).await.value.unwrap().parse().unwrap();
    assert!((mean - 0.5).abs() < 0.02, "{mean}");
}

#[tokio::test]
async fn code_that_fails_says_why_and_where() {
    for (code, told) in [
        ("", "There was no code to run."),
        ("  \n", "There was no code to run."),
        ("x = 1;\nconst y = (1", "no JavaScript that can be run here in line 2"),
        ("console.log('a')\nfor", "no JavaScript that can be run here in line 2"),
        ("def f(n):\n    return n", "no JavaScript that can be run here in line 1"),
        ("x = 1;\nx.foo()", "The code failed in line 2: TypeError: not a function"),
        ("undefined_name + 1", "ReferenceError: undefined_name is not defined"),
        ("throw new Error('no ' + 'way')", "The code failed in line 1: Error: no way"),
        ("throw 'a text'", "The code failed: a text"),
        ("throw null", "The code failed: null"),
        ("throw { toString() { throw 1 } }", "it threw what cannot be shown"),
        ("async function main() {\n  throw new Error('late');\n}\nmain()", "in line 2: Error: late"),
        ("JSON.parse('{')", "The code failed in line 1: SyntaxError"),
        ("import fs from 'fs'", "no JavaScript that can be run here"),
        ("import('fs')", "could not load module 'fs'"),
        ("require('fs')", "require is not defined"),
        ("process.env", "process is not defined"),
        ("fetch('http://127.0.0.1/')", "fetch is not defined"),
        ("setTimeout(() => 1, 1)", "setTimeout is not defined"),
        ("performance.now()", "performance is not defined"),
        ("print(1)", "print is not defined"),
        ("Date.now()", "no clock can be read here"),
        ("new Date()", "no clock can be read here"),
        ("Date()", "no clock can be read here"),
        ("new Date(0).constructor.now()", "no clock can be read here"),
        ("class Day extends Date {}\nnew Day()", "no clock can be read here"),
        (
            "function f(n) {\n  return f(n + 1);\n}\nf(0)",
            "ended in line 2 because it nests or recurses too deep",
        ),
        ("9n ** 9n ** 9n ** 9n", "too large"),
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
        ("console.log('before');\nwhile (true) {}", time),
        ("console.log('before');\n/(a+)+$/.test('a'.repeat(40) + 'b')", time),
        ("console.log('before');\nconst x = [];\nwhile (true) x.push(new Array(1000).fill(0));", memory),
        ("console.log('before');\nconst x = [];\nwhile (true) x.push({ a: 1 });", memory),
        ("console.log('before');\nconst x = new Array(1e9).fill(0);", memory),
        ("console.log('before');\nconsole.log('x'.repeat(1e9));", memory),
    ] {
        let ran = run(code).await;
        assert_eq!(ran.error.as_deref(), Some(told), "{code}: {ran:?}");
        assert_eq!(ran.printed, "before\n", "{code}");
    }
    // Which of the bounds these meet, if any, is the interpreter's own business; all come to an end that is understood.
    for code in [
        "let x = 'before';\nwhile (true) x = x + x;",
        "new Float64Array(1e9)",
        "7n ** 10000000n",
        "const x = [];\nwhile (true) {\n  try {\n    x.push([1, 2, 3]);\n  } catch {}\n}",
        &format!("x = {}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        &format!("x = {}1{}", "[".repeat(5_000), "]".repeat(5_000)),
        &format!("x = {}1", "- ".repeat(9_000)),
        &format!("x = 1{}", " + 1".repeat(5_000)),
        "let x = [];\nfor (let i = 0; i < 100000; i++) x = [x];\nJSON.stringify(x)",
        "class A {\n  get x() {\n    return this.x;\n  }\n}\nnew A()",
        "new Proxy({}, { ownKeys() { throw new Error('no'); } })",
    ] {
        let ran = run(code).await;
        let understood = ran.error.as_ref().is_none_or(|error| !error.contains("gave up"));
        assert!(understood, "{}: {ran:?}", &code[..code.len().min(80)]);
    }
}

#[tokio::test]
async fn of_what_is_printed_the_beginning_is_kept_and_the_rest_is_counted() {
    let whole = run("console.log('x'.repeat(16383))").await;
    assert_eq!((whole.printed.len(), whole.cut, whole.left_out), (MAX_KEPT, false, 0));
    let more = run("console.log('x'.repeat(20000));\nconsole.log('y');\n6 * 7").await;
    assert_eq!((more.printed.len(), more.cut, more.left_out), (MAX_KEPT, true, 20_003 - MAX_KEPT as u64));
    assert_eq!((more.value.as_deref(), more.error.as_deref()), (Some("42"), None));
    let gigabyte =
        run("const line = 'x'.repeat(9999);\nfor (let i = 0; i < 100000; i++) console.log(line);").await;
    assert_eq!((gigabyte.printed.len(), gigabyte.cut), (MAX_KEPT, true));
    assert_eq!(gigabyte.left_out, 1_000_000_000 - MAX_KEPT as u64);
    let without_end = run("while (true) console.log('ä'.repeat(999));").await;
    assert!(without_end.cut && without_end.printed.len() <= MAX_KEPT);
    assert!(without_end.told().contains("It printed more, which is not kept."), "{}", without_end.told());
    let value = run("'x'.repeat(100000)").await.value.unwrap();
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
