//! `quorum init`: asked for, tried, written, and nothing lost whatever is typed.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::support::{
    Stage,
    model::{Answer, Fault},
};

/// What it says and its exit code, when these lines are typed.
async fn init(stage: &Stage, folder: &Path, typed: &[&str], more: &[(&str, &str)]) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .arg("init")
        .current_dir(folder)
        .env_clear()
        .env("DISCORD_API_BASE", stage.discord.url())
        .env("OPENAI_BASE_URL", stage.model.openai_base().as_str())
        .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
        .env("OLLAMA_HOST", "127.0.0.1:9")
        .envs(more.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = [typed, &[""]].concat().join("\n");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
    let said = [ended.stdout, ended.stderr].concat();
    (String::from_utf8(said).unwrap(), ended.status.code())
}

fn env(folder: &Path) -> String {
    fs::read_to_string(folder.join(".env")).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_typed_is_tried_and_then_written() {
    let stage = Stage::start().await;
    // The address alone, which is set, is tried before a key is asked for.
    let asked = AtomicUsize::new(0);
    stage
        .model
        .on(move |_| (asked.fetch_add(1, Ordering::Relaxed) == 0).then_some(Answer::Fault(Fault::Auth)));
    let folder = tempfile::tempdir().unwrap();
    let token = stage.discord.token();
    // A token that is none, then the right one; no Anthropic key; one of OpenAI's; nothing of OpenRouter, Gemini, Tavily.
    let typed = ["not-a-token", token, "", "sk-test", "", "", ""];
    let refused = "OpenAI key, from https://platform.openai.com/api-keys: set already, but";
    let (said, code) = init(&stage, folder.path(), &typed, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("WRONG  ") && said.contains("Copy the token anew"), "{said}");
    assert!(said.contains(refused), "{said}");
    assert!(
        said.contains("ok     DISCORD_TOKEN works") && said.contains("ok     OPENAI_API_KEY works"),
        "{said}"
    );
    assert!(said.contains("https://discord.com/oauth2/authorize?client_id="), "{said}");
    assert!(!said.contains(token) && !said.contains("sk-test"), "a secret is shown: {said}");
    let env_file = env(folder.path());
    assert!(env_file.contains(&format!("\nDISCORD_TOKEN={token}\n")), "{env_file}");
    assert!(
        env_file.contains("\nOPENAI_API_KEY=sk-test\n") && env_file.contains("\nTAVILY_API_KEY=\n"),
        "{env_file}"
    );
    assert!(!env_file.contains("not-a-token"), "{env_file}");

    // Started again, all that works stays, and nothing is written.
    let before = env(folder.path());
    let (said, code) = init(&stage, folder.path(), &["", "", "", "", ""], &[]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("set already, and works") && said.contains("nothing was written"), "{said}");
    assert_eq!(env(folder.path()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn geminis_key_is_asked_for_and_azures_is_not() {
    let stage = Stage::start().await;
    let asked = AtomicUsize::new(0);
    stage
        .model
        .on(move |_| (asked.fetch_add(1, Ordering::Relaxed) == 0).then_some(Answer::Fault(Fault::Auth)));
    let folder = tempfile::tempdir().unwrap();
    let token = stage.discord.token();
    let gemini = stage.model.openai_base();
    // Nobody answers at Anthropic's and OpenAI's addresses. Gemini's is tried without a key, then with the one that is typed.
    let typed = [token, "", "", "", "key-of-gemini", ""];
    let more = [("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), ("GEMINI_BASE_URL", gemini.as_str())];
    let (said, code) = init(&stage, folder.path(), &typed, &more).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Azure OpenAI is not asked for here"), "{said}");
    assert!(said.contains("Gemini key, from https://aistudio.google.com/apikey: set already, but"), "{said}");
    assert!(said.contains("ok     GEMINI_API_KEY works") && !said.contains("key-of-gemini"), "{said}");
    let env_file = env(folder.path());
    assert!(env_file.contains("\nGEMINI_API_KEY=key-of-gemini\n"), "{env_file}");
    assert!(env_file.contains("\nAZURE_OPENAI_API_KEY=\n"), "{env_file}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_stops_has_what_was_there() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    for typed in [&[][..], &[""], &["wrong", ""], &["two words", "Bot abc"]] {
        let (said, code) = init(&stage, folder.path(), typed, &[]).await;
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("Stopped. Nothing was written."), "{said}");
        assert!(!folder.path().join(".env").exists());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_that_were_there_stay_and_a_key_that_fails_is_not_kept() {
    let stage = Stage::start().await;
    let folder = tempfile::tempdir().unwrap();
    // The name of a model without its key is what is mended here.
    let there = "# ours\nQUORUM_MODELS=anthropic/claude-sonnet-5-5\nLOG_FORMAT=json\n";
    fs::write(folder.path().join(".env"), there).unwrap();
    let token = stage.discord.token();
    // Nobody answers at Anthropic's address.
    let typed = [token, "sk-ant-test", "", "", "", "", ""];
    let (said, code) =
        init(&stage, folder.path(), &typed, &[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Check the base URL and the network"), "{said}");
    assert!(said.contains("There is no model yet"), "{said}");
    assert_eq!(env(folder.path()), format!("{there}DISCORD_TOKEN={token}\n"));

    fs::write(folder.path().join(".env"), "DISCORD_TOKEN=a\nnonsense\n").unwrap();
    let (said, code) = init(&stage, folder.path(), &[token], &[]).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(".env, line 2 is not a setting"), "{said}");
}
