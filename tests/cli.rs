//! The built program: exit codes and what a person reads when something is wrong.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use quorum::store::{Store, StoreOptions};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

/// Runs `quorum` in `folder` with the given settings and no others.
pub fn quorum(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quorum"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// The exit code and what was said on standard error.
fn refused(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = quorum(folder, arguments, settings);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn no_token_is_wrong_settings() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&[][..], &["run"]] {
        let (code, said) = refused(folder.path(), arguments, &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("quorum: DISCORD_TOKEN is not set"), "{said}");
        assert!(said.contains("https://discord.com/developers/applications"), "{said}");
    }
}

#[test]
fn a_broken_env_file_is_refused_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), "# mine\nDISCORD_TOKEN=abc\nOPENAI_API_KEY=two hunter2 words\n")
        .unwrap();
    for arguments in [&["run"][..], &["playground"], &["doctor"], &["backup", "copy.db"]] {
        let (code, said) = refused(folder.path(), arguments, &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(".env, line 3 (OPENAI_API_KEY) is not a setting. Write NAME=value"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn all_wrong_settings_of_file_and_environment_are_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join(".env"),
        "LOG_FORMAT=xml\nQUORUM_MODELS=openai/a\nOPENAI_API_KEY=k\nbroken\n",
    )
    .unwrap();
    let settings = [("DATABASE_URL", "postgres://me:hunter2@host/db"), ("QUORUM_MODELS", "gpt-5")];
    let (code, said) = refused(folder.path(), &[], &settings);
    assert_eq!(code, Some(2), "{said}");
    for part in [
        "4 settings cannot be used",
        ".env, line 4 is not a setting",
        "DATABASE_URL is not a SQLite file",
        "QUORUM_MODELS names \"gpt-5\"",
        "LOG_FORMAT is \"xml\"",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("hunter2"), "{said}");
}

#[test]
fn a_misspelt_setting_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let (_, said) = refused(folder.path(), &["run"], &[("QUORUM_BUDGET_SESION_USD", "1")]);
    assert!(said.contains("QUORUM_BUDGET_SESION_USD is set, but there is no such setting"), "{said}");
    let json = [("QUORUM_MODEL", "x"), ("LOG_FORMAT", "json")];
    let (_, said) = refused(folder.path(), &["run"], &json);
    let line: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(line["level"], "WARN", "{said}");
    assert!(line["message"].as_str().unwrap().starts_with("QUORUM_MODEL is set"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_said_before_anything_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let settings = [("DISCORD_TOKEN", "t"), ("OPENAI_API_KEY", "k"), ("QUORUM_METRICS_PORT", port.as_str())];
    let (code, said) = refused(folder.path(), &["run"], &settings);
    assert_eq!(code, Some(1), "{said}");
    let sentence = format!("quorum: port {port} of 127.0.0.1, where QUORUM_METRICS_PORT wants");
    assert!(said.contains(&sentence) && said.contains("set another port, or set none"), "{said}");
    assert!(!folder.path().join("quorum.db").exists(), "{said}");
}

#[test]
fn wrong_usage_is_two_and_help_is_none() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in [&["fly"][..], &["backup"], &["prune"], &["playground", "--port", "99999"]] {
        assert_eq!(quorum(folder.path(), wrong, &[]).status.code(), Some(2), "{wrong:?}");
    }
    let help = quorum(folder.path(), &["--help"], &[]);
    assert_eq!(help.status.code(), Some(0));
    let help = String::from_utf8(help.stdout).unwrap();
    for command in ["run", "playground", "doctor", "export", "backup", "prune"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}

#[test]
fn the_local_model_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = refused(folder.path(), &["playground", "--local-model"], &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("there is no folder to keep the small model in"), "{said}");
    let cache = folder.path().to_str().unwrap();
    let (code, said) = refused(
        folder.path(),
        &["playground", "--local-model"],
        &[("XDG_CACHE_HOME", cache), ("PATH", cache)],
    );
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("there is no python3 on the PATH. Install it"), "{said}");
}

