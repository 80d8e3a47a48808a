//! The program as it is installed, with a stage around it: for what only a whole process shows, such as signals.

use std::{
    fs,
    ops::{Deref, DerefMut},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use super::Stage;

/// A process that ends with whoever started it: a bot left behind by a test that failed would look for its stage for hours, and
/// find another one at a port that is given anew.
pub struct Program(Child);

impl Program {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }
}

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `quorum run` as it is installed, with the stage around it, and its log in a folder.
pub fn program(stage: &Stage, folder: &Path) -> Program {
    program_with(stage, folder, &[])
}

/// The same with further settings.
pub fn program_with(stage: &Stage, folder: &Path, settings: &[(&str, &str)]) -> Program {
    let log = fs::File::create(folder.join("log")).unwrap();
    let mut command = command(stage, folder, "run");
    command.envs(settings.iter().copied());
    Program::start(command.stdout(Stdio::from(log.try_clone().unwrap())).stderr(Stdio::from(log)))
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
pub async fn end(mut program: Program, what: &str) -> ExitStatus {
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
