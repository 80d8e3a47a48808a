//! The program as it is installed, with a stage around it: for what only a whole process shows, such as signals.

use std::{
    fs,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use super::Stage;

/// `quorum run` as it is installed, with the stage around it, and its log in a folder.
pub fn program(stage: &Stage, folder: &Path) -> Child {
    program_with(stage, folder, &[])
}

/// The same with further settings.
pub fn program_with(stage: &Stage, folder: &Path, settings: &[(&str, &str)]) -> Child {
    let log = fs::File::create(folder.join("log")).unwrap();
    command(stage, folder, "run")
        .envs(settings.iter().copied())
        .stdout(Stdio::from(log.try_clone().unwrap()))
        .stderr(Stdio::from(log))
        .spawn()
        .unwrap()
}

/// The program with what it is to do, on the stage's database.
pub fn command(stage: &Stage, folder: &Path, what: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorum"));
    command
        .arg(what)
        .current_dir(folder)
        .env_clear()
        .env("DISCORD_TOKEN", stage.discord.token())
        .env("DISCORD_API_BASE", stage.discord.url())
        .env("DATABASE_URL", format!("sqlite://{}", stage.database().display()))
        .env("OPENAI_API_KEY", "sk-test")
        .env("OPENAI_BASE_URL", stage.model.openai_base().as_str())
        .env("QUORUM_MODELS", "openai/alpha");
    command
}

/// How a program ends; it is killed if it does not.
pub async fn end(mut program: Child, what: &str) -> ExitStatus {
    let until = tokio::time::Instant::now() + Duration::from_secs(15);
    loop {
        if let Some(status) = program.try_wait().unwrap() {
            return status;
        }
        if tokio::time::Instant::now() > until {
            program.kill().unwrap();
            program.wait().unwrap();
            panic!("{what}: it does not end");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Sends a process a signal, such as `-TERM`.
pub fn signal(program: &Child, which: &str) {
    let sent = Command::new("kill").args([which, &program.id().to_string()]).status().unwrap();
    assert!(sent.success());
}