/// What reads documents is this program with a word that nobody has to know.
#[test]
fn the_reader_of_documents_has_no_settings_and_limits_itself() {
    use std::{io::Write, process::Stdio, thread, time::Duration};

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), "broken\n").unwrap();
    let help = quorum(folder.path(), &["--help"], &[]);
    assert!(!String::from_utf8(help.stdout).unwrap().contains("read-document"));

    let mut child = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .arg("read-document")
        .current_dir(folder.path())
        .envs([("DATABASE_URL", "postgres://nowhere"), ("QUORUM_MODELS", "?")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    if cfg!(target_os = "linux") {
        let limits = || fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        let limit = |name: &str| {
            let limits = limits();
            let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
            line[name.len()..].split_whitespace().take(2).collect::<Vec<_>>().join(" ")
        };
        // The last that it sets.
        for _ in 0..200 {
            if limit("Max open files") == "0 0" {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        for (name, most) in [
            ("Max open files", "0 0"),
            ("Max address space", "536870912 536870912"),
            ("Max cpu time", "10 10"),
            ("Max file size", "0 0"),
            ("Max core file size", "0 0"),
            ("Max processes", "0 0"),
        ] {
            assert_eq!(limit(name), most, "{name}");
        }
    }
    child.stdin.take().unwrap().write_all(b"# Plan").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim(), r##"{"Ok":{"text":"# Plan","places":"lines"}}"##);
}

/// Whether this process has the file open, as far as the system says.
fn is_open(path: &std::path::Path) -> bool {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|target| target == path)
}

#[test]
fn the_doctor_says_what_a_start_would_do_to_the_database_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    // Nobody listens there, so that no model of the machine that runs the tests is asked either.
    let nobody = "127.0.0.1:9";
    let settings =
        [("DISCORD_TOKEN", "t"), ("DISCORD_API_BASE", "http://127.0.0.1:9"), ("OLLAMA_HOST", nobody)];
    let says = || {
        // What readers share in memory (-shm) is no data.
        let files = || {
            let all = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
            let mut all: Vec<_> = all.filter(|path| !path.ends_with("quorum.db-shm")).collect();
            all.sort();
            all.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
        };
        let before = files();
        let said = String::from_utf8(quorum(folder.path(), &["doctor"], &settings).stdout).unwrap();
        let after = files();
        assert!(
            after == before,
            "{said}: {:?}",
            after.iter().map(|(bytes, path)| (bytes.len(), path)).collect::<Vec<_>>()
        );
        assert!(said.contains("ok     calculations: investigations run them in a process"), "{said}");
        said.lines().find(|line| line.contains(" database: ")).unwrap().to_owned()
    };
    let said = says();
    assert!(said.contains("ok     database: quorum.db is not there yet; the first start makes it"), "{said}");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let open = || runtime.block_on(Store::open(&file("quorum.db"), StoreOptions::default(), 1)).unwrap();
    let running = open();
    let said = says();
    assert!(said.contains("ok     database: quorum.db is in use by a Quorum that runs"), "{said}");
    drop(running);
    // Its last connections close behind its back, and take the write-ahead log into the file meanwhile.
    let closed = || !is_open(&file("quorum.db"));
    runtime.block_on(crate::support::until(closed, || "the store's last connection has closed"));
    let free = || says().contains("ok     database: quorum.db can be written and is up to date");
    runtime.block_on(crate::support::until(free, says));

    let change = |sql: &'static str| {
        runtime.block_on(async {
            let options = SqliteConnectOptions::new().filename(file("quorum.db"));
            let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
            sqlx::query(sql).execute(&mut raw).await.unwrap();
            raw.close().await.unwrap();
        });
    };
    change("DELETE FROM _sqlx_migrations");
    let said = says();
    assert!(said.contains("the next start brings it up to date (0001 schema"), "{said}");

    change("INSERT INTO _sqlx_migrations VALUES (9999, 'later', 1, TRUE, x'00', 1)");
    let said = says();
    assert!(said.contains("WRONG  database: ") && said.contains("newer version of Quorum"), "{said}");

    fs::write(file("quorum.db"), "Dear diary, ".repeat(1_000)).unwrap();
    let said = says();
    assert!(said.contains("WRONG  database: ") && said.contains("Restore a backup"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_reads_a_document_can_do_nothing_else() {
    let probe =
        Command::new(env!("CARGO_BIN_EXE_quorum")).args(["read-document", "--probe"]).output().unwrap();
    let found: serde_json::Value = serde_json::from_slice(&probe.stdout).unwrap();
    assert_eq!(found, serde_json::json!({"lacking": null, "possible": []}));
}
